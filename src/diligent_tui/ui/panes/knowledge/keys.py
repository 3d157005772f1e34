"""The keys of the knowledge pane: what each does, and what its foot says of them.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `d` of words typed quickly would take an entry back. The pane looks them up itself, key by key, in order.
"""

from diligent_tui.ui.key_line import Hint

UNDO: Hint = ("u", "undo")
SOURCE: Hint = ("⏎", "source")
SHOW_ALL: Hint = ("esc", "show all")
IN_THE_LIST = (
    SOURCE,
    ("a", "add"),
    ("e", "edit"),
    ("d", "take back"),
    ("p", "pin"),
    ("/", "filter"),
    ("o", "details"),
    ("m", "merge"),
    ("S", "scope"),
)
IN_THE_INBOX = (
    ("a", "accept"),
    ("e", "edit"),
    ("d", "reject"),
    SOURCE,
    ("A", "accept all"),
    UNDO,
    ("esc", "back"),
)
IN_THE_MERGE = (("space", "take in or out"), ("⏎", "merge"), ("esc", "back"))
NEXT_FIELD: Hint = ("tab", "next")
IN_THE_FORM = (("⏎", "save"), NEXT_FIELD, ("ctrl+j", "new line"), ("esc", "leave"))
BESIDE_ITS_LIKE = (("⏎", "keep both"), ("ctrl+r", "replace it"), ("esc", "leave"))
BEHIND_A_NEWER_ONE = (("ctrl+r", "replace it"), ("esc", "leave"))
IN_AN_EMPTY_LIST = (("a", "add"), ("i", "inbox"))
IN_AN_EMPTY_INBOX = (UNDO, ("esc", "back"))
BRING_BACK: Hint = ("d", "bring back")
IN_THE_PAST = (BRING_BACK, ("v", "view"), ("o", "details"), SOURCE)
