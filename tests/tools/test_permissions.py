"""What runs without a question in each mode, what is asked, what is refused, and which rule is offered."""

import os
from pathlib import Path

import pytest

from diligent_tui.domain.modes import MODES, Mode
from diligent_tui.tools.base import Verdict
from diligent_tui.tools.paths import locate
from diligent_tui.tools.permissions import judge_command, judge_reading, judge_writing
from tests.tools.hostile_commands import furnish
from tests.tools.workbench import Bench

ASKED = ["deny", "ask", "ask", "ask"]


@pytest.fixture
def furnished(bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bench:
    furnish(bench.root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "scratch"))
    return bench


def command_verdict(bench: Bench, command: str, mode: Mode = "ask") -> Verdict:
    return judge_command(command, mode, bench.workplace, os.environ["PATH"])


def writing_verdict(bench: Bench, path: str, mode: Mode = "ask") -> Verdict:
    return judge_writing(locate(path, bench.workplace), mode, bench.workplace, "+x")


@pytest.mark.parametrize(
    ("command", "decisions"),
    [
        ("ls -la", ["allow"] * 4),
        ("echo hi && pwd", ["allow"] * 4),
        ("touch x", ["deny", "ask", "ask", "allow"]),
        ("echo $x", ["deny", "ask", "ask", "allow"]),
        ("rm -rf /etc", ASKED),
    ],
)
def test_the_mode_decides_on_a_command(furnished: Bench, command: str, decisions: list[str]) -> None:
    assert [command_verdict(furnished, command, mode).decision for mode in MODES] == decisions


@pytest.mark.parametrize(
    ("command", "reason", "rule"),
    [
        ("npm test", "npm may change things.", "bash(npm test)"),
        ("npm test | tail -5", "npm may change things.", "bash(npm test)"),
        ("cd src && npm test", "npm may change things.", "bash(npm test)"),
        ("npm run a && npm test", "npm may change things.", "bash(npm run a && npm test)"),
        ("a; b\nc", "a, b, c may change things.", "bash(a ; b ; c)"),
        ("git commit -m 'two words'", "git may change things.", "bash(git commit -m 'two words')"),
        ("rm src/*.pyc", "rm may change things.", "bash(rm src/*.pyc)"),
        ("git add *", "git may change things.", ""),
        ('x "it\'s"', "x may change things.", ""),
        ("x < README.md", "x may change things.", ""),
        ("x $y", "A command that cannot be read with certainty.", ""),
        ("rm -rf /etc/*.d", "rm would reach /etc", ""),
        ("touch .git/x", "touch would reach", "bash(touch .git/x)"),
    ],
)
def test_a_question_says_why_and_offers_the_narrowest_rule(
    furnished: Bench, command: str, reason: str, rule: str
) -> None:
    verdict = command_verdict(furnished, command)
    assert verdict.decision == "ask"
    assert verdict.reason.startswith(reason)
    assert verdict.rule == rule


@pytest.mark.parametrize(
    ("path", "decisions", "rule"),
    [
        ("src", ["allow"] * 4, ""),
        ("src/new", ["allow"] * 4, ""),
        ("/usr/include/sys/x.h", ASKED, "read(/usr/include/sys/**)"),
        ("/etc/hostname", ASKED, "read(/etc/hostname)"),
        ("~/notes/x.md", ASKED, "read(~/notes/**)"),
        ("~/x.md", ASKED, "read(~/x.md)"),
        ("out", ASKED, "read(/etc)"),
        ("passwd_link", ASKED, "read(/etc/passwd)"),
        ("~/notes/.env", ASKED, "read(~/notes/.env)"),
        ("/proc/self/environ", ASKED, ""),
    ],
)
def test_reading_is_free_in_the_workspace_only(furnished: Bench, path: str, decisions: list[str], rule: str) -> None:
    located = locate(path, furnished.workplace)
    verdicts = [judge_reading(located, mode) for mode in MODES]
    assert [verdict.decision for verdict in verdicts] == decisions
    assert all(verdict.reason for verdict in verdicts if verdict.decision != "allow")
    if rule:
        assert verdicts[1].rule == rule


@pytest.mark.parametrize("tool", ["read", "ls"])
@pytest.mark.parametrize(("path", "decision"), [("src", "allow"), ("..", "ask"), (".env", "ask"), ("src/.ssh", "ask")])
def test_the_tools_that_read_keep_to_it(furnished: Bench, tool: str, path: str, decision: str) -> None:
    assert furnished.tool(tool).judge({"path": path}, "full", furnished.workplace).decision == decision


@pytest.mark.parametrize(
    ("path", "decisions", "rule"),
    [
        ("src/new.py", ["deny", "ask", "allow", "allow"], "edit(src/**)"),
        ("README.md", ["deny", "ask", "allow", "allow"], "edit(README.md)"),
        ("src/a/b.py", ["deny", "ask", "allow", "allow"], "edit(src/a/**)"),
        (".gitignore", ["deny", "ask", "allow", "allow"], "edit(.gitignore)"),
        (".git/hooks/pre-commit", ASKED, "edit(.git/hooks/pre-commit)"),
        ("src/.GIT/config", ASKED, "edit(src/.GIT/config)"),
        (".diligent/sessions/x", ASKED, "edit(.diligent/sessions/x)"),
        ("diligent.jsonc", ASKED, "edit(diligent.jsonc)"),
        (".vscode/tasks.json", ASKED, "edit(.vscode/tasks.json)"),
        (".env", ASKED, "edit(.env)"),
        ("~/notes/x.md", ASKED, "edit(~/notes/**)"),
        ("~/.bashrc", ASKED, "edit(~/.bashrc)"),
        ("out/x", ASKED, "edit(/etc/x)"),
        ("a*b.txt", ["deny", "ask", "allow", "allow"], ""),
    ],
)
def test_writing_is_asked_on_the_diff_and_always_where_it_is_protected(
    furnished: Bench, path: str, decisions: list[str], rule: str
) -> None:
    verdicts = [writing_verdict(furnished, path, mode) for mode in MODES]
    assert [verdict.decision for verdict in verdicts] == decisions
    assert verdicts[1].diff == "+x"
    assert verdicts[1].rule == rule
    assert all(verdict.reason for verdict in verdicts if verdict.decision != "allow")


def test_the_question_names_where_a_link_leads(furnished: Bench) -> None:
    verdict = furnished.tool("read").judge({"path": "passwd_link"}, "ask", furnished.workplace)
    assert verdict.reason == "passwd_link (it leads to '/etc/passwd') is outside the workspace."
