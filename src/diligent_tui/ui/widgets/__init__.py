"""Widgets: each owns its look and its gestures, never the conversation."""
