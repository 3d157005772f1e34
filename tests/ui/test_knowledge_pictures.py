"""How the knowledge pane looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.ui.opening import ThemeName
from tests.ui.panes.knowledge_stage import CANDIDATES, FEW, RETRACTED, KnowledgeApp, Line, fact, many, settled

Prepare = Callable[[Pilot[None]], Awaitable[None]]
NARROW, USUAL, WIDE = (80, 24), (120, 40), (160, 50)
SIZES = pytest.mark.parametrize("size", [NARROW, USUAL, WIDE], ids=["80x24", "120x40", "160x50"])
THEMES = pytest.mark.parametrize("theme", ["dark", "light"])
ALL = (*FEW, RETRACTED)
LONG = "\n".join(
    (
        "migrations run in three steps: the new column comes first, then the code that writes both, then the old goes",
        "each step is a release of its own, and none of them locks a table for longer than a second",
    )
)
CHAIN = (
    fact("c-1", LONG.replace("three", "two").replace("a second", "a minute"), "decision", days=40, author="model"),
    fact("c-2", LONG.replace("a second", "a minute"), "decision", days=12, supersedes="c-1", author="model"),
    fact("c-3", LONG, "decision", days=2, supersedes="c-2", author="user", tags=("database",), origin="p1"),
    fact("c-4", LONG, "correction", days=1, supersedes="c-3", author="user", tags=("database",), origin="p1"),
)


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)

    return prepare


class Picture:
    """Takes pictures of a pane over files of its own."""

    def __init__(self, folder: Path, compare: Compare) -> None:
        self._folder = folder
        self._compare = compare

    def __call__(
        self,
        lines: Sequence[Line],
        size: tuple[int, int],
        *keys: str,
        theme: ThemeName = "dark",
        candidates: Sequence[Candidate] = (),
    ) -> None:
        app = KnowledgeApp(self._folder, lines, candidates, theme)
        assert self._compare(app, terminal_size=size, run_before=pressing(*keys))


@pytest.fixture
def picture(tmp_path: Path, snap_compare: Compare) -> Picture:
    return Picture(tmp_path, snap_compare)


@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_empty(picture: Picture, size: tuple[int, int]) -> None:
    picture((), size)


@SIZES
def test_few(picture: Picture, size: tuple[int, int]) -> None:
    picture(ALL, size, "j", candidates=CANDIDATES)


@THEMES
@SIZES
def test_many(picture: Picture, size: tuple[int, int], theme: ThemeName) -> None:
    picture(many(), size, *["pagedown"] * 9, theme=theme)


def test_many_in_ansi(picture: Picture) -> None:
    picture(many(), USUAL, theme="ansi")


def test_smallest(picture: Picture) -> None:
    picture(ALL, (60, 20), "j", candidates=CANDIDATES)


@SIZES
def test_filtered(picture: Picture, size: tuple[int, int]) -> None:
    picture(many(), size, "t", "t", "/", *"cold start")


def test_filter_that_lets_nothing_through(picture: Picture) -> None:
    picture(ALL, USUAL, "t", "/", *"swans", "enter")


def test_past(picture: Picture) -> None:
    picture(ALL, USUAL, *"vvvv")


@THEMES
@SIZES
def test_editing(picture: Picture, size: tuple[int, int], theme: ThemeName) -> None:
    picture(ALL, size, "j", "e", *", never with pytest alone", "ctrl+j", *"it needs make's fixtures", theme=theme)


def test_choosing_a_type(picture: Picture) -> None:
    picture(ALL, USUAL, "a", *"swans are white", "shift+tab", "right")


def test_editing_at_the_smallest(picture: Picture) -> None:
    picture(ALL, (60, 20), "j", "e", *", never with pytest alone")


@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_much_the_same(picture: Picture, size: tuple[int, int]) -> None:
    picture(ALL, size, "a", *"settings are JSONC and TOML", "enter")


def test_a_secret_is_refused(picture: Picture) -> None:
    picture(ALL, USUAL, "a", *"the key is AKIAIOSFODNN7EXAMPLE", "enter")


def test_leaving_unsaved_words(picture: Picture) -> None:
    picture(ALL, USUAL, "a", *"swans", "escape")


@THEMES
@SIZES
def test_chain(picture: Picture, size: tuple[int, int], theme: ThemeName) -> None:
    picture((*ALL, *CHAIN), size, "/", *"three steps", "enter", "o", theme=theme)


@SIZES
def test_inbox(picture: Picture, size: tuple[int, int]) -> None:
    picture(ALL, size, "i", "j", candidates=CANDIDATES)


def test_empty_inbox(picture: Picture) -> None:
    picture(ALL, USUAL, "i")


def test_merging(picture: Picture) -> None:
    near = fact("k-json", "the settings are in JSONC and not in TOML", "decision", days=3)
    picture((*ALL, near), USUAL, "/", *"not TOML", "enter", "m")


@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_damage(picture: Picture, size: tuple[int, int]) -> None:
    picture((*ALL, b"{torn\n", b"nonsense\n"), size)


def test_on_the_whole_width(picture: Picture) -> None:
    picture((*ALL, *CHAIN), USUAL, "j", "w", candidates=CANDIDATES)
