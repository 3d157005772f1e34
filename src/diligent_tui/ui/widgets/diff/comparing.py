"""Two texts as a diff, in bounded time: where they differ too much, all lines between are exchanged."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from diligent_tui.ui.widgets.diff.model import Diff, DiffLine, FileDiff, Hunk

MOST_COMPARED_LINES = 4_000
"""On either side between what is alike at both ends; more are not compared with each other."""
CONTEXT_LINES = 3
LEAST_FOLDED_LINES = 2
"""A single line takes no more room than the row that would say that it is left out."""

Opcode = tuple[str, int, int, int, int]


def diff_texts(old: str, new: str, name: str = "", context_lines: int | None = CONTEXT_LINES) -> Diff:
    """The changes from one text to the other; without a number of context lines all lines are in one hunk."""
    old_lines, new_lines = _lines(old), _lines(new)
    opcodes = list(_opcodes(old_lines, new_lines))
    if all(tag == "equal" for tag, *_ in opcodes):
        return Diff()
    groups = [opcodes] if context_lines is None else _grouped(opcodes, context_lines)
    hunks = tuple(Hunk("", tuple(_hunk_lines(group, old_lines, new_lines))) for group in groups)
    note = "" if old and new else "deleted" if old else "new file"
    return Diff((FileDiff(name, hunks, note),))


def _lines(text: str) -> list[str]:
    """Each with its newline, if it has one; other characters that end lines elsewhere are text here."""
    pieces = text.split("\n")
    lines = [f"{piece}\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[Opcode]:
    most = min(len(old), len(new))
    head = next((number for number in range(most) if old[number] != new[number]), most)
    most -= head
    tail = next((number for number in range(most) if old[-1 - number] != new[-1 - number]), most)
    if head:
        yield "equal", 0, head, 0, head
    old_end, new_end = len(old) - tail, len(new) - tail
    if max(old_end, new_end) - head > MOST_COMPARED_LINES:
        yield "replace", head, old_end, head, new_end
    else:
        matcher = SequenceMatcher(None, old[head:old_end], new[head:new_end])
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            yield tag, i1 + head, i2 + head, j1 + head, j2 + head
    if tail:
        yield "equal", old_end, len(old), new_end, len(new)


def _grouped(opcodes: Sequence[Opcode], context: int) -> list[list[Opcode]]:
    groups: list[list[Opcode]] = [[]]
    last = len(opcodes) - 1
    for number, (tag, i1, i2, j1, j2) in enumerate(opcodes):
        if tag != "equal":
            groups[-1].append((tag, i1, i2, j1, j2))
            continue
        before = min(i2 - i1, context) if number else 0
        after = min(i2 - i1, context) if number < last else 0
        if number in (0, last) or i2 - i1 > 2 * context + LEAST_FOLDED_LINES - 1:
            if before:
                groups[-1].append(("equal", i1, i1 + before, j1, j1 + before))
            if number not in (0, last):
                groups.append([])
            if after:
                groups[-1].append(("equal", i2 - after, i2, j2 - after, j2))
        else:
            groups[-1].append((tag, i1, i2, j1, j2))
    return groups


def _hunk_lines(opcodes: Sequence[Opcode], old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    for tag, i1, i2, j1, j2 in opcodes:
        if tag == "equal":
            for offset in range(i2 - i1):
                text = old[i1 + offset]
                yield DiffLine("context", text.removesuffix("\n"), i1 + offset + 1, j1 + offset + 1, _is_open(text))
            continue
        for number in range(i1, i2):
            yield DiffLine("removed", old[number].removesuffix("\n"), number + 1, None, _is_open(old[number]))
        for number in range(j1, j2):
            yield DiffLine("added", new[number].removesuffix("\n"), None, number + 1, _is_open(new[number]))


def _is_open(line: str) -> bool:
    return not line.endswith("\n")
