"""What each mode says to a call before it runs."""

from typing import assert_never

from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Verdict, Workplace
from diligent_tui.tools.harmless import is_harmless
from diligent_tui.tools.paths import Located

ALLOWED = Verdict("allow")


def judge_reading(located: Located, mode: Mode) -> Verdict:
    """Reading in the workspace is free; outside it, and of secrets, plan says no and every other mode asks."""
    if located.is_open_to_all:
        return ALLOWED
    why = "looks like a secret" if located.is_secret else "is outside the workspace"
    real = str(located.real)
    leads = "" if real == located.shown else f" (it leads to {real!r})"
    if mode == "plan":
        return Verdict("deny", f"{located.shown}{leads} {why}: plan mode does not read it.")
    return Verdict("ask", f"{located.shown}{leads} {why}.")


def judge_command(command: str, mode: Mode, workplace: Workplace, search_path: str) -> Verdict:
    """A command known to be harmless runs in every mode; of any other the mode decides."""
    if is_harmless(command, workplace, search_path):
        return ALLOWED
    match mode:
        case "plan":
            return Verdict("deny", "plan mode runs only commands that are known to change nothing.")
        case "ask" | "auto-edit":
            return Verdict("ask", "not a command that is known to change nothing.")
        case "full":
            return ALLOWED
        case _:
            assert_never(mode)
