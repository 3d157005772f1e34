"""Commands that hold everywhere, in the prompt, and in the chat."""

from diligent_tui.ui.commands.command import Command

EVERYWHERE: tuple[Command, ...] = (
    Command("help", "Help", "Show the keys of where you are", "f1,?", "help", "show_help", in_footer=True),
    Command("tree", "Tree", "Show the session's tree, or hide it", "f2", "tree", "toggle_pane('tree')", in_footer=True),
    Command("tools", "Tools", "Show or hide the tool calls", "f3", "tools", "toggle_pane('tools')", in_footer=True),
    Command("knowledge", "Knowledge", "What is kept across sessions", "f4", "knowledge", "toggle_pane('knowledge')"),
    Command("summary", "Summary", "What old turns became, and back", "f5", "summary", "toggle_pane('summary')"),
    Command("context", "Context", "What the model will see next", "f6", "context", "toggle_pane('context')"),
    Command("trace", "Trace", "What happens inside, event by event", "f7", "trace", "toggle_pane('trace')"),
    Command("sessions", "Sessions", "Find, resume, fork or delete a session", "f8", "sessions", "show_sessions"),
    Command("zoom", "Zoom", "All the room for where you are, or as before", "f9", "zoom", "zoom"),
    Command("border_left", "Border left", "Move the pane's edge to the left", "ctrl+left,<", "", "move_border(-1)"),
    Command("border_right", "Border right", "Move the pane's edge to the right", "ctrl+right,>", "", "move_border(1)"),
    Command("palette", "Palette", "Find anything by a few letters", "ctrl+p", "", "show_palette", in_footer=True),
    Command("next_pane", "Next pane", "Move the focus to the next pane", "tab", "", "focus_next"),
    Command("previous_pane", "Previous pane", "Move the focus to the previous pane", "shift+tab", "", "focus_previous"),
    Command("stop", "Stop", "Step back; stop the agent", "escape", "", "step_back", in_footer=True),
    Command("fork", "Fork", "Go on in a new session that holds all of this one", "", "fork", "fork_session"),
    Command("restore", "Restore files", "Undo what the agent changed in files", "", "restore", "restore_files"),
    Command("new", "New session", "Begin a new session and keep the unsent text", "", "new", "new_session"),
    Command("name", "Name the session", "Give this session a name: /name WORDS", "", "name", "rename_session"),
    Command("model", "Model", "Choose the model, or /model NAME [LEVEL]", "", "model", "choose_model"),
    Command("mode", "Mode", "Next permission mode, or /mode plan|ask|auto-edit|full", "", "mode", "set_mode"),
    Command("trust", "Trust", "Look at what this folder brings; may it be used?", "", "trust", "look_at_trust"),
    Command("theme", "Theme", "The next of dark, light, ansi and contrast, or /theme NAME", "", "theme", "next_theme"),
    Command("to_end", "To the end", "Follow the newest words", "ctrl+end", "", "to_end"),
    Command("search", "Search", "Search in the chat", "ctrl+f", "search", "search_chat"),
    Command("suspend", "Suspend", "Give the terminal to the shell; fg comes back", "", "suspend", "suspend"),
    Command("quit", "Quit", "Leave; everything is saved", "ctrl+q", "quit", "quit", in_footer=True),
)

IN_THE_PROMPT: tuple[Command, ...] = (
    Command(
        "submit",
        "Send",
        "Send it, or queue it while the agent works; ! before it: to the shell",
        "enter",
        where="prompt",
    ),
    Command("newline", "New line", "Begin a new line", "ctrl+j", where="prompt"),
    Command("steer", "Steer", "Tell the working agent at once, after its current tool", "ctrl+s", where="prompt"),
    Command("history", "History", "Earlier prompts; esc esc goes back before one", "up", where="prompt", is_fixed=True),
    Command("find_history", "Find earlier", "Find an earlier prompt by its words", "ctrl+r", where="prompt"),
    Command(
        "stash", "Put aside", "Put the text aside until the next is sent, or bring it back", "ctrl+t", where="prompt"
    ),
    Command("edit_outside", "Editor", "Write in your own editor: $VISUAL or $EDITOR", "ctrl+g", where="prompt"),
    Command("open_paste", "Open paste", "Show a folded paste", "ctrl+o", where="prompt"),
    Command("read_up", "Read up", "Read the chat one screen up", "pageup", where="prompt"),
    Command("read_down", "Read down", "Read the chat one screen down", "pagedown", where="prompt"),
    Command("leave", "Leave", "Quit, on an empty prompt", "ctrl+d", where="prompt", is_fixed=True),
)

IN_THE_CHAT: tuple[Command, ...] = (
    Command("next_block", "Next block", "Go to the next block", "j", where="log"),
    Command("previous_block", "Previous block", "Go to the previous block", "k", where="log"),
    Command("fold", "Open", "Open or fold the block", "enter", where="log", in_footer=True),
    Command("copy", "Copy", "Copy the selection, or the block's source text", "y", where="log", in_footer=True),
    Command("select", "Select", "Select text by lines or characters", "shift+down", where="log"),
    Command("pin_block", "Pin", "Keep this block in the context, or let it go", "p", where="log", in_footer=True),
    Command("branch", "Branch here", "Go on from this block, on a branch of its own", "b", where="log"),
    Command("edit", "Edit and resend", "Go before this prompt, with its words in the editor", "e", where="log"),
    Command("to_tree", "Show in the tree", "Go to this block in the tree", "t", where="log"),
    Command("next_prompt", "Next prompt", "Go to the next prompt; K to the one before", "J", where="log"),
    Command("next_error", "Next error", "Go to the next error; X to the one before", "x", where="log"),
    Command("next_compaction", "Next compaction", "Go to the next compaction; C to the one before", "c", where="log"),
    Command("fold_all", "Fold all", "Fold all thoughts, calls, summaries and pastes, or open them", "z", where="log"),
    Command("next_match", "Next match", "Go to the next match of the search", "n", where="log"),
)
