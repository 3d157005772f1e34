"""How the palette looks with results of each kind and with none; look at a changed picture before accepting it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from textual.pilot import Pilot

from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.palette_desk import commands
from diligent_tui.ui.screens.palette import Kind, PaletteScreen, Source, Thing
from tests.ui.album import BOTH, SIZES, SMALLEST, USUAL, Album, Size
from tests.ui.screens.sessions_stage import BareApp


def source(kind: Kind, *named: tuple[str, str]) -> Source:
    return lambda: iter([Thing(kind, label, label, note) for label, note in named])


SOURCES: Mapping[Kind, Source] = MappingProxyType(
    {
        "command": commands,
        "session": source(
            "session",
            ("refactor config loader", "2 min ago"),
            ("why does the loader read the file twice?", "3 h ago"),
            ("你好，世界: explain the loader", "2 d ago"),
            *((f"an older talk, number {number}", f"{number} d ago") for number in range(3, 40)),
        ),
        "entry": source(
            "entry",
            ("Because `merge()` opens it again for the positions.", "assistant"),
            ("why does the loader read the file twice, and could it keep the text in Layer instead?", "user"),
        ),
        "knowledge": source(
            "knowledge", ("tests run with make test", "correction"), ("the loader reads layers once", "decision")
        ),
        "file": source("file", *((f"src/loader/{name}.py", "") for name in ("layers", "merge", "positions", "read"))),
        "model": source(
            "model", ("anthropic/sonnet-5-5", "key from ANTHROPIC_API_KEY"), ("offline/rehearsal", "no key needed")
        ),
    }
)


async def pictures(album: Album, *keys: str, sizes: Sequence[Size] = SIZES, themes: Sequence[ThemeName] = BOTH) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        screen = PaletteScreen(SOURCES)
        await pilot.app.push_screen(screen)
        await at_rest(pilot)
        await pilot.press(*keys)
        await at_rest(pilot)

    await album.fill(BareApp(themes[0]), prepare, sizes=sizes, themes=themes)


async def at_rest(pilot: Pilot[int]) -> None:
    await pilot.pause()
    while any(not worker.is_finished for worker in pilot.app.workers):
        await pilot.pause(0.005)
    await pilot.pause()
    await pilot.pause()


async def test_before_a_word_is_typed(album: Album) -> None:
    await pictures(album, sizes=[SMALLEST, *SIZES])


async def test_results_of_each_kind(album: Album) -> None:
    await pictures(album, *"loader", "down")


async def test_the_next_kind(album: Album) -> None:
    await pictures(album, *"loader", "tab", "tab")


async def test_a_model(album: Album) -> None:
    await pictures(album, *"sonnet")


async def test_no_match(album: Album) -> None:
    await pictures(album, *"zebra")


async def test_results_in_ansi(album: Album) -> None:
    await pictures(album, *"loader", sizes=[USUAL], themes=["ansi"])
