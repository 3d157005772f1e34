"""The screen that puts files back as they were before a turn."""

from diligent_tui.ui.screens.restore.desk import RestoreDesk
from diligent_tui.ui.screens.restore.screen import RestoreScreen

__all__ = ["RestoreDesk", "RestoreScreen"]
