"""How the trace looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.domain import events as ev
from diligent_tui.ui.opening import ThemeName
from tests.ui.panes.trace_stage import BUSY, TraceApp, compaction, listed, story

Prepare = Callable[[Pilot[None]], Awaitable[None]]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)], ids=["80x24", "120x40", "160x50"])
USUAL = (120, 40)


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await listed(pilot)
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.pause()

    return prepare


@pytest.mark.parametrize("theme", ["dark", "light"])
@SIZES
def test_trace(snap_compare: Compare, size: tuple[int, int], theme: ThemeName) -> None:
    assert snap_compare(TraceApp(theme=theme), terminal_size=size, run_before=pressing())


def test_trace_in_ansi(snap_compare: Compare) -> None:
    assert snap_compare(TraceApp(theme="ansi"), terminal_size=USUAL, run_before=pressing("k"))


def test_trace_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(TraceApp(), terminal_size=USUAL, run_before=pressing("k"))


@pytest.mark.parametrize("theme", ["dark", "light"])
@SIZES
def test_a_compaction_opened(snap_compare: Compare, size: tuple[int, int], theme: ThemeName) -> None:
    keys = ("f", "f", "f", "home", "j", "enter")
    assert snap_compare(TraceApp(story()[1:], theme), terminal_size=size, run_before=pressing(*keys))


@pytest.mark.parametrize("group", ["requests", "tools", "memory", "session"])
def test_rows_of_one_kind(snap_compare: Compare, group: str) -> None:
    count = ("requests", "tools", "memory", "session").index(group) + 1
    assert snap_compare(TraceApp(), terminal_size=(80, 24), run_before=pressing(*["f"] * count))


def test_only_problems(snap_compare: Compare) -> None:
    assert snap_compare(TraceApp(), terminal_size=(80, 24), run_before=pressing("!", "home", "enter"))


def test_words_being_typed(snap_compare: Compare) -> None:
    assert snap_compare(TraceApp(), terminal_size=USUAL, run_before=pressing("/", *"broke"))


def test_nothing_fits(snap_compare: Compare) -> None:
    assert snap_compare(TraceApp(), terminal_size=USUAL, run_before=pressing("/", *"zebra", "enter"))


@SIZES
def test_an_answer_opened(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(TraceApp(), terminal_size=size, run_before=pressing("f", "home", "j", "enter"))


def test_a_compaction_that_goes_on(snap_compare: Compare) -> None:
    assert snap_compare(TraceApp(compaction(0)[:4]), terminal_size=(80, 24), run_before=pressing())


def test_a_compaction_that_failed(snap_compare: Compare) -> None:
    events = [*compaction(0)[:4], (5.0, ev.CompactionFailed("k", BUSY, True, False))]
    assert snap_compare(TraceApp(events), terminal_size=(80, 24), run_before=pressing("k", "enter"))


@pytest.mark.parametrize("size", [(60, 20), USUAL], ids=["60x20", "120x40"])
def test_nothing_happened_yet(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(TraceApp([]), terminal_size=size, run_before=pressing())


def test_scrolled_up_while_more_comes(snap_compare: Compare) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        await pressing("home")(pilot)
        app = pilot.app
        assert isinstance(app, TraceApp)
        app.tell([(80 + number, ev.ModeChanged("full")) for number in range(7)])
        await pilot.pause()

    assert snap_compare(TraceApp(), terminal_size=(80, 24), run_before=prepare)


def test_hostile_words(snap_compare: Compare) -> None:
    words = "\x1b[31mred\x1b[0m [bold]no markup[/bold] \u202egnp.exe\u202c 你好 👩‍👩‍👧\r\nsecond line"
    events: list[tuple[float, ev.Event]] = [
        (0.0, ev.TurnStarted("p", words)),
        (1.0, ev.ToolStarted("c", words, {"command": words})),
        (2.0, ev.ToolFinished("c", words, words, False, 1.0)),
    ]
    assert snap_compare(TraceApp(events), terminal_size=(80, 24), run_before=pressing("k", "enter"))
