"""The words behind `diligent doctor`, as one parser."""

import argparse

from diligent_tui.cli.arguments import Parser

EXAMPLES = """\
examples:
  diligent doctor
  diligent doctor --json | jq -r '.findings[] | select(.verdict != "ok") | .remedy'

Nothing is changed, nothing leaves this machine, and no key is shown or used. It looks for model servers on this
machine, and tries for a moment how commands would be shut in.
exit codes: 0 nothing keeps diligent from working, 1 something does, 2 usage
"""


class DoctorArguments(argparse.Namespace):
    """The words behind `doctor`, understood."""

    json: bool
    cwd: str | None
    trust: bool


def make_doctor_parser() -> Parser:
    """The words behind `doctor`."""
    parser = Parser.telling(
        "diligent doctor",
        "Look at terminal, programs, sandbox, keys, settings and folders, with a remedy for what is amiss.",
        EXAMPLES,
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--cwd", metavar="FOLDER", help="the project of that folder")
    parser.add_argument("--trust", action="store_true", help="for this run, use the settings that came with the folder")
    return parser
