"""Some lines out of a text of any length, with their numbers, within a limit; pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.output import REPLACEMENT, HeadTail

SENTENCES_BYTES = 512
Row = tuple[int, str]


class LineRange:
    """Picks `limit` lines from `offset` on out of text that comes in pieces, keeping both ends of them."""

    def __init__(self, offset: int, limit: int | None, output_limit_bytes: int) -> None:
        """Count lines from 1; without a limit all lines from `offset` on are meant."""
        self.offset = offset
        self.budget_bytes = max(output_limit_bytes - SENTENCES_BYTES, output_limit_bytes // 2)
        self._end = None if limit is None else offset + limit
        self._ends = HeadTail(self.budget_bytes)
        self._line = 1
        self._is_line_begun = False

    @property
    def total_lines(self) -> int:
        """How many lines the text has so far; a last one without a newline counts."""
        return self._line - 1 + self._is_line_begun

    @property
    def last_line(self) -> int:
        """The last line that is in the range."""
        return self.total_lines if self._end is None else min(self.total_lines, self._end - 1)

    def feed(self, text: str) -> None:
        """Take the next piece."""
        if not text:
            return
        newlines = text.count("\n")
        start = _after_newlines(text, self.offset - self._line, newlines)
        end = len(text) if self._end is None else _after_newlines(text, self._end - self._line, newlines)
        self._ends.feed(text[start:end].replace("\0", REPLACEMENT).encode())
        self._line += newlines
        self._is_line_begun = not text.endswith("\n")

    def rows(self) -> "Rows":
        """The lines at both ends; half lines only where a line is longer than all the room at its end."""
        kept = self._ends.kept()
        head, tail = _split(kept.head), _split(kept.tail)
        is_head_split = bool(kept.left_out_bytes) and not kept.head.endswith("\n")
        if is_head_split and len(head) > 1:
            head, is_head_split = head[:-1], False
        is_tail_split = len(tail) == 1
        return Rows(
            list(enumerate(head, self.offset)),
            list(enumerate(tail if is_tail_split else tail[1:], self.last_line - max(len(tail) - 2, 0))),
            is_head_split,
            is_tail_split,
        )


@dataclass(frozen=True, slots=True)
class Rows:
    """Numbered lines from both ends of a range; with no tail, the head is all of it."""

    head: list[Row]
    tail: list[Row]
    is_head_split: bool
    is_tail_split: bool

    def fitted(self, budget_bytes: int) -> "Rows":
        """Fewer rows where the numbers made them too long; at least one stays."""
        if not self.tail and sum(map(_size, self.head)) <= budget_bytes:
            return self
        rows = [*self.head, *self.tail]
        first = max(1, _fitting(rows, budget_bytes // 2))
        room_bytes = budget_bytes + SENTENCES_BYTES // 4 - sum(map(_size, rows[:first]))
        last = _fitting(reversed(rows[first:]), room_bytes)
        return Rows(rows[:first], rows[len(rows) - last :], self.is_head_split, self.is_tail_split and last > 0)

    def gap(self, last_line: int) -> str:
        """What lies between head and tail, and how to read it; empty if nothing does."""
        before = self.head[-1][0]
        after = self.tail[0][0] if self.tail else last_line + 1
        if before == after:
            return f"[… left out: the middle of line {before:,}, which is too long …]"
        missing = [f"the rest of line {before:,}"] if self.is_head_split else []
        if after - before > 1:
            missing.append(f"lines {before + 1:,} to {after - 1:,} (read them with offset {before + 1})")
        if self.is_tail_split:
            missing.append(f"the beginning of line {after:,}")
        return f"[… left out: {', '.join(missing)} …]" if missing else ""


def numbered(lines: LineRange, name: str, note: str) -> str:
    """The lines of a range as the model sees them, and what it must know to read on."""
    if not lines.total_lines:
        return f"[{name} is empty]"
    if lines.offset > lines.total_lines:
        raise ToolError(f"{name} has only {lines.total_lines:,} lines: `offset` {lines.offset:,} is past its end.")
    rows = lines.rows().fitted(lines.budget_bytes)
    gap = rows.gap(lines.last_line)
    is_part = lines.offset > 1 or lines.last_line < lines.total_lines
    notes = [_range_note(lines) if is_part else "", note]
    shown = [*map(_shown, rows.head), *filter(None, [gap]), *map(_shown, rows.tail), *filter(None, notes)]
    return "\n".join(shown)


def _fitting(rows: Iterable[Row], room_bytes: int) -> int:
    count = 0
    for row in rows:
        room_bytes -= _size(row)
        if room_bytes < 0:
            break
        count += 1
    return count


def _range_note(lines: LineRange) -> str:
    more = f"; read on with offset {lines.last_line + 1}" if lines.last_line < lines.total_lines else ""
    return f"[lines {lines.offset:,} to {lines.last_line:,} of {lines.total_lines:,}{more}]"


def _shown(row: Row) -> str:
    number, line = row
    return f"{number:>6}\t{line}"


def _size(row: Row) -> int:
    return len(_shown(row).encode()) + 1


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if not lines[-1] else lines


def _after_newlines(text: str, count: int, newlines: int) -> int:
    if count <= 0:
        return 0
    if count > newlines:
        return len(text)
    position = 0
    for _ in range(count):
        position = text.index("\n", position) + 1
    return position
