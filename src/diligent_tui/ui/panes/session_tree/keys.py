"""The keys of the tree, declared once for what they do, for the help and for the hint.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `F` of a search typed quickly would fork. The pane looks them up itself, key by key, in order.
"""

HINTS = (
    ("⏎", "go on"),
    ("/", "find"),
    ("f", "filter"),
    ("l", "label"),
    ("m c", "compare"),
    ("b", "bring"),
    ("F", "fork"),
    ("x", "context"),
)
WITH_NO_ROWS = (("f", "filter"), ("F2", "hide"))
WITH_NOTHING = (("tab", "prompt"), ("F2", "hide"))
WHILE_NAMING = (("⏎", "save"), ("esc", "leave"))
