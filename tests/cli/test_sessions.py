"""`diligent sessions` as a person or a script would use it: the real command, in a real process."""

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from diligent_tui.cli.arguments import parse
from diligent_tui.cli.sessions_arguments import parse_sessions
from diligent_tui.config.trust import TrustList
from diligent_tui.domain.errors import UsageError
from diligent_tui.session.store import SessionStore
from tests.cli.conftest import Run
from tests.session.drafts import HEADER, answered, line_of, said
from tests.session.talks import talk

ID = "20260102030405-abcdef"


OURS = "20260203040506-123456"


@pytest.fixture
def told(run: Run, project: Path, environment: dict[str, str]) -> Run:
    """A project of our own with a short session, the newest, and one that has everything in it."""
    path = talk(project)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    header = line_of({**HEADER, "id": OURS})
    path.with_stem(OURS).write_bytes(
        header + line_of(said("aa", None, "run echo seven")) + line_of(answered("ab", "aa"))
    )
    trusted = TrustList.load(Path(environment["HOME"]) / ".local" / "state" / "diligent")
    trusted.mark_own(project / ".diligent")
    return run


def newest(project: Path) -> Path:
    sessions = (project / ".diligent" / "sessions").glob("*.jsonl")
    return max(sessions, key=lambda path: path.stat().st_mtime)


def test_the_list_is_narrowed_by_words(told: Run) -> None:
    assert told("sessions").stdout == told("sessions", "list").stdout == told("--list").stdout
    assert [line.split()[0] for line in told("sessions", "list").stdout.splitlines()][-1] == ID
    assert [line.split()[0] for line in told("sessions", "list", "LOADER").stdout.splitlines()] == [ID]
    assert "echo seven" in told("--list", "seven").stdout
    nothing = told("sessions", "list", "swans")
    assert (nothing.returncode, nothing.stdout) == (0, "No session here fits “swans”.\n")


def test_the_list_for_programs_is_one_object_a_line(told: Run, project: Path) -> None:
    done = told("sessions", "list", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["title"] for row in rows] == ["run echo seven", "The <loader>"]
    assert set(rows[0]) == {
        "id",
        "title",
        "name",
        "firstPrompt",
        "changed",
        "tokens",
        "cost",
        "compactions",
        "parentSession",
    }
    assert (rows[1]["name"], rows[1]["tokens"], rows[1]["cost"]) == ("The <loader>", 182_000, 0.42)
    assert rows[1]["changed"] == "2023-11-14T22:13:20.000Z"
    assert done.stdout.isascii()
    assert str(project) not in done.stdout


def test_a_session_is_shown_with_its_tree_and_its_damage(told: Run) -> None:
    done = told("sessions", "show", ID[:10])
    assert done.returncode == 0
    for words in ("The <loader>", ID, "182,000", "$0.42", "1 damaged line", "[try <i>it</i>]"):
        assert words in done.stdout
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line[:1].strip()}
    assert lines["a0"].startswith("a0       ▌ › Why twice?")
    assert lines["b0"].startswith("b0       ▌   ⎇ › Do it.")
    assert lines["g0"].startswith("g0             ⎇ › In pydantic?")
    assert "\x1b" not in done.stdout


def test_a_session_is_shown_for_programs(told: Run, project: Path) -> None:
    done = told("sessions", "show", ID, "--json")
    shown = json.loads(done.stdout)
    assert (shown["id"], shown["leafId"], shown["branches"]) == (ID, "b2", 3)
    assert shown["damage"] == {"lines": 1, "orphans": 0, "repeated": 0, "headerIsMissing": False}
    assert [row["id"] for row in shown["tree"] if row["isCurrent"]][-1] == "b2"
    assert str(project) not in done.stdout
    assert done.stdout.isascii()


def test_show_says_how_many_more_sessions_fit(told: Run) -> None:
    assert "1 more session fits these words." in told("sessions", "show", "20260").stdout
    told("sessions", "fork", ID)
    assert "2 more sessions fit these words." in told("sessions", "show", "20").stdout
    assert "more session" not in told("sessions", "show", ID).stdout
    assert "more session" not in told("sessions", "show").stdout


