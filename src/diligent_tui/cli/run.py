"""Carries out what the command line asked for, and turns every error into one clear line."""

import os
import sys
from pathlib import Path

from diligent_tui import __version__
from diligent_tui.cli.arguments import Arguments, parse
from diligent_tui.cli.exit_codes import code_of_problem
from diligent_tui.config.assembly import House, enter
from diligent_tui.domain.errors import DiligentError, SessionNotFound, UsageError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.catalog import list_sessions
from diligent_tui.tools.environment import hide_own_environment


def run(words: list[str]) -> int:
    """Parse, look around, act; returns the exit code."""
    hide_own_environment()
    try:
        arguments = parse(words)
        if arguments.version:
            sys.stdout.write(f"diligent {__version__}\n")
            return 0
        return _act(arguments)
    except DiligentError as error:
        complain(f"{error.message} {error.advice}")
        return code_of_problem(error.problem)


def complain(sentence: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"diligent: {clean_line(sentence)}\n")


def _act(arguments: Arguments) -> int:
    folder = Path(arguments.cwd or Path.cwd())
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.", "Give --cwd the folder to work in.")
    house = enter(folder, os.environ, arguments.flags(), trust_once=arguments.trust)
    for notice in house.notices:
        complain(notice)
    if arguments.list:
        from diligent_tui.cli.list_sessions import print_sessions

        return print_sessions(house)
    session_path = _session_to_go_on_with(arguments, house)
    if arguments.print:
        from diligent_tui.cli.print_mode import print_answer

        if not (arguments.prompt or "").strip():
            raise UsageError("-p needs a prompt.", 'Try: diligent -p "read README.md"')
        return print_answer(house, arguments, session_path)
    sys.stdout.write(NO_SCREEN_YET)
    return 0


def _session_to_go_on_with(arguments: Arguments, house: House) -> Path | None:
    if not (arguments.go_on or arguments.resume):
        return None
    if not house.sessions_are_known:
        raise SessionNotFound("The sessions found here were not made by you.", "Add --trust to use them in this run.")
    wanted = arguments.resume or ""
    found = [row.path for row in list_sessions(house.places.sessions) if row.id.startswith(wanted)]
    if not found:
        raise SessionNotFound(f"No session {wanted} here." if wanted else "There is no session here to go on with.")
    return found[0]


NO_SCREEN_YET = """\
The screen is not built yet; this version works without one:
  diligent -p "read README.md then run echo hi"
  diligent -c -p "what did I ask?"
  diligent --list
"""
