"""What each mode says to a call before it runs."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import assert_never

from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Verdict, Workplace
from diligent_tui.tools.harmless import harmless_parts
from diligent_tui.tools.paths import Located
from diligent_tui.tools.protected_paths import is_protected
from diligent_tui.tools.rules import NETWORK, command_rule, path_rule
from diligent_tui.tools.shell.destruction import destruction
from diligent_tui.tools.shell.parser import CommandList, parse

ALLOWED = Verdict("allow")


def judge_reading(located: Located, mode: Mode) -> Verdict:
    """Reading in the workspace is free; outside it, and of secrets, plan says no and every other mode asks."""
    if located.is_open_to_all:
        return ALLOWED
    why = "looks like a secret" if located.is_secret else "is outside the workspace"
    said = f"{located.shown}{_leads(located)} {why}"
    if mode == "plan":
        return Verdict("deny", f"{said}: plan mode does not read it.")
    return Verdict("ask", f"{said}.", rule=path_rule("read", located.real, None, is_exact=located.is_secret))


def judge_writing(located: Located, mode: Mode, workplace: Workplace, diff: str = "") -> Verdict:
    """Plan changes nothing; ask mode asks on the diff; no mode changes what is protected, secret or outside unasked."""
    root = Path(os.path.realpath(workplace.root))
    said = f"{located.shown}{_leads(located)}"
    if mode == "plan":
        return Verdict("deny", f"plan mode does not change {located.shown}.")
    why = write_danger(located, workplace)
    if why:
        rule = path_rule("edit", located.real, root, is_exact=located.is_secret or is_protected(located.real, root))
        return Verdict("ask", f"{said} {why}.", diff, rule)
    match mode:
        case "ask":
            return Verdict("ask", f"{said} would be changed.", diff, path_rule("edit", located.real, root))
        case "auto-edit" | "full":
            return ALLOWED
        case _:
            assert_never(mode)


def write_danger(located: Located, workplace: Workplace) -> str:
    """Why a change of this file is asked in every mode; empty if it need not be."""
    if is_protected(located.real, Path(os.path.realpath(workplace.root))):
        return "is protected: what it says may be run later"
    if not located.is_inside:
        return "is outside the workspace"
    return "looks like a secret" if located.is_secret else ""


def judge_command(command: str, mode: Mode, workplace: Workplace, search_path: str) -> Verdict:
    """A command known to be harmless runs in every mode; of any other the mode decides, but for destruction it asks."""
    parsed = parse(command)
    known = harmless_parts(parsed, workplace, search_path) if parsed else [False]
    if all(known):
        return ALLOWED
    if mode == "plan":
        return Verdict("deny", "plan mode runs only commands that are known to change nothing.")
    danger = destruction(command, workplace)
    if danger:
        return Verdict("ask", f"{danger}.", rule=command_rule(parsed, known, is_exact=True))
    match mode:
        case "ask" | "auto-edit":
            return Verdict("ask", _why_asked(parsed, known), rule=command_rule(parsed, known))
        case "full":
            return ALLOWED
        case _:
            assert_never(mode)


def judge_network(command: str, mode: Mode, workplace: Workplace, search_path: str) -> Verdict:
    """A command that asks for the network, where the sandbox has none: plan says no and every other mode asks."""
    if mode == "plan":
        return Verdict("deny", "plan mode runs no command with the network.")
    parsed = parse(command)
    known = harmless_parts(parsed, workplace, search_path) if parsed else [False]
    danger = destruction(command, workplace)
    why = (
        f"it is to run with the network, and {danger[:1].lower()}{danger[1:]}"
        if danger
        else "it is to run with the network"
    )
    return Verdict(
        "ask", f"{why}.", rule=command_rule(parsed, known, is_exact=bool(danger), tool=NETWORK), needs_network=True
    )


def _why_asked(parsed: CommandList | None, known: Sequence[bool]) -> str:
    if parsed is None:
        return "A command that cannot be read with certainty."
    unknown = [simple.program for simple, is_known in zip(parsed.commands, known, strict=True) if not is_known]
    return f"{', '.join(dict.fromkeys(unknown))} may change things."


def _leads(located: Located) -> str:
    """Where a name leads, if the name alone does not say it."""
    named = PurePath(located.shown).parts
    is_plain = ".." not in named and located.real.parts[-len(named) :] == named
    return "" if is_plain else f" (it leads to {str(located.real)!r})"
