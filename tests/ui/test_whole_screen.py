"""What must hold everywhere on the screen: seen by going through all of it."""

import asyncio
import re
from collections.abc import Callable, Mapping

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip

from diligent_tui.ui.app import DiligentApp
from tests.ui.contrast import HIGH_CONTRAST, LEAST_CONTRAST, contrast
from tests.ui.tour import demo_app, places, rows

MOST_TOLD = 3
"""To compare more would take pytest minutes."""
Size = tuple[int, int]
WIDE, SMALL = (120, 40), (60, 20)
WORDS, NO_WORDS = re.compile(r"[\w\u00a1-\u00ff\u0300-\u036f\uff9e]"), re.compile(r"(?!)")
"""Letters, digits, what stands on them, and the signs of Latin-1; and none."""
WITHOUT_A_CURSOR = ("PermissionScreen",)
"""Each answer has a key of its own there."""
CURSOR_SIGNS = "▎▌▸┃^"
Look = Callable[[DiligentApp, str], None]
JOINS_NOTHING = re.compile("\u200d(?![\u2600-\u27bf\U0001f000-\U0001faff])")
"""A joiner that would draw what follows into the sign before it."""


@pytest.fixture(autouse=True)
def _own_folder_for_the_demo(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


async def go_through(look: Look, size: Size, environ: Mapping[str, str] | None = None, **more: object) -> None:
    """Look at every place; wherever one goes, rows are as wide as the screen and no sign is cut in two."""
    app = await asyncio.to_thread(demo_app, environ, **more)
    wrong: list[tuple[str, str]] = []
    seen: list[str] = []
    async with app.run_test(size=size) as pilot:
        async for name in places(pilot):
            texts = [strip.text for strip in rows(app)]
            wrong.extend((name, text) for text in texts if cell_len(text) != size[0] or JOINS_NOTHING.search(text))
            look(app, name)
            seen.append(name)
    assert len(seen) > 20
    assert wrong[:MOST_TOLD] == []


@pytest.mark.parametrize(
    ("environ", "size", "words"),
    [
        pytest.param({"TERM": "linux"}, WIDE, WORDS, id="console"),
        pytest.param({"LC_ALL": "C"}, SMALL, NO_WORDS, id="locale C"),
    ],
)
async def test_where_there_are_few_signs_all_but_words_are_ascii(
    environ: dict[str, str], size: Size, words: re.Pattern[str]
) -> None:
    wrong: list[tuple[str, str]] = []

    def look(app: DiligentApp, name: str) -> None:
        texts = [strip.text for strip in rows(app)]
        wrong.extend((name, text) for text in texts if not words.sub("", text).isascii())

    await go_through(look, size, environ)
    assert wrong[:MOST_TOLD] == []


async def test_without_colours_nothing_is_coloured_and_one_sees_where_one_is() -> None:
    coloured: list[tuple[str, Segment]] = []
    lost: list[str] = []

    def look(app: DiligentApp, name: str) -> None:
        shown = rows(app)
        for strip in shown:
            coloured.extend((name, each) for each in strip if each.style and (each.style.color or each.style.bgcolor))
        if name not in WITHOUT_A_CURSOR and not marks_the_place(app, shown):
            lost.append(name)

    await go_through(look, WIDE, {"NO_COLOR": "1"})
    assert coloured[:MOST_TOLD] == []
    assert lost == []


def marks_the_place(app: DiligentApp, shown: list[Strip]) -> bool:
    """Whether in what has the focus, or at its edge, something is turned over or is one of the signs of a cursor."""
    focused = app.focused
    region = app.screen.region if focused is None else focused.region.grow((0, 1, 0, 1))
    inside = [strip.crop(max(0, region.x), region.right) for strip in shown[max(0, region.y) : region.bottom]]
    text = "".join(strip.text for strip in inside)
    is_turned = any(each.style and each.style.reverse for strip in inside for each in strip)
    return is_turned or any(sign in text for sign in CURSOR_SIGNS)


@pytest.mark.parametrize(
    ("more", "least"),
    [
        ({"theme": "dark"}, LEAST_CONTRAST),
        ({"theme": "light"}, LEAST_CONTRAST),
        ({"colours": "contrast"}, HIGH_CONTRAST),
    ],
    ids=["dark", "light", "contrast"],
)
async def test_all_words_can_be_read(more: dict[str, object], least: float) -> None:
    wrong: set[tuple[str, str, str, str, float]] = set()

    def look(app: DiligentApp, name: str) -> None:
        # What a dialog lies upon is veiled, and is not to be read.
        region = app.screen.children[0].region if app.screen.is_modal else Region(0, 0, *app.size)
        for strip in rows(app)[region.y : region.bottom]:
            for text, style, _ in strip.crop(region.x, region.right):
                if not any(each.isalnum() for each in text):
                    continue
                assert style is not None
                assert style.color is not None
                assert style.bgcolor is not None
                colour, ground = (each.get_truecolor().hex for each in (style.color, style.bgcolor))
                if (reached := contrast(colour, ground)) < least:
                    wrong.add((name, text, colour, ground, round(reached, 2)))

    await go_through(look, WIDE, None, **more)
    assert sorted(wrong)[:MOST_TOLD] == []