def test_a_fork_prints_its_id_and_goes_on(told: Run, project: Path) -> None:
    done = told("sessions", "fork", ID, "--at", "0000de")
    fork = SessionStore.open(project / ".diligent" / "sessions" / f"{done.stdout.strip()}.jsonl", for_writing=False)
    assert fork.content.header.parent_session == ID
    assert fork.content.header.cwd == str(project.resolve())
    assert fork.tree.leaf_id == "0000dead"
    assert done.stdout.strip() in done.stderr
    rows = [json.loads(line) for line in told("sessions", "list", "--json").stdout.splitlines()]
    assert [row["parentSession"] for row in rows if row["id"] == done.stdout.strip()] == [ID]


def test_going_on_in_a_fork_leaves_the_session_as_it_is(told: Run, project: Path) -> None:
    source = newest(project)
    before = source.read_bytes()
    done = told("-c", "--fork", "-p", "what did I ask?")
    assert "run echo seven" in done.stdout
    assert "Going on in the fork" in done.stderr
    assert source.read_bytes() == before
    assert newest(project) != source


@pytest.mark.parametrize(("form", "begins"), [("md", "# The"), ("html", "<!doctype html>"), ("jsonl", '{"type"')])
def test_an_export_is_a_private_file(form: str, begins: str, told: Run, project: Path) -> None:
    done = told("sessions", "export", ID, "--format", form)
    path = project / f"{ID}.{form}"
    assert done.returncode == 0
    assert done.stdout == ""
    assert path.name in done.stderr
    assert path.read_text(encoding="utf-8").startswith(begins)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert told("sessions", "export", ID, "--format", form, "--output", "-").stdout == path.read_text(encoding="utf-8")


def test_the_name_of_the_output_says_the_format_and_a_file_is_replaced_only_by_force(told: Run, project: Path) -> None:
    assert told("sessions", "export", ID, "--output", "page.HTML").returncode == 0
    page = project / "page.HTML"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    page.write_text("mine")
    refused = told("sessions", "export", ID, "--output", "page.HTML")
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert page.read_text() == "mine"
    assert told("sessions", "export", ID, "--output", "page.HTML", "--force").returncode == 0
    assert page.read_text(encoding="utf-8") != "mine"


def test_an_export_of_a_session_by_words_and_of_a_branch_by_its_label(told: Run) -> None:
    text = told("sessions", "export", "the", "LOADER", "--output", "-", "--branch", "try <i>it</i>").stdout
    assert "⚑" in text
    assert "Do it." not in text


