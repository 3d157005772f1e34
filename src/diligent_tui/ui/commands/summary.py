"""Commands of the summary pane."""

from diligent_tui.ui.commands.command import Command

SUMMARY_COMMANDS: tuple[Command, ...] = (
    Command("summary_text", "Text", "Read the summary and its ledger", "t", where="summary"),
    Command("summary_versions", "Versions", "List all versions of all summaries", "v", where="summary"),
    Command("summary_diff", "Diff", "What this version changed; again: side by side", "d", where="summary"),
    Command("summary_coverage", "Coverage", "What became of each fact: dropped ones first", "c", where="summary"),
    Command("summary_open", "Open", "Open the version, or go to the fact in the chat", "enter", where="summary"),
    Command("summary_up", "Up", "Go one row up", "up,k", where="summary"),
    Command("summary_down", "Down", "Go one row down", "down,j", where="summary"),
    Command("summary_page_up", "Page up", "Go one screen up", "pageup", where="summary"),
    Command("summary_page_down", "Page down", "Go one screen down", "pagedown,space", where="summary"),
    Command("summary_first", "First", "Go to the beginning", "home,g", where="summary"),
    Command("summary_last", "Last", "Go to the end", "end,G", where="summary"),
    Command("summary_older", "Older", "The version before, or the group of facts before", "[", where="summary"),
    Command("summary_newer", "Newer", "The next version, or the next group of facts", "]", where="summary"),
    Command("summary_filter", "Filter", "Show facts of one kind, then of the next", "f", where="summary"),
    Command("summary_add", "Add to the summary", "Put this fact back into the summary", "a", where="summary"),
    Command("summary_keep", "Add to knowledge", "Keep this fact across sessions", "n", where="summary"),
    Command("summary_edit", "Edit", "Edit the summary; ctrl+s saves a new version", "e", where="summary"),
    Command("summary_undo", "Undo", "Undo the compaction: all its turns come back", "u", where="summary"),
    Command("summary_redo", "Redo", "Bring back the compaction that was undone", "r", where="summary"),
    Command("summary_write", "Write again", "Another strategy or model; then choose", "w", where="summary"),
    Command("summary_wide", "Wide", "Use the whole width, or give it back", "z", where="summary"),
    Command("summary_copy", "Copy", "Copy the summary, or the fact", "y", where="summary"),
    Command("summary_back", "Back", "Back to the text", "escape", where="summary"),
)
