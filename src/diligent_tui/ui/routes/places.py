"""Wishes about the screen itself: which panes stand where; and what is remembered of it."""

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from textual import work

from diligent_tui.config.layout import save_layout
from diligent_tui.ui.commands.places import place_of
from diligent_tui.ui.routes.keys import KeyRoutes

if TYPE_CHECKING:
    from diligent_tui.config.layout import Layout
    from diligent_tui.ui.screens.main import MainScreen

SAVE_DELAY_SECONDS = 0.5


class PlaceRoutes(KeyRoutes):
    """Moves panes about."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dialogs have all their keys at their foot; only those with many more are told of by the help."""
        if action == "show_help" and self.screen.is_modal and place_of((self.screen,)) == "everywhere":
            return False
        return super().check_action(action, parameters)

    def action_toggle_pane(self, name: str) -> None:
        """F2 to F7."""
        if self.core is not None:
            self.main.toggle(name)
        else:
            self.once_loaded(partial(self.main.show, name))

    def action_turn_guide(self, steps: int) -> None:
        """F12: the guide of the demo goes on, or back."""
        self.main.turn_guide(steps)

    def action_toggle_guide(self) -> None:
        """Hide the guide, or show it."""
        self.main.toggle_guide()

    def action_zoom(self) -> None:
        """F9: all the room for where one is, or as before."""
        self.main.zoom()

    def action_move_border(self, direction: int) -> None:
        """Make the pane one is in wider or narrower."""
        self.main.move_border(direction)

    def on_main_screen_rearranged(self, message: "MainScreen.Rearranged") -> None:
        """Remember how the panes stand, soon."""
        self._keep_layout(message.layout)

    @work(group="layout", exclusive=True)
    async def _keep_layout(self, layout: "Layout") -> None:
        core = self.core
        if core is not None:
            # Keys that move a border come in bursts; the last of them counts.
            await asyncio.sleep(SAVE_DELAY_SECONDS)
            await asyncio.to_thread(save_layout, core.ground.house.places.user_state, layout)
