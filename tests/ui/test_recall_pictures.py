"""How the search over a session looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Sequence

from textual.pilot import Pilot

from diligent_tui.ui.opening import ThemeName
from tests.ui.album import BOTH, SIZES, SMALLEST, USUAL, Album, Size
from tests.ui.screens.recall_stage import at_rest, open_recall
from tests.ui.screens.sessions_stage import BareApp


async def pictures(
    album: Album,
    *keys: str,
    words: str = "positions of the loader",
    sizes: Sequence[Size] = SIZES,
    themes: Sequence[ThemeName] = BOTH,
) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        screen, _, _ = await open_recall(pilot, words)
        for key in keys:
            await pilot.press(key)
            await at_rest(pilot, screen)

    await album.fill(BareApp(themes[0]), prepare, sizes=sizes, themes=themes)


async def test_some_hits(album: Album) -> None:
    await pictures(album, "down", sizes=[SMALLEST, *SIZES])


async def test_some_hits_in_ansi(album: Album) -> None:
    await pictures(album, sizes=[USUAL], themes=["ansi"])


async def test_a_long_text_read_on_with_the_keys(album: Album) -> None:
    await pictures(album, "tab", "J", "J", "space", words="LIMIT_7")


async def test_before_a_word_is_typed(album: Album) -> None:
    await pictures(album, words="")


async def test_nothing_found(album: Album) -> None:
    await pictures(album, words="zebra")
