"""What the session under the cursor is about: its figures, how it began and how it ended."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from textual.content import Content
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.catalog import DAMAGED, EMPTY, FOREIGN, UNREADABLE, SessionSummary
from diligent_tui.session.preview import PreviewLine, shorten
from diligent_tui.ui import format as fmt
from diligent_tui.ui.screens.sessions.reader import is_read_only

LOW_ROWS = 12
TITLE_ROWS = 2
PROMPT_ROWS = 4
MOST_ROWS = 8
"""Rows of one thing said, so that a long answer leaves room for what was asked."""
TROUBLES: Mapping[str, str] = MappingProxyType(
    {
        DAMAGED: "Part of this file is damaged; the rest opens.",
        EMPTY: "This file is empty.",
        FOREIGN: "This file is not a session.",
        UNREADABLE: "This file cannot be read.",
    }
)
USER_BAR = "▌ "
INDENT = "  "


class PreviewPane(Widget):
    """Shows a summary at once and the last things said when they are read."""

    def __init__(self) -> None:
        """Begin with nothing to show."""
        super().__init__(id="session-preview")
        self._summary: SessionSummary | None = None
        self._lines: Sequence[PreviewLine] | None = None
        self._is_current = False

    def show(self, summary: SessionSummary | None, lines: Sequence[PreviewLine] | None, *, is_current: bool) -> None:
        """Show this session; without `lines` its end is still being read."""
        self._summary, self._lines, self._is_current = summary, lines, is_current
        self.refresh()

    def render(self) -> Content:
        """As many rows as there are: head first, then the newest of what was said."""
        width, height = self.size
        if self._summary is None or width < 4:
            return Content("")
        head = _head(self._summary, width, is_current=self._is_current, is_low=height < LOW_ROWS)
        if self._lines is None:
            rows = [*head, Content(""), Content.styled("Reading …", "$dim")]
        else:
            rows = [*head, *_end(self._summary, self._lines, width, max(0, height - len(head)))]
        return Content("\n").join(rows[: max(1, height)])


def _head(summary: SessionSummary, width: int, *, is_current: bool, is_low: bool) -> list[Content]:
    """Name, moment and figures; on a low screen in two rows, on a high one without a title that is said below."""
    title: list[Content] = []
    if is_low or summary.name or not summary.first_prompt:
        title = _rows(clean_line(summary.title), "bold", width, 1 if is_low else TITLE_ROWS)
    moment = f"{summary.changed.astimezone():%Y-%m-%d %H:%M}"
    figures = [
        f"⟳ {summary.compactions if summary.compactions is not None else '–'}",
        f"{fmt.tokens(summary.tokens)} tokens",
        fmt.money(summary.cost),
        *([] if summary.branches is None else [_branches(summary.branches)]),
    ]
    lines = (
        ["   ".join([moment, *figures])] if is_low else [f"{moment} · {clean_line(summary.id)}", "   ".join(figures)]
    )
    rows = [*title, *(row for line in lines for row in Content.styled(line, "$dim").wrap(width))]
    for words, style in _remarks(summary, is_current=is_current):
        rows += Content.styled(words, style).wrap(width)
    return rows


def _branches(number: int) -> str:
    return f"{number} branch" if number == 1 else f"{number} branches"


def _remarks(summary: SessionSummary, *, is_current: bool) -> list[tuple[str, str]]:
    remarks: list[tuple[str, str]] = []
    if is_current:
        remarks.append(("● You are in this session.", "$accent"))
    if summary.parent_session:
        remarks.append((f"Forked from {clean_line(summary.parent_session, 60)}.", "$dim"))
    if is_read_only(summary):
        remarks.append((f"File version {summary.version}: opens for reading only. Fork it (f) to go on.", "$memory"))
    if summary.trouble:
        remarks.append((f"! {TROUBLES.get(summary.trouble, summary.trouble)}", "$error"))
    return remarks


def _end(summary: SessionSummary, lines: Sequence[PreviewLine], width: int, height: int) -> list[Content]:
    """How it began, then the newest things said, from the bottom up as far as there is room."""
    first = shorten(summary.first_prompt or "")
    blocks = [
        [*_space(before, line), *_wrapped(line.role, line.text, width, MOST_ROWS)]
        for before, line in zip([None, *lines], lines, strict=False)
    ]
    starts_here = next((place for place, line in enumerate(lines) if line == PreviewLine("user", first)), None)
    if starts_here is not None and sum(map(len, blocks[starts_here:])) <= height:
        return [row for block in blocks[starts_here:] for row in block]
    began: list[Content] = []
    if first and height >= LOW_ROWS:
        began = [Content(""), *_wrapped("user", first, width, PROMPT_ROWS), Content(""), Content.styled("⋮", "$dim")]
    taken: list[Content] = []
    for block in reversed(blocks):
        room = height - len(began) - len(taken)
        if len(block) > room:
            # What does not fit as a whole may still begin.
            taken = (block[:room] if not taken else []) + taken
            break
        taken = block + taken
    return [*began, *taken]


def _space(before: PreviewLine | None, line: PreviewLine) -> list[Content]:
    """One row around what the user said, none between answers and calls."""
    return [Content("")] if before is None or "user" in (before.role, line.role) else []


def _wrapped(role: str, text: str, width: int, most_rows: int) -> list[Content]:
    style = {"user": "bold", "assistant": "", "note": "$memory"}.get(role, "$dim")
    prefix = Content.styled(USER_BAR, "$accent") if role == "user" else Content(INDENT)
    flow = "\n".join(line for line in text.split("\n") if line.strip())
    return [prefix + row for row in _rows(flow, style, max(2, width - len(INDENT)), most_rows)]


def _rows(text: str, style: str, width: int, most_rows: int) -> list[Content]:
    """So many rows at most, with … where there would be more."""
    rows = Content.styled(text, style).wrap(width)
    shown = rows[:most_rows]
    if len(rows) > most_rows:
        shown[-1] = shown[-1].truncate(max(1, width - 1)).rstrip() + Content.styled("…", style)
    return shown
