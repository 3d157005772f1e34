"""Rules: how they are read, what they match, and that a broad one never covers more than it says."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.errors import SettingsError
from diligent_tui.tools.rules import Rule, allows, concerns, could_reach, matches_path, parse_rule
from diligent_tui.tools.shell.parser import parse
from tests.tools.hostile_commands import HOSTILE

ROOT = Path("/ws")


def allowed(rule: str, command: str) -> bool:
    parsed = parse(command)
    return parsed is not None and allows([parse_rule(rule)], parsed, [False] * len(parsed.commands))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "(x)",
        "bash(",
        "bash(x",
        "bash x",
        "bash(echo $x)",
        "bash(ls > x)",
        "bash(wc < x)",
        "bash(a & b)",
        "bash(rm -rf ~)",
        "bash('ls')",
        "bash(X=1 ls)",
        "other(x)",
        "network(curl $x)",
        "network(a > b)",
        "edit(a\u202eb)",
        "bash(" + "x" * 400 + ")",
        "a b(c)",
    ],
)
def test_what_is_no_rule_is_said_to_be_none(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_rule(text)
    assert caught.value.advice


@pytest.mark.parametrize(
    ("text", "tool", "is_exact"),
    [
        ("bash", "bash", False),
        ("bash()", "bash", False),
        ("bash(*)", "bash", False),
        ("Bash(npm test)", "bash", True),
        (" bash( npm  test ) ", "bash", True),
        ("bash(npm *)", "bash", False),
        ("bash(echo '*')", "bash", True),
        ("edit(src/**)", "edit", False),
        ("edit(src/x.py)", "edit", True),
        ("read(~/notes/*.md)", "read", False),
        ("edit(**)", "edit", False),
        ("other", "other", False),
        ("network", "network", False),
        ("network(*)", "network", False),
        ("network(npm *)", "network", False),
        ("network(npm install)", "network", True),
    ],
)
def test_a_rule_is_read(text: str, tool: str, is_exact: bool) -> None:
    rule = parse_rule(text)
    assert (rule.tool, rule.is_exact) == (tool, is_exact)


@pytest.mark.parametrize(
    ("rule", "command", "is_allowed"),
    [
        ("bash(npm test)", "npm test", True),
        ("bash(npm test)", "npm  test", True),
        ("bash(npm test)", "npm 'test'", True),
        ("bash(npm test)", "npm test --watch", False),
        ("bash(npm test)", "npm", False),
        ("bash(npm test)", "npm tests", False),
        ("bash(npm test)", "NPM test", False),
        ("bash(npm test)", "npm test && rm -rf x", False),
        ("bash(npm test)", "npm test; rm x", False),
        ("bash(npm test)", "npm test | sh", False),
        ("bash(npm test)", "npm test > x", False),
        ("bash(npm test)", "npm test 2>/dev/null", True),
        ("bash(npm test)", "npm test < x", False),
        ("bash(npm test)", "npm test && npm test", True),
        ("bash(npm test)", "X=1 npm test", False),
        ("bash(npm test)", "./npm test", False),
        ("bash(npm test)", "npm test &", False),
        ("bash(npm test)", "npm $(rm x) test", False),
        ("bash(npm *)", "npm", True),
        ("bash(npm *)", "npm test", True),
        ("bash(npm *)", "npm run a b c", True),
        ("bash(npm *)", "npm x && rm -rf y", False),
        ("bash(npm *)", "npm x; rm y", False),
        ("bash(npm *)", "npm x | sh", False),
        ("bash(npm *)", "npm x\nrm y", False),
        ("bash(npm *)", "npm `rm x`", False),
        ("bash(npm *)", "npmx", False),
        ("bash(npm *)", "sudo npm x", False),
        ("bash(npm * x)", "npm a b x", True),
        ("bash(npm * x)", "npm x", True),
        ("bash(npm * x)", "npm x y", False),
        ("bash(npm run test:*)", "npm run test:unit", True),
        ("bash(npm run test:*)", "npm run test: unit", False),
        ("bash(npm run test:*)", "npm run build", False),
        ("bash(pytest tests/?.py)", "pytest tests/a.py", True),
        ("bash(pytest tests/?.py)", "pytest tests/ab.py", False),
        ("bash(echo '*')", "echo x", False),
        ("bash(echo '*')", "echo '*'", True),
        ("bash(rm a.txt)", "rm a.*", False),
        ("bash(a && b)", "a && b", True),
        ("bash(a && b)", "a ; b", False),
        ("bash(a && b)", "a", False),
        ("bash(a && b)", "a && b && c", False),
        ("bash(a ; b)", "a\nb", True),
        ("bash", "anything at all", True),
        ("bash", "echo $x", False),
        ("bash(* test)", "rm test", False),
    ],
)
def test_a_command_is_matched_word_by_word(rule: str, command: str, is_allowed: bool) -> None:
    if rule == "bash(* test)":
        with pytest.raises(SettingsError):
            parse_rule(rule)
    else:
        assert allowed(rule, command) == is_allowed


def test_a_broad_rule_on_one_program_lets_no_hostile_command_of_another_through() -> None:
    assert [command for command in HOSTILE if allowed("bash(npm *)", command)] == [
        command for command in HOSTILE if command.startswith("npm ")
    ]


@given(st.lists(st.sampled_from(["a", "b", "*", "c*"]), max_size=6), st.lists(st.sampled_from("abcd"), max_size=6))
def test_stars_match_as_a_slow_matcher_says(pattern: list[str], words: list[str]) -> None:
    def slow(wanted: list[str], given: list[str]) -> bool:
        if not wanted:
            return not given
        if wanted[0] == "*":
            return any(slow(wanted[1:], given[at:]) for at in range(len(given) + 1))
        return bool(given) and (wanted[0].rstrip("*") == given[0]) and slow(wanted[1:], given[1:])

    assert allowed(f"bash(x {' '.join(pattern)})", f"x {' '.join(words)}") == slow(pattern, words)


def test_after_a_change_of_folder_a_program_of_the_project_is_another() -> None:
    parsed = parse("cd other && ./run")
    assert parsed is not None
    assert not allows([parse_rule("bash(./run)")], parsed, [True, False])
    assert allowed("bash(./run)", "./run")


@pytest.mark.parametrize(
    ("rule", "command", "is_meant"),
    [
        ("bash(rm *)", "rm x", True),
        ("bash(rm *)", "ls && rm x", True),
        ("bash(rm *)", "/bin/rm x", True),
        ("bash(rm *)", "env rm x", True),
        ("bash(rm *)", "sudo -u me rm x", True),
        ("bash(rm *)", "ls | xargs rm", True),
        ("bash(rm *)", "sh -c 'ls; rm x'", True),
        ("bash(rm *)", 'bash -c "env rm x"', True),
        ("bash(rm *)", "sh -c 'x $y'", True),
        ("bash(rm *)", "find . -exec rm x", True),
        ("bash(rm *)", "git rm x", False),
        ("bash(rm *)", "echo rm x", False),
        ("bash(git push *)", "git push", True),
        ("bash(git push *)", "git pull", False),
        ("bash", "ls", True),
    ],
)
def test_a_denial_finds_its_command_behind_others(rule: str, command: str, is_meant: bool) -> None:
    parsed = parse(command)
    assert parsed is not None
    assert concerns(parse_rule(rule), parsed) == is_meant


@pytest.mark.parametrize(
    ("rule", "path", "fits"),
    [
        ("edit(src/**)", "/ws/src/a.py", True),
        ("edit(src/**)", "/ws/src/a/b.py", True),
        ("edit(src/**)", "/ws/src", True),
        ("edit(src/**)", "/ws/srcs/a.py", False),
        ("edit(src/**)", "/ws/src-evil/a.py", False),
        ("edit(src/**)", "/other/src/a.py", False),
        ("edit(src/**)", "/ws/x/src/a.py", False),
        ("edit(src/*)", "/ws/src/a.py", True),
        ("edit(src/*)", "/ws/src/a/b.py", False),
        ("edit(src/*.py)", "/ws/src/a.py", True),
        ("edit(src/*.py)", "/ws/src/a.pyc", False),
        ("edit(**/*.md)", "/ws/a/b.md", True),
        ("edit(**/*.md)", "/ws/b.md", True),
        ("edit(**/*.md)", "/b.md", False),
        ("edit(a.py)", "/ws/a.py", True),
        ("edit(./a.py)", "/ws/a.py", True),
        ("edit(a.py)", "/ws/aXpy", False),
        ("edit(../other/**)", "/other/x", True),
        ("read(/etc/hosts)", "/etc/hosts", True),
        ("read(/etc/h?sts)", "/etc/hosts", True),
        ("read(~/notes/**)", "/home-of-me/notes/x", True),
        ("read(~/notes/**)", "/ws/notes/x", False),
        ("edit", "/anything", True),
        ("edit([ab].py)", "/ws/a.py", False),
        ("edit([ab].py)", "/ws/[ab].py", True),
    ],
)
def test_a_path_is_matched_whole(monkeypatch: pytest.MonkeyPatch, rule: str, path: str, fits: bool) -> None:
    monkeypatch.setenv("HOME", "/home-of-me")
    assert matches_path(parse_rule(rule), Path(path), ROOT) == fits


def test_a_link_in_the_project_does_not_carry_a_rule_along(tmp_path: Path) -> None:
    (tmp_path / "src").symlink_to("/etc")
    assert not matches_path(parse_rule("edit(src/**)"), Path("/etc/passwd"), tmp_path)


@pytest.mark.parametrize(
    ("rule", "folder", "can"),
    [
        ("read(secret/**)", "/ws", True),
        ("read(secret/**)", "/ws/secret/deep", True),
        ("read(secret/**)", "/ws/src", False),
        ("read(**/*.key)", "/ws/src", True),
        ("read(/etc/**)", "/ws", False),
    ],
)
def test_a_search_may_come_upon_what_is_denied(rule: str, folder: str, can: bool) -> None:
    assert could_reach(parse_rule(rule), Path(folder), ROOT) == can


@pytest.mark.parametrize(
    ("rule", "tools"),
    [("read", "read ls glob grep"), ("edit", "edit write"), ("write", "write"), ("bash", "bash"), ("*", "any")],
)
def test_a_rule_speaks_of_its_family(rule: str, tools: str) -> None:
    known = ["read", "ls", "glob", "grep", "edit", "write", "bash"]
    meant = known if tools == "any" else tools.split()
    assert [tool for tool in known if Rule(rule, rule).is_about(tool)] == [tool for tool in known if tool in meant]
