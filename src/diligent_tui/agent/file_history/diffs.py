"""What would change in a file, as a unified diff for people, or in words where lines cannot tell it."""

from dataclasses import dataclass

from diligent_tui.tools import diffs

LARGEST_BYTES = 2_000_000
LONGEST_DIFF_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A unified diff, a note on what it cannot show, and how many lines come and go."""

    text: str = ""
    note: str = ""
    added: int = 0
    removed: int = 0


def compare(old: bytes | None, new: bytes | None, name: str) -> Difference:
    """The way from old to new; None is a file that is not there."""
    before, after = old or b"", new or b""
    sizes = f"{_size(old)} → {_size(new)}"
    if max(len(before), len(after)) > LARGEST_BYTES:
        return Difference(note=f"Too large to be shown: {sizes}.")
    if b"\0" in before or b"\0" in after:
        return Difference(note=f"Not text: {sizes}.")
    if before == after:
        return Difference(note="Empty." if not before else "")
    if _unix(before) == _unix(after):
        return Difference(note=f"Only line endings change: {_ending(before)} → {_ending(after)}.")
    diff = diffs.compare(before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))
    note = "" if diff.changes else f"The bytes differ, the letters do not: {sizes}."
    return Difference(diff.text(name, LONGEST_DIFF_BYTES), note, diff.added, diff.removed)


def count_lines(old: bytes, new: bytes) -> tuple[int, int] | None:
    """How many lines were added and removed; None if it is not text."""
    if b"\0" in old or b"\0" in new or max(len(old), len(new)) > LARGEST_BYTES:
        return None
    diff = diffs.compare(old.decode("utf-8", "replace"), new.decode("utf-8", "replace"))
    return diff.added, diff.removed


def _unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _ending(data: bytes) -> str:
    returns = data.count(b"\r\n")
    if not returns:
        return "LF"
    return "CRLF" if returns == data.count(b"\n") else "mixed"


def _size(data: bytes | None) -> str:
    return "nothing" if data is None else f"{len(data):,} bytes"
