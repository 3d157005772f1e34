"""Facts kept across sessions."""
