"""How the trace looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from itertools import chain

import pytest
from textual.pilot import Pilot

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from tests.ui.album import SIZES, SMALLEST, USUAL, Album
from tests.ui.panes.trace_stage import BUSY, TraceApp, answer, compaction, listed, story

Prepare = Callable[[Pilot[None]], Awaitable[None]]


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await listed(pilot)
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.pause()

    return prepare


async def test_trace(album: Album) -> None:
    await album.fill(TraceApp(), pressing())


async def test_trace_in_ansi(album: Album) -> None:
    await album.fill(TraceApp(theme="ansi"), pressing("k"), sizes=[USUAL], themes=["ansi"])


async def test_trace_without_colour(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    await album.fill(TraceApp(), pressing("k"), sizes=[USUAL], themes=["dark"])


async def test_a_compaction_opened(album: Album) -> None:
    keys = ("f", "f", "f", "home", "j", "enter")
    await album.fill(TraceApp(story()[1:]), pressing(*keys))


@pytest.mark.parametrize("group", ["requests", "tools", "memory", "session"])
async def test_rows_of_one_kind(album: Album, group: str) -> None:
    count = ("requests", "tools", "memory", "session").index(group) + 1
    await album.fill(TraceApp(), pressing(*["f"] * count))


async def test_only_problems(album: Album) -> None:
    await album.fill(TraceApp(), pressing("!", "home", "enter"))


async def test_words_being_typed(album: Album) -> None:
    await album.fill(TraceApp(), pressing("/", *"broke"))


async def test_nothing_fits(album: Album) -> None:
    await album.fill(TraceApp(), pressing("/", *"zebra", "enter"))


async def test_an_answer_opened(album: Album) -> None:
    await album.fill(TraceApp(), pressing("f", "home", "j", "enter"))


async def test_a_compaction_that_goes_on(album: Album) -> None:
    await album.fill(TraceApp(compaction(0)[:4]), pressing())


async def test_a_compaction_that_failed(album: Album) -> None:
    events = [*compaction(0)[:4], (5.0, ev.CompactionFailed("k", BUSY, True, False))]
    await album.fill(TraceApp(events), pressing("enter"))


async def test_a_compaction_that_was_stopped(album: Album) -> None:
    stopped = Problem("interrupted", "The compaction was stopped; nothing was changed.", "Compact again when you like.")
    events = [*compaction(0)[:4], (5.0, ev.CompactionFailed("k", stopped, True, False))]
    await album.fill(TraceApp(events), pressing("enter"))


async def test_why_the_cache_broke(album: Album) -> None:
    reasons = (
        "tools changed",
        "system prompt changed",
        "thinking level changed",
        "message 7 changed",
        "outputs pruned: message 9 changed",
        "compaction undone",
        "moved to another place: message 3 changed",
    )
    requests = (answer(3.0 * place, f"m{place}", 9_000, 31_000, broke=why) for place, why in enumerate(reasons, 1))
    await album.fill(TraceApp([*answer(0, "m0", 0, 30_000), *chain(*requests)]), pressing("k", "enter"))


async def test_nothing_happened_yet(album: Album) -> None:
    await album.fill(TraceApp([]), pressing(), sizes=[SMALLEST, *SIZES])


async def test_scrolled_up_while_more_comes(album: Album) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        await pressing("home")(pilot)
        app = pilot.app
        assert isinstance(app, TraceApp)
        app.tell([(80 + number, ev.ModeChanged("full")) for number in range(7)])
        await pilot.pause()

    await album.fill(TraceApp(), prepare)


async def test_hostile_words(album: Album) -> None:
    words = "\x1b[31mred\x1b[0m [bold]no markup[/bold] \u202egnp.exe\u202c 你好 👩‍👩‍👧\r\nsecond line"
    events: list[tuple[float, ev.Event]] = [
        (0.0, ev.TurnStarted("p", words)),
        (1.0, ev.ToolStarted("c", words, {"command": words})),
        (2.0, ev.ToolFinished("c", words, words, False, 1.0)),
    ]
    await album.fill(TraceApp(events), pressing("enter"))
