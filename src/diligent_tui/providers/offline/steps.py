"""What an order can ask for, one small type for each kind of step."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Read:
    """Read files; lines count from 1 and None is the file's own end."""

    paths: tuple[str, ...]
    first_line: int | None = None
    last_line: int | None = None


@dataclass(frozen=True, slots=True)
class ListFolder:
    """List a folder."""

    path: str


@dataclass(frozen=True, slots=True)
class Search:
    """Look for a pattern below a folder."""

    pattern: str
    path: str


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command, word for word."""

    command: str


@dataclass(frozen=True, slots=True)
class Write:
    """Write a text, word for word, to a file."""

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Put one text in the place of another in a file."""

    old: str
    new: str
    path: str


@dataclass(frozen=True, slots=True)
class Remember:
    """Keep something beyond this session."""

    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Make a list of things to do."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThinkAbout:
    """Reason about something."""

    subject: str


@dataclass(frozen=True, slots=True)
class Count:
    """Count what was piped in."""

    unit: Literal["lines", "words"]


@dataclass(frozen=True, slots=True)
class Recount:
    """Say what the user asked so far."""


@dataclass(frozen=True, slots=True)
class Greet:
    """Say hello and what can be asked."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Words that are no order we understand."""

    text: str


Step = (
    Read | ListFolder | Search | Run | Write | Edit | Remember | Plan | ThinkAbout | Count | Recount | Greet | Unknown
)
