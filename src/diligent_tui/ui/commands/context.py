"""Commands of the context pane."""

from diligent_tui.ui.commands.command import Command

CONTEXT_COMMANDS: tuple[Command, ...] = (
    Command(
        "context_to_chat",
        "To the chat",
        "Go to it in the chat, or open what is not there",
        "enter",
        where="context",
    ),
    Command("context_fold", "Open", "Open this part to its whole text, or fold it", "space,o", where="context"),
    Command("context_fold_all", "Fold all", "Fold every part", "-", where="context"),
    Command("context_up", "Up", "Go one part up", "up,k", where="context"),
    Command("context_down", "Down", "Go one part down", "down,j", where="context"),
    Command("context_page_up", "Page up", "Read one screen up", "pageup", where="context"),
    Command("context_page_down", "Page down", "Read one screen down", "pagedown", where="context"),
    Command("context_read_up", "Read up", "Scroll one row up", "shift+up,K", where="context"),
    Command("context_read_down", "Read down", "Scroll one row down", "shift+down,J", where="context"),
    Command("context_first", "First", "Go to the first part", "home,g", where="context"),
    Command("context_last", "Last", "Go to the last part", "end,G", where="context"),
    Command("context_filter", "Filter", "Show all parts, or those of one kind", "f", where="context"),
    Command("context_find", "Find", "Find words as you type", "/", where="context"),
    Command("context_next_match", "Next match", "Go to the next match", "n", where="context"),
    Command("context_previous_match", "Previous match", "Go to the previous match", "N", where="context"),
    Command("context_pin", "Pin", "Keep this message in the context, or let it go again", "p", where="context"),
    Command("context_copy", "Copy", "Copy this part", "y", where="context"),
    Command("context_back", "Back", "Leave the search or the filter", "escape", where="context"),
)
