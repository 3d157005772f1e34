"""How the summary pane, the preview and the banner look in each state; look at a picture before accepting it."""

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.ui.opening import ThemeName
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


def test_leaving_an_edit(snap_compare: Compare) -> None:
    assert snap_compare(full("light"), terminal_size=USUAL, run_before=pressing("e", "x", "escape"))
