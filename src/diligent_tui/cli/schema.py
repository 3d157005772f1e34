"""`diligent schema`: the JSON Schema of what diligent prints and reads, for programs and editors."""

import argparse
import sys
from importlib import resources
from typing import Literal, get_args

from diligent_tui.cli.arguments import Parser
from diligent_tui.cli.headless import until_the_reader_leaves

Subject = Literal["events", "settings"]

EXAMPLES = """\
examples:
  diligent schema events > events.schema.json
  diligent schema settings > diligent.schema.json

events is what -p --output-format stream-json prints, one line of it; settings is what diligent.jsonc may say.
"""


class SchemaArguments(argparse.Namespace):
    """The words behind `schema`, understood."""

    subject: Subject


def make_schema_parser() -> Parser:
    """The words behind `schema`."""
    parser = Parser.telling(
        "diligent schema", "Print the JSON Schema of the events of a run, or of the settings.", EXAMPLES
    )
    parser.add_argument("subject", choices=get_args(Subject), metavar="events|settings", help="of what")
    return parser


def run_schema(words: list[str]) -> int:
    """Understand the words behind `schema` and print it; returns the exit code."""
    arguments = make_schema_parser().parse_args(words, SchemaArguments())
    return until_the_reader_leaves(lambda: _print(arguments.subject))


def _print(subject: Subject) -> None:
    match subject:
        case "events":
            from diligent_tui.domain.event_schema import shipped_schema

            sys.stdout.write(shipped_schema())
        case "settings":
            folder = resources.files("diligent_tui.config")
            sys.stdout.write(folder.joinpath("settings.schema.json").read_text(encoding="utf-8"))
