"""The list above the prompt: files, commands, earlier prompts; found as one types."""
