"""Commands of the tool calls."""

from diligent_tui.ui.commands.command import Command

TOOL_COMMANDS: tuple[Command, ...] = (
    Command("tool_open", "Open", "Open or close the details of this call", "enter", where="tools"),
    Command("tool_up", "Up", "Go one call up", "up,k", where="tools"),
    Command("tool_down", "Down", "Go one call down", "down,j", where="tools"),
    Command("tool_page_up", "Page up", "Go one screen up, in the details if they are open", "pageup", where="tools"),
    Command("tool_page_down", "Page down", "Go one screen down, likewise", "pagedown,space", where="tools"),
    Command("tool_first", "First", "Go to the first call", "home,g", where="tools"),
    Command("tool_last", "Last", "Go to the newest call", "end,G", where="tools"),
    Command("tool_read_up", "Read up", "Scroll the details one row up", "shift+up,K", where="tools"),
    Command("tool_read_down", "Read down", "Scroll the details one row down", "shift+down,J", where="tools"),
    Command("tool_filter", "Filter", "Show all, this tool only, errors only, running only", "f", where="tools"),
    Command("tool_find", "Find", "Find words in calls and outputs as you type", "/", where="tools"),
    Command("tool_next_match", "Next match", "Go to the next match", "n", where="tools"),
    Command("tool_previous_match", "Previous match", "Go to the previous match", "N", where="tools"),
    Command("tool_whole", "Whole output", "Open the whole output, of any length", "o", where="tools"),
    Command("tool_diff", "Diff style", "Show the diff side by side, or one below the other", "d", where="tools"),
    Command("tool_wide", "Wide", "Use the whole width, or give it back", "w", where="tools"),
    Command("tool_copy", "Copy", "Copy the diff or the output of this call", "y", where="tools"),
    Command("tool_rerun", "Run again", "Run this call again, with the same arguments", "R", where="tools"),
    Command("tool_to_chat", "To the chat", "Go to this call in the chat", "c", where="tools"),
    Command("tool_to_tree", "To the tree", "Go to this call in the tree", "t", where="tools"),
    Command("tool_back", "Back", "Leave the output, the search, the details or the filter", "escape", where="tools"),
)
