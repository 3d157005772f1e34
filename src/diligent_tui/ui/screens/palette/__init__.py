"""The palette: everything one can go to or do, found by a few letters."""

from diligent_tui.ui.screens.palette.screen import PaletteScreen
from diligent_tui.ui.screens.palette.things import Kind, Source, Thing

__all__ = ["Kind", "PaletteScreen", "Source", "Thing"]
