"""How the tree and its dialogs look in each of their states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from diligent_tui.agent.comparison import BranchSide, Comparison
from diligent_tui.ui.screens.comparison import ComparisonScreen
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen
from diligent_tui.ui.screens.summarising import SummarisingScreen
from tests.ui.album import SIZES, SMALLEST, USUAL, Album
from tests.ui.panes.tree_stage import Garden, TreeApp, grown, searched, small

Dialog = LeaveBranchScreen | ComparisonScreen
Prepare = Callable[[Pilot[None]], Awaitable[None]]


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.press(*keys)
        await searched(pilot)

    return prepare


def opening(screen: Callable[[], Dialog], *keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        pilot.app.push_screen(screen())
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()

    return prepare


async def test_empty(album: Album) -> None:
    await album.fill(TreeApp(Garden()), pressing())


async def test_small(album: Album) -> None:
    await album.fill(TreeApp(small()), pressing("home"))


async def test_branches(album: Album) -> None:
    await album.fill(TreeApp(grown()), pressing(), sizes=[SMALLEST, *SIZES])


async def test_branches_in_ansi(album: Album) -> None:
    await album.fill(TreeApp(grown(), "ansi"), pressing(), sizes=[USUAL], themes=["ansi"])


@pytest.mark.parametrize(("name", "times"), [("no_tools", 1), ("prompts", 2), ("labelled", 3)])
async def test_filtered(album: Album, name: str, times: int) -> None:
    await album.fill(TreeApp(grown()), pressing(*"f" * times))


async def test_searching(album: Album) -> None:
    await album.fill(TreeApp(grown()), pressing("home", "/", *"schema"))


async def test_folded(album: Album) -> None:
    await album.fill(TreeApp(grown()), pressing("-", "home", "]", "left"))


async def test_no_labels(album: Album) -> None:
    await album.fill(TreeApp(small()), pressing(*"fff"))


async def test_label_being_typed(album: Album) -> None:
    await album.fill(TreeApp(grown()), pressing("l"))


async def test_marked_for_comparing(album: Album) -> None:
    await album.fill(TreeApp(grown()), pressing("home", "]", "m"))


async def test_leaving_a_branch(album: Album) -> None:
    prepare = opening(lambda: LeaveBranchScreen(12, "try-zod"))
    await album.fill(TreeApp(grown()), prepare)


async def test_leaving_a_branch_with_a_focus(album: Album) -> None:
    prepare = opening(lambda: LeaveBranchScreen(1, ""), "3", "enter", *"zod")
    await album.fill(TreeApp(grown()), prepare)


async def test_summarising(album: Album) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        screen = SummarisingScreen("12 entries of try-zod")
        pilot.app.push_screen(screen)
        await pilot.pause()
        for number in range(20):
            screen.take(f"- step {number}: the schema was tried on another layer, and its tests were run.\n")
        await pilot.pause()
        await pilot.pause()

    await album.fill(TreeApp(grown()), prepare)


COMPARISON = Comparison(
    "00000005",
    "Because `merge()` opens it again for the positions.\n\nTwo changes would do.",
    7,
    BranchSide(
        "00000017",
        11,
        ("what about a schema with zod instead of hand-written checks?", "and now the schema for layers"),
        ("src/loader.py", "src/schema.py"),
        ("src/schema.py", "src/layers.py", "tests/test_schema.py"),
        84_000,
        0.42,
        "try-zod",
    ),
    BranchSide("0000000f", 4, ("then remove it",), ("src/loader.py",), (), 9_100, None, "then remove it"),
)


async def test_comparison(album: Album) -> None:
    prepare = opening(lambda: ComparisonScreen(COMPARISON))
    await album.fill(TreeApp(grown()), prepare)
