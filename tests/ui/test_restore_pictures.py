"""How the restore screen looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.ui.album import SIZES, SMALLEST, USUAL, Album
from tests.ui.screens.restore_stage import Garden, RestoreApp, grown, pressed


def pressing(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def prepare(pilot: Pilot[None]) -> None:
        await pressed(pilot, *keys)

    return prepare


async def test_empty(tmp_path: Path, album: Album) -> None:
    await album.fill(RestoreApp(Garden(tmp_path)), pressing())


async def test_turns(tmp_path: Path, album: Album) -> None:
    await album.fill(RestoreApp(grown(tmp_path)), pressing("j"), sizes=[SMALLEST, *SIZES])


async def test_preview(tmp_path: Path, album: Album) -> None:
    keys = pressing("j", "j", "j", "enter")
    await album.fill(RestoreApp(grown(tmp_path)), keys, sizes=[SMALLEST, *SIZES])


async def test_preview_with_a_conflict(tmp_path: Path, album: Album) -> None:
    keys = pressing("j", "j", "j", "a", "j", "j", "j", "j")
    await album.fill(RestoreApp(grown(tmp_path)), keys)


async def test_question(tmp_path: Path, album: Album) -> None:
    keys = pressing("j", "j", "enter", "r")
    await album.fill(RestoreApp(grown(tmp_path)), keys)


async def test_refused(tmp_path: Path, album: Album) -> None:
    await album.fill(RestoreApp(grown(tmp_path)), pressing("j", "enter", "f"))


async def test_restored(tmp_path: Path, album: Album) -> None:
    await album.fill(RestoreApp(grown(tmp_path)), pressing("enter", "r"))


@pytest.mark.parametrize("keys", [("j",), ("j", "j", "j", "a", "j", "j", "j", "j")], ids=["turns", "conflict"])
async def test_in_ansi(tmp_path: Path, album: Album, keys: tuple[str, ...]) -> None:
    app = RestoreApp(grown(tmp_path), "ansi")
    await album.fill(app, pressing(*keys), sizes=[USUAL], themes=["ansi"])
