"""How the tools pane and its diffs look in each of their states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.ui.opening import ThemeName
from tests.ui.panes.tools_stage import ToolsApp, Workshop, begun, busy, found

Prepare = Callable[[Pilot[None]], Awaitable[None]]
USUAL, NARROW, WIDE = (120, 40), (80, 24), (160, 50)
EDIT, TEST = ("k", "k"), ("k",)
"""The ways to two calls from the newest."""


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await found(pilot)

    return prepare


@pytest.mark.parametrize("size", [USUAL, NARROW], ids=["usual", "narrow"])
def test_empty(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(ToolsApp(), terminal_size=size, run_before=pressing())


@pytest.mark.parametrize("size", [(60, 20), NARROW, USUAL, WIDE], ids=["60x20", "80x24", "120x40", "160x50"])
def test_finished(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=size, run_before=pressing())


def test_running_with_its_output(snap_compare: Compare) -> None:
    async def prepare(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, ToolsApp)
        await pilot.pause()
        app.pane.take(begun())
        app.seconds += 12
        await pilot.press("enter")
        await pilot.pause()

    assert snap_compare(ToolsApp(busy()), terminal_size=USUAL, run_before=prepare)


def test_errors_only(snap_compare: Compare) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=USUAL, run_before=pressing("f", "f"))


def test_one_tool_only(snap_compare: Compare) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=USUAL, run_before=pressing("g", "f"))


def test_searching(snap_compare: Compare) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=USUAL, run_before=pressing("/", *"loader"))


@pytest.mark.parametrize("size", [NARROW, USUAL, WIDE], ids=["80x24", "120x40", "160x50"])
def test_details_of_an_error(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=size, run_before=pressing(*TEST, "enter"))


def test_details_of_a_pruned_output(snap_compare: Compare) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=USUAL, run_before=pressing("g", "enter"))


@pytest.mark.parametrize("theme", ["dark", "light", "ansi"])
def test_unified_diff(snap_compare: Compare, theme: ThemeName) -> None:
    assert snap_compare(ToolsApp(busy(), theme), terminal_size=WIDE, run_before=pressing(*EDIT, "enter"))


def test_unified_diff_narrow(snap_compare: Compare) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=NARROW, run_before=pressing(*EDIT, "enter"))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_side_by_side(snap_compare: Compare, theme: ThemeName) -> None:
    assert snap_compare(ToolsApp(busy(), theme), terminal_size=WIDE, run_before=pressing(*EDIT, "d"))


def test_side_by_side_usual(snap_compare: Compare) -> None:
    assert snap_compare(ToolsApp(busy()), terminal_size=USUAL, run_before=pressing(*EDIT, "d"))


@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_whole_output(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    (tmp_path / "whole.txt").write_text(
        "".join(f"\x1b[33m{n:06}\x1b[0m a line of a long output\n" for n in range(9_999))
    )
    shop = Workshop()
    shop.use("bash", {"command": "seq 9999"}, "000000\n…\n009998", spill="whole.txt", exit_code=0)
    keys = ("o", "w", *["pagedown"] * 3)
    assert snap_compare(ToolsApp(shop, spills=tmp_path), terminal_size=size, run_before=pressing(*keys))
