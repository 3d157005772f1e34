"""What a file has that is almost what was looked for, so that the next try can be right; pure."""

import difflib
import unicodedata
from collections.abc import Callable, Sequence

MOST_LINES_SHOWN = 12
MOST_LINES_COMPARED = 5_000
LONGEST_LINE_CHARS = 300
ALIKE = 0.6


def nearest(text: str, wanted: str) -> str:
    """A sentence on what comes nearest, and those lines with their numbers; empty if nothing is near."""
    lines, wanted_lines = text.split("\n"), wanted.strip("\n").split("\n")
    at = _run_of(lines, wanted_lines, _squeezed)
    if at is not None:
        return _shown("It is there with other white space", lines, at, len(wanted_lines))
    at = _run_of(lines, wanted_lines, _composed)
    if at is not None:
        return _shown("It is there with letters in another Unicode form", lines, at, len(wanted_lines))
    at = _alike(lines, wanted_lines)
    return "" if at is None else _shown("Nearest to it", lines, at, len(wanted_lines))


def _run_of(lines: Sequence[str], wanted: Sequence[str], form: Callable[[str], str]) -> int | None:
    """Where the wanted lines follow each other if all are brought into one form."""
    sought = "\n".join(map(form, wanted))
    if not sought.strip():
        return None
    whole = "\n".join(map(form, lines))
    at = whole.find(sought)
    return None if at < 0 else whole.count("\n", 0, at)


def _squeezed(line: str) -> str:
    return " ".join(line.split())


def _composed(line: str) -> str:
    return _squeezed(unicodedata.normalize("NFKC", line))


def _alike(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """The line most like the longest of the wanted ones, counted back to where the first would be."""
    offset = max(range(len(wanted)), key=lambda number: len(wanted[number].strip()))
    sought = wanted[offset].strip()[:LONGEST_LINE_CHARS]
    shortened = [line.strip()[:LONGEST_LINE_CHARS] for line in lines[:MOST_LINES_COMPARED]]
    found = difflib.get_close_matches(sought, shortened, n=1, cutoff=ALIKE) if sought else []
    return max(0, shortened.index(found[0]) - offset) if found else None


def _shown(what: str, lines: Sequence[str], at: int, count: int) -> str:
    last = min(at + min(count, MOST_LINES_SHOWN), len(lines))
    where = f"line {at + 1:,}" if last == at + 1 else f"lines {at + 1:,} to {last:,}"
    rows = "\n".join(f"{number + 1:>6}\t{lines[number][:LONGEST_LINE_CHARS]}" for number in range(at, last))
    return f"{what}, {where}:\n{rows}"
