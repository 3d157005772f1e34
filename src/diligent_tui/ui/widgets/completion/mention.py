"""The word under the cursor that a list can complete: an @file, a /command, or what may follow a command; pure."""

import re
from dataclasses import dataclass
from typing import Literal

from diligent_tui.ui.widgets.prompt.pasting import CLOSING, OPENING

MentionKind = Literal["file", "command", "argument"]
# Behind a letter an @ is part of an address, and inside a token nothing is typed.
_FILE = re.compile(rf"""(?:^|[\s(\[{{'",:;{CLOSING}])(?P<at>@)(?:"(?P<quoted>[^"]*)|(?P<bare>[^\s"{OPENING}]*))$""")
_COMMAND = re.compile(r"/(?P<word>[\w-]*)$")
_ARGUMENT = re.compile(r"/(?P<word>[\w-]+) +(?P<before>(?:\S+ +)*)(?P<typed>\S*)$")


@dataclass(frozen=True, slots=True)
class Mention:
    """What was typed of it, and from which column of its row on it would be replaced."""

    kind: MentionKind
    typed: str
    column: int
    command: str = ""
    before: tuple[str, ...] = ()
    """The words between the command and this one."""


def mention_at(line: str, column: int, *, is_first_line: bool) -> Mention | None:
    """The word that ends at the column; None if it is none that a list knows."""
    before = line[:column]
    if is_first_line and before.startswith("/") and not before.startswith("//"):
        if found := _COMMAND.fullmatch(before):
            return Mention("command", found["word"], 0)
        if found := _ARGUMENT.fullmatch(before):
            said = tuple(found["before"].split())
            return Mention("argument", found["typed"], found.start("typed"), found["word"], said)
    if found := _FILE.search(before):
        typed = found["quoted"] if found["quoted"] is not None else found["bare"]
        return Mention("file", typed, found.start("at"))
    return None


def written(path: str) -> str:
    """A path as it stands in the prompt; one with blanks is quoted."""
    return f'@"{path}"' if re.search(r"\s", path) else f"@{path}"
