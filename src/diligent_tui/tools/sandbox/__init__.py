"""Shutting commands in: what they may reach, the ways to hold them there, and trying whether that holds."""
