"""Models of Anthropic, over its Messages format."""
