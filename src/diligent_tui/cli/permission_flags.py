"""Rules for one run, from `--allow` and `--deny`; one that cannot be understood ends the run before it begins."""

import difflib
from collections.abc import Iterable, Sequence

from diligent_tui.agent.user_rules import RuleBook
from diligent_tui.domain.errors import SettingsError, UsageError
from diligent_tui.tools.rules import COMMAND_TOOL, FAMILIES, NETWORK, PATH_TOOLS, Rule, parse_rule

TOOL_NAMES = PATH_TOOLS | {
    *FAMILIES,
    COMMAND_TOOL,
    NETWORK,
    "todo",
    "recall",
    "add_knowledge",
    "search_knowledge",
    "supersede_knowledge",
}


def with_flags(book: RuleBook, allow: Sequence[str], deny: Sequence[str]) -> RuleBook:
    """The user's rules with those of this run; a denial goes before a yes, whoever said it."""
    return RuleBook(
        allow=(*book.allow, *_rules("--allow", allow)),
        ask=book.ask,
        deny=(*book.deny, *_rules("--deny", deny)),
    )


def _rules(flag: str, texts: Sequence[str]) -> Iterable[Rule]:
    for text in texts:
        try:
            rule = parse_rule(text)
        except SettingsError as error:
            raise UsageError(f"{flag}: {error.message}", error.advice) from error
        if rule.tool not in TOOL_NAMES:
            near = difflib.get_close_matches(rule.tool, sorted(TOOL_NAMES), 1)
            advice = f"Did you mean {near[0]}?" if near else f"There are {', '.join(sorted(TOOL_NAMES))}."
            raise UsageError(f"{flag}: there is no tool {rule.tool}.", advice)
        yield rule
