"""Exports of a session: Markdown to read, JSON lines to keep, one HTML page to look around in."""
