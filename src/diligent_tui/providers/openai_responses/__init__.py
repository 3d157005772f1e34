"""Models of OpenAI, over its Responses format."""
