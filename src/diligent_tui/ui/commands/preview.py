"""Commands of the preview of a compaction."""

from diligent_tui.ui.commands.command import Command

PREVIEW_COMMANDS: tuple[Command, ...] = (
    Command("preview_cut_up", "Cut up", "Move the cut up: more stays as it is", "up", where="preview"),
    Command("preview_cut_down", "Cut down", "Move the cut down: more is summarised", "down", where="preview"),
    Command("preview_block_up", "Block up", "Go one block up", "k", where="preview"),
    Command("preview_block_down", "Block down", "Go one block down", "j", where="preview"),
    Command("preview_page_up", "Page up", "Go one screen up", "pageup", where="preview"),
    Command("preview_page_down", "Page down", "Go one screen down", "pagedown,space", where="preview"),
    Command("preview_first", "First", "Go to the oldest block", "home,g", where="preview"),
    Command("preview_last", "Last", "Go to the newest block", "end,G", where="preview"),
    Command("preview_to_cut", "To the cut", "Go to the cut", ".", where="preview"),
    Command("preview_pin", "Pin", "Quote this block word for word, or not", "p", where="preview"),
    Command("preview_leave_out", "Leave out", "Tell the summariser nothing of this block, or do", "x", where="preview"),
    Command("preview_go", "Compact", "Compact like this", "enter", where="preview"),
    Command("preview_close", "Close", "Leave everything as it is", "escape", where="preview"),
)
