"""Append-only JSON lines on disk: locked, synced, private, and read back whatever happened to them."""
