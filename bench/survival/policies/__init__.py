"""How other agents keep a long conversation within its window, each in a file of its own."""
