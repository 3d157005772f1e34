"""Completion scripts, one module for each shell."""
