"""How writing a prompt looks: the lists above it, the user's own shell, the texts that wait."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from tests.ui.album import SIZES, SMALLEST, Album, Size
from tests.ui.stage import ask, blocks, make_app, ready, settled
from tests.ui.test_own_shell import run
from tests.ui.test_prompting import queue_up, type_words, wait_for_list

pytestmark = pytest.mark.usefixtures("steady_figures")

Prepare = Callable[[Pilot[int]], Awaitable[None]]
NAMES = (
    "src/loader/__init__.py",
    "src/loader/layers.py",
    "src/loader/merge.py",
    "src/loader/positions.py",
    "tests/loader/test_layers.py",
    "tests/loader/test_merge.py",
    "docs/how the loader works.md",
    "docs/layers/你好.md",
    "README.md",
    "scripts/load_all.sh",
)
PROMPTS = (
    "why does the loader read the file twice?",
    "write a test for the merge of layers [/b]",
    "fix it: the positions are lost when a layer is empty, see the loader's own notes",
    "run the tests again",
    "你好，世界: explain the loader",
)


async def taken(album: Album, folder: Path, prepare: Prepare, sizes: Sequence[Size] = SIZES) -> None:
    app = make_app(folder)
    for name in NAMES:
        file = folder / "project" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("words\n")
    await album.fill(app, prepare, sizes=sizes)


def app_of(pilot: Pilot[int]) -> DiligentApp:
    assert isinstance(pilot.app, DiligentApp)
    return pilot.app


async def test_files(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "hello")
        await type_words(pilot, "look at @lay")
        await wait_for_list(pilot, app_of(pilot), "src/loader/layers.py")
        await pilot.press("down")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_commands(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "hello")
        await type_words(pilot, "/co")
        await pilot.press("down")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_words_of_a_command(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "hello")
        await type_words(pilot, "/model son")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_history(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "hello")
        app_of(pilot).main.prompt.set_history(PROMPTS)
        await type_words(pilot, "a draft")
        await pilot.press("ctrl+r")
        await type_words(pilot, "loader")
        await pilot.press("down")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_own_shell(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "hello")
        await run(pilot, "printf 'src\\ndocs\\nREADME.md\\n'")
        await run(pilot, "ls missing")
        await type_words(pilot, "!git sta")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_queue_with_the_focus(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        core = await ready(pilot)
        await queue_up(pilot, app_of(pilot), "and the docs too", PROMPTS[2] * 3, "then run the tests", *PROMPTS[:2])
        while not any(block.kind == "answer" for block in blocks(core.chat)):
            await pilot.pause(0.01)
        await pilot.press("shift+tab", "up")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_going_back(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        for text in PROMPTS[:3]:
            await ask(pilot, text)
        await pilot.press("escape", "escape", "down")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_put_aside(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "hello")
        await type_words(pilot, "half a thought")
        await pilot.press("ctrl+t")
        await settled(pilot)

    await taken(album, tmp_path, prepare)


async def test_little_room(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ready(pilot)
        await type_words(pilot, "look at @l")
        await wait_for_list(pilot, app_of(pilot), "scripts/load_all.sh")
        await settled(pilot)

    await taken(album, tmp_path, prepare, [SMALLEST, (40, 8)])
