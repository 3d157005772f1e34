"""Commands of memory: compacting and its way back, pins, and what was said long ago."""

from diligent_tui.ui.commands.command import Command

MEMORY_COMMANDS: tuple[Command, ...] = (
    Command("compact", "Compact", "Sum up old turns: /compact [FOCUS]", "", "compact", "compact"),
    Command("preview", "Preview", "See what would be summarised; move the cut", "", "preview", "preview_compaction"),
    Command("undo_compaction", "Undo compaction", "All its turns come back", "", "undo-compaction", "undo_compaction"),
    Command("redo_compaction", "Redo compaction", "Bring an undone one back", "", "redo-compaction", "redo_compaction"),
    Command("pin", "Pin", "Keep this block in the context, or let it go again", "", "pin", "pin"),
    Command("recall", "Recall", "Find what was said in this session: /recall WORDS", "", "recall", "recall"),
    Command("notice", "Notice", "Go to the notice above the prompt", "f10", "", "to_notice"),
)
