"""What the trust question shows: a row for each thing found, and of one of them what it would do and how it begins."""

from collections.abc import Sequence

from textual.content import Content

from diligent_tui.config.trust_view import Change, TrustItem
from diligent_tui.ui import format as fmt
from diligent_tui.ui import key_line
from diligent_tui.ui.fitting import fit

KIND_COLUMNS = 14
LEAST_NAME_COLUMNS = 12
GAP = 2
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
    """One thing on one line, as wide as asked: its kind, its name, and what it would do, in few words if need be."""
    bar = Content.styled("▎", "$accent") if is_under_cursor else Content(" ")
    kind = Content.styled(f"{item.finding.kind:<{KIND_COLUMNS}}", "$dim")
    sign = "! " if item.warning else ""
    room = columns - KIND_COLUMNS - 1 - GAP - len(sign)
    is_whole = Content(item.name).cell_length + Content(item.words).cell_length <= room
    words = item.words if is_whole else fit(item.brief, room - LEAST_NAME_COLUMNS)
    name = _shorten(item.name, max(LEAST_NAME_COLUMNS, room - Content(words).cell_length))
    left = Content.assemble(bar, kind, (name, "bold" if is_under_cursor else ""))
    space = max(GAP, columns - left.cell_length - len(sign) - Content(words).cell_length)
    return Content.assemble(left, " " * space, (sign, "$warning"), (words, "$dim"))


def render_detail(item: TrustItem, columns: int) -> Content:
    """What one thing would do, and how it begins."""
    name = _shorten(item.name, columns)
    head = Content.assemble((name, "bold"), "\n", f"{item.words[:1].upper()}{item.words[1:]}.")
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
