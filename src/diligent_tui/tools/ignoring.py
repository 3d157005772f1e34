"""Which files git leaves out, by the rules of `.gitignore`; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diligent_tui.tools.globs import Glob, compile_glob

MOST_RULES = 5_000


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line: what it fits, counted from the folder that its file lies in."""

    depth: int
    """How many names lead to that folder."""
    glob: Glob
    is_name_only: bool
    is_for_folders: bool
    takes_back: bool

    def fits(self, names: Sequence[str], is_folder: bool) -> bool:
        """True if the line speaks of this path."""
        if self.is_for_folders and not is_folder:
            return False
        return self.glob.matches(names[-1:] if self.is_name_only else names[self.depth :])


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The lines that hold in a folder, those of folders above it first."""

    rules: tuple[IgnoreRule, ...] = ()

    def with_file(self, text: str, folder: Sequence[str]) -> "IgnoreRules":
        """The rules with those of one more file, which lies in the folder of these names."""
        more = (*self.rules, *_parsed(text, len(folder)))
        return IgnoreRules(more[-MOST_RULES:])

    def ignores(self, names: Sequence[str], is_folder: bool) -> bool:
        """True if the last line that fits says so; that a folder above is left out is not asked here."""
        for rule in reversed(self.rules):
            if rule.fits(names, is_folder):
                return not rule.takes_back
        return False


def _parsed(text: str, depth: int) -> Iterator[IgnoreRule]:
    for line in text.split("\n"):
        # Blanks at the end count only after a backslash.
        pattern = re.sub(r"(?<!\\) +$", "", line.removesuffix("\r"))
        if not pattern or pattern.startswith("#"):
            continue
        takes_back = pattern.startswith("!")
        is_for_folders = pattern.endswith("/")
        pattern = pattern[takes_back:].removesuffix("/")
        # No path has an empty name in it, so such a line never fits.
        if all(pattern.removeprefix("/").split("/")):
            yield IgnoreRule(depth, compile_glob(pattern), "/" not in pattern, is_for_folders, takes_back)
