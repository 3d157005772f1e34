"""How the knowledge pane looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.ui.opening import ThemeName
from tests.ui.album import BOTH, SIZES, SMALLEST, USUAL, Album, Size
from tests.ui.panes.knowledge_stage import CANDIDATES, FEW, RETRACTED, KnowledgeApp, Line, fact, many, settled

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


class Pictures:
    """Takes pictures of a pane over files of its own, after some keys."""

    def __init__(self, folder: Path, album: Album) -> None:
        self._folder = folder
        self._album = album

    async def __call__(
        self,
        lines: Sequence[Line],
        *keys: str,
        candidates: Sequence[Candidate] = (),
        sizes: Sequence[Size] = SIZES,
        themes: Sequence[ThemeName] = BOTH,
    ) -> None:
        async def prepare(pilot: Pilot[None]) -> None:
            await settled(pilot)
            await pilot.press(*keys)
            await settled(pilot)

        app = KnowledgeApp(self._folder, lines, candidates, themes[0])
        await self._album.fill(app, prepare, sizes=sizes, themes=themes)


@pytest.fixture
def pictures(tmp_path: Path, album: Album) -> Pictures:
    return Pictures(tmp_path, album)


async def test_empty(pictures: Pictures) -> None:
    await pictures(())


async def test_few(pictures: Pictures) -> None:
    await pictures(ALL, "j", candidates=CANDIDATES)


async def test_many(pictures: Pictures) -> None:
    await pictures(many(), *["pagedown"] * 9)


async def test_many_in_ansi(pictures: Pictures) -> None:
    await pictures(many(), sizes=[USUAL], themes=["ansi"])


async def test_smallest(pictures: Pictures) -> None:
    await pictures(ALL, "j", candidates=CANDIDATES, sizes=[SMALLEST])


async def test_filtered(pictures: Pictures) -> None:
    await pictures(many(), "t", "t", "/", *"cold start")


async def test_filter_that_lets_nothing_through(pictures: Pictures) -> None:
    await pictures(ALL, "t", "/", *"swans", "enter")


async def test_past(pictures: Pictures) -> None:
    await pictures(ALL, *"vvvv")


async def test_editing(pictures: Pictures) -> None:
    await pictures(ALL, "j", "e", *", never with pytest alone", "ctrl+j", *"it needs make's fixtures")


async def test_choosing_a_type(pictures: Pictures) -> None:
    await pictures(ALL, "a", *"swans are white", "shift+tab", "right")


async def test_editing_at_the_smallest(pictures: Pictures) -> None:
    await pictures(ALL, "j", "e", *", never with pytest alone", sizes=[SMALLEST])


async def test_much_the_same(pictures: Pictures) -> None:
    await pictures(ALL, "a", *"settings are JSONC and TOML", "enter")


async def test_a_secret_is_refused(pictures: Pictures) -> None:
    await pictures(ALL, "a", *"the key is AKIAIOSFODNN7EXAMPLE", "enter")


async def test_leaving_unsaved_words(pictures: Pictures) -> None:
    await pictures(ALL, "a", *"swans", "escape")


async def test_chain(pictures: Pictures) -> None:
    await pictures((*ALL, *CHAIN), "/", *"three steps", "enter", "o")


async def test_inbox(pictures: Pictures) -> None:
    await pictures(ALL, "i", "j", candidates=CANDIDATES)


async def test_empty_inbox(pictures: Pictures) -> None:
    await pictures(ALL, "i")


async def test_merging(pictures: Pictures) -> None:
    near = fact("k-json", "the settings are in JSONC and not in TOML", "decision", days=3)
    await pictures((*ALL, near), "/", *"not TOML", "enter", "m")


async def test_damage(pictures: Pictures) -> None:
    await pictures((*ALL, b"{torn\n", b"nonsense\n"))


async def test_on_the_whole_width(pictures: Pictures) -> None:
    await pictures((*ALL, *CHAIN), "j", "w", candidates=CANDIDATES)
