"""Completion, helps, documents and the parsers say the same words."""

import ast
import inspect
import re
import shlex
from pathlib import Path

import pytest

from diligent_tui.cli import run
from diligent_tui.cli.arguments import EXAMPLES, make_parser
from diligent_tui.cli.command_page import command_page, usage
from diligent_tui.cli.completion import SCRIPTS
from diligent_tui.cli.completion_words import Place, places_of
from diligent_tui.cli.word_tree import COMMANDS, CommandWords, command_tree
from tests.cli.many import run_many

TREE = command_tree()
ALL = list(TREE.walk())
PLACES = places_of(TREE)
DOCS = Path(__file__).parents[2] / "docs"


def section_of(page: str, command: CommandWords) -> str:
    (found,) = re.findall(rf"^#+ `{re.escape(usage(command))}`\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_page_is_current() -> None:
    assert (DOCS / "command-line.md").read_text(encoding="utf-8") == command_page(), "run: make documents"


@pytest.mark.parametrize("command", ALL, ids=[each.name for each in ALL])
def test_the_page_has_every_word_of_a_command(command: CommandWords) -> None:
    section = section_of(command_page(), command)
    for option in command.options[1:]:
        assert all(f"`{name}" in section for name in option.names), option
        assert option.help.replace("|", "\\|") in section
    for inner in command.commands:
        assert f"`{inner.name}`" in section


@pytest.mark.parametrize("command", ALL, ids=[each.name for each in ALL])
def test_every_command_explains_itself_and_every_option(command: CommandWords) -> None:
    assert command.description.endswith(".")
    assert "example" in command.epilog
    assert command.name in command.epilog
    for option in command.options:
        assert option.help, option
    assert any("--json" in option.names for option in command.options) == (
        command.name not in ("diligent", "diligent schema", "diligent completion") and not command.commands
    )


def test_the_help_that_is_printed_has_every_word(project: Path, environment: dict[str, str]) -> None:
    answers = run_many(project, environment, [[*each.name.split()[1:], "--help"] for each in ALL])
    for command, done in zip(ALL, answers, strict=True):
        assert (done.code, done.err) == (0, "")
        for option in command.options:
            assert all(re.search(rf"(^|[\s,]){name}\b", done.out) for name in option.names), (command.name, option)
        for inner in command.commands:
            assert re.search(rf"\b{inner.name.rpartition(' ')[2]}\b", done.out), inner.name


def test_the_first_help_names_every_command() -> None:
    named = re.search(r"as the very first word: ([a-z, ]+)\.", EXAMPLES)
    assert named is not None
    assert set(named[1].split(", ")) == set(COMMANDS)


def test_whoever_carries_out_knows_the_same_commands() -> None:
    tree = ast.parse(inspect.getsource(run))
    patterns = [node for node in ast.walk(tree) if isinstance(node, ast.MatchSequence)]
    first = [each.patterns[0].value for each in patterns if isinstance(each.patterns[0], ast.MatchValue)]
    assert {word.value for word in first if isinstance(word, ast.Constant)} == set(COMMANDS)


@pytest.mark.parametrize("shell", list(SCRIPTS))
@pytest.mark.parametrize("place", PLACES, ids=[each.name for each in PLACES])
def test_every_shell_completes_every_word_at_every_place(shell: str, place: Place) -> None:
    script = {str(name): make for name, make in SCRIPTS.items()}[shell](PLACES)
    words = [*(word.text for word in place.commands), *place.words]
    flags = [name for flag in place.flags for name in flag.names]
    match shell:
        case "bash":
            (line,) = re.findall(rf"^ +\"{place.name}\"\) .*compgen -W '([^']*)'", script, re.MULTILINE)
            assert str(line).split() == [*words, *flags]
        case "zsh":
            ((first, second),) = re.findall(
                rf'^ +"{place.name}"\) offered=\((.*)\); flags=\((.*?)\)(?:; _files)? ;;$', script, re.MULTILINE
            )
            said = [entry.replace("\\:", "\0").partition(":")[0] for entry in shlex.split(f"{first} {second}")]
            assert [entry.replace("\0", ":") for entry in said] == [*words, *flags]
        case _:
            lines = [line for line in script.splitlines() if f"'__diligent_at \"{place.name}\"'" in line]
            offered = [line.split(" -a ")[1].split(" -d ")[0].strip("'") for line in lines if re.search("' -a ", line)]
            assert offered == words
            found = [f"-{name}" for line in lines for name in re.findall(r" -s (\S+)", line)]
            found += [f"--{name}" for line in lines for name in re.findall(r" -l (\S+)", line)]
            assert sorted(found) == sorted(flags)


def test_a_parser_tells_all_that_it_was_given() -> None:
    """The tree is read from the parser, so what the parser does not tell nobody would miss."""
    source = inspect.getsource(make_parser)
    assert set(re.findall(r'"(--?[a-zA-Z][a-z-]*)"', source)) | {"-h", "--help"} == {
        name for option in TREE.options for name in option.names
    }
