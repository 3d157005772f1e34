"""Commands of the sessions screen."""

from diligent_tui.ui.commands.command import Command

SESSION_COMMANDS: tuple[Command, ...] = (
    Command("session_resume", "Resume", "Go on with this session", "enter", where="sessions", in_footer=True),
    Command(
        "session_search", "Search", "Search in names, first prompts and ids", "/", where="sessions", in_footer=True
    ),
    Command("session_rename", "Rename", "Give this session a name", "r", where="sessions", in_footer=True),
    Command("session_fork", "Fork", "Go on in a copy of this session", "f", where="sessions", in_footer=True),
    Command("session_export", "Export", "Write this session to a file to read", "e", where="sessions", in_footer=True),
    Command("session_delete", "Delete", "Move this session to the trash", "d", where="sessions", in_footer=True),
    Command("session_undo", "Undo", "Bring back what was deleted last", "u", where="sessions", in_footer=True),
    Command("session_up", "Up", "Go to the session above", "up,k", where="sessions"),
    Command("session_down", "Down", "Go to the session below", "down,j", where="sessions"),
    Command("session_page_up", "Page up", "Go up by a screen", "pageup", where="sessions"),
    Command("session_page_down", "Page down", "Go down by a screen", "pagedown", where="sessions"),
    Command("session_first", "First", "Go to the newest session", "home,g", where="sessions"),
    Command("session_last", "Last", "Go to the oldest session", "end,G", where="sessions"),
    Command("session_close", "Close", "Show all again, then close", "escape", where="sessions", in_footer=True),
)
