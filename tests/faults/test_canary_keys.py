"""Thirty ways on which a key could get out of diligent, and none that it takes."""

import asyncio
from collections.abc import Generator
from pathlib import Path

import pytest

from diligent_tui.agent.trace import TraceRecorder
from diligent_tui.config.assembly import begin, surroundings
from diligent_tui.config.house import enter
from diligent_tui.config.provider_options import provider_options
from diligent_tui.config.session_files import mask
from diligent_tui.domain.errors import AuthFailed
from diligent_tui.domain.events import event_to_json
from tests.faults.canaries import CANARY, COMMANDS, LONG, SEEN, Place, make_place
from tests.wire.scripts import Refuse
from tests.wire.server import WireServer

HIT = CANARY.encode()
ECHO = f"Incorrect API key provided: {CANARY}-ANTHROPIC_API_KEY, and {CANARY}-header"
HTML = (("content-type", "text/html"),)
REFUSALS = {
    "a refused key": Refuse(401, b'{"error": {"message": "%s"}}' % ECHO.encode()),
    "a page of a proxy": Refuse(403, f"<html>{ECHO}</html>".encode(), HTML),
    "a bad request": Refuse(400, b'{"error": {"message": "%s"}}' % ECHO.encode()),
    "an answer that is a page": Refuse(200, f"<html>{ECHO}</html>".encode(), HTML),
}


@pytest.fixture(scope="module")
def server() -> Generator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, server: WireServer) -> Place:
    return make_place(tmp_path_factory.mktemp("canary"), server.url)


@pytest.fixture(scope="module")
def said(place: Place) -> dict[str, bytes]:
    """What each command printed, by its name; all of them are run by one prompt."""
    lines = [f'echo; echo "== {name}"; ({command}) 2>&1' for name, command in COMMANDS.items()]
    (place.project / "look.sh").write_text("\n".join(lines))
    answer = place.say("run source ./look.sh > looked 2>&1; head -c 2000 looked")
    parts = (b"\n" + (place.project / "looked").read_bytes()).split(b"\n== ")
    for name in ("look.sh", "looked"):
        (place.project / name).unlink()
    return {"the answer": answer, **{part.partition(b"\n")[0].decode(): part for part in parts[1:]}}


def test_the_canaries_are_where_keys_are_and_ordinary_words_come_through(place: Place, said: dict[str, bytes]) -> None:
    assert all(CANARY in value for name, value in place.environ.items() if "KEY" in name or "TOKEN" in name)
    assert SEEN.encode() in said["env"]
    # Ours is denied to a command where no namespace hides it.
    assert SEEN.encode() in said["its own environment in /proc"]
    assert said.keys() == {"the answer", *COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_sees_a_key(said: dict[str, bytes], name: str) -> None:
    assert len(said[name]) > len(name) + 1
    assert HIT not in said[name]


@pytest.mark.parametrize("form", ["text", "stream-json"])
def test_no_answer_holds_a_key(place: Place, form: str) -> None:
    answer = place.say("run env | grep -e canary -e visible", form)
    assert SEEN.encode() in answer
    assert HIT not in answer


def test_no_file_that_a_run_leaves_holds_a_key(place: Place, said: dict[str, bytes]) -> None:
    assert HIT not in said["the answer"]
    place.say(f"run {LONG}")
    files = place.files()
    names = " ".join(files)
    assert ".jsonl" in names
    assert any(name.endswith(".txt") and SEEN.encode() in data for name, data in files.items()), "nothing was spilled"
    assert [name for name, data in files.items() if HIT in data] == []


@pytest.mark.parametrize("form", ["md", "html", "jsonl"])
def test_no_export_holds_a_key_even_one_that_the_user_typed(place: Place, form: str) -> None:
    key = place.environ["ANTHROPIC_API_KEY"]
    place.say(f"run echo {key} {CANARY}-settings {SEEN}")
    exported = place.run("sessions", "export", "--format", form, "--output", "-")
    assert SEEN.encode() in exported
    assert HIT not in exported
    for path in (place.project / ".diligent" / "sessions").glob("*.jsonl"):
        if HIT in path.read_bytes():
            path.unlink()


@pytest.mark.parametrize("name", REFUSALS)
def test_no_complaint_of_a_provider_is_shown_with_the_key(place: Place, server: WireServer, name: str) -> None:
    said = place.ask_provider(server, REFUSALS[name])
    assert server.requests
    assert any(f"{CANARY}-ANTHROPIC_API_KEY" in value for value in server.requests[0].headers.values())
    assert b"anthropic" in said.lower()
    assert HIT not in said


@pytest.mark.parametrize("words", [("--list",), ("models",), ("sessions", "list"), ("-p", "hi", "--model", "no/such")])
def test_no_other_word_of_the_command_line_shows_a_key(place: Place, words: tuple[str, ...]) -> None:
    assert HIT not in place.run(*words)


def test_a_setting_that_is_wrong_is_named_and_its_value_is_not_a_key(place: Place) -> None:
    said = place.say("hi", "text")
    assert b"nonsense" in said
    assert CANARY.encode() + b"-misplaced" not in said
    assert CANARY.encode() + b"-variable" not in said


def test_the_terminal_is_sent_no_key_and_its_title_is_none(place: Place) -> None:
    sent = place.open_screen()
    assert HIT not in sent


async def test_the_trace_and_every_event_are_without_keys(place: Place) -> None:
    house = enter(place.project, place.environ, {"mode": "full", "model": "offline/rehearsal"})
    session = begin(house, surroundings(house, may_ask=False))
    trace = TraceRecorder()
    session.hub.subscribe(trace)
    await session.prompt("run env")
    await session.wait_idle()
    await session.close()
    told = " ".join(str(event_to_json(record.event)) for record in trace.records)
    assert "bash" in told
    assert CANARY not in told
    assert CANARY not in repr(house.settings) + str(house.notices)


async def test_a_key_that_a_command_should_give_is_not_in_its_complaint(place: Place) -> None:
    house = enter(place.project, place.environ, {})
    with pytest.raises(AuthFailed) as caught:
        await asyncio.to_thread(provider_options, "ollama", house.settings, {})
    assert CANARY not in caught.value.message + caught.value.advice
    assert mask(house).text(f"{CANARY}-settings") == "[key]"


def test_what_holds_keys_does_not_show_them(place: Place) -> None:
    house = enter(place.project, place.environ, {})
    options = provider_options("anthropic", house.settings, place.environ)
    assert options.api_key == f"{CANARY}-ANTHROPIC_API_KEY"
    assert CANARY not in repr(options)


def test_a_crash_shows_no_key(place: Place, tmp_path: Path) -> None:
    program = tmp_path / "crash.py"
    program.write_text(
        "import sys\n"
        "from diligent_tui.agent import session\n"
        "def broken(self, text):\n"
        "    key = __import__('os').environ['ANTHROPIC_API_KEY']\n"
        "    raise RuntimeError(f'broken after {len(key)}')\n"
        "session.AgentSession.prompt = broken\n"
        "from diligent_tui.cli.main import main\n"
        "sys.exit(main(['-p', 'hi', '--model', 'offline/rehearsal']))\n"
    )
    said = place.run_program(str(program))
    assert b"broken after" in said
    assert HIT not in said
