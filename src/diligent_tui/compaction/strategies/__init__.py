"""Ways to write what stands for a covered span: one file each, and a registry that knows them all."""
