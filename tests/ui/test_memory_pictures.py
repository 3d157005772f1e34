"""How the summary pane, the preview and the banner look in each state; look at a picture before accepting it."""

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.compaction.coverage import CoverageReport
from diligent_tui.compaction.strategies.base import Written
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.screens.rewrite import RewriteScreen
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES as TABLE
from diligent_tui.ui.widgets.banner import Banner
from diligent_tui.ui.widgets.prompt import PromptInput
from tests.ui.panes.summary_stage import (
    SUMMARY,
    FakeMemory,
    SummaryApp,
    begun,
    cut_inside_a_turn,
    settled,
    three_versions,
    version,
)
from tests.ui.screens.preview_stage import NothingToCompact, PreviewApp, Talk

Prepare = Callable[[Pilot[None]], Awaitable[None]]
NARROW, USUAL, WIDE = (80, 24), (120, 40), (160, 50)
SIZES = pytest.mark.parametrize("size", [NARROW, USUAL, WIDE], ids=["80x24", "120x40", "160x50"])
THEMES = pytest.mark.parametrize("theme", ["light", "ansi"])


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return prepare


def trying(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.pause()

    return prepare


def full(theme: ThemeName = "dark") -> SummaryApp:
    return SummaryApp(FakeMemory(*three_versions()), theme)


@SIZES
def test_empty(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(SummaryApp(), terminal_size=size, run_before=pressing())


async def _stream(pilot: Pilot[None]) -> None:
    app = pilot.app
    assert isinstance(app, SummaryApp)
    await settled(pilot)
    app.pane.take(begun(*SUMMARY[:420].split(" ")[0:1], SUMMARY[:420].partition(" ")[2]))
    await settled(pilot)


@SIZES
def test_streaming(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(SummaryApp(), terminal_size=size, run_before=_stream)


@SIZES
def test_finished(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(SummaryApp(FakeMemory(cut_inside_a_turn())), terminal_size=size, run_before=pressing())


@THEMES
def test_finished_in_other_themes(snap_compare: Compare, theme: ThemeName) -> None:
    assert snap_compare(SummaryApp(FakeMemory(version()), theme), terminal_size=USUAL, run_before=pressing("G"))


@SIZES
def test_versions(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(full(), terminal_size=size, run_before=pressing("v", "j"))


@SIZES
def test_diff(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(full(), terminal_size=size, run_before=pressing("d"))


def test_diff_side_by_side(snap_compare: Compare) -> None:
    assert snap_compare(full(), terminal_size=USUAL, run_before=pressing("d", "d"))


@THEMES
def test_diff_in_other_themes(snap_compare: Compare, theme: ThemeName) -> None:
    assert snap_compare(full(theme), terminal_size=USUAL, run_before=pressing("d"))


@SIZES
def test_coverage(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(full(), terminal_size=size, run_before=pressing("c", "j"))


@THEMES
def test_coverage_in_other_themes(snap_compare: Compare, theme: ThemeName) -> None:
    assert snap_compare(full(theme), terminal_size=USUAL, run_before=pressing("c"))


@SIZES
def test_editing(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(full(), terminal_size=size, run_before=pressing("e", "down", "down", "end", *" now"))


@SIZES
def test_preview_with_a_moved_cut(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = PreviewApp(Talk(pinned=[4]), CompactionWish(focus="the loader"))
    keys = ("down", "k", "k", "x", "k", "k", "k", "p")
    assert snap_compare(app, terminal_size=size, run_before=trying(*keys))


@THEMES
def test_preview_in_other_themes(snap_compare: Compare, theme: ThemeName) -> None:
    app = PreviewApp(Talk(pinned=[4]), theme=theme)
    assert snap_compare(app, terminal_size=USUAL, run_before=trying("g", "x"))


@SIZES
def test_refusal_in_the_preview(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(PreviewApp(), terminal_size=size, run_before=trying("up"))


def test_nothing_to_preview(snap_compare: Compare) -> None:
    app = PreviewApp(NothingToCompact(), theme="light")
    assert snap_compare(app, terminal_size=NARROW, run_before=trying())


class Writing(App[None]):
    """A second summary over a screen; it is there already if it was written."""

    CSS_PATH = style_paths()

    def __init__(self, theme: ThemeName = "dark", *, is_written: bool = True) -> None:
        super().__init__()
        for known in TABLE.values():
            self.register_theme(known)
        self.theme = TABLE[theme].name
        self._is_written = is_written

    def on_mount(self) -> None:
        old, new = three_versions()[1:]
        screen = RewriteScreen("summarize", old.entry)
        self.push_screen(screen)
        screen.take(SUMMARY[:300])
        if self._is_written:
            screen.compare(Written(new.entry.model_copy(update={"tokens_after": 26_000}), CoverageReport()))


@SIZES
def test_two_summaries_to_choose_from(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(Writing(), terminal_size=size, run_before=trying())


def test_second_summary_being_written(snap_compare: Compare) -> None:
    assert snap_compare(Writing("light", is_written=False), terminal_size=USUAL, run_before=trying())


class Broken(App[None]):
    """A banner above a prompt."""

    CSS_PATH = style_paths()

    def __init__(self, theme: ThemeName = "dark") -> None:
        super().__init__()
        for known in TABLE.values():
            self.register_theme(known)
        self.theme = TABLE[theme].name

    def compose(self) -> ComposeResult:
        yield Static("The chat stands here. " * 20, markup=False)
        words = (
            "Not compacted: two tries in a row freed too little. Automatic compaction rests until you say otherwise."
        )
        yield Banner(f"{words} [/bold] \x1b[31m", ("retry", "strategy", "new"))
        yield PromptInput()


@SIZES
def test_banner(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(Broken(), terminal_size=size, run_before=trying("tab", *"half a pro"))


@THEMES
def test_banner_with_the_focus_in_other_themes(snap_compare: Compare, theme: ThemeName) -> None:
    assert snap_compare(Broken(theme), terminal_size=NARROW, run_before=trying())


def test_leaving_an_edit(snap_compare: Compare) -> None:
    assert snap_compare(full("light"), terminal_size=USUAL, run_before=pressing("e", "x", "escape"))
