"""The keys of the tools pane: what each does, and what its foot says of them.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `R` of a search typed quickly would run a call again. The pane looks them up itself, key by key, in order.
"""

from collections.abc import Sequence

from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.panes.tools.facts import CallFacts

IN_THE_LIST: Sequence[Hint] = (("⏎", "details"), ("f", "filter"), ("/", "find"), ("o", "output"))
TO_TREE: Hint = ("t", "tree")
RUN_AGAIN: Hint = ("R", "run again")
SHOW_ALL: Hint = ("esc", "show all")
SIDE_BY_SIDE: Hint = ("d", "diff")
UNIFIED: Hint = ("d", "unified")
WIDEN: Hint = ("w", "wide")
NARROW: Hint = ("w", "narrow")
WITH_NO_ROWS: Sequence[Hint] = (SHOW_ALL, ("f", "filter"), ("F3", "hide"))
WITH_NOTHING: Sequence[Hint] = (("tab", "prompt"), ("F3", "hide"))


def in_the_list(facts: CallFacts | None, *, is_all: bool) -> list[Hint]:
    """What can be done with the call under the cursor, and with the list, which may not be of all."""
    first, *others = IN_THE_LIST
    return [first, *([] if is_all else [SHOW_ALL]), *others, *_with_a_call(facts)]


def in_the_details(facts: CallFacts | None, diff: Hint | None, width: Hint | None) -> list[Hint]:
    """What can be done with the details; a diff can be laid otherwise, and a width changed, only where it can."""
    looks = [hint for hint in (diff, width) if hint is not None]
    return [("⏎", "close"), ("J K", "scroll"), ("o", "output"), *looks, *_with_a_call(facts)]


def in_the_output(width: Hint | None) -> list[Hint]:
    """What can be done with a whole output."""
    return [("j k g G", "scroll"), *([width] if width is not None else []), ("y", "copy"), ("esc", "back")]


def _with_a_call(facts: CallFacts | None) -> list[Hint]:
    """Only what has ended comes into the tree, or can be run again."""
    is_saved = facts is not None and facts.entry_id is not None
    has_ended = facts is not None and facts.has_ended
    return [("y", "copy"), ("c", "chat"), *([TO_TREE] if is_saved else []), *([RUN_AGAIN] if has_ended else [])]
