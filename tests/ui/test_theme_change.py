"""A theme that is changed while the app runs looks like one that it was opened with."""

from pathlib import Path

import pytest

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import ThemeName
from tests.ui.stage import ask, make_app, settled

pytestmark = pytest.mark.usefixtures("steady_figures")


async def seen(app: DiligentApp, *changes: str) -> str:
    """A talk as it looks after some changes of the theme."""
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "read missing.txt")
        for _ in changes:
            app.action_next_theme()
            await settled(pilot)
        return app.export_screenshot(title="diligent")


@pytest.mark.parametrize(("theme", "changes"), [("light", ("light",)), ("dark", ("light", "ansi", "contrast", "dark"))])
async def test_what_was_said_before_wears_the_new_colours(
    tmp_path: Path, theme: ThemeName, changes: tuple[str, ...]
) -> None:
    changed = await seen(make_app(tmp_path / "changed"), *changes)
    opened = await seen(make_app(tmp_path / "opened", theme=theme))
    assert (changed == opened) is True
