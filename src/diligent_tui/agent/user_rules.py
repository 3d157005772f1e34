"""The rules of the user's settings, and those that are added to them while the program runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from diligent_tui.domain.errors import SettingsError
from diligent_tui.tools.rules import ANY_TOOL, COMMAND_TOOL, NETWORK, PATH_TOOLS, Rule, parse_rule


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The user's rules; a denial goes before a question, and a question before a yes."""

    allow: tuple[Rule, ...] = ()
    ask: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()


def _keep_nowhere(_rule: str) -> None:
    """For a run that has no settings file."""


class UserRules:
    """The rules in force for all sessions of this run."""

    def __init__(self, book: RuleBook | None = None, save: Callable[[str], None] = _keep_nowhere) -> None:
        """`save` keeps a rule for all runs to come; it raises a DiligentError if it cannot."""
        self._book = book or RuleBook()
        self._save = save

    @property
    def book(self) -> RuleBook:
        """The rules now."""
        return self._book

    def add(self, rule: Rule) -> None:
        """Allow this from now on, also in sessions to come."""
        self._save(rule.text)
        self._book = replace(self._book, allow=(*self._book.allow, rule))


def read_rules(allow: Sequence[str], ask: Sequence[str], deny: Sequence[str]) -> tuple[RuleBook, tuple[str, ...]]:
    """The rules of the settings, and what is wrong with those that cannot be read; a broken no becomes a question."""
    allowed = [_read(text) for text in allow]
    asked = [_read(text) for text in ask]
    denied = [_read(text) for text in deny]
    book = RuleBook(
        allow=tuple(read.rule for read in allowed if not read.problem),
        ask=tuple(read.rule for read in (*asked, *(each for each in denied if each.problem))),
        deny=tuple(read.rule for read in denied if not read.problem),
    )
    return book, tuple(read.problem for read in (*allowed, *asked, *denied) if read.problem)


@dataclass(frozen=True, slots=True)
class _Read:
    rule: Rule
    problem: str = ""


def _read(text: str) -> _Read:
    try:
        return _Read(parse_rule(text))
    except SettingsError as error:
        name = text.partition("(")[0].strip().lower()
        tool = name if name in (COMMAND_TOOL, NETWORK) or name in PATH_TOOLS else ANY_TOOL
        return _Read(Rule(text, tool), f"{error.message} {error.advice}")
