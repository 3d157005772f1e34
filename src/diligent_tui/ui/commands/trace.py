"""Commands of the trace."""

from diligent_tui.ui.commands.command import Command

TRACE_COMMANDS: tuple[Command, ...] = (
    Command("trace_open", "Open", "Open this row to all that is known of it, or fold it", "enter,space", where="trace"),
    Command("trace_fold_all", "Fold all", "Fold every row", "-", where="trace"),
    Command("trace_up", "Up", "Go one row up", "up,k", where="trace"),
    Command("trace_down", "Down", "Go one row down", "down,j", where="trace"),
    Command("trace_page_up", "Page up", "Read one screen up", "pageup", where="trace"),
    Command("trace_page_down", "Page down", "Read one screen down", "pagedown", where="trace"),
    Command("trace_read_up", "Read up", "Scroll one row up", "shift+up,K", where="trace"),
    Command("trace_read_down", "Read down", "Scroll one row down", "shift+down,J", where="trace"),
    Command("trace_first", "First", "Go to the oldest that is kept", "home,g", where="trace"),
    Command("trace_last", "Last", "Go to the newest and follow it", "end,G", where="trace"),
    Command("trace_filter", "Filter", "Show all, requests, tools, memory or the session", "f", where="trace"),
    Command("trace_problems", "Problems", "Show only what failed, or all again", "!", where="trace"),
    Command("trace_find", "Find", "Show only rows with these words", "/", where="trace"),
    Command("trace_to_chat", "To the chat", "Go to it in the chat", "c", where="trace"),
    Command("trace_export", "Export", "Save the trace as JSON lines, without keys", "e", where="trace"),
    Command("trace_copy", "Copy", "Copy all that is known of this row", "y", where="trace"),
    Command("trace_back", "Back", "Show all again", "escape", where="trace"),
)
