"""Opens the screen; everything that can wait is imported behind its first frame."""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path

from diligent_tui.cli.arguments import Arguments
from diligent_tui.cli.wanted_theme import WantedTheme
from diligent_tui.config.look import read_look
from diligent_tui.config.paths import find_places
from diligent_tui.config.survey import take_survey
from diligent_tui.config.trust import TrustList
from diligent_tui.domain.errors import UsageError
from diligent_tui.tools.environment import hide_own_environment
from diligent_tui.tools.process_group import end_own_commands
from diligent_tui.ui.opening import Opening
from diligent_tui.ui.terminal import TerminalGuard


def open_screen(arguments: Arguments, folder: Path) -> int:
    """Run the application until it is left; returns the exit code."""
    must_have_terminal()
    # Nearly all that the start makes is kept; the app turns collections on again when it is loaded.
    gc.disable()
    hide_own_environment()
    places = find_places(folder, os.environ)
    trusted = arguments.trust or TrustList.load(places.user_state).is_trusted(take_survey(places))
    look = read_look(places, os.environ, trusted)
    wanted = WantedTheme(look.theme, places.user_state)
    import_screen()
    opening = Opening(
        cwd=folder,
        environ=os.environ,
        flags=arguments.flags(),
        model=arguments.model,
        prompt=arguments.prompt or "",
        goes_on=arguments.go_on,
        resume=arguments.resume or "",
        access=arguments.access,
        chooses=arguments.resume == "",
        trust_once=arguments.trust,
        theme=wanted.family(),
        colours=wanted.colours,
        typed=wanted.typed(),
        keys=look.keys,
        reduced_motion=look.reduced_motion,
        notifies=look.notifications,
        rings=look.bell,
    )
    return show(opening, mouse=look.mouse and not arguments.no_mouse)


def must_have_terminal() -> None:
    """Refuse where there is nobody to look at a screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("The screen needs a terminal.", 'Without one: diligent -p "PROMPT"')
    if (term := os.environ.get("TERM", "")) in ("", "dumb"):
        raise UsageError(
            f"This terminal cannot show a screen: TERM is {term or 'not set'}.",
            'Set TERM, as xterm-256color, or use: diligent -p "PROMPT"',
        )


def show(opening: Opening, *, mouse: bool, on_stop: Callable[[], None] = lambda: None) -> int:
    """Run the application; `on_stop` is done on a signal, when the terminal is back and commands are ended."""
    import_screen()
    from diligent_tui.ui.app import DiligentApp

    def stop() -> None:
        try:
            end_own_commands()
        finally:
            on_stop()

    app = DiligentApp(opening)
    with TerminalGuard(stop):
        app.run(mouse=mouse)
    return app.return_code or 0


def import_screen() -> None:
    """Import what the first frame needs."""
    # Read when Textual is imported. A key typed just after a paint waits for the next; at the usual 60 one sees that.
    os.environ.setdefault("TEXTUAL_FPS", "240")
    import diligent_tui.ui.app

    assert diligent_tui.ui.app
