"""The page about the command line, made from the parsers themselves; `docs/command-line.md` is this text."""

from collections.abc import Iterator

from diligent_tui.cli.word_tree import Argument, CommandWords, Option, command_tree

HEAD = """\
# The command line

<!-- Made from the parsers themselves by `python -m diligent_tui.cli.documents docs`; a test holds it current. -->

Every command has `--help` with an example. What is for programs goes to standard output, as JSON with `--json`;
everything else goes to standard error. On a terminal, what is longer than the screen goes through `$PAGER`.
[headless.md](headless.md) tells all about `-p`, [settings.md](settings.md) about settings.

`diligent completion bash`, `zsh` and `fish` print a script that completes all of these words.
"""


def command_page() -> str:
    """The whole page."""
    return HEAD + "".join(line for command in command_tree().walk() for line in _command(command))


def _command(command: CommandWords) -> Iterator[str]:
    level = min(command.name.count(" ") + 2, 3)
    yield f"\n{'#' * level} `{usage(command)}`\n\n{command.description}\n"
    if command.commands:
        yield "\n" + "".join(f"- `{each.name}`: {each.description}\n" for each in command.commands)
    told = [*map(_argument_row, filter(_is_told, command.arguments)), *map(_option_row, command.options)]
    # Every command has --help, which needs no table of its own.
    if len(told) > 1:
        yield "\n| | |\n|---|---|\n" + "".join(told)
    yield f"\n```text\n{command.epilog.rstrip()}\n```\n"


def usage(command: CommandWords) -> str:
    """The command with what stands behind it."""
    words = [command.name]
    if command.commands and command.name != "diligent":
        words.append("…")
    for each in command.arguments:
        word = f"{each.metavar} …" if each.may_repeat else each.metavar
        words.append(f"[{word}]" if each.is_optional else word)
    return " ".join(words)


def _is_told(argument: Argument) -> bool:
    return bool(argument.help)


def _argument_row(argument: Argument) -> str:
    return f"| `{argument.metavar}` | {_cell(argument.help)} |\n"


def _option_row(option: Option) -> str:
    behind = f" [{option.metavar}]" if option.value_is_optional else f" {option.metavar}" if option.metavar else ""
    names = ", ".join(f"`{name}{behind}`" for name in option.names)
    return f"| {_cell(names)} | {_cell(option.help)} |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
