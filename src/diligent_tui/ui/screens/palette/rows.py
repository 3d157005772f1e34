"""The palette's rows, drawn for a width: heads of sections, and things with the meant letters set off."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from diligent_tui.ui.screens.palette.things import Section, Thing
from diligent_tui.ui.widgets.completion.fuzzy import places

CURSOR_BAR = "▌ "
ABOUT_COLUMN = 20
"""Where what is told about a thing begins; longer labels push it on."""


@dataclass(frozen=True, slots=True)
class Row:
    """A thing, or the head of a section, which has none."""

    section: Section
    thing: Thing | None = None


def rows_of(sections: Sequence[Section]) -> tuple[Row, ...]:
    """All rows of what was found."""
    rows: list[Row] = []
    for section in sections:
        rows.append(Row(section))
        rows += [Row(section, thing) for thing in section.things]
    return tuple(rows)


def draw_row(row: Row, words: str, width: int, *, is_cursor: bool) -> Content:
    """One row, exactly as wide as asked."""
    if row.thing is None:
        more = row.section.found - len(row.section.things)
        count = f"  {len(row.section.things):,} of {row.section.found:,}" if more else ""
        return _fitted(Content.assemble((row.section.title, "bold $dim"), (count, "$dim")), width)
    thing = row.thing
    note = Content.styled(thing.note, "$dim")
    room = width - 2
    if note.cell_length > room // 2:
        note = note.truncate(max(0, room // 2), ellipsis=True)
    left = room - (note.cell_length + 2 if note.cell_length else 0)
    label = _label(thing.label, words)
    if thing.about:
        gap = " " * max(2, ABOUT_COLUMN - label.cell_length)
        label += Content.styled(f"{gap}{thing.about}", "$dim")
    if label.cell_length > left:
        label = label.truncate(max(1, left), ellipsis=True)
    sign = Content.styled(CURSOR_BAR, "$accent") if is_cursor else Content("  ")
    drawn = sign + label + Content(" " * max(0, width - 2 - label.cell_length - note.cell_length)) + note
    return _fitted(drawn, width)


def _label(label: str, words: str) -> Content:
    content = Content(label)
    for word in words.split():
        for place in places(word, label):
            content = content.stylize("bold $accent", place, place + 1)
    return content


def _fitted(content: Content, width: int) -> Content:
    if cell_len(content.plain) > width:
        return content.truncate(max(1, width))
    return content.pad_right(width - content.cell_length)
