"""What the benchmark of the screen runs as processes of their own, and the terminal it runs them in."""
