"""The user's rules on what may run: `tool(pattern)`, read, matched and suggested; nothing here touches a file.

A rule on commands is matched word by word against what the strict parser made of the command, and to be allowed every
simple command of a list must be. A rule on the network is one on commands that ask for it. A rule on files is matched
against the path without its links.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.errors import SettingsError
from diligent_tui.tools.shell.parser import CommandList, SimpleCommand, parse
from diligent_tui.tools.shell.within import TooDeep, commands_within, name_of
from diligent_tui.tools.shell.words import PLAIN, Word

COMMAND_TOOL = "bash"
NETWORK = "network"
"""Not a tool: `network(words)` is about these words run with the network, `network` about the network alone."""
ANY_TOOL = "*"
FAMILIES = {
    "read": frozenset({"read", "ls", "glob", "grep"}),
    "edit": frozenset({"edit", "write"}),
}
"""A rule on the first name is a rule on all of these."""
PATH_TOOLS = FAMILIES["read"] | FAMILIES["edit"]
RULE = re.compile(r"([A-Za-z][\w-]*)(?:\((.*)\))?", re.DOTALL)
LONGEST_RULE_CHARS = 300
EXAMPLES = "Write it as `bash(npm test)`, `bash(make *)`, `network(npm install)`, `edit(src/**)` or `read(~/notes/**)`."
WILDCARD = re.compile(r"(/\*\*$|\*\*/|\*\*|\*|\?)")
WILDCARDS = {"/**": "(?:/.*)?", "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; without a command or a path it is about everything that the tool does."""

    text: str
    tool: str
    command: CommandList | None = None
    path: str = ""

    @property
    def is_exact(self) -> bool:
        """True if it names one thing, without a wildcard."""
        if self.command is not None:
            return not any(word.has_glob for simple in self.command.commands for word in simple.words)
        return bool(self.path) and not WILDCARD.search(self.path)

    def is_about(self, tool: str) -> bool:
        """Whether the rule speaks of a tool."""
        if self.tool == NETWORK:
            return tool == COMMAND_TOOL
        return self.tool in (tool, ANY_TOOL) or tool in FAMILIES.get(self.tool, ())


def parse_rule(text: str) -> Rule:
    """Read a rule; raises SettingsError that says what is wrong with it."""
    said = text.strip()
    found = RULE.fullmatch(said)
    if found is None or len(said) > LONGEST_RULE_CHARS:
        raise SettingsError(f"`{said[:60]}` is not a rule.", EXAMPLES)
    tool, pattern = found[1].lower(), found[2]
    if pattern is None:
        return Rule(said, tool)
    pattern = pattern.strip()
    if not pattern or pattern == "**" or (pattern == "*" and tool not in (COMMAND_TOOL, NETWORK)):
        return Rule(said, tool)
    if tool in (COMMAND_TOOL, NETWORK):
        return _command_rule(said, tool, pattern)
    if tool not in PATH_TOOLS:
        raise SettingsError(
            f"There is no pattern for {tool}.", f"Write `{tool}` alone, or a rule on bash, network, read or edit."
        )
    if not pattern.isprintable():
        raise SettingsError(f"`{said[:60]!r}` holds a character that cannot be seen.", "Type it anew.")
    return Rule(said, tool, path=pattern)


def _command_rule(said: str, tool: str, pattern: str) -> Rule:
    if pattern == "*":
        return Rule(said, tool)
    command = parse(pattern)
    if command is None or any(simple.reads for simple in command.commands):
        raise SettingsError(
            f"The command of `{said[:60]}` is more than plain words.",
            "Only words, quotes, && || ; and | can stand in a rule, and * for any words.",
        )
    return Rule(said, tool, command)


def allows(rules: Sequence[Rule], parsed: CommandList, known: Sequence[bool]) -> bool:
    """Whether rules allow a command; `known` says which of its simple commands need none."""
    if any(rule.command is None or _is_same_list(rule.command, parsed) for rule in rules):
        return True
    # After a change of folder `./run` is another program than the one in the rule.
    has_moved = any(simple.program == "cd" for simple in parsed.commands)
    return all(
        is_known or (not (has_moved and "/" in simple.program) and any(_names(rule, simple) for rule in rules))
        for simple, is_known in zip(parsed.commands, known, strict=True)
    )


def concerns(rule: Rule, parsed: CommandList) -> bool:
    """Whether a rule that asks or denies speaks of any part of a command, also one that another program would run."""
    if rule.command is None or _is_same_list(rule.command, parsed):
        return True
    if len(rule.command.commands) != 1:
        return False
    pattern = rule.command.commands[0]
    try:
        return any(
            _fits(pattern.words, simple.words) or _fits(pattern.words, _without_folder(simple))
            for _, simple in commands_within(parsed)
        )
    except TooDeep:
        return True


def _is_same_list(pattern: CommandList, parsed: CommandList) -> bool:
    return (
        len(pattern.commands) > 1
        and pattern.operators == parsed.operators
        and not any(simple.reads for simple in parsed.commands)
        and all(_fits(each.words, simple.words) for each, simple in zip(pattern.commands, parsed.commands, strict=True))
    )


