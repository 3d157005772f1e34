"""The sessions screen with a clock that stands: over the real app for pictures, over a bare one for its keys."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.session.shelf import Shelf
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.screens.sessions import SessionChoice, SessionsScreen
from diligent_tui.ui.screens.sessions.preview_pane import PreviewPane
from diligent_tui.ui.screens.sessions.session_list import ListHeading
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES
from tests.session.shelves import NOON_S
from tests.ui.stage import ready

PARTS = ("top", "search", "empty", "slot", "keys")


class BareApp(App[int]):
    """Styles and themes and nothing behind them: the screen needs no core, and the core takes a second to come up."""

    CSS_PATH = style_paths()

    def __init__(self, theme: ThemeName = "dark") -> None:
        super().__init__()
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = THEMES[theme].name


def clock() -> datetime:
    return datetime.fromtimestamp(NOON_S, UTC) + timedelta(minutes=2)


def sessions_of(folder: Path) -> Path:
    """Where the app made by `make_app` in this folder keeps its sessions."""
    return folder / "project" / ".diligent" / "sessions"


async def open_sessions(
    pilot: Pilot[int], sessions: Path, current_id: str | None = None
) -> tuple[SessionsScreen, list[SessionChoice | None]]:
    """The screen, at rest, and the list that its answer will be put into."""
    if isinstance(pilot.app, DiligentApp):
        await ready(pilot)
    answers: list[SessionChoice | None] = []
    screen = SessionsScreen(Shelf(sessions, clock), current_id, clock)
    await pilot.app.push_screen(screen, answers.append)
    await at_rest(pilot, screen)
    return screen, answers


async def at_rest(pilot: Pilot[int], screen: SessionsScreen) -> None:
    """Wait until all is read, done and painted."""
    await pilot.pause()
    while any(worker.node is screen and not worker.is_finished for worker in pilot.app.workers):
        await pilot.pause(0.005)
    await pilot.pause()
    await pilot.pause()


def shown(screen: SessionsScreen) -> str:
    """All the words on the screen, from top to bottom, the preview after the list."""
    parts = [screen.query_one(f"#sessions-{place}", Static).render() for place in PARTS]
    top, search, empty, slot, keys = (str(part) for part in parts)
    rows = [screen.query_one(ListHeading).render_line(0).text]
    rows += [screen.list.render_line(y).text for y in range(screen.list.size.height)]
    preview = screen.query_one(PreviewPane).render().plain
    return "\n".join((top, search, *rows, empty, preview, slot, keys))
