"""A history with turns of every kind, and an app that shows it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot

from diligent_tui.agent.file_history import FileHistory, Receipt
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.screens.restore import RestoreDesk, RestoreScreen
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
LOADER = "\n".join(["import json", "", *[f"line_{number} = {number}" for number in range(30)], ""])
SCHEMA = "\n".join(f"    field_{number}: str" for number in range(12)) + "\n"
PROMPTS = {
    "t1": "make the loader read every file only once, please, and keep the positions of what it read for the messages",
    "t2": "now add a schema for the layers",
    "t3": "rename the helper and tidy up",
    "t4": "and the docs",
}


class Garden:
    """A project and its history; the clock goes on by hand."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        (self.root / "src").mkdir(parents=True)
        (self.root / "src/loader.py").write_text(LOADER)
        (self.root / "README.md").write_text("# Swans\n\nSeven of them.\n")
        self.moment = NOW - timedelta(hours=3)
        self.history = FileHistory(self.root / ".diligent/sessions/x/before", self.root, clock=lambda: self.moment)

    def path(self, name: str) -> Path:
        return self.root / name

    def agent(self, turn: str, name: str, text: str) -> None:
        path = self.path(name)
        self.history.keep(turn, "e", path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.history.close_turn(turn)
        self.moment += timedelta(minutes=25)

    def text(self, name: str) -> str | None:
        path = self.path(name)
        return path.read_text() if path.exists() else None


def grown(folder: Path) -> Garden:
    """Four turns; the user has edited one file since, and made another into a link."""
    garden = Garden(folder)
    garden.agent("t1", "src/loader.py", LOADER.replace("line_3 = 3", "line_3 = three()").replace("line_9 = 9\n", ""))
    garden.agent("t2", "src/schema.py", f"class Layer:\n{SCHEMA}")
    garden.agent("t2", "README.md", "# Swans\n\nSeven of them, with a schema.\n")
    garden.agent("t3", "src/helper.py", "def tidy() -> None: ...\n")
    garden.agent("t3", "src/linked.py", "x = 1\n")
    garden.agent("t4", "docs/guide/first steps.md", "# First steps\n\nFeed the swans.\n")
    garden.path("src/schema.py").write_text(f"class Layer:\n    own: int  # the user's line\n{SCHEMA}")
    garden.path("src/linked.py").unlink()
    garden.path("src/linked.py").symlink_to("helper.py")
    return garden


class RestoreApp(App[None]):
    """A screen for the dialog to lie over."""

    CSS_PATH = style_paths()

    def __init__(self, garden: Garden, theme: ThemeName = "dark", why_not: str = "") -> None:
        super().__init__()
        for each in THEMES.values():
            self.register_theme(each)
        self.theme = THEMES[theme].name
        self.receipts: list[Receipt] = []
        self.closed: list[None] = []
        self.desk = RestoreDesk(
            garden.history,
            lambda turn_id: PROMPTS.get(turn_id, ""),
            self.push_screen_wait,
            is_on_path=lambda turn_id: turn_id != "t3",
            why_not=lambda: why_not,
            restored=self.receipts.append,
            clock=lambda: NOW,
        )

    def on_mount(self) -> None:
        self.push_screen(RestoreScreen(self.desk), self.closed.append)


async def pressed(pilot: Pilot[None], *keys: str) -> None:
    """Press one key after another, each when the last has had its effect; a question is an effect."""
    await settled(pilot)
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def settled(pilot: Pilot[None]) -> None:
    app = pilot.app
    await pilot.pause()
    while len(app.screen_stack) < 3 and any(not worker.is_finished for worker in app.workers):
        await pilot.pause(0.005)
    await pilot.pause()
    await pilot.pause()
