"""How the sessions screen looks in each of its states; look at a changed picture before accepting it."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import pytest
from textual.pilot import Pilot

from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import ThemeName
from tests.session.drafts import answered, conversation, said
from tests.session.shelves import NOON_S, fill, note, put
from tests.ui.screens.sessions_stage import at_rest, open_sessions, sessions_of
from tests.ui.stage import make_app

DAY_S = 86_400
CURRENT = "20260102115800-0a1b2c"

Prepare = Callable[[Pilot[int]], Awaitable[None]]


class Compare(Protocol):
    def __call__(
        self, app: DiligentApp, *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[int]], Awaitable[None]]
    ) -> bool: ...


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


def picture(
    compare: Compare,
    folder: Path,
    size: tuple[int, int],
    *keys: str,
    make: Callable[[Path], object] = a_few,
    theme: ThemeName = "dark",
    current_id: str | None = CURRENT,
) -> None:
    sessions = sessions_of(folder)
    make(sessions)

    async def prepare(pilot: Pilot[int]) -> None:
        screen, _ = await open_sessions(pilot, sessions, current_id)
        for key in keys:
            await pilot.press(key)
            await at_rest(pilot, screen)

    assert compare(make_app(folder, theme=theme, trust_once=True), terminal_size=size, run_before=prepare)


def many(sessions: Path) -> None:
    fill(sessions, 300)


def none(_: Path) -> None:
    pass


def test_no_sessions_yet(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (100, 30), make=none)


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40), (160, 50)])
def test_a_few(tmp_path: Path, snap_compare: Compare, columns: int, rows: int) -> None:
    picture(snap_compare, tmp_path, (columns, rows), "down")


@pytest.mark.parametrize("theme", ["light", "ansi"])
def test_a_few_in_other_themes(tmp_path: Path, snap_compare: Compare, theme: ThemeName) -> None:
    picture(snap_compare, tmp_path, (120, 40), theme=theme)


def test_file_of_another_version(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "down", "down", "down")


def test_damaged_file(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "down", "down", "down", "down")


def test_many_scrolled(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "pagedown", "pagedown", "down", make=many)


def test_searching(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "/", *"number 29", make=many)


def test_no_match(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "/", *"swan song")


def test_renaming(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "down", "r", *"the long one")


def test_delete_question(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "down", "d")


def test_after_a_delete(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (120, 40), "down", "d", "y")


def test_after_a_delete_on_a_narrow_screen(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (80, 24), "down", "d", "y")


def test_current_session_is_not_deleted(tmp_path: Path, snap_compare: Compare) -> None:
    picture(snap_compare, tmp_path, (80, 24), "d")
