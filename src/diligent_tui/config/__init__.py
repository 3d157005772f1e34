"""Settings by layers, and where things are kept."""
