"""How the tools pane and its diffs look in each of their states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from tests.ui.album import FROM_WIDE, SIZES, SMALLEST, WIDE, Album
from tests.ui.panes.tools_stage import ToolsApp, Workshop, begun, busy, found

Prepare = Callable[[Pilot[None]], Awaitable[None]]
EDIT, TEST = ("k", "k"), ("k",)
"""The ways to two calls from the newest."""


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await found(pilot)

    return prepare


async def test_empty(album: Album) -> None:
    await album.fill(ToolsApp(), pressing())


async def test_finished(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing(), sizes=[SMALLEST, *SIZES])


async def test_running_with_its_output(album: Album) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, ToolsApp)
        await pilot.pause()
        app.pane.take(begun())
        app.seconds += 12
        await pilot.press("enter")
        await pilot.pause()

    await album.fill(ToolsApp(busy()), prepare)


async def test_errors_only(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing("f", "f"))


async def test_nothing_runs(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing("f", "f", "f"))


async def test_one_tool_only(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing("g", "f"))


async def test_searching(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing("/", *"loader"))


async def test_details_of_an_error(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing(*TEST, "enter"))


async def test_details_of_a_pruned_output(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing("g", "enter"))


async def test_unified_diff(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing(*EDIT, "enter"))


async def test_unified_diff_in_ansi(album: Album) -> None:
    await album.fill(ToolsApp(busy(), "ansi"), pressing(*EDIT, "enter"), sizes=[WIDE], themes=["ansi"])


async def test_side_by_side(album: Album) -> None:
    await album.fill(ToolsApp(busy()), pressing(*EDIT, "d"), sizes=FROM_WIDE)


async def test_whole_output(tmp_path: Path, album: Album) -> None:
    (tmp_path / "whole.txt").write_text(
        "".join(f"\x1b[33m{n:06}\x1b[0m a line of a long output\n" for n in range(9_999))
    )
    shop = Workshop()
    shop.use("bash", {"command": "seq 9999"}, "000000\n…\n009998", spill="whole.txt", exit_code=0)
    keys = ("o", "w", *["pagedown"] * 3)
    await album.fill(ToolsApp(shop, spills=tmp_path), pressing(*keys), sizes=FROM_WIDE)
