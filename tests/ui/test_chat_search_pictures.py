"""How searching the chat and jumping in it look; look at a changed picture before accepting it."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from tests.ui.album import Album
from tests.ui.stage import ask, make_app, ready, settled
from tests.ui.test_pictures import talk

pytestmark = pytest.mark.usefixtures("steady_figures")


async def slash(pilot: Pilot[int], words: str) -> None:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    app.main.prompt.focus()
    app.main.prompt.set_text(words)
    await pilot.press("enter")
    await settled(pilot)


async def test_searched_and_jumped(tmp_path: Path, album: Album) -> None:
    async with album.open(make_app(tmp_path)) as pilot:
        await talk(pilot)
        await ask(pilot, "read notes.md again")
        await slash(pilot, "/search layer")
        await album.take(pilot, "found")
        await pilot.press("N")
        await settled(pilot)
        await album.take(pilot, "the one before")
        await slash(pilot, "/search zebra")
        await album.take(pilot, "nothing found")
        core = await ready(pilot)
        await slash(pilot, "/search ")
        core.chat.focus()
        await pilot.press("X")
        await settled(pilot)
        await album.take(pilot, "at an error")
        await pilot.press("J")
        await settled(pilot)
        await album.take(pilot, "at a prompt")
