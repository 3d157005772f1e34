"""What the trust question shows: a row for each thing found, and of one of them what it would do and how it begins."""

from collections.abc import Sequence

from textual.content import Content

from diligent_tui.config.trust_view import Change, TrustItem
from diligent_tui.ui import format as fmt
from diligent_tui.ui import key_line

KIND_COLUMNS = 14
LEAST_NAME_COLUMNS = 12
CHANGE_STYLES = {"change": ("→ ", "bold $warning"), "same": ("= ", "$dim"), "refused": ("✗ ", "$dim")}
ANSWERS = (("t", "trust these"), ("o", "only this time"), ("n ⏎ esc", "no, use none"))
REFUSED_WORD = "refused: "


def render_title(count: int) -> Content:
    """What is asked."""
    said = "Trust what this folder brings?"
    return Content.assemble((said, "bold $accent"), (f"   {fmt.count(count, 'thing')}", "$dim"))


def render_facts() -> Content:
    """What an answer means."""
    return Content.styled("Not used yet. You are asked again when it changes.", "$dim")


def render_row(item: TrustItem, columns: int, *, is_under_cursor: bool) -> Content:
    """One thing on one line: its kind, its name, and what it would do as far as there is room."""
    bar = Content.styled("▎", "$accent") if is_under_cursor else Content(" ")
    kind = Content.styled(f"{item.finding.kind:<{KIND_COLUMNS}}", "$dim")
    sign = "! " if item.warning else ""
    room = max(LEAST_NAME_COLUMNS, columns - KIND_COLUMNS - 1)
    name = _shorten(item.name, room)
    name_style = "bold" if is_under_cursor else ""
    left = Content.assemble(bar, kind, (name, name_style))
    gap = columns - left.cell_length - len(sign) - Content(item.words).cell_length
    if gap < 2:
        gap = columns - left.cell_length - len(sign)
        return Content.assemble(left, " " * gap, (sign, "$warning")) if sign and gap > 0 else left
    return Content.assemble(left, " " * gap, (sign, "$warning"), (item.words, "$dim"))


def render_detail(item: TrustItem) -> Content:
    """What one thing would do, and how it begins."""
    head = Content.assemble((item.name, "bold"), "\n", f"{item.words[:1].upper()}{item.words[1:]}.")
    parts = [head]
    if item.warning:
        parts.append(Content.styled(f"! {item.warning}", "$warning"))
    parts += [_change(change) for change in item.changes]
    shown = Content("\n").join(parts)
    return Content.assemble(shown, "\n\n", (item.content, "$secondary")) if item.content else shown


def render_keys(items: Sequence[TrustItem], columns: int, *, scrolls: bool) -> Content:
    """The answers, and below them how to look around."""
    looking = [("↑ ↓", "look at each")] if len(items) > 1 else []
    looking += [("pgup pgdn", "scroll")] if scrolls else []
    lines = [key_line.render_keys(hints, columns) for hints in (ANSWERS, looking) if hints]
    return Content("\n").join(lines)


def _change(change: Change) -> Content:
    sign, style = CHANGE_STYLES[change.kind]
    word = REFUSED_WORD if change.kind == "refused" else ""
    return Content.assemble((f"{sign}{word}{change.words}", style))


def _shorten(name: str, columns: int) -> str:
    """A long path loses its beginning, for its end tells what it is."""
    while name and Content(name).cell_length > columns:
        excess = Content(name).cell_length - columns
        name = "…" + name.removeprefix("…")[max(1, excess // 2 + 1) :]
    return name
