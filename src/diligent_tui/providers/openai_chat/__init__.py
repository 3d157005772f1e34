"""Models of any server that speaks the Chat Completions format."""
