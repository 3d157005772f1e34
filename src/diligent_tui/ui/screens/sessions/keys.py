"""What one can do on the sessions screen and by which key, declared once for the screen, its bottom line and the help.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `d` of a search typed quickly would ask to delete. The screen looks them up itself, key by key, in order.
"""

NEEDS_A_SESSION = frozenset({"session_resume", "session_fork", "session_export"})
"""What is done with a session only, not with a file that holds none."""
NEEDS_A_ROW = NEEDS_A_SESSION | {"session_rename", "session_delete"}
