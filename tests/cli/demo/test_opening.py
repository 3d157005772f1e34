"""`diligent --demo` in a real terminal: it opens, it can be played with, and it leaves nothing behind."""

import os
import signal
import sys
from pathlib import Path

import pytest

from diligent_tui.cli.arguments import parse
from diligent_tui.domain.errors import UsageError
from tests.ui.pty_host import PtyHost

QUIT = b"\x11"
SIZE = (100, 30)


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """A home and a folder for temporary files, which is looked into afterwards."""
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    home.mkdir()
    temporary.mkdir()
    return {"HOME": str(home), "TMPDIR": str(temporary), "PATH": os.environ["PATH"], "DILIGENT_MODE": "full"}


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "diligent_tui.cli.main", "--demo", *words]


def left_in(places: dict[str, str]) -> list[str]:
    return sorted(path.name for name in ("HOME", "TMPDIR") for path in Path(places[name]).iterdir())


def test_it_opens_on_the_prepared_session_and_is_gone_when_it_is_left(places: dict[str, str], tmp_path: Path) -> None:
    with PtyHost(program(), places, tmp_path, SIZE) as host:
        host.read_until(r"Guide 1/7")
        assert "the tide report" in host.screen.text
        assert left_in(places) != []
        host.send(b"\x1b[24~")
        host.read_until(r"Guide 2/7")
        host.send(QUIT)
        assert host.wait() == 0
    assert left_in(places) == []


def test_a_closed_terminal_takes_it_away_too(places: dict[str, str], tmp_path: Path) -> None:
    with PtyHost(program(), places, tmp_path, SIZE) as host:
        host.read_until(r"Guide 1/7")
        host.signal(signal.SIGHUP)
        host.wait()
    assert left_in(places) == []


def test_kept_it_says_where_it_is(places: dict[str, str], tmp_path: Path) -> None:
    with PtyHost(program("--keep"), places, tmp_path, SIZE) as host:
        host.read_until(r"Guide 1/7")
        host.send(QUIT)
        assert host.wait() == 0
        assert "The demo's folder was kept:" in host.screen.text.replace("\n", " ")
    (kept,) = Path(places["TMPDIR"]).iterdir()
    assert (kept / "tide" / "README.md").is_file()


@pytest.mark.parametrize(
    "words",
    [
        ["--demo", "-p", "hello"],
        ["--demo", "hello"],
        ["--demo", "-c"],
        ["--demo", "--list"],
        ["--demo", "--cwd", "."],
        ["--demo", "--model", "sonnet"],
        ["--keep"],
    ],
)
def test_what_does_not_go_with_it_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words)
