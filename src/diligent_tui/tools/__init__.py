"""What the model may do on this machine, and who decides about it."""
