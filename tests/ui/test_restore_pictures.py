"""How the restore screen looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.ui.screens.restore_stage import Garden, RestoreApp, grown, pressed

SIZES = [(60, 20), (80, 24), (120, 40), (160, 50)]
WIDE, NARROW = (120, 40), (80, 24)


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


def pressing(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def prepare(pilot: Pilot[None]) -> None:
        await pressed(pilot, *keys)

    return prepare


def size_name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=size_name)
def test_empty(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(RestoreApp(Garden(tmp_path)), terminal_size=size, run_before=pressing())


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_turns(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(RestoreApp(grown(tmp_path)), terminal_size=size, run_before=pressing("j"))


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_preview(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    keys = pressing("j", "j", "j", "enter")
    assert snap_compare(RestoreApp(grown(tmp_path)), terminal_size=size, run_before=keys)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=size_name)
def test_preview_with_a_conflict(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    keys = pressing("j", "j", "j", "a", "j", "j", "j", "j")
    assert snap_compare(RestoreApp(grown(tmp_path)), terminal_size=size, run_before=keys)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=size_name)
def test_question(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    keys = pressing("j", "j", "enter", "r")
    assert snap_compare(RestoreApp(grown(tmp_path)), terminal_size=size, run_before=keys)


def test_refused(tmp_path: Path, snap_compare: Compare) -> None:
    assert snap_compare(RestoreApp(grown(tmp_path)), terminal_size=NARROW, run_before=pressing("j", "enter", "f"))


def test_restored(tmp_path: Path, snap_compare: Compare) -> None:
    assert snap_compare(RestoreApp(grown(tmp_path)), terminal_size=WIDE, run_before=pressing("enter", "r"))


@pytest.mark.parametrize("theme", ["light", "ansi"])
@pytest.mark.parametrize("keys", [("j",), ("j", "j", "j", "a", "j", "j", "j", "j")], ids=["turns", "conflict"])
def test_themes(tmp_path: Path, snap_compare: Compare, theme: str, keys: tuple[str, ...]) -> None:
    app = RestoreApp(grown(tmp_path), "light" if theme == "light" else "ansi")
    assert snap_compare(app, terminal_size=WIDE, run_before=pressing(*keys))
