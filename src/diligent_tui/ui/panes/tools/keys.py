"""The keys of the tools pane: what each does, and what its foot says of them.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `R` of a search typed quickly would run a call again. The pane looks them up itself, key by key, in order.
"""

IN_THE_LIST = (
    ("⏎", "details"),
    ("f", "filter"),
    ("/", "find"),
    ("o", "output"),
    ("y", "copy"),
    ("c", "chat"),
    ("t", "tree"),
    ("R", "run again"),
)
IN_THE_DETAILS = (
    ("⏎", "close"),
    ("J K", "scroll"),
    ("o", "output"),
    ("d", "diff"),
    ("w", "wide"),
    ("y", "copy"),
    ("c", "chat"),
    ("t", "tree"),
    ("R", "run again"),
)
WITH_NO_ROWS = (("f", "filter"), ("F3", "hide"))
WITH_NOTHING = (("tab", "prompt"), ("F3", "hide"))
IN_THE_OUTPUT = (("j k g G", "scroll"), ("w", "wide"), ("y", "copy"), ("esc", "back"))
