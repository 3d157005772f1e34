"""The main screen and where its panes stand."""

from diligent_tui.ui.screens.main.screen import MainScreen

__all__ = ["MainScreen"]
