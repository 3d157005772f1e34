"""`diligent doctor`: what here may be in the way, and what to do about it. One module for each thing looked at."""
