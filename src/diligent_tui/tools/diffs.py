"""Unified diffs that never take long: what is too much to compare or to show is counted instead; pure."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diligent_tui.tools.replacing import Span, replaced

CONTEXT_LINES = 3
MOST_LINES_COMPARED = 50_000
MOST_PAIRS_COMPARED = 1_000_000
"""Pairs of equal lines, which is what the comparing goes through again and again."""
LONGEST_LINE_CHARS = 2_000
NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Change:
    """Lines `first` to `last` (not included) of the old text become lines of the new one."""

    first: int
    last: int
    new_first: int
    new_last: int


@dataclass(frozen=True, slots=True)
class Diff:
    """What is different between two texts."""

    old: Sequence[str]
    new: Sequence[str]
    changes: tuple[Change, ...]

    @property
    def added(self) -> int:
        """How many lines are new."""
        return sum(change.new_last - change.new_first for change in self.changes)

    @property
    def removed(self) -> int:
        """How many lines are gone."""
        return sum(change.last - change.first for change in self.changes)

    @property
    def counts(self) -> str:
        """Both figures in the usual way."""
        return f"+{self.added:,} −{self.removed:,} lines"

    def text(self, name: str, limit_bytes: int) -> str:
        """As a unified diff of at most this size; a last line says how much is left out."""
        if not self.changes:
            return ""
        shown: list[str] = []
        left_out = 0
        room_bytes = limit_bytes - 200
        for line in self._lines(name):
            room_bytes -= len(line.encode("utf-8", "replace")) + 1
            if room_bytes < 0:
                left_out += 1
            else:
                shown.append(line)
        if left_out:
            shown.append(f"[… {left_out:,} more lines of this diff are left out; in all {self.counts}]")
        return "\n".join(shown)

    def _lines(self, name: str) -> Iterator[str]:
        yield f"--- {name}"
        yield f"+++ {name}"
        for hunk in _hunks(self.changes):
            begin = max(0, hunk[0].first - CONTEXT_LINES)
            end = min(len(self.old), hunk[-1].last + CONTEXT_LINES)
            new_begin = hunk[0].new_first - (hunk[0].first - begin)
            new_end = hunk[-1].new_last + (end - hunk[-1].last)
            yield f"@@ -{_range(begin, end)} +{_range(new_begin, new_end)} @@"
            at = begin
            for change in hunk:
                yield from _marked(" ", self.old, at, change.first)
                yield from _marked("-", self.old, change.first, change.last)
                yield from _marked("+", self.new, change.new_first, change.new_last)
                at = change.last
            yield from _marked(" ", self.old, at, end)


def compare(old: str, new: str) -> Diff:
    """The difference of two texts; where they are too long to compare, all between the first and last change."""
    old_lines, new_lines = _lines_of(old), _lines_of(new)
    return Diff(old_lines, new_lines, tuple(_changes(old_lines, new_lines, 0, 0)))


def compare_spans(old: str, spans: Sequence[Span]) -> Diff:
    """The difference that known replacements make: only their own lines are compared, so any file is quick."""
    old_lines = _lines_of(old)
    new_lines: list[str] = []
    changes: list[Change] = []
    at_line = 0
    for region in _regions(old, spans):
        new_lines += old_lines[at_line : region.first]
        before, after = old_lines[region.first : region.last], _lines_of(region.new)
        changes += _changes(before, after, region.first, len(new_lines))
        new_lines += after
        at_line = region.last
    new_lines += old_lines[at_line:]
    return Diff(old_lines, new_lines, tuple(changes))


@dataclass(frozen=True, slots=True)
class _Region:
    """Whole lines that some spans lie in."""

    first: int
    last: int
    new: str


def _regions(text: str, spans: Sequence[Span]) -> Iterator[_Region]:
    line = at = 0
    waiting = list(spans)
    while waiting:
        start = text.rfind("\n", 0, waiting[0].start) + 1
        mine: list[Span] = []
        end = start
        while waiting and (not mine or waiting[0].start < end):
            mine.append(waiting.pop(0))
            # The line after is part of it: if the newline goes, it joins the lines before.
            newline = text.find("\n", mine[-1].end)
            end = len(text) if newline < 0 else newline + 1
        line += text.count("\n", at, start)
        own = [Span(span.start - start, span.end - start, span.new) for span in mine]
        first, line = line, line + text.count("\n", start, end)
        at = end
        yield _Region(first, line + (end == len(text) and not text.endswith("\n")), replaced(text[start:end], own))


def _changes(old: Sequence[str], new: Sequence[str], first: int, new_first: int) -> Iterator[Change]:
    start = _same(old, new)
    end = min(_same(old[::-1], new[::-1]), len(old) - start, len(new) - start)
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    first, new_first = first + start, new_first + start
    if _is_too_much(before, after):
        yield Change(first, first + len(before), new_first, new_first + len(after))
        return
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, begin, last, new_begin, new_last in matcher.get_opcodes():
        if tag != "equal":
            yield Change(first + begin, first + last, new_first + new_begin, new_first + new_last)


def _is_too_much(old: Sequence[str], new: Sequence[str]) -> bool:
    if len(old) + len(new) > MOST_LINES_COMPARED:
        return True
    of_old = Counter(old)
    return sum(of_old[line] for line in new) > MOST_PAIRS_COMPARED


def _hunks(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Changes whose surroundings touch, together."""
    hunk: list[Change] = []
    for change in changes:
        if hunk and change.first - hunk[-1].last > 2 * CONTEXT_LINES:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _same(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines at the beginning are the same."""
    return next(
        (number for number, (left, right) in enumerate(zip(old, new, strict=False)) if left != right),
        min(len(old), len(new)),
    )


def _lines_of(text: str) -> list[str]:
    """Lines with their `\\n`, so that a last one without is another line than one with."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _range(begin: int, end: int) -> str:
    count = end - begin
    first = begin + 1 if count else begin
    return str(first) if count == 1 else f"{first},{count}"


def _marked(sign: str, lines: Sequence[str], begin: int, end: int) -> Iterator[str]:
    for line in lines[begin:end]:
        shown = line.removesuffix("\n").removesuffix("\r")
        rest = len(shown) - LONGEST_LINE_CHARS
        yield f"{sign}{shown[:LONGEST_LINE_CHARS]}" + (f"… {rest:,} more characters" if rest > 0 else "")
        if not line.endswith("\n"):
            yield NO_NEWLINE
