"""The wish to find something by a few letters."""

from diligent_tui.ui.routes.base import Routes


class PaletteRoutes(Routes):
    """Opens the palette and does what was chosen there."""

    def action_show_palette(self) -> None:
        """ctrl+p; dialogs that wait for an answer are not covered."""
        if self.screen is self.main:
            self.run_worker(self._show_palette(), group="palette", exclusive=True)

    async def _show_palette(self) -> None:
        core, travel, knowledge, chooser = self.core, self.travel, self.knowledge, self.chooser
        if core is None or travel is None or knowledge is None or chooser is None:
            return
        from diligent_tui.ui.palette_desk import PaletteDesk
        from diligent_tui.ui.screens.palette import PaletteScreen

        desk = PaletteDesk(core, self.main, travel, knowledge, chooser, self._begin)
        chosen = await self.push_screen_wait(PaletteScreen(desk.sources()))
        if chosen is None:
            return
        if chosen.kind == "command":
            await self.run_action(chosen.id)
        else:
            desk.act(chosen)
