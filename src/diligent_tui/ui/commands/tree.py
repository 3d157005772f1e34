"""Commands of the session tree."""

from diligent_tui.ui.commands.command import Command

TREE_COMMANDS: tuple[Command, ...] = (
    Command("tree_go", "Go on here", "Go on from this entry; a prompt comes back for editing", "enter", where="tree"),
    Command("tree_up", "Up", "Go one row up", "up,k", where="tree"),
    Command("tree_down", "Down", "Go one row down", "down,j", where="tree"),
    Command("tree_page_up", "Page up", "Go one screen up", "pageup", where="tree"),
    Command("tree_page_down", "Page down", "Go one screen down", "pagedown", where="tree"),
    Command("tree_first", "First", "Go to the first row", "home,g", where="tree"),
    Command("tree_last", "Last", "Go to the last row", "end,G", where="tree"),
    Command("tree_here", "Here", "Go to where the talk stands", ".", where="tree"),
    Command("tree_left", "Fold", "Go to the prompt, then to the branch; then fold it", "left", where="tree"),
    Command("tree_right", "Unfold", "Unfold the branch, or go one row down", "right", where="tree"),
    Command("tree_fold", "Fold or unfold", "Fold or unfold the branch of this row", "space", where="tree"),
    Command("tree_fold_others", "Fold others", "Fold all branches off your path", "-", where="tree"),
    Command("tree_unfold_all", "Unfold all", "Unfold every branch", "+", where="tree"),
    Command("tree_previous_branch", "Previous branch", "Go to the previous branch", "[", where="tree"),
    Command("tree_next_branch", "Next branch", "Go to the next branch", "]", where="tree"),
    Command("tree_find", "Find", "Find words as you type", "/", where="tree"),
    Command("tree_next_match", "Next match", "Go to the next match", "n", where="tree"),
    Command("tree_previous_match", "Previous match", "Go to the previous match", "N", where="tree"),
    Command("tree_filter", "Filter", "Show all, no tools, prompts only, labelled only", "f", where="tree"),
    Command("tree_label", "Label", "Label this entry; an empty label takes it away", "l", where="tree"),
    Command("tree_mark", "Mark", "Mark this entry for comparing", "m", where="tree"),
    Command("tree_compare", "Compare", "Compare with the marked entry, or with where you are", "c", where="tree"),
    Command("tree_bring", "Bring here", "Bring this entry into the current branch", "b", where="tree"),
    Command("tree_fork", "Fork", "Fork to a new session here", "F", where="tree"),
    Command("tree_context", "Context", "Show the exact request at this entry", "x", where="tree"),
    Command("tree_leave_search", "Back", "Leave the search or the filter", "escape", where="tree"),
)
