"""What the soak runs in a process of its own."""
