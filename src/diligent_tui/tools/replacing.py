"""Putting new pieces of text in the place of old ones that must be there exactly once; pure, all or nothing."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.near_text import nearest

MOST_PLACES_NAMED = 8


@dataclass(frozen=True, slots=True)
class Edit:
    """A wish: `old` is there once, and `new` is to stand in its place."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the file from `start` to `end`, and what will stand there."""

    start: int
    end: int
    new: str


def find_spans(text: str, edits: Sequence[Edit], name: str) -> list[Span]:
    """Where each edit belongs, in the file's order; ToolError says which edit cannot be made and why.

    Line endings are matched whatever their style, and each new line ends like those around it.
    """
    view = _UnixView(text)
    spans = [_span(view, edit, number, len(edits), name) for number, edit in enumerate(edits, start=1)]
    spans.sort(key=lambda span: (span.start, span.end))
    for before, after in pairwise(spans):
        if after.start < before.end:
            line = text.count("\n", 0, after.start) + 1
            raise ToolError(f"Two edits meet in line {line:,} of {name}: make them one. Nothing was changed.")
    return spans


def replaced(text: str, spans: Sequence[Span]) -> str:
    """The text with every span exchanged."""
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces += [text[at : span.start], span.new]
        at = span.end
    return "".join([*pieces, text[at:]])


class _UnixView:
    """A text with all its line endings as `\\n`, which knows where each place is in the real one."""

    def __init__(self, real: str) -> None:
        self.real = real
        self.text = real.replace("\r\n", "\n")
        # The place, in the view, of each `\n` that has lost its `\r`.
        self._shortened = [found.start() - count for count, found in enumerate(re.finditer("\r\n", real))]

    def real_place(self, place: int) -> int:
        return place + bisect_left(self._shortened, place)

    def newline_at(self, start: int, end: int) -> str:
        """How lines end at a real place: in it, else just after it, else before it."""
        inside = self.real.find("\n", start, end)
        nearby = inside if inside >= 0 else self.real.find("\n", end)
        found = nearby if nearby >= 0 else self.real.rfind("\n", 0, start)
        return "\r\n" if found > 0 and self.real[found - 1] == "\r" else "\n"


def _span(view: _UnixView, edit: Edit, number: int, count: int, name: str) -> Span:
    which = f"`old` of edit {number}" if count > 1 else "`old`"
    old, new = (part.replace("\r\n", "\n") for part in (edit.old, edit.new))
    if not old:
        raise ToolError(f"{which} is empty: give the text to replace, or use `write` for a whole file.")
    if old == new:
        kept = "" if edit.old == edit.new else " (line endings are kept as they are)"
        raise ToolError(f"{which} and its `new` are the same{kept}: nothing would change.")
    places = _places(view.text, old)
    if not places:
        raise ToolError(f"{which} is not in {name}. Nothing was changed. {nearest(view.text, old)}".rstrip())
    if len(places) > 1:
        raise ToolError(
            f"{which} is in {name} {len(places):,} times ({_lines(view.text, places)}). Nothing was changed: "
            "add lines around it until it is there once."
        )
    start, end = view.real_place(places[0]), view.real_place(places[0] + len(old))
    return Span(start, end, new.replace("\n", view.newline_at(start, end)))


def _places(text: str, old: str) -> list[int]:
    """Where it begins; overlapping ones count, for each of them could be meant."""
    places: list[int] = []
    at = text.find(old)
    while at >= 0:
        places.append(at)
        at = text.find(old, at + 1)
    return places


def _lines(text: str, places: Sequence[int]) -> str:
    named: list[str] = []
    line, at = 1, 0
    for place in places[:MOST_PLACES_NAMED]:
        line += text.count("\n", at, place)
        at = place
        named.append(f"{line:,}")
    more = ", …" if len(places) > MOST_PLACES_NAMED else ""
    return f"line {named[0]}" if len(set(named)) == 1 and not more else f"lines {', '.join(named)}{more}"
