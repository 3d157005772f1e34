"""The real program in hostile repositories: from the command line, on a screen, and a proof that the witness sees."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile_repos.pieces import EGG, Ground, Repo, lay_out
from tests.hostile_repos.reports import Event, connected, differences, read_events, started, trespassed
from tests.hostile_repos.repos import REPOS
from tests.ui.escape_grammar import foreign_sequences
from tests.ui.pty_host import PtyHost

WITNESS = Path(__file__).with_name("witness.py")
MODEL = ("--model", "offline/rehearsal")
WITH_MODULES = "modules that we import"
SMALL_COMMANDS = (
    ("--list",),
    ("sessions", "list"),
    ("models",),
    ("knowledge", "list"),
    ("config", "show"),
    ("config", "check"),
    ("config", "path", "--project"),
    ("completion", "bash"),
)
ON_A_SCREEN = ("everything at once", "instructions with escapes", "data by a link out", WITH_MODULES)
BY_A_LINK = "instructions by a link to a secret"


def repo_named(name: str) -> Repo:
    return next(repo for repo in REPOS if repo.name == name)


def environment(ground: Ground) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(ground.home), "PYTHONUTF8": "1"}


def run(ground: Ground, log: Path, *words: str) -> tuple[subprocess.CompletedProcess[str], list[Event]]:
    """Run the command in the repository, as one who stands in it would."""
    done = subprocess.run(
        [sys.executable, str(WITNESS), str(log), *words, *MODEL],
        cwd=ground.project,
        env=environment(ground),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done, read_events(log)


def test_modules_in_the_folder_are_not_taken_for_ours(tmp_path: Path) -> None:
    ground = lay_out(repo_named(WITH_MODULES), tmp_path / "ground")
    done, events = run(ground, tmp_path / "log", "-p", "hello")
    assert done.returncode == 0, done.stderr
    assert started(events) == connected(events) == trespassed(events, ground) == []
    assert not any(event[0] == "open" and event[1].endswith(".py") for event in events if str(ground.base) in event[1])
    assert not (ground.outside / "hatched").exists()


@pytest.mark.parametrize("words", SMALL_COMMANDS, ids=" ".join)
def test_other_commands_run_nothing_either(tmp_path: Path, words: tuple[str, ...]) -> None:
    ground = lay_out(repo_named("everything at once"), tmp_path / "ground")
    before = ground.state()
    done = subprocess.run(
        [sys.executable, str(WITNESS), str(tmp_path / "log"), *words],
        cwd=ground.project,
        env=environment(ground),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    events = read_events(tmp_path / "log")
    assert "Traceback" not in done.stderr
    assert EGG not in done.stdout + done.stderr
    assert started(events) == connected(events) == trespassed(events, ground) == []
    assert list(differences(before, ground)) == []


def test_the_witness_sees_a_process(tmp_path: Path) -> None:
    ground = lay_out(Repo("plain"), tmp_path / "ground")
    done, events = run(ground, tmp_path / "log", "-p", "run echo hi", "--mode", "full")
    assert done.returncode == 0, done.stderr
    assert started(events)


def test_the_witness_sees_a_look_outside_that_a_yes_allowed(tmp_path: Path) -> None:
    ground = lay_out(repo_named(BY_A_LINK), tmp_path / "ground")
    done, events = run(ground, tmp_path / "log", "-p", "hello", "--trust")
    assert done.returncode == 0, done.stderr
    assert trespassed(events, ground)
    (session,) = (ground.project / ".diligent" / "sessions").glob("*.jsonl")
    assert EGG in session.read_text()


def test_the_witness_sees_a_connection(tmp_path: Path) -> None:
    ground = lay_out(Repo("plain"), tmp_path / "ground")
    settings = ground.home / ".config" / "diligent" / "diligent.jsonc"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"provider": {"near": {"baseUrl": "http://127.0.0.1:9/v1", "apiKey": "x"}}}')
    words = ("-p", "hello", "--model", "near/model")
    log = tmp_path / "log"
    log.touch()
    with subprocess.Popen(
        [sys.executable, str(WITNESS), str(log), *words],
        cwd=ground.project,
        env=environment(ground),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        # Nobody listens there, and diligent would try again for a while.
        while not connected(read_events(log)):
            assert process.poll() is None
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        process.terminate()


@pytest.mark.parametrize("name", ON_A_SCREEN)
def test_a_screen_opened_there_runs_and_sends_nothing(tmp_path: Path, name: str) -> None:
    ground, log = lay_out(repo_named(name), tmp_path / "ground"), tmp_path / "log"
    before = ground.state()
    argv = [sys.executable, str(WITNESS), str(log), *MODEL]
    with PtyHost(argv, environment(ground), ground.project, (120, 40)) as host:
        host.read_until(r"rehearsal engine|what this folder brings")
        host.signal(signal.SIGTERM)
        host.wait()
        assert foreign_sequences(host.output) == []
        assert EGG not in host.screen.text
    events = read_events(log)
    assert started(events) == connected(events) == trespassed(events, ground) == []
    assert list(differences(before, ground)) == []
