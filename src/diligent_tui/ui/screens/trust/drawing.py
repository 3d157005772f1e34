"""What the trust question shows: a row for each thing found, and of one of them what it would do and how it begins."""

from collections.abc import Sequence

from textual.content import Content

from diligent_tui.config.trust_view import Change, TrustItem

KIND_COLUMNS = 14
LEAST_NAME_COLUMNS = 12
CHANGE_STYLES = {"change": ("→ ", "bold $warning"), "same": ("= ", "$dim"), "refused": ("✗ ", "$dim")}
BETWEEN_KEYS = "   "
REFUSED_WORD = "refused: "


def render_title(count: int) -> Content:
    """What is asked."""
    things = "something" if count == 1 else f"{count:,} things"
    return Content.styled(f"May diligent use what this folder brings? It brings {things}.", "bold $accent")


def render_facts() -> Content:
    """What an answer means."""
    words = "Nothing of it is used yet. A yes is to exactly what you see here; when it changes, you are asked again."
    return Content.styled(words, "$dim")


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
    """The answers, and how to look around; a key stays on the line of its words."""
    pairs = [("t", "trust these"), ("o", "only this time"), ("n ⏎ esc", "no, use none")]
    pairs += [("↑ ↓", "look at each")] if len(items) > 1 else []
    pairs += [("pgup pgdn", "scroll")] if scrolls else []
    lines = [Content("")]
    for key, words in pairs:
        answer = Content.assemble((key, "$accent"), " ", words)
        if lines[-1] and lines[-1].cell_length + len(BETWEEN_KEYS) + answer.cell_length > columns:
            lines.append(answer)
        else:
            lines[-1] = Content.assemble(lines[-1], BETWEEN_KEYS, answer) if lines[-1] else answer
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
