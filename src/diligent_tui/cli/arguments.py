"""The words of the command line, as one parser."""

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NoReturn, get_args

from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.modes import MODES
from diligent_tui.domain.thinking import THINKING_LEVELS

if TYPE_CHECKING:
    from diligent_tui.ui.opening import Access

OutputFormat = Literal["text", "json", "stream-json"]

EXAMPLES = """\
examples:
  diligent                            open the screen here
  diligent --demo                     a guided tour of a long session, in a folder that is thrown away
  diligent -c                         go on with the last session
  diligent -p "read README.md"        one answer, without a screen
  make test 2>&1 | diligent -p "what broke?" --allow "bash(make *)" --max-seconds 300
  diligent -p "run make test" --mode full --output-format stream-json
  diligent -r                         choose a session to go on with
  diligent -r "config loader"         … or name it by words, or by the beginning of its id
  diligent -c --fork                  go on in a copy; the last session stays as it is
  diligent --list                     the sessions of this project
  diligent sessions --help            list, show, fork and export sessions
  diligent knowledge --help           see and curate what is kept across sessions
  diligent models                     models, their windows and prices
  diligent config --help              see and change settings, each with where it came from
  diligent doctor                     what here may be in the way, and what to do about it
  diligent completion --help          completion for bash, zsh and fish
  diligent schema events              the JSON Schema of what stream-json prints

These are commands only as the very first word: sessions, knowledge, models, config, doctor, schema, completion.
A prompt that is just such a word stands behind --:
  diligent -- doctor

exit codes of -p: 0 done, 1 failed, 2 usage, 3 a limit was reached, 4 permission denied, 5 provider, 130 interrupted
"""


LONGEST_DIGITS = 18


