"""How the charts look; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.ui.opening import ThemeName
from tests.ui.screens.charts_stage import ChartsApp, Log, drawn, long_session

Prepare = Callable[[Pilot[None]], Awaitable[None]]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)], ids=["80x24", "120x40", "160x50"])
USUAL = (120, 40)


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await drawn(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    return prepare


@pytest.mark.parametrize("theme", ["dark", "light", "ansi"])
@SIZES
def test_charts(snap_compare: Compare, size: tuple[int, int], theme: ThemeName) -> None:
    assert snap_compare(ChartsApp(long_session(), theme), terminal_size=size, run_before=pressing())


def test_charts_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(ChartsApp(long_session()), terminal_size=USUAL, run_before=pressing("left"))


@SIZES
def test_a_turn_is_pointed_at(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(ChartsApp(long_session()), terminal_size=size, run_before=pressing("home", *["right"] * 16))


def test_the_rest_of_a_small_screen(snap_compare: Compare) -> None:
    assert snap_compare(ChartsApp(long_session()), terminal_size=(80, 24), run_before=pressing("pagedown"))


def test_the_end_of_a_small_screen(snap_compare: Compare) -> None:
    app = ChartsApp(long_session())
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing("pagedown", "pagedown"))


def test_one_turn(snap_compare: Compare) -> None:
    log = Log()
    log.ask("hello", 4_000)
    assert snap_compare(ChartsApp(log), terminal_size=USUAL, run_before=pressing())


def test_a_model_without_prices(snap_compare: Compare) -> None:
    app = ChartsApp(long_session(), is_priced=False)
    assert snap_compare(app, terminal_size=USUAL, run_before=pressing())


def test_very_many_turns(snap_compare: Compare) -> None:
    log = Log()
    for number in range(1_500):
        log.ask(f"turn {number}", 8_000 + number % 300 * 600)
    assert snap_compare(ChartsApp(log), terminal_size=USUAL, run_before=pressing("end", "left", "left"))


@pytest.mark.parametrize("size", [(60, 20), USUAL], ids=["60x20", "120x40"])
def test_nothing_said_yet(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(ChartsApp(Log()), terminal_size=size, run_before=pressing())
