"""The sessions screen: find a session again, look into it, resume, rename, fork, export or delete it."""

from diligent_tui.ui.commands.sessions import SESSION_COMMANDS
from diligent_tui.ui.screens.sessions.screen import SessionChoice, SessionsScreen

__all__ = ["SESSION_COMMANDS", "SessionChoice", "SessionsScreen"]
