"""Only the question about a tool, and what it answered."""

from collections.abc import Callable

from textual.app import App
from textual.widgets import Static

from diligent_tui.agent.permissions import Decision
from diligent_tui.domain.events import PermissionRequested
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.screens.permission import PermissionScreen
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES


class PermissionStage(App[int]):
    """An app with nothing in it but the dialog."""

    CSS_PATH = style_paths()

    def __init__(self, *, theme: ThemeName = "dark", clock: Callable[[], float] | None = None) -> None:
        super().__init__()
        self.answers: list[tuple[str, Decision]] = []
        self._clock = clock
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = THEMES[theme].name

    async def ask(self, *questions: PermissionRequested) -> PermissionScreen:
        """Put the questions, and wait until the first is on the screen."""

        def note(call_id: str, decision: Decision) -> None:
            self.answers.append((call_id, decision))

        first, *others = questions
        dialog = PermissionScreen(first, note, self._clock) if self._clock else PermissionScreen(first, note)
        await self.push_screen(dialog)
        for question in others:
            dialog.add(question)
        return dialog

    def words(self, name: str) -> str:
        """What a part of the dialog says."""
        return str(self.screen.query_one(f"#permission-{name}", Static).render())
