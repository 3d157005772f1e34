"""What the keys of the sessions screen mean just now, and the lines at its edges that say so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, assert_never

from textual.content import Content

from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.files import SessionFile
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands import Command
from diligent_tui.ui.commands.keys_now import shown_key
from diligent_tui.ui.commands.sessions import SESSION_COMMANDS
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.screens.sessions.field import LineField
from diligent_tui.ui.screens.sessions.keys import NEEDS_A_ROW, NEEDS_A_SESSION

TITLE_CHARS = 60
NONE_YET = "No sessions here yet.\nSend a first prompt and it is kept from then on."
NO_MATCH = "No match in names, first prompts or ids.\nTry other words."


@dataclass(frozen=True, slots=True)
class Browsing:
    """Letters act."""


@dataclass(frozen=True, slots=True)
class Searching:
    """Letters are the words looked for."""

    field: LineField


@dataclass(frozen=True, slots=True)
class Renaming:
    """Letters are the new name."""

    file: SessionFile
    field: LineField


@dataclass(frozen=True, slots=True)
class Deleting:
    """A yes or a no is waited for."""

    file: SessionFile
    title: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How many sessions there are, how many of them are not read yet, and how many are shown for which words."""

    listed: int = 0
    unread: int = 0
    shown: int = 0
    words: str = ""
    is_listed: bool = False


Opening = Literal["resume", "look at it", "go back to it", "nothing"]
"""What Enter does with the session under the cursor; with a file that holds none it does nothing."""
Mode = Browsing | Searching | Renaming | Deleting
NOT_WITH: Mapping[Opening, frozenset[str]] = MappingProxyType(
    {
        "look at it": frozenset({"session_rename"}),
        "go back to it": frozenset({"session_rename", "session_delete"}),
    }
)
"""What cannot be done from here with a session that is only read, and with the one that one is in."""


def said(sentence: str, key: str = "", word: str = "") -> Content:
    """What became of a wish, and what to press next."""
    return Content.assemble(clean_line(sentence), "  " if key else "", (key, "$accent"), (f" {word}", "$dim"))


def failed(error: DiligentError) -> Content:
    """What went wrong and what to do."""
    return Content.assemble((clean_line(error.message), "$error"), " ", clean_line(error.advice))


def draw_top(counts: Counts, width: int) -> Content:
    """What this is, how many there are, and what is looked for."""
    top = Content.styled(" Sessions ", "bold $accent") + "  "
    listed = fmt.count(counts.listed, "session")
    if counts.words:
        top += Content.assemble(f"{counts.shown:,} of {listed}", (" with ", "$dim"), counts.words)
    else:
        top += Content.styled(listed if counts.listed else "none yet" if counts.is_listed else "", "$dim")
    if counts.unread:
        top += Content.styled(f"   reading {counts.unread:,} more", "$dim")
    return top.truncate(max(1, width), ellipsis=True)


def draw_teaching(counts: Counts) -> Content:
    """What an empty list says."""
    if counts.shown or not counts.is_listed:
        return Content("")
    return Content.styled(NO_MATCH if counts.words else NONE_YET, "$dim")


def draw_search(mode: Mode, width: int) -> Content:
    """The line where one types words to look for, above what is found."""
    match mode:
        case Searching(field):
            return Content.styled(" / ", "$accent") + field.draw(width - 4)
        case Browsing() | Renaming() | Deleting():
            return Content("")
        case _ as never:
            assert_never(never)


def draw_slot(mode: Mode, notice: Content, width: int) -> Content:
    """The line where one is told and asked, and where one types a name."""
    match mode:
        case Browsing() | Searching():
            return Content(" ") + notice
        case Renaming():
            return Content.styled(" name › ", "$accent") + mode.field.draw(width - 9)
        case Deleting():
            title = clean_line(mode.title, TITLE_CHARS)
            return Content.assemble(
                (" Delete ", "bold $accent"), f"“{title}”? It moves to .diligent/trash with its long outputs."
            )
        case _ as never:
            assert_never(never)


def draw_keys(
    mode: Mode,
    counts: Counts,
    width: int,
    *,
    opening: Opening,
    can_undo: bool,
    commands: Sequence[Command] = SESSION_COMMANDS,
) -> Content:
    """The keys that matter now, as many as fit; the way back is always among them."""
    match mode:
        case Browsing():
            useless = frozenset[str]() if can_undo else frozenset({"session_undo"})
            useless |= frozenset() if counts.shown else NEEDS_A_ROW
            useless |= frozenset() if counts.listed else frozenset({"session_search"})
            useless |= NEEDS_A_SESSION if opening == "nothing" else frozenset()
            useless |= NOT_WITH.get(opening, frozenset())
            parts = [
                (key, opening if command.id == "session_resume" else command.title.lower())
                for command in commands
                if command.in_footer and command.id not in useless and (key := shown_key(command))
            ]
            if counts.words and parts:
                parts[-1] = (parts[-1][0], "show all")
        case Searching():
            parts = [("esc", "show all")]
            parts[:0] = [("↑ ↓", "move"), ("tab", "act on these")] if counts.shown else []
            parts[:0] = [("⏎", opening)] if opening != "nothing" else []
        case Renaming():
            parts = [("⏎", "save"), ("esc", "keep the old name")]
        case Deleting():
            parts = [("y", "delete"), ("n ⏎ esc", "keep")]
        case _ as never:
            assert_never(never)
    return Content(" ") + render_keys(parts, width - 1)
