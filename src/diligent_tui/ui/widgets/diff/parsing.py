"""Reads a unified diff, however it was made or cut; what stands in no hunk is passed over."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from diligent_tui.ui.widgets.diff.model import Diff, DiffLine, FileDiff, Hunk, LineKind

MOST_LINES = 20_000
"""More lines than anyone reads; a longer diff says how many were left out."""
HUNK_HEAD = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
NO_NEWLINE = "\\"
NOWHERE = "/dev/null"
LEFT_OUT = re.compile(r"\[… ([\d,]{1,11}) more lines of this diff are left out")
"""What the write tools say at the end of a diff that was too long for them."""
NOTES = ("Binary files ", "GIT binary patch", "rename from ", "rename to ", "old mode ", "new mode ")

Side = Literal["old", "new"]


def parse_diff(text: str, most_lines: int = MOST_LINES) -> Diff:
    """The diff as a model; damaged text gives what of it can be read."""
    reader = _Reader()
    position = taken = 0
    while position < len(text) and taken < most_lines:
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        reader.take(text[position:end])
        position, taken = end + 1, taken + 1
    left_out = text.count("\n", position) + (not text.endswith("\n")) if position < len(text) else 0
    return Diff(tuple(reader.files()), left_out + reader.left_out_lines)


def count_changes(text: str) -> tuple[int, int]:
    """How many lines came and went, without keeping any."""
    diff = parse_diff(text)
    return diff.added, diff.removed


@dataclass(slots=True)
class _OpenFile:
    names: dict[Side, str] = field(default_factory=dict[Side, str])
    notes: list[str] = field(default_factory=list[str])
    hunks: list[Hunk] = field(default_factory=list[Hunk])

    def closed(self) -> FileDiff:
        old, new = self.names.get("old", ""), self.names.get("new", "")
        notes = list(self.notes)
        if old == NOWHERE and new != NOWHERE:
            notes.insert(0, "new file")
        elif new == NOWHERE and old != NOWHERE:
            notes.insert(0, "deleted")
        name = old if new in ("", NOWHERE) else new
        return FileDiff(name, tuple(self.hunks), " · ".join(notes))


class _Reader:
    """Takes line by line. Inside a hunk its counts decide, so that a removed `-- x` is no file name."""

    def __init__(self) -> None:
        self.left_out_lines = 0
        self._done: list[FileDiff] = []
        self._file: _OpenFile | None = None
        self._heading = ""
        self._lines: list[DiffLine] = []
        self._old = self._new = 0
        self._old_left = self._new_left = 0

    def take(self, line: str) -> None:
        if line.startswith(NO_NEWLINE) and self._lines:
            last = self._lines[-1]
            self._lines[-1] = DiffLine(last.kind, last.text, last.old_number, last.new_number, lacks_newline=True)
        elif (self._old_left > 0 or self._new_left > 0) and self._take_inside(line):
            return
        elif found := HUNK_HEAD.match(line):
            self._begin_hunk(found)
        elif line.startswith("--- "):
            self._begin_file()
            self._opened().names["old"] = _name(line)
        elif line.startswith("+++ "):
            self._opened().names["new"] = _name(line)
        elif line.startswith("diff "):
            self._begin_file()
        elif line.startswith(NOTES):
            self._opened().notes.append(line)
        elif found := LEFT_OUT.match(line):
            self.left_out_lines += int(found[1].replace(",", ""))

    def files(self) -> Iterator[FileDiff]:
        self._end_file()
        return iter(self._done)

    def _take_inside(self, line: str) -> bool:
        # Some tools strip the blank that an empty line of context begins with.
        sign = line[:1] or " "
        match sign:
            case " " if self._old_left > 0 and self._new_left > 0:
                self._add("context", line[1:])
            case "+" if self._new_left > 0:
                self._add("added", line[1:])
            case "-" if self._old_left > 0:
                self._add("removed", line[1:])
            case _:
                self._old_left = self._new_left = 0
                return False
        return True

    def _add(self, kind: LineKind, text: str) -> None:
        has_old, has_new = kind != "added", kind != "removed"
        self._lines.append(DiffLine(kind, text, self._old if has_old else None, self._new if has_new else None))
        self._old, self._new = self._old + has_old, self._new + has_new
        self._old_left, self._new_left = self._old_left - has_old, self._new_left - has_new

    def _begin_hunk(self, found: re.Match[str]) -> None:
        self._end_hunk()
        old, old_count, new, new_count, self._heading = found.groups()
        self._old, self._new = int(old), int(new)
        self._old_left = 1 if old_count is None else int(old_count)
        self._new_left = 1 if new_count is None else int(new_count)

    def _begin_file(self) -> None:
        if self._file is not None and not self._file.names and not self._file.hunks:
            return
        self._end_file()
        self._file = _OpenFile()

    def _opened(self) -> _OpenFile:
        self._end_hunk()
        if self._file is None:
            self._file = _OpenFile()
        return self._file

    def _end_hunk(self) -> None:
        lines, self._lines = self._lines, []
        if lines:
            self._opened().hunks.append(Hunk(self._heading, tuple(lines)))

    def _end_file(self) -> None:
        self._end_hunk()
        if self._file is not None:
            self._done.append(self._file.closed())
        self._file = None


def _name(line: str) -> str:
    """The file's name behind `--- ` or `+++ `, without the letter that git puts before it and a time behind a tab."""
    name = line[4:].partition("\t")[0].rstrip("\r")
    return name[2:] if name.startswith(("a/", "b/")) else name