def test_our_keys_are_masked_in_what_is_shown_and_exported(told: Run, environment: dict[str, str]) -> None:
    settings = Path(environment["HOME"]) / ".config" / "diligent" / "diligent.jsonc"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"provider": {"openai": {"apiKey": "key-in-settings-1234"}}}')
    keys = {"ANTHROPIC_API_KEY": "sk-ant-swan-1234567"}
    told("-p", "run echo sk-ant-swan-1234567 key-in-settings-1234", "--model", "offline/rehearsal", **keys)
    for words in (("show",), ("export", "-o", "-"), ("export", "-o", "-", "--format", "html")):
        done = told("sessions", words[0], *words[1:], **keys)
        assert "[ANTHROPIC_API_KEY]" in done.stdout
        assert "sk-ant-swan" not in done.stdout
        assert "key-in-settings" not in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("sessions", "shwo"), 2, "shwo"),
        (("sessions", "show", "19990101"), 1, "No session 19990101"),
        (("sessions", "fork", ID, "--at", "nowhere"), 2, "no entry nowhere"),
        (("sessions", "fork", ID, "--at", "a"), 2, "4 entries"),
        (("sessions", "export", ID, "--format", "pdf"), 2, "pdf"),
        (("sessions", "export", ID, "--output", "nowhere/x.md"), 2, "no folder"),
        (("sessions", "list", "--cwd", "nowhere"), 2, "not a folder"),
        (("-p", "hello", "-r"), 2, "-p cannot ask"),
        (("--fork", "-p", "hello"), 2, "--fork needs a session"),
        (("sessions are lost", "-p"), 0, ""),
        (("-p", "--", "sessions"), 0, ""),
    ],
)
def test_every_failure_is_one_line_and_a_code(told: Run, words: tuple[str, ...], code: int, sentence: str) -> None:
    done = told(*words)
    assert sentence in done.stderr
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert not code or len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("verb", [(), ("list",), ("show",), ("fork",), ("export",)])
def test_every_command_has_help_with_an_example(verb: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parse_sessions([*verb, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert "example" in text
    assert text.count(f"diligent sessions {' '.join(verb)}".strip()) > 1


@pytest.mark.parametrize("words", [("list",), ("show",), ("fork",), ("export", "-o", "-")])
def test_sessions_that_came_with_a_folder_are_not_offered(run: Run, project: Path, words: tuple[str, ...]) -> None:
    talk(project)
    verb, *more = words
    done = run("sessions", verb, *more)
    assert ID not in done.stdout
    assert "loader" not in done.stdout
    assert "--trust" in done.stderr
    assert run("sessions", verb, *more, "--trust").stdout


def test_a_reader_that_leaves_is_no_failure(told: Run, project: Path, environment: dict[str, str]) -> None:
    words = [sys.executable, "-m", "diligent_tui.cli.main", "sessions", "export", ID, "-o", "-", "--format", "html"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(words, cwd=project, env=environment, stdout=writing, stderr=subprocess.PIPE, timeout=60)
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 0


def test_a_terminal_gets_nothing_to_obey(told: Run, project: Path, environment: dict[str, str]) -> None:
    path = project / ".diligent" / "sessions" / f"{ID}.jsonl"
    with path.open("ab") as file:
        file.write('{"type":"x","id":"\x1b[2J\x9b2J","parentId":null,"v":"\u202e"}\n'.encode())
    words = [sys.executable, "-m", "diligent_tui.cli.main", "sessions", "export", ID, "-o", "-", "--format", "jsonl"]
    ours, theirs = pty.openpty()
    child = subprocess.Popen(words, cwd=project, env=environment, stdin=subprocess.DEVNULL, stdout=theirs)
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 65_536):
            seen += chunk
    except OSError:
        pass
    os.close(ours)
    assert child.wait(60) == 0
    assert b"Why twice?" in seen
    assert b"\x1b" not in seen
    assert "\u202e".encode() not in seen


def test_neither_screen_nor_sdk_is_loaded(told: Run, project: Path, environment: dict[str, str]) -> None:
    script = (
        "import sys; from diligent_tui.cli.main import main; "
        f"main(['sessions', 'export', '{ID}', '-o', 'x.html']); main(['sessions', 'show', '{ID}']); "
        "sys.stderr.write(' '.join(sorted({m.partition('.')[0] for m in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project, env=environment, capture_output=True, text=True, timeout=60
    )
    loaded = done.stderr.split()
    assert "diligent_tui" in loaded
    assert not {"textual", "rich", "anthropic", "openai"} & set(loaded)


@pytest.mark.parametrize(
    ("words", "resume", "access", "prompt"),
    [
        (["-r"], "", "write", None),
        (["-r", "abc"], "abc", "write", None),
        (["-r", "abc", "hello"], "abc", "write", "hello"),
        (["-r", "--fork"], "", "fork", None),
        (["-c", "--read-only"], None, "read", None),
        (["--", "sessions"], None, "write", "sessions"),
        (["hello"], None, "write", "hello"),
    ],
)
def test_the_words_for_resuming(words: list[str], resume: str | None, access: str, prompt: str | None) -> None:
    arguments = parse(words)
    assert (arguments.resume, arguments.access, arguments.prompt) == (resume, access, prompt)
    assert arguments.goes_on == (words[0] in ("-r", "-c"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--fork"], "--fork needs a session"),
        (["--read-only"], "--read-only needs a session"),
        (["-c", "--fork", "--read-only"], "--fork goes on"),
        (["-r", "-p", "x"], "-p cannot ask"),
        (["-p", "x", "-r"], "-p cannot ask"),
        (["-c", "--read-only", "-p", "x"], "forbids that"),
    ],
)
def test_words_that_contradict_each_other_are_refused(words: list[str], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse(words)
