"""How the sessions screen looks in each of its states; look at a changed picture before accepting it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.ui.opening import ThemeName
from tests.session.drafts import answered, conversation, said
from tests.session.shelves import NOON_S, fill, note, put
from tests.ui.album import BOTH, SIZES, SMALLEST, USUAL, Album, Size
from tests.ui.screens.sessions_stage import BareApp, at_rest, open_sessions

DAY_S = 86_400
CURRENT = "20260102115800-0a1b2c"


def a_few(sessions: Path) -> None:
    put(
        sessions,
        CURRENT,
        said("00000001", None, "why does the loader read the file twice?"),
        answered(
            "00000002", "00000001", "Because `merge()` opens it again for the positions.\n\nTwo changes would do."
        ),
        said("00000003", "00000002", "then make them"),
        answered("00000004", "00000003", "Done: `Layer` keeps its text, and positions are passed along."),
        note(84_200, name="refactor config loader", cost=0.42, compactions=3),
    )
    put(
        sessions,
        "20260102101500-77c0de",
        *conversation(14),
        said("000000f1", "00000c03", "prompt 13 said in another way"),
        note(1_240_000, cost=3.1, compactions=1),
        age_s=3_700,
    )
    put(
        sessions,
        "20251231081500-beef01",
        said(
            "00000001", None, "Überarbeite die Größenprüfung für 你好 und 🦢 files, please, and say which ones changed"
        ),
        answered("00000002", "00000001", "Three files changed."),
        CompactionEntry(id="00000003", parent_id="00000002", summary="all of it", first_kept_entry_id="00000002"),
        age_s=2 * DAY_S,
    )
    put(
        sessions,
        "20251230081500-c0ffee",
        said("00000001", None, "hello"),
        note(12, cost=0),
        header={"version": 4},
        age_s=3 * DAY_S,
    )
    put(
        sessions,
        "20251229081500-dead00",
        said("00000001", None, "half of it"),
        b"{torn\n",
        note(7_000),
        age_s=4 * DAY_S,
    )
    empty = sessions / "20251228081500-000000.jsonl"
    empty.write_bytes(b"")
    os.utime(empty, (NOON_S - 5 * DAY_S, NOON_S - 5 * DAY_S))


async def pictures(
    album: Album,
    folder: Path,
    *keys: str,
    make: Callable[[Path], object] = a_few,
    sizes: Sequence[Size] = SIZES,
    themes: Sequence[ThemeName] = BOTH,
) -> None:
    sessions = folder / "sessions"
    make(sessions)

    async def prepare(pilot: Pilot[int]) -> None:
        screen, _ = await open_sessions(pilot, sessions, CURRENT)
        for key in keys:
            await pilot.press(key)
            await at_rest(pilot, screen)

    await album.fill(BareApp(themes[0]), prepare, sizes=sizes, themes=themes)


def many(sessions: Path) -> None:
    fill(sessions, 300)


def none(_: Path) -> None:
    pass


async def test_no_sessions_yet(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, make=none)


async def test_a_few(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "down", sizes=[SMALLEST, *SIZES])


async def test_a_few_in_ansi(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, sizes=[USUAL], themes=["ansi"])


async def test_file_of_another_version(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "down", "down", "down")


async def test_damaged_file(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "down", "down", "down", "down")


async def test_many_scrolled(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "pagedown", "pagedown", "down", make=many)


async def test_searching(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "/", *"number 29", make=many)


async def test_no_match(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "/", *"swan song")


async def test_renaming(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "down", "r", *"the long one")


async def test_delete_question(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "down", "d")


async def test_after_a_delete(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "down", "d", "y")


async def test_current_session_is_not_deleted(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, "d")
