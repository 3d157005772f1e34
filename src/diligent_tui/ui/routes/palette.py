"""The wish to find something by a few letters."""

from typing import TYPE_CHECKING

from diligent_tui.ui.routes.base import Routes

if TYPE_CHECKING:
    from diligent_tui.ui.palette_desk import PaletteDesk


class PaletteRoutes(Routes):
    """Opens the palette and does what was chosen there."""

    palette: "PaletteDesk | None" = None

    def action_show_palette(self) -> None:
        """ctrl+p; dialogs that wait for an answer are not covered."""
        if self.palette is not None and self.screen is self.main:
            self.run_worker(self._show_palette(self.palette), group="palette", exclusive=True)

    async def _show_palette(self, desk: "PaletteDesk") -> None:
        from diligent_tui.ui.screens.palette import PaletteScreen

        chosen = await self.push_screen_wait(PaletteScreen(desk.sources()))
        if chosen is None:
            return
        if chosen.kind == "command":
            await self.run_action(chosen.id)
        else:
            desk.act(chosen)
