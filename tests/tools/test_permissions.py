"""What runs without a question, what is asked, what is refused."""

import os
from dataclasses import replace

import pytest

from diligent_tui.domain.modes import MODES, Mode
from diligent_tui.tools.harmless import RULES, parse_words
from diligent_tui.tools.permissions import judge_command
from tests.tools.workbench import Bench

HARMLESS = """
echo hello
echo 'two words' and "some more"
echo "it (looks) <odd> & is; fine | so"
echo -n a=b
  echo spaced  out
true
false
pwd
date
whoami
uname
uname -a
uname -r
ls
ls -la
ls -l sub
ls "sub/a file.txt"
ls -1 sub README.md
ls -- sub
cat README.md
cat -n sub/a.py README.md
cat ./sub/../README.md
cat 'sub/a file.txt'
cat -
head README.md
head -5 README.md
head -n 5 README.md
head -n5 README.md
head -c 100 README.md
tail -n 20 README.md
tail -n +3 README.md
tail -q README.md sub/a.py
wc README.md
wc -l sub/a.py README.md
""".strip("\n").splitlines()

HOSTILE = [
    "",
    " ",
    "rm -rf .",
    "echo hi; rm x",
    "echo hi && rm x",
    "echo hi || rm x",
    "echo hi | sh",
    "echo hi & rm x",
    "echo hi\nrm x",
    "echo hi\rrm x",
    "echo hi\u2028rm x",
    "echo hi\u0085rm x",
    "echo hi\trm",
    "echo hi\0rm x",
    "echo hi > x",
    "echo hi >> x",
    "echo hi >| x",
    "cat < /etc/passwd",
    "cat <<EOF",
    "cat <(rm x)",
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    'echo "`rm x`"',
    "echo $HOME",
    'echo "$HOME"',
    "echo ${x:=y}",
    "echo $'a'",
    'echo $"a"',
    "echo a\\b",
    'echo "a\\b"',
    "echo !!",
    'echo "!x"',
    "echo {a,b}",
    "cat *",
    "cat sub/?.py",
    "cat [a-z]*",
    "cat ~/notes",
    'cat "~/notes"',
    "X=1 echo hi",
    "PATH=. ls",
    "LD_PRELOAD=./x.so ls",
    "'ls'",
    '"ls"',
    "l's'",
    "echo 'a'b",
    "echo 'a''b'",
    "echo 'unfinished",
    'echo "unfinished',
    "echo # comment",
    "echo (a)",
    "ls;",
    "./ls",
    "/bin/ls",
    "sub/echo hi",
    "env ls",
    "sudo ls",
    "xargs ls",
    "time ls",
    "nice ls",
    "command ls",
    "builtin echo hi",
    "exec ls",
    "eval ls",
    "source x",
    ". x",
    "trap x EXIT",
    "alias ls=rm",
    "function ls",
    "coproc ls",
    "bash -c ls",
    "python x.py",
    "find . -delete",
    "find . -name x",
    "sed -i s/a/b/ README.md",
    "awk 1 README.md",
    "rg --pre sh x",
    "sort -o x README.md",
    "git status",
    "git -c core.pager=x log",
    "tar --checkpoint-action=exec=x",
    "make",
    "npm test",
    "pip install x",
    "man -P x ls",
    "ssh host",
    "curl example.com",
    "tee x",
    "touch x",
    "date -s 2020-01-01",
    "date -f README.md",
    "date --set=now",
    "whoami x",
    "pwd x",
    "true x",
    "uname -a x",
    "uname -n --x",
    "ls /",
    "ls ..",
    "ls -L sub",
    "ls --color",
    "ls -l --hyperlink",
    "ls out",
    "ls out/",
    "ls -- -x/../..",
    "cat /etc/passwd",
    "cat ../secret",
    "cat sub/../../x",
    "cat out/passwd",
    "cat passwd_link",
    "cat .env",
    "cat README.md .env",
    "cat sub/.ssh/config",
    "cat -- .env",
    "cat ''",
    "cat --help",
    "cat -u README.md",
    "head -n",
    "head -n x README.md",
    "head -n 5k README.md",
    "head --lines=5 README.md",
    "head -n 1 /etc/passwd",
    "tail -f README.md",
    "tail -F README.md",
    "tail --follow README.md",
    "tail -n1f README.md",
    "tail --pid=1 README.md",
    "wc --files0-from=README.md",
    "wc -l /etc/passwd",
    "wc -x README.md",
    "cat /proc/self/environ",
    "cat /dev/zero",
    "cat /dev/tcp/x/80",
    "echo " + "x" * 2_000,
    "echo " + " " * 1_000_000,
    "echo \u200bhidden",
    "echo 'a\u202eb'",
    "echo '\x1b[2J'",
    "есho hi",
    "ls\u00a0sub",
    "cat " + "x" * 300,
]


