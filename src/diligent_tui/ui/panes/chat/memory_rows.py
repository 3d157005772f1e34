"""Draws what was done to the context: one row with its figures, and what became of it since."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown.bare import bare_words
from diligent_tui.ui.panes.chat.look import ChatLook
from diligent_tui.ui.transcript import MemoryDeed, MemoryNote

if TYPE_CHECKING:
    from diligent_tui.compaction.views import VersionState

SIGNS: Mapping[MemoryDeed, str] = MappingProxyType(
    {
        "compacting": "⟳",
        "compacted": "⟳",
        "edited": "⟳",
        "pruned": "▒",
        "undone": "↶",
        "redone": "↷",
        "failed": "✗",
        "stopped": "·",
        "branch": "⎇",
    }
)
TITLES: Mapping[MemoryDeed, str] = MappingProxyType(
    {
        "compacting": "compacting",
        "compacted": "compacted",
        "edited": "summary edited",
        "undone": "compaction undone: what it covered is in the context again",
        "redone": "compaction redone: the summary stands in the context again",
        "branch": "summary of the branch you left",
    }
)
SINCE: "Mapping[VersionState, str]" = MappingProxyType(
    {"active": "", "superseded": "edited since", "covered": "updated since", "undone": "↶ undone"}
)
OPENS: tuple[MemoryDeed, ...] = ("compacting", "compacted", "edited", "pruned", "branch")
"""Those that have more to show than their row."""
ANY_ROOM = 1_000


def draw_note(
    note: MemoryNote, words: str, since: "VersionState | None", room: int, look: ChatLook, *, folded: bool
) -> list[Segment]:
    """The row of a note, sign included, as wide as the room; what matters least gives way first."""
    sign, style = f"{SIGNS[note.deed]} ", note_style(note, since, look)
    arrow = ("▸" if folded else "▾") if note.deed in OPENS and words else ""
    free = room - len(sign) - (2 if arrow else 0)
    shown = facts(note, SINCE[since] if since else "", free)
    rest = free - cell_len(shown)
    beginning = _beginning(note, words, rest - 2) if folded else ""
    gap = "  " if beginning else ""
    space = max(0, rest - len(gap) - cell_len(beginning))
    drawn = [Segment(sign, style), Segment(shown, style), Segment(f"{gap}{beginning}", look.dim)]
    drawn.append(Segment(f"{' ' * space} {arrow}" if arrow else "", style))
    return [segment for segment in drawn if segment.text]


def facts(note: MemoryNote, since: str, room: int) -> str:
    """Title and figures, as many as fit; what became of it since is worth more than the rest."""
    figures: list[str] = []
    title = TITLES.get(note.deed, "")
    if note.deed == "pruned":
        title = f"pruned {fmt.count(note.count or 0, 'output')}"
        figures = [f"−{fmt.tokens(note.tokens_saved)}"] if note.tokens_saved else []
    elif note.deed == "compacting":
        figures = [clean_line(note.phase)]
    elif note.deed in ("compacted", "edited"):
        figures = _saved(note)
    while True:
        told = "  ".join(filter(None, (title, *figures, since)))
        if cell_len(told) <= room or not figures:
            return fit(told, max(1, room))
        figures.pop()


def row_words(note: MemoryNote, since: "VersionState | None") -> str:
    """All that a row may say; one that came to nothing says why instead."""
    return "" if note.deed in ("failed", "stopped") else facts(note, SINCE[since] if since else "", ANY_ROOM)


def note_style(note: MemoryNote, since: "VersionState | None", look: ChatLook) -> Style:
    """Amber is memory, red an error; what counts no longer is dim."""
    if note.deed == "failed":
        return look.error
    return look.dim if since in ("undone", "superseded", "covered") else look.memory


def _saved(note: MemoryNote) -> list[str]:
    before, after = note.tokens_before, note.tokens_after
    told = [] if before is None else [f"{fmt.tokens(before)} → {fmt.tokens(after)}"]
    if before and after is not None:
        told.append(f"{'−' if after <= before else '+'}{abs(100 * (before - after) / before):.0f} %")
    if note.count is not None:
        told.append(fmt.count(note.count, "message"))
    if note.duration_seconds is not None and note.deed == "compacted":
        told.append(fmt.duration(note.duration_seconds))
    return told


def _beginning(note: MemoryNote, words: str, room: int) -> str:
    """Of a summary that is being written its newest words, of a branch's its first."""
    if room < 1:
        return ""
    if note.deed == "compacting" and words:
        count = f"{fmt.count(len(words.split()), 'word')}  "
        newest = _in_a_row(words[-2 * room :])[-max(0, room - len(count) - 1) :]
        return f"{count}…{newest}" if len(count) + 1 < room else ""
    return fit(_in_a_row(words), room) if note.deed == "branch" else ""


def _in_a_row(words: str) -> str:
    """What a summary says, without the signs of its headings and lists."""
    return " ".join(bare_words(clean(words)).split())
