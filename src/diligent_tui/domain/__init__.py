"""Pure types and functions that every other room stands on; no input, no output."""
