"""Opens the screen on the demo: the user's own look and keys, everything else in the scratch folder."""

import gc
import os
import sys
from pathlib import Path

from diligent_tui.cli.arguments import Arguments
from diligent_tui.cli.demo.scratch import Scratch
from diligent_tui.cli.screen import must_have_terminal, show
from diligent_tui.cli.wanted_theme import WantedTheme
from diligent_tui.config.look import read_look
from diligent_tui.config.paths import find_places
from diligent_tui.tools.environment import hide_own_environment
from diligent_tui.ui.opening import Opening
from diligent_tui.ui.terminal import TerminalGuard

OFFLINE = "offline/rehearsal"

READABLE_TOKENS_PER_SECOND = 120.0
"""Answers and summaries of the engine are seen to come."""


def open_demo(arguments: Arguments) -> int:
    """Make the session, run the screen on it, and leave nothing behind; returns the exit code."""
    must_have_terminal()
    gc.disable()
    hide_own_environment()
    places = find_places(Path.cwd(), os.environ)
    look = read_look(places, os.environ, trusted=False)
    wanted = WantedTheme(look.theme, places.user_state)
    sys.stderr.write("Making a session to play with …\n")
    sys.stderr.flush()
    scratch = Scratch.make()
    forget = _keep if arguments.keep else scratch.remove
    try:
        from diligent_tui.cli.demo.building import build

        environ = scratch.environ(os.environ)
        with TerminalGuard(forget):
            build(scratch.project, environ)
        opening = Opening(
            cwd=scratch.project,
            environ=environ,
            flags={"offline.pace": READABLE_TOKENS_PER_SECOND, **arguments.flags()},
            model=OFFLINE,
            goes_on=True,
            theme=wanted.family(),
            colours=wanted.colours,
            typed=wanted.typed(),
            keys=look.keys,
            reduced_motion=look.reduced_motion,
            notifies=look.notifications,
            rings=look.bell,
            guides=True,
        )
        code = show(opening, mouse=look.mouse and not arguments.no_mouse, on_stop=forget)
    finally:
        forget()
    if arguments.keep:
        sys.stdout.write(f"The demo's folder was kept: {scratch.project}\n")
    return code


def _keep() -> None:
    """The folder stays."""