@pytest.fixture
def furnished(bench: Bench) -> Bench:
    (bench.root / "sub").mkdir()
    for name in ("README.md", ".env", "sub/a.py", "sub/a file.txt"):
        (bench.root / name).touch()
    (bench.root / "out").symlink_to("/etc")
    (bench.root / "passwd_link").symlink_to("/etc/passwd")
    return bench


def decision(bench: Bench, command: str, mode: Mode) -> str:
    return judge_command(command, mode, bench.workplace, os.environ["PATH"]).decision


@pytest.mark.parametrize("command", HARMLESS)
def test_a_harmless_command_runs_in_every_mode(furnished: Bench, command: str) -> None:
    assert [decision(furnished, command, mode) for mode in MODES] == ["allow"] * 4


@pytest.mark.parametrize("command", HOSTILE, ids=range(len(HOSTILE)))
def test_any_other_command_is_left_to_the_mode(furnished: Bench, command: str) -> None:
    assert [decision(furnished, command, mode) for mode in MODES] == ["deny", "ask", "ask", "allow"]


def test_the_table_of_programs_grows_only_on_purpose() -> None:
    assert " ".join(sorted(RULES)) == "cat date echo false head ls pwd tail true uname wc whoami"


def test_a_program_of_the_workspace_is_not_taken_for_the_systems(furnished: Bench) -> None:
    planted = furnished.root / "bin" / "ls"
    planted.parent.mkdir()
    planted.write_text("#!/bin/sh\necho stolen\n")
    planted.chmod(0o755)
    linked = furnished.root.parent / "linked"
    linked.symlink_to(planted.parent)
    path = os.environ["PATH"]
    for search_path in (f"{planted.parent}:{path}", f"{linked}:{path}"):
        assert judge_command("ls", "ask", furnished.workplace, search_path).decision == "ask"
    assert judge_command("ls", "ask", furnished.workplace, f"bin:.::{path}").decision == "allow"
    planted.unlink()
    planted.symlink_to("/bin/ls")
    assert judge_command("ls", "ask", furnished.workplace, f"{planted.parent}:{path}").decision == "ask"


def test_a_name_that_is_a_tilde_in_quotes_is_not_taken_for_home(
    furnished: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(furnished.root))
    (furnished.root / "~").symlink_to("/etc")
    assert decision(furnished, 'cat "~/passwd"', "ask") == "ask"


def test_listing_where_one_stands_needs_to_stand_in_the_workspace(furnished: Bench) -> None:
    elsewhere = Bench(replace(furnished.workplace, cwd=furnished.root.parent))
    assert decision(elsewhere, "ls", "ask") == "ask"
    assert decision(elsewhere, "cat workspace/README.md", "ask") == "allow"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ls  -l 'a b' \"c d\"", ["ls", "-l", "a b", "c d"]),
        ("echo ''", ["echo", ""]),
        ("echo a;b", None),
        ("", None),
    ],
)
def test_words_are_what_the_shell_would_see(command: str, words: list[str] | None) -> None:
    assert parse_words(command) == words


@pytest.mark.parametrize("tool", ["read", "ls"])
@pytest.mark.parametrize(
    ("path", "decisions"),
    [
        ("sub", ["allow"] * 4),
        ("sub/new", ["allow"] * 4),
        ("/etc/hostname", ["deny", "ask", "ask", "ask"]),
        ("..", ["deny", "ask", "ask", "ask"]),
        ("out", ["deny", "ask", "ask", "ask"]),
        ("passwd_link", ["deny", "ask", "ask", "ask"]),
        (".env", ["deny", "ask", "ask", "ask"]),
        ("sub/.ssh", ["deny", "ask", "ask", "ask"]),
        ("/proc/self/environ", ["deny", "ask", "ask", "ask"]),
    ],
)
def test_reading_is_free_in_the_workspace_only(furnished: Bench, tool: str, path: str, decisions: list[str]) -> None:
    verdicts = [furnished.tool(tool).judge({"path": path}, mode, furnished.workplace) for mode in MODES]
    assert [verdict.decision for verdict in verdicts] == decisions
    assert all(verdict.reason for verdict in verdicts if verdict.decision != "allow")


def test_the_question_names_where_a_link_leads(furnished: Bench) -> None:
    verdict = furnished.tool("read").judge({"path": "passwd_link"}, "ask", furnished.workplace)
    assert verdict.reason == "passwd_link (it leads to '/etc/passwd') is outside the workspace."
