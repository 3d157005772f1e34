"""The lines at the edges of the recall screen: what it is, what one types, what the keys do, and what it teaches."""

from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.screens.sessions.field import LineField

NO_WORDS = (
    "Find anything that was said or done in this session, even if it has been summarised or pruned since.\n"
    "Type words from it: a name, a path, part of an error."
)
SEARCHING = "Searching …"
FIRST_SEARCH = "The first search of a session reads all of it. Later ones are quick."
NO_MATCH = "Nothing in this session has these words.\nTry fewer of them, or only the beginning of a name."
TYPING_KEYS = (("⏎", "to the chat"), ("↑ ↓", "move"), ("tab", "more keys"), ("esc", "close"))
ACTING_KEYS = (
    ("⏎", "to the chat"),
    ("j k", "move"),
    ("J K", "read"),
    ("y", "copy"),
    ("i", "quote"),
    ("/", "search"),
    ("esc", "close"),
)
EMPTY_KEYS = (("esc", "close"),)


@dataclass(frozen=True, slots=True)
class RecallState:
    """All that the edges depend on."""

    field: LineField
    is_typing: bool = True
    is_searching: bool = False
    progress: str = ""
    """How far a first search is, which takes the whole session in."""
    place: int = 0
    hits: int = 0
    notice: str = ""
    is_wrong: bool = False
    """True if the notice tells of a failure."""


def draw_top(state: RecallState, width: int) -> Content:
    """What this is, and how much was found."""
    top = Content.styled(" Recall ", "bold $accent") + "  "
    if state.hits:
        top += Content.styled(f"{state.place} of {state.hits} found, best first", "$dim")
    return top.truncate(max(1, width), ellipsis=True)


def draw_words(state: RecallState, width: int) -> Content:
    """The line one types in; without a cursor while letters act."""
    if state.is_typing:
        return Content.styled(" / ", "$accent") + state.field.draw(width - 4)
    return Content.assemble((" / ", "$dim"), state.field.text).truncate(max(1, width), ellipsis=True)


def draw_teaching(state: RecallState) -> Content:
    """What stands in the place of hits that are not there."""
    if state.hits:
        return Content("")
    if state.is_searching and state.field.text.strip():
        told = f"{state.progress[:1].upper()}{state.progress[1:]}\n" if state.progress else ""
        return Content.assemble(told, (FIRST_SEARCH if told else SEARCHING, "$dim"))
    return Content.styled(NO_MATCH if state.field.text.strip() else NO_WORDS, "$dim")


def draw_notice(state: RecallState, width: int) -> Content:
    """What became of a wish."""
    style = "$error" if state.is_wrong else ""
    return Content.styled(f" {clean_line(state.notice)}", style).truncate(max(1, width), ellipsis=True)


def draw_keys(state: RecallState, width: int, keymap: Mapping[str, str]) -> Content:
    """The keys that matter now, as many as fit; the way out is always among them."""
    acting = EMPTY_KEYS if not state.hits else ACTING_KEYS
    typing = EMPTY_KEYS if not state.hits else TYPING_KEYS
    return Content(" ") + render_keys(typing if state.is_typing else hints_now(acting, "recall", keymap), width - 1)
