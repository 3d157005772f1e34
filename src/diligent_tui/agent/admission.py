"""Decides on each call: what the mode says, weighed with the user's rules and with what was allowed in this session."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from diligent_tui.agent.permissions import Decision
from diligent_tui.agent.user_rules import UserRules
from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Tool, Verdict, Workplace
from diligent_tui.tools.harmless import harmless_parts
from diligent_tui.tools.paths import Located, locate
from diligent_tui.tools.permissions import ALLOWED
from diligent_tui.tools.protected_paths import is_protected
from diligent_tui.tools.rules import (
    COMMAND_TOOL,
    FAMILIES,
    NETWORK,
    PATH_TOOLS,
    Rule,
    allows,
    concerns,
    could_reach,
    matches_path,
    parse_rule,
)
from diligent_tui.tools.runner import judge_call
from diligent_tui.tools.shell.destruction import destruction
from diligent_tui.tools.shell.parser import CommandList, parse

SEARCHERS = frozenset({"glob", "grep"})
Answer = Literal["yes", "no", "unsure"]


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a call; `needs_yes` says that the mode alone would not let it run."""

    verdict: Verdict
    needs_yes: bool


@dataclass(frozen=True, slots=True)
class _Matter:
    """What a call is about, as rules see it."""

    tool: str
    workplace: Workplace
    command: str = ""
    parsed: CommandList | None = None
    wants_network: bool = False
    """True if it says that it needs the network, or all that is outside the sandbox."""
    located: Located | None = None

    def is_named_by(self, rule: Rule) -> Answer:
        """Whether a rule that asks or denies speaks of this call; unsure is as bad as yes, but cannot be a denial."""
        if not rule.is_about(self.tool) or (rule.tool == NETWORK and not self.wants_network):
            return "no"
        if not rule.path and rule.command is None:
            return "yes"
        if self.tool == COMMAND_TOOL:
            if self.parsed is None:
                return "unsure"
            return "yes" if concerns(rule, self.parsed) else "no"
        if self.located is None:
            return "no"
        if matches_path(rule, self.located.real, self.workplace.root):
            return "yes"
        is_below = self.tool in SEARCHERS and could_reach(rule, self.located.real, self.workplace.root)
        return "unsure" if is_below else "no"

    def is_allowed_by(self, rules: Sequence[Rule]) -> bool:
        """Whether rules allow all of this call; what must be asked in every mode needs a rule that names it exactly."""
        wanted = [rule for rule in rules if rule.is_about(self.tool)]
        if self._must_be_named():
            wanted = [rule for rule in wanted if rule.is_exact]
        if self.tool == COMMAND_TOOL:
            # The network alone is no word of a command.
            return self._words_are_in([rule for rule in wanted if rule.tool != NETWORK or rule.command is not None])
        if self.located is None:
            return self.tool not in PATH_TOOLS and bool(wanted)
        return any(matches_path(rule, self.located.real, self.workplace.root) for rule in wanted)

    def may_use_network(self, rules: Sequence[Rule]) -> bool:
        """Whether rules let this command use the network; what it does there else is another question."""
        about = [rule for rule in rules if rule.tool == NETWORK and (rule.is_exact or not self._must_be_named())]
        return self._words_are_in(about)

    def _words_are_in(self, rules: Sequence[Rule]) -> bool:
        if self.parsed is None or not rules:
            return False
        return allows(rules, self.parsed, harmless_parts(self.parsed, self.workplace, os.environ.get("PATH", "")))

    def _must_be_named(self) -> bool:
        if self.tool == COMMAND_TOOL:
            return bool(destruction(self.command, self.workplace))
        if self.located is None:
            return False
        is_changed = self.tool in FAMILIES["edit"] and is_protected(self.located.real, self.workplace.root)
        return is_changed or self.located.is_secret


