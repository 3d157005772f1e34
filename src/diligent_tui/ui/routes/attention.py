"""Tells the terminal what it shows outside of our picture."""

from typing import TYPE_CHECKING

from diligent_tui.ui.attention import Attention
from diligent_tui.ui.routes.looks import LookRoutes

if TYPE_CHECKING:
    from diligent_tui.ui.state import ScreenState


class AttentionRoutes(LookRoutes):
    """Keeps the title, and calls when something waits out of sight."""

    _attention: Attention | None = None

    def on_mount(self) -> None:
        """Follow the state of the screen."""
        opening = self.opening
        if self._driver is not None and not self.is_headless:
            self._attention = Attention(
                self._tell_terminal, opening.environ, notifies=opening.notifies, rings=opening.rings
            )
            self.watch(self.main, "state", self._state_changed)

    def _tell_terminal(self, text: str) -> None:
        if self._driver is not None:
            self._driver.write(text if self.plain_signs is None else self.plain_signs.words(text))

    def _state_changed(self, state: "ScreenState | None") -> None:
        if state is not None and self._attention is not None:
            self._attention.take(state, is_watched=self.app_focus)
