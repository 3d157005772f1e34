"""What helps in writing, wanted before the core is there: it is done when it comes, or one is told."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.ui.core import Core
from diligent_tui.ui.opening import Access
from tests.agent.test_attachments import png
from tests.ui.stage import make_app, ready, settled

UNSEEN = "This model sees no pictures: the path is sent as words. /model chooses another."


@pytest.mark.parametrize("key", ["ctrl+g", "ctrl+r"])
async def test_a_key_that_needs_the_core_says_that_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str], key: str
) -> None:
    app = make_app(tmp_path)
    opened, is_pressed = Core.open, asyncio.Event()

    async def open_late(core: Core, access: Access) -> None:
        await is_pressed.wait()
        await opened(core, access)

    monkeypatch.setattr(Core, "open", open_late)
    async with app.run_test(size=(100, 30)) as pilot:
        assert app.core is None
        await pilot.press(key)
        is_pressed.set()
        await ready(pilot)
        assert said == ["Starting; press it again in a moment."]


@pytest.mark.parametrize("sees", [True, False])
async def test_a_path_that_was_pasted_early_is_looked_at_when_the_core_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str], sees: bool
) -> None:
    app = make_app(tmp_path)
    shot = tmp_path / "project" / "shot.png"
    shot.write_bytes(png(640, 480))
    opened, is_typed = Core.open, asyncio.Event()

    async def open_seeing(core: Core, access: Access) -> None:
        await is_typed.wait()
        await opened(core, access)
        assert core.session is not None
        await core.session.set_model(replace(core.session.model, sees_images=sees))

    monkeypatch.setattr(Core, "open", open_seeing)
    async with app.run_test(size=(100, 30)) as pilot:
        prompt = app.main.prompt
        await pilot.press("a", "space")
        prompt.paste(str(shot))
        await pilot.press("space", "b")
        assert app.core is None
        is_typed.set()
        await ready(pilot)
        await settled(pilot)
        await pilot.press("c")
        assert prompt.text == (f"a @{shot} bc" if sees else f"a {shot} bc")
        assert ("image shot.png" in prompt.document.text) == sees
        assert said == ([] if sees else [UNSEEN])
