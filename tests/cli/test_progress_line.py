"""The line that tells how far a long work is."""

import io
import sys

import pytest

from diligent_tui.cli.progress_line import ERASE, telling


class Terminal(io.StringIO):
    """A screen that keeps what was written."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _a_second_each_look(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(100))
    monkeypatch.setattr("diligent_tui.domain.progress.monotonic", lambda: float(next(times)))


def test_on_a_terminal_one_line_is_written_over_itself_and_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with telling("importing") as tell:
        tell(1, 4)
        tell(2, 4)
    words = ("importing 1 of 4 · about 3 s left", "importing 2 of 4 · about 2 s left", "")
    assert screen.getvalue() == "".join(f"{ERASE}{each}" for each in words)
    assert "\n" not in screen.getvalue()


def test_it_is_gone_before_an_error_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)

    def fail() -> None:
        with telling("importing") as tell:
            tell(1, 4)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert screen.getvalue().endswith(ERASE)


def test_in_a_file_or_pipe_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    with telling("importing") as tell:
        tell(1, 4)
    assert pipe.getvalue() == ""
