"""How the summary pane, the preview and the banner look in each state; look at a picture before accepting it."""

from collections.abc import Awaitable, Callable

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
from tests.ui.album import FROM_WIDE, USUAL, Album
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


async def test_empty(album: Album) -> None:
    await album.fill(SummaryApp(), pressing())


async def _stream(pilot: Pilot[None]) -> None:
    app = pilot.app
    assert isinstance(app, SummaryApp)
    await settled(pilot)
    app.pane.take(begun(SUMMARY[:2], SUMMARY[2:420]))
    await settled(pilot)


async def test_streaming(album: Album) -> None:
    await album.fill(SummaryApp(), _stream)


async def test_finished(album: Album) -> None:
    await album.fill(SummaryApp(FakeMemory(cut_inside_a_turn())), pressing())


async def test_finished_in_ansi(album: Album) -> None:
    await album.fill(SummaryApp(FakeMemory(version()), "ansi"), pressing("G"), sizes=[USUAL], themes=["ansi"])


async def test_versions(album: Album) -> None:
    await album.fill(full(), pressing("v", "j"))


async def test_diff(album: Album) -> None:
    await album.fill(full(), pressing("d"))


async def test_diff_side_by_side(album: Album) -> None:
    await album.fill(full(), pressing("d", "d"), sizes=FROM_WIDE)


async def test_diff_in_ansi(album: Album) -> None:
    await album.fill(full("ansi"), pressing("d"), sizes=[USUAL], themes=["ansi"])


async def test_coverage(album: Album) -> None:
    await album.fill(full(), pressing("c", "j"))


async def test_coverage_in_ansi(album: Album) -> None:
    await album.fill(full("ansi"), pressing("c"), sizes=[USUAL], themes=["ansi"])


async def test_editing(album: Album) -> None:
    await album.fill(full(), pressing("e", "down", "down", "end", *" now"))


async def test_preview_with_a_moved_cut(album: Album) -> None:
    app = PreviewApp(Talk(pinned=[4]), CompactionWish(focus="the loader"))
    keys = ("down", "k", "k", "x", "k", "k", "k", "p")
    await album.fill(app, trying(*keys))


async def test_preview_in_ansi(album: Album) -> None:
    app = PreviewApp(Talk(pinned=[4]), theme="ansi")
    await album.fill(app, trying("g", "x"), sizes=[USUAL], themes=["ansi"])


async def test_refusal_in_the_preview(album: Album) -> None:
    await album.fill(PreviewApp(), trying("up"))


async def test_nothing_to_preview(album: Album) -> None:
    app = PreviewApp(NothingToCompact())
    await album.fill(app, trying())


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
        screen = RewriteScreen("strategy summarize", old.entry)
        self.push_screen(screen)
        screen.take(SUMMARY[:300])
        if self._is_written:
            screen.compare(Written(new.entry.model_copy(update={"tokens_after": 26_000}), CoverageReport()))


async def test_two_summaries_to_choose_from(album: Album) -> None:
    await album.fill(Writing(), trying())


async def test_second_summary_being_written(album: Album) -> None:
    await album.fill(Writing(is_written=False), trying())


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


async def test_banner(album: Album) -> None:
    await album.fill(Broken(), trying("tab", *"half a pro"))


async def test_banner_with_the_focus(album: Album) -> None:
    await album.fill(Broken(), trying())


async def test_banner_with_the_focus_in_ansi(album: Album) -> None:
    await album.fill(Broken("ansi"), trying(), sizes=[USUAL], themes=["ansi"])


async def test_leaving_an_edit(album: Album) -> None:
    await album.fill(full(), pressing("e", "x", "escape"))
