"""What the terminal is told beside the picture."""

from dataclasses import dataclass, field, replace

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.attention import Attention, title_of
from diligent_tui.ui.state import ScreenState, reduce

IDLE = ScreenState(phase="idle", session_name="swans")
BUSY = ScreenState(phase="answering", session_name="swans", busy_since=0.0)
ASKING = ScreenState(phase="asking", session_name="swans", busy_since=0.0)


@dataclass
class Terminal:
    written: list[str] = field(default_factory=list[str])
    now: float = 100.0

    def attention(self, *, notifies: bool = True, rings: bool = False, term: str = "xterm-256color") -> Attention:
        return Attention(self.written.append, {"TERM": term}, notifies, rings, clock=lambda: self.now)

    @property
    def calls(self) -> list[str]:
        return [text for text in self.written if not text.startswith("\x1b]2;")]


def test_the_title_is_said_once_and_follows_the_state() -> None:
    terminal = Terminal()
    attention = terminal.attention()
    for state in (IDLE, IDLE, BUSY, BUSY, ASKING, IDLE):
        attention.take(state, is_watched=True)
    assert terminal.written == [
        "\x1b]2;swans · diligent\x07",
        "\x1b]2;… swans · diligent\x07",
        "\x1b]2;? swans · diligent\x07",
        "\x1b]2;swans · diligent\x07",
    ]


def test_nothing_of_a_name_acts_on_the_terminal() -> None:
    title = title_of(ScreenState(session_name="a\x07\x1b]52;c;eA==\x07b\u202ec\nd" + "x" * 500))
    assert not {"\x07", "\x1b", "\u202e", "\n"} & set(title)
    assert len(title) < 100


@pytest.mark.parametrize(
    ("is_watched", "seconds", "rings", "calls"),
    [
        (False, 60.0, False, ["\x1b]9;swans: done\x07"]),
        (False, 60.0, True, ["\x1b]9;swans: done\x07", "\x07"]),
        (False, 1.0, True, []),
        (True, 60.0, True, []),
    ],
    ids=["away", "with the bell", "short", "watched"],
)
def test_a_long_turn_that_ends_out_of_sight_calls(
    is_watched: bool, seconds: float, rings: bool, calls: list[str]
) -> None:
    terminal = Terminal()
    attention = terminal.attention(rings=rings)
    attention.take(BUSY, is_watched=is_watched)
    terminal.now += seconds
    attention.take(IDLE, is_watched=is_watched)
    attention.take(IDLE, is_watched=is_watched)
    assert terminal.calls == calls


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, Problem("auth", "No key\x07.", "Set it."), "failed: No key␇."),
        (None, Problem("interrupted", "It was stopped.", ""), "stopped"),
        (Problem("disk", "Full.", ""), Problem("disk", "Full.", ""), "done"),
    ],
    ids=["failed", "stopped", "failed at something else before"],
)
def test_how_a_long_turn_ended_is_told(before: Problem | None, after: Problem, words: str) -> None:
    terminal = Terminal()
    attention = terminal.attention()
    attention.take(replace(BUSY, problem=before), is_watched=False)
    terminal.now += 60.0
    attention.take(replace(IDLE, problem=after), is_watched=False)
    assert terminal.calls == [f"\x1b]9;swans: {words}\x07"]


@pytest.mark.parametrize(
    ("reason", "words"),
    [("done", "done"), ("interrupted", "stopped"), ("cost_limit", "stopped at the cost limit")],
)
def test_a_long_turn_that_was_stopped_is_not_told_as_done(reason: str, words: str) -> None:
    terminal = Terminal()
    attention = terminal.attention()
    attention.take(BUSY, is_watched=False)
    terminal.now += 60.0
    ended = reduce(BUSY, ev.TurnFinished("p", reason, 1, Usage(), 0.0), 60.0)
    attention.take(ended, is_watched=False)
    assert terminal.calls == [f"\x1b]9;swans: {words}\x07"]
    assert reduce(ended, ev.TurnStarted("q", "more"), 61.0).ending == ""


def test_a_question_out_of_sight_calls_at_once_and_once() -> None:
    terminal = Terminal()
    attention = terminal.attention()
    for state in (BUSY, ASKING, ASKING):
        attention.take(state, is_watched=False)
    assert terminal.calls == ["\x1b]9;swans: waits for your answer\x07"]


@pytest.mark.parametrize("term", ["linux", "dumb", "vt220"])
def test_a_terminal_without_a_window_is_told_nothing_it_would_print(term: str) -> None:
    terminal = Terminal()
    attention = terminal.attention(term=term)
    attention.take(BUSY, is_watched=False)
    attention.take(ASKING, is_watched=False)
    assert terminal.written == []