def _names(rule: Rule, simple: SimpleCommand) -> bool:
    command = rule.command
    return (
        command is not None
        and len(command.commands) == 1
        and not simple.reads
        and _fits(command.commands[0].words, simple.words)
    )


def _without_folder(simple: SimpleCommand) -> tuple[Word, ...]:
    return (Word(name_of(simple.program)), *simple.words[1:])


def _fits(pattern: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether words fit a pattern in which a lone `*` stands for any number of them."""
    # Sets of places in the pattern that can be reached, so that many stars cost no more than one.
    places = _past_stars(pattern, {0})
    for word in words:
        stays = {at for at in places if at < len(pattern) and _is_star(pattern[at])}
        moves = {at + 1 for at in places if at < len(pattern) and _fits_word(pattern[at], word)}
        places = _past_stars(pattern, stays | moves)
    return len(pattern) in places


def _past_stars(pattern: Sequence[Word], places: set[int]) -> set[int]:
    found = set(places)
    for at, word in enumerate(pattern):
        if at in found and _is_star(word):
            found.add(at + 1)
    return found


def _is_star(word: Word) -> bool:
    return word.has_glob and word.text == "*"


def _fits_word(pattern: Word, word: Word) -> bool:
    if not pattern.has_glob:
        return pattern.text == word.text and not word.has_glob
    parts = (
        ".*" if part == "*" else "." if part == "?" else re.escape(part) for part in re.split(r"([*?])", pattern.text)
    )
    return re.fullmatch("".join(parts), word.text, re.DOTALL) is not None


def matches_path(rule: Rule, real: Path, root: Path) -> bool:
    """Whether a path without links is one that the rule names; links in the rule's own path are not followed."""
    if not rule.path:
        return True
    pattern = "".join(WILDCARDS.get(part) or re.escape(part) for part in WILDCARD.split(_absolute(rule.path, root)))
    return re.fullmatch(pattern, str(real), re.DOTALL) is not None


def could_reach(rule: Rule, folder: Path, root: Path) -> bool:
    """Whether what a rule names may lie below a folder that is searched through."""
    fixed, *wild = WILDCARD.split(_absolute(rule.path, root)) if rule.path else ("/",)
    named = Path(fixed if not wild or wild[0] == "/**" else fixed.rpartition("/")[0] or "/")
    return named.is_relative_to(folder) or folder.is_relative_to(named)


def _absolute(pattern: str, root: Path) -> str:
    if pattern == "~" or pattern.startswith("~/"):
        pattern = os.path.realpath(Path.home()) + pattern[1:]
    return os.path.normpath(pattern if pattern.startswith("/") else f"{os.path.realpath(root)}/{pattern}")


def path_rule(tool: str, real: Path, root: Path | None, *, is_exact: bool = False) -> str:
    """The rule to suggest for a file: its folder, or the file alone where the folder would be too much."""
    home = Path(os.path.realpath(Path.home()))
    folder = real.parent
    base = next((base for base in (root, home) if base is not None and real.is_relative_to(base)), Path("/"))
    is_folder_too_much = folder in (base, home) or len(folder.parts) <= 2
    target = real if is_exact or is_folder_too_much else folder
    said = str(target.relative_to(base))
    prefix = "" if base == root else "~/" if base == home else "/"
    pattern = prefix + said + ("" if target == real else "/**")
    # A name with a wildcard in it cannot be told from a pattern.
    if not pattern.isprintable() or set("*?()") & set(prefix + said) or len(pattern) > LONGEST_RULE_CHARS - 20:
        return ""
    return f"{tool}({pattern})"


def command_rule(
    parsed: CommandList | None, known: Sequence[bool], *, is_exact: bool = False, tool: str = COMMAND_TOOL
) -> str:
    """The rule to suggest for a command: the part that is not known anyway, or all of it; empty if there is none."""
    if parsed is None:
        return ""
    wanted = [simple for simple, is_known in zip(parsed.commands, known, strict=True) if not is_known]
    if len(wanted) == 1 and not wanted[0].reads:
        said = _written(wanted[0])
    else:
        pieces = [_written(simple) for simple in parsed.commands]
        said = pieces[0] + "".join(f" {sign} {piece}" for sign, piece in zip(parsed.operators, pieces[1:], strict=True))
        if any(not piece for piece in pieces) or any(simple.reads for simple in parsed.commands):
            return ""
    rule = f"{tool}({said})"
    is_right = bool(said) and len(rule) <= LONGEST_RULE_CHARS and parse(said) is not None
    return rule if is_right and not (is_exact and not parse_rule(rule).is_exact) else ""


def _written(simple: SimpleCommand) -> str:
    """The words so that they read as the same words again; empty if one cannot be written so."""
    pieces: list[str] = []
    for word in simple.words:
        if word.has_glob:
            if word.text.strip("*") == "":
                return ""
            pieces.append(word.text)
        elif PLAIN.fullmatch(word.text):
            pieces.append(word.text)
        elif "'" not in word.text:
            pieces.append(f"'{word.text}'")
        else:
            return ""
    return " ".join(pieces)
