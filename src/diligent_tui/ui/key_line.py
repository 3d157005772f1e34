"""Keys and what they do, as every foot, dialog and pane says them: one spelling, one colour, one way to run short."""

from collections.abc import Sequence

from textual._context import active_app
from textual.content import Content

Hint = tuple[str, str]
"""A key, or a few with blanks between them, and a word or two for what they do."""
GAP = "  "
WAY_BACK = "esc"
NO_LIMIT = 10_000
KEY_STYLE = "$accent"
PANE_KEY_STYLE = ""
"""In a pane the colour of its foot, which the style sheet makes quiet while the keys would go elsewhere."""
KEY_NAMES = {
    "escape": "esc",
    "enter": "⏎",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}
ENTER = KEY_NAMES["enter"]
ENTER_IN_LETTERS = "enter"
"""Where the terminal cannot show the sign; unlike those that stand for other signs it is wider, so it is measured."""
BEFORE_FINDING: Sequence[Hint] = (("type", "to find"), ("esc", "leave"))
WHILE_FINDING: Sequence[Hint] = (("⏎", "keep"), ("esc", "back"))
WHILE_FOUND: Sequence[Hint] = (("n N", "next"), ("esc", "end"))
NOT_SAVED = "Not saved.  "
WHILE_LEAVING: Sequence[Hint] = (("s", "save"), ("x", "drop the changes"), ("⏎", "go on writing"))
WHILE_LEAVING_A_NARROW_PANE: Sequence[Hint] = (("s", "save"), ("x", "drop"), ("⏎", "go on"))


def key_name(key: str) -> str:
    """How a key is written: a letter as it is typed, F1, ctrl+p, ⏎."""
    before, plus, last = key.rpartition("+")
    if last[:1] == "f" and last[1:].isdigit():
        last = last.upper()
    return f"{before}{plus}{KEY_NAMES.get(last, last)}" if last else key


def spelled(words: str) -> str:
    """Words that name keys, as the terminal of the app that draws them can show them."""
    app = active_app.get(None)
    return words if getattr(app, "plain_signs", None) is None else words.replace(ENTER, ENTER_IN_LETTERS)


def render_keys(hints: Sequence[Hint], width: int = NO_LIMIT, key_style: str = KEY_STYLE) -> Content:
    """As many as there is room for, the first ones first; the way back is always among them."""
    kept = [(spelled(keys), words) for keys, words in hints]
    while len(kept) > 1 and _cells(kept) > width:
        del kept[-2 if kept[-1][0].startswith(WAY_BACK) else -1]
    parts = [Content.assemble((key, key_style), (_written("", words), "$dim")) for key, words in kept]
    return Content(GAP).join(parts).truncate(max(1, width), ellipsis=True)


def render_pane_keys(hints: Sequence[Hint], width: int) -> Content:
    """The keys at the foot of a pane."""
    return render_keys(hints, width, PANE_KEY_STYLE)


def render_leaving(width: int) -> Content:
    """The question at the foot of a pane whose editor is left with changes; all its answers are always there."""
    room = width - len(NOT_SAVED)
    for hints in (WHILE_LEAVING, WHILE_LEAVING_A_NARROW_PANE):
        if _cells([(spelled(keys), words) for keys, words in hints]) <= room:
            return Content.assemble((NOT_SAVED, "$memory"), render_pane_keys(hints, room))
    kept = [(spelled(keys), words) for keys, words in WHILE_LEAVING_A_NARROW_PANE]
    for place in reversed(range(len(kept))):
        if _cells(kept) > width:
            kept[place] = (kept[place][0], "")
    return render_pane_keys(kept, width)


def _cells(hints: Sequence[Hint]) -> int:
    return sum(len(_written(*hint)) for hint in hints) + len(GAP) * (len(hints) - 1)


def _written(key: str, words: str) -> str:
    return f"{key} {words}" if words else key
