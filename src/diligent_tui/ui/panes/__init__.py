"""The parts of the screen that show one thing each; they do not know each other."""