class Arguments(argparse.Namespace):
    """The words, understood."""

    prompt: str | None
    print: bool
    go_on: bool
    resume: str | None
    """Words for the session to go on with; the empty string means: let me choose."""
    fork: bool
    read_only: bool
    list: bool
    model: str | None
    thinking: str | None
    mode: str | None
    cwd: str | None
    trust: bool
    no_mouse: bool
    demo: bool
    keep: bool
    version: bool
    output_format: OutputFormat
    max_steps: int | None
    max_cost: float | None
    max_tokens: int | None
    max_seconds: float | None
    allow: Sequence[str]
    deny: Sequence[str]

    @property
    def goes_on(self) -> bool:
        """True if a session that is there is wanted."""
        return self.go_on or self.resume is not None

    @property
    def access(self) -> "Access":
        """How that session is to be opened."""
        if self.fork:
            return "fork"
        return "read" if self.read_only else "write"

    def flags(self) -> dict[str, object]:
        """The words that are settings for this run."""
        said = {
            "thinking": self.thinking,
            "mode": self.mode,
            "limits.maxSteps": self.max_steps,
            "limits.maxCost": self.max_cost,
            "limits.maxTokens": self.max_tokens,
        }
        return {name: value for name, value in said.items() if value is not None}


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of leaving, and tells what it knows."""

    @classmethod
    def telling(cls, prog: str, description: str, examples: str) -> "Parser":
        """A parser with help of which the examples stand as they are written, and no word may be cut short."""
        return cls(
            prog=prog,
            description=description,
            epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    @property
    def actions(self) -> tuple[argparse.Action, ...]:
        """Every option and argument, in their order; argparse itself tells nobody."""
        return tuple(self._actions)

    def error(self, message: str) -> NoReturn:
        """Complain as the rest of diligent does, in one line."""
        raise UsageError(f"{message[:1].upper()}{message[1:]}.")


def parse(words: list[str]) -> Arguments:
    """Understand the words, or raise UsageError."""
    arguments = make_parser().parse_args(words, Arguments())
    _check(arguments)
    return arguments


def make_parser() -> Parser:
    """Every word that stands for itself; commands such as `sessions` have parsers of their own."""
    parser = Parser.telling(
        "diligent", "A coding agent for the terminal whose memory you can see, edit and undo.", EXAMPLES
    )
    parser.add_argument("prompt", nargs="?", metavar="PROMPT", help="what to begin with")
    parser.add_argument("-p", "--print", action="store_true", help="answer PROMPT on standard output and leave")
    parser.add_argument("-c", "--continue", dest="go_on", action="store_true", help="go on with the last session")
    parser.add_argument(
        "-r",
        "--resume",
        nargs="?",
        const="",
        metavar="ID or WORDS",
        help="go on with the session of that id, or the newest with these words; without any: choose one",
    )
    parser.add_argument("--fork", action="store_true", help="with -c or -r: go on in a copy of the session")
    parser.add_argument(
        "--read-only", action="store_true", help="with -c or -r: only read, as while it is open elsewhere"
    )
    parser.add_argument("--list", action="store_true", help="list this project's sessions, newest first")
    parser.add_argument(
        "--model", metavar="NAME", help="model id, alias or provider/model (offline/rehearsal needs no key)"
    )
    parser.add_argument(
        "--thinking", choices=THINKING_LEVELS, metavar="LEVEL", help=f"{_one_of(THINKING_LEVELS)}: how hard it thinks"
    )
    parser.add_argument(
        "--mode", choices=MODES, metavar="MODE", help=f"{_one_of(MODES)}: what may be done without asking"
    )
    parser.add_argument("--cwd", metavar="FOLDER", help="work in that folder")
    parser.add_argument("--trust", action="store_true", help="for this run, use what an untrusted folder brings along")
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")
    parser.add_argument("--demo", action="store_true", help="a guided tour of a long prepared session, offline")
    parser.add_argument("--keep", action="store_true", help="with --demo: leave its folder there, and say where")
    parser.add_argument("--max-steps", type=_count, metavar="N", help="stop after so many requests in a turn")
    parser.add_argument("--max-cost", type=_amount, metavar="DOLLARS", help="stop at so many dollars")
    parser.add_argument("--max-tokens", type=_count, metavar="N", help="stop at so many tokens")
    parser.add_argument("-V", "--version", action="store_true", help="say the version and leave")
    alone = parser.add_argument_group("with -p only")
    alone.add_argument("--output-format", choices=get_args(OutputFormat), default="text", help="how it answers")
    alone.add_argument("--max-seconds", type=_amount, metavar="SECONDS", help="stop after so long")
    alone.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="RULE",
        help='let this run unasked, as "bash(make *)"; repeatable',
    )
    alone.add_argument(
        "--deny", action="append", default=[], metavar="RULE", help='never let this run, as "edit(.env)"; repeatable'
    )
    return parser


def _one_of(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:LONGEST_DIGITS]) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text[:LONGEST_DIGITS])


def _amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = 0.0
    if not 0 < amount < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return amount


def _check(arguments: Arguments) -> None:
    if not arguments.print:
        said = {
            "--output-format": arguments.output_format != "text",
            "--max-seconds": arguments.max_seconds is not None,
            "--allow": bool(arguments.allow),
            "--deny": bool(arguments.deny),
        }
        if alone := [name for name, is_said in said.items() if is_said]:
            raise UsageError(f"{alone[0]} is for -p only.", "Add -p, or leave it out.")
    if arguments.demo and (
        arguments.print or arguments.list or arguments.goes_on or arguments.prompt or arguments.cwd or arguments.model
    ):
        raise UsageError("--demo brings its own folder, session and model.", "Say --demo alone.")
    if arguments.keep and not arguments.demo:
        raise UsageError("--keep is for --demo only.", "Other sessions are always kept.")
    if arguments.print and arguments.resume == "":
        raise UsageError("-p cannot ask which session to go on with.", "Name it: -r ID or words, or -c for the last.")
    if (arguments.fork or arguments.read_only) and not arguments.goes_on:
        word = "--fork" if arguments.fork else "--read-only"
        raise UsageError(f"{word} needs a session.", f"Say which: -c {word}, or -r ID {word}.")
    if arguments.fork and arguments.read_only:
        raise UsageError("--fork goes on and --read-only does not.", "Choose one of them.")
    if arguments.print and arguments.read_only:
        raise UsageError("-p writes its answer into the session; --read-only forbids that.", "Use --fork instead.")
