"""How the tree and its dialogs look in each of their states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.agent.comparison import BranchSide, Comparison
from diligent_tui.ui.screens.comparison import ComparisonScreen
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen
from diligent_tui.ui.screens.summarising import SummarisingScreen
from tests.ui.panes.tree_stage import Garden, TreeApp, grown, searched, small

Dialog = LeaveBranchScreen | ComparisonScreen
Prepare = Callable[[Pilot[None]], Awaitable[None]]
WIDE, NARROW = (120, 40), (80, 24)


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


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


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_empty(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(TreeApp(Garden()), terminal_size=size, run_before=pressing())


def test_small(snap_compare: Compare) -> None:
    assert snap_compare(TreeApp(small()), terminal_size=WIDE, run_before=pressing("home"))


@pytest.mark.parametrize("size", [(60, 20), NARROW, WIDE, (160, 50)], ids=["60x20", "80x24", "120x40", "160x50"])
def test_branches(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(TreeApp(grown()), terminal_size=size, run_before=pressing())


def test_branches_in_light(snap_compare: Compare) -> None:
    assert snap_compare(TreeApp(grown(), "light"), terminal_size=(160, 50), run_before=pressing())


def test_branches_in_ansi(snap_compare: Compare) -> None:
    assert snap_compare(TreeApp(grown(), "ansi"), terminal_size=WIDE, run_before=pressing())


@pytest.mark.parametrize(("name", "times"), [("no_tools", 1), ("prompts", 2), ("labelled", 3)])
def test_filtered(snap_compare: Compare, name: str, times: int) -> None:
    assert snap_compare(TreeApp(grown()), terminal_size=(160, 50), run_before=pressing(*"f" * times))


def test_searching(snap_compare: Compare) -> None:
    assert snap_compare(TreeApp(grown()), terminal_size=(160, 50), run_before=pressing("home", "/", *"schema"))


def test_folded(snap_compare: Compare) -> None:
    assert snap_compare(TreeApp(grown()), terminal_size=(160, 50), run_before=pressing("-", "home", "]", "left"))


def test_label_being_typed(snap_compare: Compare) -> None:
    assert snap_compare(TreeApp(grown()), terminal_size=WIDE, run_before=pressing("l"))


def test_marked_for_comparing(snap_compare: Compare) -> None:
    assert snap_compare(TreeApp(grown()), terminal_size=WIDE, run_before=pressing("home", "]", "m"))


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_leaving_a_branch(snap_compare: Compare, size: tuple[int, int]) -> None:
    prepare = opening(lambda: LeaveBranchScreen(12, "try-zod"))
    assert snap_compare(TreeApp(grown()), terminal_size=size, run_before=prepare)


def test_leaving_a_branch_with_a_focus(snap_compare: Compare) -> None:
    prepare = opening(lambda: LeaveBranchScreen(1, ""), "3", *"zod")
    assert snap_compare(TreeApp(grown()), terminal_size=NARROW, run_before=prepare)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_summarising(snap_compare: Compare, size: tuple[int, int]) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        screen = SummarisingScreen("12 entries of try-zod")
        pilot.app.push_screen(screen)
        await pilot.pause()
        for number in range(20):
            screen.take(f"- step {number}: the schema was tried on another layer, and its tests were run.\n")
        await pilot.pause()
        await pilot.pause()

    assert snap_compare(TreeApp(grown()), terminal_size=size, run_before=prepare)


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
    ),
    BranchSide("0000000f", 4, ("then remove it",), ("src/loader.py",), (), 9_100, None),
)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_comparison(snap_compare: Compare, size: tuple[int, int]) -> None:
    prepare = opening(lambda: ComparisonScreen(COMPARISON))
    assert snap_compare(TreeApp(grown()), terminal_size=size, run_before=prepare)
