"""How memory looks around the chat in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.panes.context import ContextPane, sheet_of
from diligent_tui.ui.screens.context_at import ContextScreen
from tests.ui.album import USUAL, WIDE, Album
from tests.ui.panes.context_stage import BoardApp, listed, view_of
from tests.ui.stage import ask, blocks, make_app, ready, settled

Prepare = Callable[[Pilot[None]], Awaitable[None]]
SUMMARY = "## Goal\nMend the loader so that it reads each file once.\n\n## Progress\n- positions are kept in `Layer`\n"


def _always_as_long(_: float) -> str:
    return "11 s"


@pytest.fixture(autouse=True)
def _steady_durations(steady_figures: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.ui.format.duration", _always_as_long)


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await listed(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    return prepare


async def test_context(album: Album) -> None:
    await album.fill(BoardApp(), pressing("j"))


async def test_context_in_ansi(album: Album) -> None:
    await album.fill(BoardApp(theme="ansi"), pressing("j"), sizes=[USUAL], themes=["ansi"])


async def test_context_with_a_part_open(album: Album) -> None:
    await album.fill(BoardApp(), pressing(*"jjjj", "space"))


async def test_context_of_one_kind(album: Album) -> None:
    await album.fill(BoardApp(), pressing("f", "f", "f"))


async def test_context_searched(album: Album) -> None:
    await album.fill(BoardApp(), pressing("/", *"layer"))


@pytest.mark.parametrize("limit_tokens", [28_000, 25_000], ids=["getting-full", "almost-full"])
async def test_context_near_the_limit(album: Album, limit_tokens: int) -> None:
    app = BoardApp(view_of(limit_tokens=limit_tokens))
    await album.fill(app, pressing())


async def test_context_being_counted(album: Album) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        await pilot.pause()

    app = BoardApp()
    app.on_mount = lambda: None
    await album.fill(app, prepare)


async def test_context_at_an_entry(album: Album) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        await listed(pilot)
        screen = ContextScreen("Context at: why does the loader read the file twice?", sheet_of(view_of()))
        pilot.app.push_screen(screen)
        while not len(screen.board.parts.model.blocks):
            await pilot.pause(0.01)
        await pilot.press("j", "j", "space")
        await pilot.pause()

    await album.fill(BoardApp(), prepare)


async def filled(pilot: Pilot[int]) -> Core:
    """A talk of many files, with one prompt of its beginning pinned."""
    core = await ready(pilot)
    app = pilot.app
    assert isinstance(app, DiligentApp)
    assert core.session is not None
    for number in range(6):
        (app.opening.cwd / f"notes{number}.md").write_text(f"words of file {number}, and some more\n" * 320)
        await ask(pilot, f"read notes{number}.md")
    prompts = [node.id for node in core.session.conversation.path if node.is_prompt]
    await core.session.memory.pin(prompts[1])
    await settled(pilot)
    return core


async def compacted(pilot: Pilot[int]) -> Core:
    """The same after a compaction and one more turn."""
    core = await filled(pilot)
    assert core.session is not None
    assert await core.session.memory.compact(CompactionWish())
    await ask(pilot, "and now the schema")
    return core


async def on_the_compaction(pilot: Pilot[int], core: Core) -> None:
    """Put the cursor on the first compaction."""
    core.chat.focus()
    row = next(block for block in blocks(core.chat) if block.kind == "memory" and block.entry_id)
    core.chat.put_cursor(row.id)
    await pilot.pause()


async def test_compacted(tmp_path: Path, album: Album) -> None:
    async with album.open(make_app(tmp_path)) as pilot:
        core = await compacted(pilot)
        assert core.session is not None
        await album.take(pilot, "the newest words")
        core.chat.focus()
        core.chat.put_cursor(blocks(core.chat)[4].id)
        await album.take(pilot, "marks of the beginning")
        await on_the_compaction(pilot, core)
        await pilot.press("enter")
        await settled(pilot)
        await album.take(pilot, "opened")
        await core.session.memory.edit_summary(SUMMARY)
        await settled(pilot)
        await core.session.memory.undo()
        await settled(pilot)
        await on_the_compaction(pilot, core)
        await album.take(pilot, "edited and undone")


async def test_beside_the_context(tmp_path: Path, album: Album) -> None:
    async with album.open(make_app(tmp_path), WIDE) as pilot:
        await compacted(pilot)
        await pilot.press("f6")
        pane = pilot.app.screen.query_one(ContextPane)
        assert pane.looking is not None
        await pane.looking.wait()
        await settled(pilot)
        await album.take(pilot)


STARTED = ev.CompactionStarted("k", 26_000, 32_000, "auto", "threshold")
PRUNED = ev.CompactionPruned("k", 12, 31_000, ("read",))
WRITING = (ev.CompactionSummarising("k", 46, 600), ev.CompactionSummaryDelta("k", SUMMARY))
FAILED = ev.CompactionFailed("k", Problem("overloaded", "The model did not answer.", "Wait."), True, True)


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("pruning", (STARTED,)),
        ("summarising", (STARTED, PRUNED, *WRITING)),
        ("checking", (STARTED, *WRITING, ev.CompactionChecking("k"))),
        ("failed", (STARTED, *WRITING, FAILED)),
        ("pruned", (ev.CompactionPruned("u", 12, 31_000, ("read",)),)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_compaction_as_it_goes_on(tmp_path: Path, album: Album, name: str, events: tuple[ev.Event, ...]) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        core = await ready(pilot)
        await ask(pilot, "hello")
        assert core.session is not None
        for event in events:
            core.session.hub.publish(event)
        await settled(pilot)
        assert name

    await album.fill(make_app(tmp_path), prepare)


@pytest.mark.parametrize("tokens", [27_000, 31_500], ids=["getting-full", "almost-full"])
async def test_gauge_near_the_limit(tmp_path: Path, album: Album, tokens: int) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        core = await ready(pilot)
        app = pilot.app
        assert isinstance(app, DiligentApp)
        await ask(pilot, "hello")
        assert core.session is not None
        parts = (("system", 550), ("tools", 1_800), ("knowledge", 900), ("summary", 2_500), ("pins", 200))
        parts = (*parts, ("turns", tokens - sum(count for _, count in parts)))
        measured = replace(core.session.measure(), tokens=tokens, parts=parts)
        core.session.hub.publish(measured)
        await settled(pilot)

    await album.fill(make_app(tmp_path), prepare)
