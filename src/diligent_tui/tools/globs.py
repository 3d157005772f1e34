"""Patterns for paths such as `src/**/*.py`; pure, and quick whatever the pattern."""

import fnmatch
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diligent_tui.domain.errors import ToolError

MOST_ALTERNATIVES = 64

Segment = re.Pattern[str] | None
"""What a name must be; None is `**`: any number of folders, none included."""
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern, one piece for each name of a path."""

    segments: tuple[Segment, ...]

    def matches(self, names: Sequence[str]) -> bool:
        """True if the pattern fits the whole path, given as its names."""
        at = tried = 0
        # Where to go on if the names after the last `**` did not fit: only that one need ever be tried again.
        again: tuple[int, int] | None = None
        while tried < len(names):
            if at < len(self.segments):
                segment = self.segments[at]
                if segment is None:
                    again = (at, tried)
                    at += 1
                    continue
                if segment.match(names[tried]):
                    at, tried = at + 1, tried + 1
                    continue
            if again is None:
                return False
            again = (again[0], again[1] + 1)
            at, tried = again[0] + 1, again[1]
        return all(segment is None for segment in self.segments[at:])


def compile_glob(pattern: str) -> Glob:
    """A pattern from the folder it is meant for: `*` and `?` stay within a name, `**` is any number of folders."""
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    # `src/**` means what is in src, not src itself.
    if names and names[-1] == "**":
        names.append("*")
    return Glob(tuple(_segment(name) for name in names))


def alternatives(pattern: str) -> list[str]:
    """A pattern with `{a,b}` written out; ToolError if there would be too many."""
    found = list(_spread(pattern, MOST_ALTERNATIVES + 1))
    if len(found) > MOST_ALTERNATIVES:
        raise ToolError(f"The pattern has more than {MOST_ALTERNATIVES} alternatives in braces: use fewer.")
    return found


def file_globs(pattern: str) -> list[Glob]:
    """A pattern as a model gives it, alternatives apart; without a folder in it, it is for files in every folder."""
    if pattern.startswith(("/", "~")) or ".." in pattern.split("/"):
        raise ToolError("The pattern is counted from a folder, so it has no `..`, `~` or `/` before it: use `path`.")
    given = alternatives(pattern) if pattern else []
    return [compile_glob(each if "/" in each else f"**/{each}") for each in given]


def _spread(pattern: str, most: int) -> Iterator[str]:
    waiting = [pattern]
    given = 0
    while waiting and given < most:
        each = waiting.pop()
        braces = _BRACES.search(each)
        if braces is None:
            given += 1
            yield each
            continue
        choices = braces[1].split(",")[: most + 1]
        waiting += [each[: braces.start()] + choice + each[braces.end() :] for choice in reversed(choices)]


def _segment(name: str) -> Segment:
    if name == "**":
        return None
    # fnmatch knows no backslash, but a class of one character does the same; git writes `[^a]` for `[!a]` too.
    plain = re.sub(r"\\(.)", lambda escaped: f"[{escaped[1]}]" if escaped[1] in "*?[" else escaped[1], name)
    return re.compile(fnmatch.translate(plain.replace("[^", "[!")))
