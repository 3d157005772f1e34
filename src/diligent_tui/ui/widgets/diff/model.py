"""What changed, as files, hunks and lines; no screen and no colours."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

LineKind = Literal["context", "added", "removed"]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line as the file has it, without its newline, and its number on each side that has it."""

    kind: LineKind
    text: str
    old_number: int | None
    new_number: int | None
    lacks_newline: bool = False
    """True for the last line of a file that does not end in a newline."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that stand together; `heading` is what the maker of the diff says of the place."""

    heading: str
    lines: tuple[DiffLine, ...]

    @property
    def old_text(self) -> str:
        """The lines as they were."""
        return _joined(self.lines, "added")

    @property
    def new_text(self) -> str:
        """The lines as they are now."""
        return _joined(self.lines, "removed")


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file's changes; `note` says what lines cannot, such as that it is new."""

    name: str
    hunks: tuple[Hunk, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Diff:
    """All that changed; `left_out_lines` were too many to be looked at."""

    files: tuple[FileDiff, ...] = ()
    left_out_lines: int = 0

    @property
    def added(self) -> int:
        """How many lines came."""
        return _count(self, "added")

    @property
    def removed(self) -> int:
        """How many lines went."""
        return _count(self, "removed")


def blocks_of(lines: tuple[DiffLine, ...]) -> Iterator[tuple[bool, list[int]]]:
    """The numbers of lines that stand together: unchanged ones, and changes between them (True)."""
    for is_change, block in groupby(range(len(lines)), lambda number: lines[number].kind != "context"):
        yield is_change, list(block)


def _joined(lines: tuple[DiffLine, ...], without: LineKind) -> str:
    return "".join(f"{line.text}{'' if line.lacks_newline else chr(10)}" for line in lines if line.kind != without)


def _count(diff: Diff, kind: LineKind) -> int:
    return sum(line.kind == kind for file in diff.files for hunk in file.hunks for line in hunk.lines)
