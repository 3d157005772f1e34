"""How memory looks around the chat in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.context import ContextPane, sheet_of
from diligent_tui.ui.screens.context_at import ContextScreen
from tests.ui.panes.context_stage import BoardApp, listed, view_of
from tests.ui.stage import ask, blocks, make_app, ready, settled

Prepare = Callable[[Pilot[None]], Awaitable[None]]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)], ids=["80x24", "120x40", "160x50"])
BOTH_THEMES = pytest.mark.parametrize("theme", ["dark", "light"])
USUAL = (120, 40)
SUMMARY = "## Goal\nMend the loader so that it reads each file once.\n\n## Progress\n- positions are kept in `Layer`\n"


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


class CompareApp(Protocol):
    def __call__(
        self, app: DiligentApp, *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[int]], Awaitable[None]]
    ) -> bool: ...


def _always_as_long(_: float) -> str:
    return "11 s"


def _same_words_everywhere(*_: object) -> str:
    return "Be good.\n"


@pytest.fixture(autouse=True)
def _steady_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.ui.format.duration", _always_as_long)
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", _same_words_everywhere)


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await listed(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    return prepare


@BOTH_THEMES
@SIZES
def test_context(snap_compare: Compare, size: tuple[int, int], theme: ThemeName) -> None:
    assert snap_compare(BoardApp(theme=theme), terminal_size=size, run_before=pressing("j"))


def test_context_in_ansi(snap_compare: Compare) -> None:
    assert snap_compare(BoardApp(theme="ansi"), terminal_size=USUAL, run_before=pressing("j"))


@SIZES
def test_context_with_a_part_open(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(BoardApp(), terminal_size=size, run_before=pressing(*"jjjj", "space"))


def test_context_of_one_kind(snap_compare: Compare) -> None:
    assert snap_compare(BoardApp(), terminal_size=USUAL, run_before=pressing("f", "f", "f"))


def test_context_searched(snap_compare: Compare) -> None:
    assert snap_compare(BoardApp(), terminal_size=USUAL, run_before=pressing("/", *"layer"))


@BOTH_THEMES
@pytest.mark.parametrize("limit_tokens", [28_000, 25_000], ids=["getting-full", "almost-full"])
def test_context_near_the_limit(snap_compare: Compare, theme: ThemeName, limit_tokens: int) -> None:
    app = BoardApp(view_of(limit_tokens=limit_tokens), theme)
    assert snap_compare(app, terminal_size=USUAL, run_before=pressing())


def test_context_being_counted(snap_compare: Compare) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        await pilot.pause()

    app = BoardApp()
    app.on_mount = lambda: None
    assert snap_compare(app, terminal_size=USUAL, run_before=prepare)


@SIZES
def test_context_at_an_entry(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        await listed(pilot)
        screen = ContextScreen("Context at: why does the loader read the file twice?", sheet_of(view_of()))
        pilot.app.push_screen(screen)
        while not len(screen.board.parts.model.blocks):
            await pilot.pause(0.01)
        await pilot.press("j", "j", "space")
        await pilot.pause()

    assert snap_compare(BoardApp(), terminal_size=size, run_before=prepare)


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


@BOTH_THEMES
@SIZES
def test_compacted(tmp_path: Path, snap_compare: CompareApp, size: tuple[int, int], theme: ThemeName) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await compacted(pilot)

    assert snap_compare(make_app(tmp_path, theme=theme), terminal_size=size, run_before=prepare)


@BOTH_THEMES
def test_marks_of_the_beginning(tmp_path: Path, snap_compare: CompareApp, theme: ThemeName) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        core = await compacted(pilot)
        core.chat.focus()
        core.chat.put_cursor(blocks(core.chat)[4].id)
        await pilot.pause()

    assert snap_compare(make_app(tmp_path, theme=theme), terminal_size=USUAL, run_before=prepare)


async def on_the_compaction(pilot: Pilot[int], core: Core) -> None:
    """Put the cursor on the first compaction."""
    core.chat.focus()
    row = next(block for block in blocks(core.chat) if block.kind == "memory" and block.entry_id)
    core.chat.put_cursor(row.id)
    await pilot.pause()


@BOTH_THEMES
def test_compaction_opened(tmp_path: Path, snap_compare: CompareApp, theme: ThemeName) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        core = await compacted(pilot)
        await on_the_compaction(pilot, core)
        await pilot.press("enter")
        await settled(pilot)

    assert snap_compare(make_app(tmp_path, theme=theme), terminal_size=USUAL, run_before=prepare)


def test_edited_and_undone(tmp_path: Path, snap_compare: CompareApp) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        core = await compacted(pilot)
        assert core.session is not None
        await core.session.memory.edit_summary(SUMMARY)
        await core.session.memory.undo()
        await settled(pilot)
        await on_the_compaction(pilot, core)

    assert snap_compare(make_app(tmp_path), terminal_size=USUAL, run_before=prepare)


def test_beside_the_context(tmp_path: Path, snap_compare: CompareApp) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await compacted(pilot)
        await pilot.press("f6")
        pane = pilot.app.screen.query_one(ContextPane)
        assert pane.looking is not None
        await pane.looking.wait()
        await settled(pilot)

    assert snap_compare(make_app(tmp_path), terminal_size=(160, 50), run_before=prepare)


STARTED = ev.CompactionStarted("k", 26_000, 32_000, "auto", "threshold")
PRUNED = ev.CompactionPruned("k", 12, 31_000, ("read",))
WRITING = (ev.CompactionSummarising("k", 46), ev.CompactionSummaryDelta("k", SUMMARY))
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
@pytest.mark.parametrize("size", [(80, 24), USUAL], ids=["80x24", "120x40"])
def test_compaction_as_it_goes_on(
    tmp_path: Path, snap_compare: CompareApp, name: str, events: tuple[ev.Event, ...], size: tuple[int, int]
) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        core = await ready(pilot)
        await ask(pilot, "hello")
        assert core.session is not None
        for event in events:
            core.session.hub.publish(event)
        await settled(pilot)
        assert name

    assert snap_compare(make_app(tmp_path), terminal_size=size, run_before=prepare)


@BOTH_THEMES
@pytest.mark.parametrize("tokens", [27_000, 31_500], ids=["getting-full", "almost-full"])
@pytest.mark.parametrize("columns", [80, 120])
def test_gauge_near_the_limit(
    tmp_path: Path, snap_compare: CompareApp, theme: ThemeName, tokens: int, columns: int
) -> None:
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

    assert snap_compare(make_app(tmp_path, theme=theme), terminal_size=(columns, 24), run_before=prepare)
