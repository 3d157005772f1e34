"""The keys of the context: what each does, and what its foot says of them; no bindings, so that they act in order."""

IN_THE_PANE = (
    ("⏎", "to chat"),
    ("space", "open"),
    ("f", "filter"),
    ("/", "find"),
    ("p", "pin"),
    ("y", "copy"),
    ("-", "fold all"),
)
ON_A_SCREEN = (("space", "open"), ("f", "filter"), ("/", "find"), ("y", "copy"), ("-", "fold all"), ("esc", "close"))
