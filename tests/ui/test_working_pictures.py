"""How a long work tells of itself in each place; look at a changed picture before accepting it."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.domain.progress import Tell
from diligent_tui.session.recall import Hit
from diligent_tui.ui.screens.charts import ChartsScreen, Figures
from diligent_tui.ui.screens.choice import ChoiceScreen
from diligent_tui.ui.screens.recall import RecallScreen
from diligent_tui.ui.screens.working import WorkingScreen
from diligent_tui.ui.travel import EXPORT_ANSWERS, EXPORT_WORDS
from tests.ui.album import Album
from tests.ui.screens.charts_stage import figures_of, long_session
from tests.ui.screens.recall_stage import Searched, a_session, clock
from tests.ui.screens.restore_stage import RestoreApp, grown
from tests.ui.screens.restore_stage import settled as restored
from tests.ui.screens.sessions_stage import BareApp

DONE, TOTAL = 340, 2_000


@pytest.fixture
def _two_seconds_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every work begins at 0 and is looked at for the first time two seconds later."""
    monkeypatch.setattr("diligent_tui.domain.progress.monotonic", _clock())


def _clock() -> Callable[[], float]:
    times: Iterator[float] = chain([0.0], repeat(2.0))
    return lambda: next(times)


@pytest.mark.usefixtures("_two_seconds_later")
async def test_a_box_while_a_session_is_exported(album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        screen = WorkingScreen("exporting")
        await pilot.app.push_screen(screen)
        screen.tell(DONE, TOTAL)
        await pilot.pause()

    await album.fill(BareApp(), prepare)


async def test_a_box_that_is_being_stopped(album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        screen = WorkingScreen("exporting")
        await pilot.app.push_screen(screen)
        screen.tell(DONE, TOTAL)
        await pilot.press("escape")

    await album.fill(BareApp(), prepare)


async def test_how_a_session_is_to_be_exported(album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await pilot.app.push_screen(ChoiceScreen("Export this session", EXPORT_WORDS, EXPORT_ANSWERS))

    await album.fill(BareApp(), prepare)


@pytest.mark.usefixtures("_two_seconds_later")
async def test_a_first_search_that_takes_a_session_in(album: Album) -> None:
    let_go = asyncio.Event()

    async def slow(_: str, tell: Tell) -> tuple[Hit, ...]:
        tell(DONE, TOTAL)
        await let_go.wait()
        return ()

    async def prepare(pilot: Pilot[int]) -> None:
        entries = Searched(a_session()).entries
        await pilot.app.push_screen(RecallScreen(slow, entries.__getitem__, "positions", clock=clock))
        await pilot.pause()

    await album.fill(BareApp(), prepare)


@pytest.mark.usefixtures("_two_seconds_later")
async def test_charts_that_are_being_read(album: Album) -> None:
    let_go = asyncio.Event()
    loop = asyncio.get_running_loop()

    def read(tell: Tell) -> Figures:
        tell(DONE, TOTAL)
        asyncio.run_coroutine_threadsafe(let_go.wait(), loop).result()
        return figures_of(long_session())

    async def prepare(pilot: Pilot[int]) -> None:
        await pilot.app.push_screen(ChartsScreen(lambda: read, str, "config loader"))
        await pilot.pause()

    async with album.open(BareApp()) as pilot:
        await prepare(pilot)
        await album.take(pilot)
        let_go.set()


async def test_files_that_are_being_restored(tmp_path: Path, album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    garden = grown(tmp_path)
    let_go = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(plan: object, also: object, tell: Tell) -> None:
        tell(DONE, TOTAL)
        asyncio.run_coroutine_threadsafe(let_go.wait(), loop).result()

    async with album.open(RestoreApp(garden)) as pilot:
        await restored(pilot)
        await pilot.press("enter")
        await restored(pilot)
        monkeypatch.setattr("diligent_tui.domain.progress.monotonic", _clock())
        monkeypatch.setattr(garden.history, "restore", slow)
        await pilot.press("r")
        await pilot.pause()
        await album.take(pilot)
        pilot.app.exit()
        let_go.set()
