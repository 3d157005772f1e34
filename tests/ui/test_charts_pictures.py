"""How the charts look; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from tests.ui.album import NARROW, SIZES, SMALLEST, USUAL, Album
from tests.ui.screens.charts_stage import FREE, ChartsApp, Log, drawn, long_session

Prepare = Callable[[Pilot[None]], Awaitable[None]]


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await drawn(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    return prepare


async def test_charts(album: Album) -> None:
    await album.fill(ChartsApp(long_session()), pressing())


async def test_charts_in_ansi(album: Album) -> None:
    await album.fill(ChartsApp(long_session(), "ansi"), pressing(), themes=["ansi"])


async def test_charts_without_colour(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    await album.fill(ChartsApp(long_session()), pressing("left"), sizes=[USUAL], themes=["dark"])


async def test_a_turn_is_pointed_at(album: Album) -> None:
    await album.fill(ChartsApp(long_session()), pressing("home", *["right"] * 16))


async def test_the_rest_of_a_small_screen(album: Album) -> None:
    await album.fill(ChartsApp(long_session()), pressing("pagedown"), sizes=[NARROW])


async def test_the_end_of_a_small_screen(album: Album) -> None:
    app = ChartsApp(long_session())
    await album.fill(app, pressing("pagedown", "pagedown"), sizes=[NARROW])


async def test_one_turn(album: Album) -> None:
    log = Log()
    log.ask("hello", 4_000)
    await album.fill(ChartsApp(log), pressing())


async def test_a_model_without_prices(album: Album) -> None:
    app = ChartsApp(long_session(), model=None)
    await album.fill(app, pressing())


async def test_a_model_that_is_free(album: Album) -> None:
    await album.fill(ChartsApp(long_session(), model=FREE), pressing())


async def test_a_long_log_is_being_read(album: Album) -> None:
    app = ChartsApp(long_session())
    app.may_read.clear()
    async with album.open(app) as pilot:
        await pilot.pause()
        await album.take(pilot)
        app.may_read.set()


async def test_very_many_turns(album: Album) -> None:
    log = Log()
    for number in range(1_500):
        log.ask(f"question {number + 1}", 8_000 + number % 300 * 600)
    await album.fill(ChartsApp(log), pressing("end", "left", "left"))


async def test_nothing_said_yet(album: Album) -> None:
    await album.fill(ChartsApp(Log()), pressing(), sizes=[SMALLEST, *SIZES])
