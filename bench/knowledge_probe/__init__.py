"""What the benchmark of knowledge is made of."""
