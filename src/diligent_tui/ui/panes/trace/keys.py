"""The keys of the trace: what each does, and what its foot says of them; no bindings, so that they act in order."""

HINTS = (
    ("⏎", "open"),
    ("f", "filter"),
    ("!", "problems"),
    ("/", "find"),
    ("e", "export"),
    ("c", "chat"),
    ("y", "copy"),
    ("-", "fold all"),
    ("F1", "keys"),
)
WHILE_ASKING = (("⏎", "keep"), ("esc", "show all"))
WHILE_BEHIND = (("G", "to the newest"),)
