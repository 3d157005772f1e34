"""The wish to find something by a few letters."""

from functools import partial
from typing import TYPE_CHECKING

from diligent_tui.ui.routes.keys import KeyRoutes

if TYPE_CHECKING:
    from diligent_tui.ui.palette_desk import PaletteDesk
    from diligent_tui.ui.screens.palette import Thing


class PaletteRoutes(KeyRoutes):
    """Opens the palette and does what was chosen there."""

    def action_show_palette(self) -> None:
        """ctrl+p; dialogs that wait for an answer are not covered."""
        core, travel, knowledge, chooser = self.core, self.travel, self.knowledge, self.chooser
        if self.screen is not self.main:
            return
        if core is None or travel is None or knowledge is None or chooser is None:
            self.once_loaded(self.action_show_palette)
            return
        from diligent_tui.ui.palette_desk import PaletteDesk
        from diligent_tui.ui.screens.palette import PaletteScreen

        desk = PaletteDesk(core, self.main, travel, knowledge, chooser, self._begin, self.opening.keys)
        self.push_screen(PaletteScreen(desk.sources()), partial(self._follow, desk))

    async def _follow(self, desk: "PaletteDesk", chosen: "Thing | None") -> None:
        if chosen is None:
            return
        if chosen.kind == "command":
            await self.run_action(chosen.id)
        else:
            desk.act(chosen)