class Admission:
    """Says of each call whether it may run, and remembers what the user allowed."""

    def __init__(self, rules: UserRules | None = None) -> None:
        """The user's rules; what is allowed for the session is kept here and ends with it."""
        self._rules = rules or UserRules()
        self._session_rules: tuple[Rule, ...] = ()
        self._granted: frozenset[str] = frozenset()

    def judge(self, tool: Tool, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Judged:
        """The verdict of mode and rules; it may read the disk, so it is called in a thread."""
        verdict = judge_call(tool, arguments, mode, workplace)
        book = self._rules.book
        allowed = (*book.allow, *self._session_rules)
        matter = _matter(tool.spec.name, arguments, workplace)
        if rule := next((rule for rule in book.deny if matter.is_named_by(rule) == "yes"), None):
            return Judged(Verdict("deny", f"the user's rule {rule.text} forbids it"), needs_yes=True)
        if mode == "plan" and verdict.decision == "deny" and tool.read_only:
            # A rule may open what lies outside to be read; it never makes plan mode change anything.
            outside = judge_call(tool, arguments, "ask", workplace)
            is_open = outside.decision == "ask" and bool(outside.rule) and matter.is_allowed_by(allowed)
            return Judged(ALLOWED if is_open else verdict, needs_yes=True)
        if verdict.decision == "deny":
            return Judged(verdict, needs_yes=True)
        if _key(tool.spec.name, arguments) in self._granted:
            return Judged(ALLOWED, needs_yes=True)
        for rule in (*book.ask, *book.deny):
            if (answer := matter.is_named_by(rule)) != "no":
                return Judged(self._asked(rule, answer, verdict, tool, arguments, workplace), needs_yes=True)
        needs_yes = verdict.decision == "ask"
        # An empty rule says that this must be looked at each time.
        if needs_yes and verdict.rule and _is_open(verdict, matter, allowed, tool, arguments, mode):
            verdict = ALLOWED
        return Judged(verdict, needs_yes)

    def remember(self, tool_name: str, arguments: JsonObject, decision: Decision) -> None:
        """Keep a yes for as long as it was given; raises a DiligentError if a rule for always could not be saved."""
        if not decision.allowed or decision.scope == "once":
            return
        # The user has said yes to this very call, whatever became of the rule under their hands.
        self._granted |= {_key(tool_name, arguments)}
        if not decision.rule:
            return
        rule = parse_rule(decision.rule)
        self._session_rules = (*self._session_rules, rule)
        if decision.scope == "always":
            self._rules.add(rule)

    def _asked(
        self, rule: Rule, answer: Answer, verdict: Verdict, tool: Tool, arguments: JsonObject, workplace: Workplace
    ) -> Verdict:
        if answer == "unsure":
            reason = f"It cannot be said whether your rule {rule.text} is about this."
        else:
            reason = f"Your rule {rule.text} says to ask."
        if verdict.decision == "ask":
            return Verdict("ask", f"{reason} {verdict.reason}", verdict.diff)
        # The mode would not have asked, so it has not said what would change.
        return Verdict("ask", reason, judge_call(tool, arguments, "ask", workplace).diff)


def _matter(tool: str, arguments: JsonObject, workplace: Workplace) -> _Matter:
    if tool == COMMAND_TOOL:
        command = str(arguments.get("command") or "")
        wants_network = arguments.get("network") is True or arguments.get("outsideSandbox") is True
        return _Matter(tool, workplace, command, parse(command), wants_network)
    located: Located | None = None
    if tool in PATH_TOOLS:
        try:
            located = locate(str(arguments.get("path") or "."), workplace)
        except (ToolError, OSError):
            located = None
    return _Matter(tool, replace(workplace, root=Path(os.path.realpath(workplace.root))), located=located)


def _is_open(
    verdict: Verdict, matter: _Matter, allowed: Sequence[Rule], tool: Tool, arguments: JsonObject, mode: Mode
) -> bool:
    """Whether the rules allow a call that the mode would ask about; one with the network needs a yes to both."""
    if not verdict.needs_network:
        return matter.is_allowed_by(allowed)
    if not matter.may_use_network(allowed):
        return False
    alone = judge_call(tool, {**arguments, "network": False}, mode, matter.workplace)
    return alone.decision == "allow" or (alone.decision == "ask" and matter.is_allowed_by(allowed))


def _key(tool: str, arguments: JsonObject) -> str:
    return json.dumps([tool, arguments], sort_keys=True, default=str)
