"""One conversation: its tree, its file, and what of it the model sees."""
