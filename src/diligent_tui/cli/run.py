"""Carries out what the command line asked for, importing no more than that needs, and turns errors into one line."""

import contextlib
import sys
from pathlib import Path

from diligent_tui import __version__
from diligent_tui.cli.arguments import Arguments, parse
from diligent_tui.cli.exit_codes import code_of_problem
from diligent_tui.domain.errors import DiligentError, UsageError
from diligent_tui.domain.plain_text import clean_line


def run(words: list[str]) -> int:
    """Parse, then act; returns the exit code."""
    try:
        match words:
            case ["sessions", *rest]:
                from diligent_tui.cli.sessions import run_sessions

                return run_sessions(rest, complain)
            case ["models", *rest]:
                from diligent_tui.cli.models import run_models

                return run_models(rest, complain)
            case ["knowledge", *rest]:
                from diligent_tui.cli.knowledge import run_knowledge

                return run_knowledge(rest, complain)
            case ["config", *rest]:
                from diligent_tui.cli.config import run_config

                return run_config(rest, complain)
            case ["doctor", *rest]:
                from diligent_tui.cli.doctor.command import run_doctor

                return run_doctor(rest)
            case ["completion", *rest]:
                from diligent_tui.cli.completion import run_completion

                return run_completion(rest)
            case ["schema", *rest]:
                from diligent_tui.cli.schema import run_schema

                return run_schema(rest)
            case _:
                pass
        arguments = parse(words)
        if arguments.version:
            sys.stdout.write(f"diligent {__version__}\n")
            return 0
        return _act(arguments)
    except DiligentError as error:
        complain(f"{error.message} {error.advice}")
        return code_of_problem(error.problem)


def complain(sentence: str) -> None:
    """One line on standard error, if anybody reads it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"diligent: {clean_line(sentence)}\n")


def _act(arguments: Arguments) -> int:
    if arguments.demo:
        from diligent_tui.cli.demo.opening import open_demo

        return open_demo(arguments)
    folder = Path(arguments.cwd or Path.cwd())
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.", "Give --cwd the folder to work in.")
    if not (arguments.print or arguments.list):
        from diligent_tui.cli.screen import open_screen

        return open_screen(arguments, folder)

    from diligent_tui.cli.headless import enter_house

    house = enter_house(arguments.cwd, arguments.flags(), trust=arguments.trust, complain=complain)
    if arguments.list:
        from diligent_tui.cli.list_sessions import print_sessions
        from diligent_tui.cli.paging import show_paged

        return show_paged(lambda: print_sessions(house, arguments.prompt or ""))

    from diligent_tui.cli.print_mode import print_answer

    return print_answer(house, arguments, complain)
