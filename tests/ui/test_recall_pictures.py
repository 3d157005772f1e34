"""How the search over a session looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import ThemeName
from tests.ui.screens.recall_stage import at_rest, open_recall
from tests.ui.stage import make_app, ready


class Compare(Protocol):
    def __call__(
        self, app: DiligentApp, *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[int]], Awaitable[None]]
    ) -> bool: ...


def picture(
    compare: Compare,
    folder: Path,
    size: tuple[int, int],
    *keys: str,
    words: str = "positions of the loader",
    theme: ThemeName = "dark",
) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ready(pilot)
        screen, _, _ = await open_recall(pilot, words)
        for key in keys:
            await pilot.press(key)
            await at_rest(pilot, screen)

    assert compare(make_app(folder, theme=theme, trust_once=True), terminal_size=size, run_before=prepare)


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40), (160, 50)])
def test_some_hits(tmp_path: Path, snap_compare: Compare, columns: int, rows: int) -> None:
    picture(snap_compare, tmp_path, (columns, rows), "down")


@pytest.mark.parametrize("theme", ["light", "ansi"])
def test_some_hits_in_other_themes(tmp_path: Path, snap_compare: Compare, theme: ThemeName) -> None:
    picture(snap_compare, tmp_path, (120, 40), theme=theme)


def test_a_long_text_read_on_with_the_keys(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "tab", "J", "J", "space", words="LIMIT_7")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_before_a_word_is_typed(tmp_path: Path, snap_compare: Compare, columns: int, rows: int) -> None:
    picture(snap_compare, tmp_path, (columns, rows), words="")


def test_nothing_found(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (80, 24), words="zebra")
