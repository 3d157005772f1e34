"""Commands of the search over the session."""

from diligent_tui.ui.commands.command import Command

RECALL_COMMANDS: tuple[Command, ...] = (
    Command("recall_go", "To the chat", "Go to this entry in the chat", "enter", where="recall"),
    Command("recall_quote", "Quote", "Quote what was found into the prompt", "i", where="recall"),
    Command("recall_copy", "Copy", "Copy the whole entry", "y", where="recall"),
    Command("recall_words", "Search", "Type other words; tab changes between words and keys", "/,tab", where="recall"),
    Command("recall_up", "Up", "Go to the entry above", "up,k", where="recall"),
    Command("recall_down", "Down", "Go to the entry below", "down,j", where="recall"),
    Command("recall_page_up", "Page up", "Go up by a screen", "pageup", where="recall"),
    Command("recall_page_down", "Page down", "Go down by a screen", "pagedown", where="recall"),
    Command("recall_first", "First", "Go to the best entry", "home,g", where="recall"),
    Command("recall_last", "Last", "Go to the last entry", "end,G", where="recall"),
    Command("recall_read_up", "Read up", "Scroll the text one row up", "shift+up,K", where="recall"),
    Command("recall_read_down", "Read down", "Scroll the text one row down", "shift+down,J", where="recall"),
    Command("recall_read_on", "Read on", "Scroll the text by a page", "space", where="recall"),
    Command("recall_close", "Close", "Close the search", "escape", where="recall"),
)
