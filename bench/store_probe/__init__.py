"""What the benchmark of the store needs: large projects, and programs that are measured on them."""
