"""Every command that the documents and the helps show is run as it stands, and does what it should."""

import json
import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from diligent_tui.cli.word_tree import command_tree
from tests.cli.many import Done, Wish, run_many
from tests.session.drafts import HEADER, answered, line_of, said

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
MADE_OF_HELPS = "command-line.md"
RUN_ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {
        "make": "tests/packaging/test_readme_commands.py",
        "uv": "tests/packaging/test_install_ways.py",
        "pipx": "tests/packaging/test_install_ways.py",
        "pip": "tests/packaging/test_install_ways.py",
    }
)
"""Programs that a line of shell may begin with, and who runs it."""
CALLED_BY_NAME = "diligent -p"
"""How the pages call the mode; nobody is told to type just that."""
SESSION_ID, ENTRY_ID = "20260102030405-abcdef", "3f2a9c01"
SHELL_SIGNS = frozenset({"|", ">", "<", "(", ")", "<("})
KNOWN = {
    "id": ENTRY_ID,
    "type": "pattern",
    "content": "The loader reads JSONC.",
    "confidence": 0.9,
    "timestamp": "2026-01-02T03:04:05.000Z",
}
NEEDS_TERMINAL = "The screen needs a terminal."


def shell_lines() -> list[str]:
    """The lines of every block of shell in the pages."""
    blocks = [
        block for page in PAGES for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    ]
    return [line for block in blocks for line in block.splitlines()]


def commands_in_prose() -> list[str]:
    """The commands that stand inside a sentence."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES if page.name != MADE_OF_HELPS]
    prose = [re.sub(r"```.*?```", "", text, flags=re.DOTALL) for text in texts]
    found = [command for text in prose for command in re.findall(r"`(diligent [^`]+)`", text)]
    return [command for command in found if command != CALLED_BY_NAME]


def commands_in_helps() -> list[str]:
    """The examples of every help."""
    lines: list[str] = []
    for command in command_tree().walk():
        # Behind two blanks or more stands what the line means.
        parts = [re.split(r"\s{2,}", line.strip()) for line in command.epilog.splitlines() if line.startswith("  ")]
        lines += [next((part for part in each if re.search(r"\bdiligent\b", part)), "") for each in parts]
    return lines


def shown_commands() -> list[str]:
    """Every line with a command of ours, once."""
    lines = [*shell_lines(), *commands_in_prose(), *commands_in_helps()]
    return list(dict.fromkeys(line for line in lines if re.search(r"(^|[|(] ?)diligent\b", line)))


def words_of(line: str) -> list[str]:
    """The words behind `diligent`; what a shell does around it is left out."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    begin = len(words) - words[::-1].index("diligent")
    behind = words[begin:]
    end = next((at for at, word in enumerate(behind) if word in SHELL_SIGNS or word.startswith(")")), len(behind))
    # A word in capitals stands for something; an entry can be named here.
    return [ENTRY_ID if word == "ENTRY" else word for word in behind[:end]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """All of them, each in a project of its own with a session, a fact and a task to run."""
    base = tmp_path_factory.mktemp("documented")
    project = base / "place" / "project"
    sessions = project / ".diligent" / "sessions"
    sessions.mkdir(parents=True)
    (base / "place" / "home").mkdir()
    (project / ".git").mkdir()
    (project / "README.md").write_text("# Swans\n\nseven of them\n")
    (project / "Makefile").write_text("test:\n\t@echo ok\n")
    (project / "knowledge.md").write_text("# Knowledge\n\n## Patterns\n\n- Swans are counted by seven.\n")
    (sessions / f"{SESSION_ID}.jsonl").write_bytes(
        line_of({**HEADER, "id": SESSION_ID})
        + line_of(said("aa11bb22", None, "mend the config loader"))
        + line_of(answered(ENTRY_ID, "aa11bb22"))
    )
    (project / ".diligent" / "knowledge").mkdir()
    (project / ".diligent" / "knowledge" / "knowledge.jsonl").write_text(json.dumps(KNOWN) + "\n")
    shutil.copytree(base / "place", base / "pattern")
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(base / "place" / "home"),
        "PYTHONUTF8": "1",
        "EDITOR": "true",
        "DILIGENT_MODEL": "offline/rehearsal",
    }
    lines = shown_commands()
    wishes = [Wish(words_of(line), piped="secret\n" if " | diligent" in line else "") for line in lines]
    return dict(zip(lines, run_many(project, environment, wishes, base / "pattern"), strict=True))


def test_there_are_many_of_them() -> None:
    lines = shown_commands()
    assert len(lines) > 60
    for command in command_tree().walk():
        assert any(line.startswith(command.name) or f" {command.name}" in line for line in lines) or command.commands


@pytest.mark.parametrize("line", shell_lines())
def test_a_line_of_shell_is_run_by_somebody(line: str) -> None:
    if line not in shown_commands():
        program = line.split()[0]
        assert f'"{program}"' in (ROOT / RUN_ELSEWHERE[program]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("diligent sessions list --json | jq -r .id", ["sessions", "list", "--json"]),
        ("source <(diligent completion bash)", ["completion", "bash"]),
        ('git diff | diligent -p "review this" --mode plan', ["-p", "review this", "--mode", "plan"]),
        ("diligent schema events > events.schema.json", ["schema", "events"]),
        ("diligent sessions fork --at ENTRY   # a new one", ["sessions", "fork", "--at", ENTRY_ID]),
    ],
)
def test_what_the_shell_does_is_left_out(line: str, words: list[str]) -> None:
    assert words_of(line) == words


@pytest.mark.parametrize("line", shown_commands())
def test_a_shown_command_works(answers: dict[str, Done], line: str) -> None:
    done = answers[line]
    if NEEDS_TERMINAL in done.err:
        assert done.code == 2
        return
    assert done.code == 0, done.err
    assert done.out or done.err
