"""The question whether a tool may do what it wants."""

from diligent_tui.ui.screens.permission.screen import PermissionScreen

__all__ = ["PermissionScreen"]
