"""The words behind `diligent completion`, as one parser."""

import argparse
from typing import Literal, get_args

from diligent_tui.cli.arguments import Parser

Shell = Literal["bash", "zsh", "fish"]

EXAMPLES = """\
examples:
  bash, in ~/.bashrc:               source <(diligent completion bash)
  zsh, in ~/.zshrc after compinit:  source <(diligent completion zsh)
  fish:                             diligent completion fish > ~/.config/fish/completions/diligent.fish
"""


class CompletionArguments(argparse.Namespace):
    """The words behind `completion`, understood."""

    shell: Shell


def make_completion_parser() -> Parser:
    """The words behind `completion`."""
    parser = Parser.telling(
        "diligent completion", "Print a script that completes the words of diligent in your shell.", EXAMPLES
    )
    parser.add_argument("shell", choices=get_args(Shell), metavar="bash|zsh|fish", help="your shell")
    return parser
