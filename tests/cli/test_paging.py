"""Long output on a terminal goes through the user's pager, and nothing else ever does."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from diligent_tui.cli.paging import find_pager
from tests.cli.conftest import COMMAND, Run
from tests.ui.pty_host import PtyHost

PAGER = "import os, sys; print('PAGED', len(sys.stdin.read()), 'knows a key:', 'SOME_API_KEY' in os.environ)"


@pytest.fixture
def pager(tmp_path: Path) -> str:
    program = tmp_path / "pager.py"
    program.write_text(PAGER)
    return f"{sys.executable} {program}"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"PAGER": ""}, []),
        ({"PAGER": "cat"}, []),
        ({"PAGER": "no-such-pager -x"}, []),
        ({"PAGER": "sh -c 'cat'"}, ["sh", "-c", "cat"]),
        ({"PAGER": "sh 'unclosed"}, []),
    ],
)
def test_the_pager_is_what_the_user_says(environ: Mapping[str, str], words: list[str]) -> None:
    assert find_pager(environ) == words


def test_what_does_not_fit_on_a_terminal_is_paged_without_our_keys(
    project: Path, environment: dict[str, str], pager: str
) -> None:
    env = {**environment, "PAGER": pager, "SOME_API_KEY": "x"}
    with PtyHost([*COMMAND, "models"], env, project) as host:
        host.read_until("PAGED")
        assert host.wait() == 0
        assert "knows a key: False" in host.output.decode()
        assert "offline/rehearsal" not in host.output.decode()


def test_what_fits_is_not_paged(project: Path, environment: dict[str, str], pager: str) -> None:
    with PtyHost([*COMMAND, "models", "offline"], {**environment, "PAGER": pager}, project) as host:
        host.read_until("offline/rehearsal")
        assert host.wait() == 0
        assert b"PAGED" not in host.output


def test_a_pipe_gets_it_as_it_is(run: Run, pager: str) -> None:
    done = run("models", PAGER=pager)
    assert "PAGED" not in done.stdout
    assert len(done.stdout.splitlines()) > 24


def test_whoever_leaves_the_pager_early_is_done(project: Path, environment: dict[str, str]) -> None:
    with PtyHost([*COMMAND, "config", "show"], {**environment, "PAGER": "true"}, project) as host:
        assert host.wait() == 0
        assert b"Traceback" not in host.output
