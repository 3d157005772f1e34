"""How the chat looks in each of its states; look at a changed picture before accepting it."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.permission import PermissionScreen
from tests.ui.album import SIZES, SMALLEST, USUAL, Album, resize
from tests.ui.stage import ask, begin, blocks, make_app, ready, settled

pytestmark = pytest.mark.usefixtures("steady_figures")

MARKDOWN = """\
# Why the loader reads twice

Because `merge()` opens the file again for the *positions*. Two changes would **do**:

1. keep the text in `Layer`
2. pass positions along
   - and nothing else

> The second read was never needed.

```python
def merge(layers: list[Layer]) -> Tree:
    \"\"\"Later layers win.\"\"\"
    return {key: layer[key] for layer in layers for key in layer}  # one pass
```

| layer | reads | note |
| --- | ---: | --- |
| user | 1 | fine |
| project | 2 | 你好, mended |
"""


async def talk(pilot: Pilot[int]) -> None:
    """Two turns with tools, an error and a Markdown answer."""
    app = pilot.app
    assert isinstance(app, DiligentApp)
    project = app.opening.cwd
    (project / "notes.md").write_text(MARKDOWN)
    (project / "README.md").write_text("# Swans\n\nSeven of them.\n")
    await ask(pilot, "read README.md then read missing.txt")
    await ask(pilot, "read notes.md")


async def test_talk(tmp_path: Path, album: Album) -> None:
    await album.fill(make_app(tmp_path), talk, sizes=[SMALLEST, *SIZES])


async def test_talk_in_ansi(tmp_path: Path, album: Album) -> None:
    await album.fill(make_app(tmp_path, theme="ansi"), talk, sizes=[USUAL], themes=["ansi"])


async def test_streaming_with_a_queued_prompt(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await begin(pilot, "explain [[fault=stall]]")
        core = await ready(pilot)
        app = pilot.app
        assert isinstance(app, DiligentApp)
        while not any(block.kind == "answer" for block in blocks(core.chat)):
            await pilot.pause(0.01)
        app.main.prompt.set_text("and the docs too")
        await pilot.press("enter")
        while not (app.main.state and app.main.state.queue):
            await pilot.pause(0.01)
        await settled(pilot)

    await album.fill(make_app(tmp_path), prepare)


async def test_tool_running_with_the_tools_beside(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await begin(pilot, "run echo begun; sleep 60")
        app = pilot.app
        assert isinstance(app, DiligentApp)
        while not (app.main.state and app.main.state.phase == "running"):
            await pilot.pause(0.01)
        await pilot.press("f3")
        await settled(pilot)

    await album.fill(make_app(tmp_path, flags={"mode": "full"}), prepare)


async def test_error(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "[[fault=overloaded]]")

    await album.fill(make_app(tmp_path), prepare)


async def test_long_and_scrolled_away(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ask(pilot, "[[t=3000 r=0 id=ab]]")
        core = await ready(pilot)
        core.chat.scroll_to(y=30, animate=False)
        await pilot.pause()
        await ask(pilot, "hello")

    await album.fill(make_app(tmp_path), prepare)


async def test_open_card_with_the_cursor_on_it(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await talk(pilot)
        core = await ready(pilot)
        card = next(block for block in blocks(core.chat) if block.kind == "tool")
        core.chat.focus()
        core.chat.put_cursor(card.id)
        await pilot.press("enter")
        await settled(pilot)

    await album.fill(make_app(tmp_path), prepare)


async def select(pilot: Pilot[int]) -> None:
    """A few lines and two characters."""
    core = await ready(pilot)
    answer = next(block for block in blocks(core.chat) if block.kind == "answer")
    core.chat.focus()
    core.chat.put_cursor(answer.id)
    await pilot.press("shift+down", "shift+down", "shift+right", "shift+right")
    await settled(pilot)


async def test_selection_by_keyboard(tmp_path: Path, album: Album) -> None:
    async with album.open(make_app(tmp_path), SIZES[0]) as pilot:
        await talk(pilot)
        for size in SIZES:
            # Lines are wrapped anew at another width, which lets go of what was selected.
            await resize(pilot, size)
            await select(pilot)
            await album.take(pilot, sizes=[size])


async def test_selection_and_search_in_ansi(tmp_path: Path, album: Album) -> None:
    async with album.open(make_app(tmp_path, theme="ansi")) as pilot:
        await talk(pilot)
        await select(pilot)
        await album.take(pilot, "selected", sizes=[USUAL], themes=["ansi"])
        core = await ready(pilot)
        core.chat.action_clear_selection()
        core.chat.search("layer")
        await settled(pilot)
        await album.take(pilot, "found", sizes=[USUAL], themes=["ansi"])


async def test_question(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await begin(pilot, "run rm -rf build")
        while not isinstance(pilot.app.screen, PermissionScreen):
            await pilot.pause(0.01)
        await settled(pilot)

    await album.fill(make_app(tmp_path), prepare)


async def test_help(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await ready(pilot)
        await pilot.press("f1")
        await settled(pilot)

    await album.fill(make_app(tmp_path), prepare)
