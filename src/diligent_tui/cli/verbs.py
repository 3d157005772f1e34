"""The verbs of a command such as `diligent config`: how each is told, and the words that all of them have."""

import argparse
from typing import Generic, TypeVar

from diligent_tui.cli.arguments import Parser

VerbT = TypeVar("VerbT", bound=str)


class Verbs(Generic[VerbT]):
    """The verbs of one command."""

    def __init__(self, parser: Parser, names: str, brought: str) -> None:
        """None yet; `brought` is what may have come with the folder, and is used only if that is trusted."""
        self._verbs = parser.add_subparsers(dest="verb", required=True, metavar=names)
        self._brought = brought

    def add(self, name: VerbT, does: str, epilog: str) -> argparse.ArgumentParser:
        """One more, for which its own words can be added."""
        verb = self._verbs.add_parser(
            name,
            help=does,
            description=f"{does[:1].upper()}{does[1:]}.",
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        verb.add_argument("--cwd", metavar="FOLDER", help="the project of that folder")
        verb.add_argument(
            "--trust", action="store_true", help=f"for this run, use {self._brought} that came with the folder"
        )
        verb.add_argument("--json", action="store_true", help="for programs")
        return verb
