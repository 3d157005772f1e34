"""Searching in the text of many files, with ripgrep if it is there, else with Python; both give the same answers."""
