"""Draws the rows of both lists: versions with their figures, facts with their kind under the place where they are."""

from collections.abc import Sequence
from datetime import datetime

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.compaction.coverage import CoverageItem
from diligent_tui.compaction.views import Version
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.panes.summary.findings import PLACE_NOTES, PLACE_WORDS, Heading, Line, kind_word
from diligent_tui.ui.panes.summary.look import SummaryLook
from diligent_tui.ui.panes.summary.pages import spread
from diligent_tui.ui.panes.summary.version_words import (
    STATE_MARKS,
    STATE_WORDS,
    age_of,
    name_of,
    origin_of,
    saving_of,
    sizes_of,
)

CURSOR_BAR = "▎"
KIND_COLUMNS = 9
NAME_COLUMNS = 6
INDENT_COLUMNS = 2


class VersionListing:
    """Versions, the newest first, two rows each."""

    rows_each = 2

    def __init__(self, versions: Sequence[Version], now: datetime) -> None:
        """List these, given oldest first, with their ages at a moment."""
        self.versions = list(reversed(versions))
        self._now = now

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.versions)

    def may_stand(self, place: int) -> bool:
        """Everywhere."""
        return True

    def draw(self, place: int, row: int, width: int, look: SummaryLook, *, is_cursor: bool) -> Strip:
        """Name, state and age; then sizes and origin."""
        version = self.versions[place]
        bar = Segment(CURSOR_BAR if is_cursor else " ", look.accent)
        is_active = version.state == "active"
        if row == 0:
            mark = Segment(f"{STATE_MARKS[version.state]} ", look.memory if is_active else look.dim)
            name = Segment(f"{name_of(version):<{NAME_COLUMNS}}", look.text + Style(bold=is_active))
            state = Segment(STATE_WORDS[version.state], look.memory if is_active else look.dim)
            age = Segment(age_of(version.entry, self._now), look.dim)
            return Strip(spread([bar, mark, name, state], [age], width))
        sizes = f"{sizes_of(version.entry)}  {saving_of(version.entry)}"
        room = max(1, width - cell_len(sizes) - INDENT_COLUMNS - 3)
        origin = fit(origin_of(version), room)
        left = [bar, Segment(" " * INDENT_COLUMNS), Segment(sizes, look.text if is_active else look.dim)]
        return Strip(spread(left, [Segment(origin, look.dim)], width))


class FindingListing:
    """Facts under headings, one row each."""

    rows_each = 1

    def __init__(self, lines: Sequence[Line]) -> None:
        """List these."""
        self.lines = lines

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.lines)

    def item(self, place: int) -> CoverageItem | None:
        """The fact at a place."""
        line = self.lines[place] if place < len(self.lines) else None
        return line if isinstance(line, CoverageItem) else None

    def may_stand(self, place: int) -> bool:
        """On facts."""
        return self.item(place) is not None

    def draw(self, place: int, row: int, width: int, look: SummaryLook, *, is_cursor: bool) -> Strip:
        """A heading with its count, or a fact with its kind."""
        line = self.lines[place]
        if isinstance(line, Heading):
            return Strip(_heading(line, look))
        bar = Segment(CURSOR_BAR if is_cursor else " ", look.accent)
        room = max(1, width - KIND_COLUMNS - 4)
        style = look.text if line.place in ("dropped", "invented") else look.dim
        return Strip(
            [
                bar,
                Segment(f"  {kind_word(line.kind):<{KIND_COLUMNS}} ", look.dim),
                Segment(fit(line.text, room), style),
            ]
        )


def _heading(heading: Heading, look: SummaryLook) -> list[Segment]:
    match heading.place:
        case "dropped" if not heading.count:
            return [Segment(" ✓ nothing dropped", look.success)]
        case "dropped":
            style = look.memory + Style(bold=True)
        case "invented":
            style = look.error + Style(bold=True)
        case _:
            style = look.text + Style(bold=True)
    words, note = PLACE_WORDS[heading.place], PLACE_NOTES.get(heading.place, "")
    told = f" {heading.count:,}  {note}".rstrip()
    return [Segment(" "), Segment(words, style), Segment(told, look.dim)]
