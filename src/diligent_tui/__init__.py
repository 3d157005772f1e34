"""diligent: a coding agent for the terminal whose memory one can see, edit and undo."""

__version__ = "0.1.0"
