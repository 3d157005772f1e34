"""The keys of the knowledge pane: what each does, and what its foot says of them.

They are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that the `d` of words typed quickly would take an entry back. The pane looks them up itself, key by key, in order.
"""

from collections.abc import Mapping, Sequence

from diligent_tui.ui.commands.knowledge import KNOWLEDGE_COMMANDS

IN_THE_LIST = ("a add", "e edit", "d take back", "p pin", "/ filter", "F1 keys", "o details", "m merge", "S scope")
IN_THE_INBOX = ("a accept", "e edit", "d reject", "A all", "⏎ source", "u undo", "esc back")
IN_THE_MERGE = ("space take in", "⏎ merge", "esc back")
IN_THE_FORM = ("⏎ save", "tab next", "^j line", "esc leave")
IN_AN_EMPTY_LIST = ("a add", "i inbox", "F1 keys")
IN_AN_EMPTY_INBOX = ("u undo", "esc back")
IN_THE_PAST = ("d bring back", "v view", "o details", "⏎ origin", "F1 keys")


def hint(hints: Sequence[str], width: int) -> str:
    """As many keys as there is room for."""
    shown = ""
    for words in hints:
        longer = f"{shown}  {words}" if shown else words
        if len(longer) > width:
            break
        shown = longer
    return shown


def fact_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """The id of the command of each key, with the user's own keys in place of ours."""
    return {
        key: command.id
        for command in KNOWLEDGE_COMMANDS
        if command.where == "knowledge"
        for key in keymap.get(command.id, command.keys).split(",")
        if key
    }
