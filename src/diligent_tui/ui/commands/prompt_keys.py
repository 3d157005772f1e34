"""What each key does in the prompt; keys that are not here belong to whoever stands around it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from diligent_tui.ui.commands.command import by_key
from diligent_tui.ui.commands.everywhere import IN_THE_PROMPT

Deed = Literal[
    "submit",
    "steer",
    "newline",
    "left",
    "right",
    "up",
    "down",
    "line_start",
    "line_end",
    "word_left",
    "word_right",
    "select_left",
    "select_right",
    "select_up",
    "select_down",
    "select_line_start",
    "select_line_end",
    "select_word_left",
    "select_word_right",
    "delete_left",
    "delete_right",
    "delete_right_or_quit",
    "kill_to_end",
    "kill_to_start",
    "kill_to_space",
    "kill_word_left",
    "kill_word_right",
    "yank",
    "undo",
    "redo",
    "open_paste",
    "search_history",
    "edit_outside",
    "stash",
    "clear",
    "read_up",
    "read_down",
]

_KEYS: Mapping[Deed, str] = {
    "submit": "enter",
    "steer": "ctrl+s",
    # The last two are what is made of Shift+Enter and Alt+Enter in the form that xterm gives them.
    "newline": "shift+enter alt+enter ctrl+j newline shift+\r \r",
    "left": "left",
    "right": "right",
    "up": "up",
    "down": "down",
    "line_start": "ctrl+a home",
    "line_end": "ctrl+e end",
    "word_left": "alt+b ctrl+left alt+left",
    "word_right": "alt+f ctrl+right alt+right",
    "select_left": "shift+left",
    "select_right": "shift+right",
    "select_up": "shift+up",
    "select_down": "shift+down",
    "select_line_start": "shift+home",
    "select_line_end": "shift+end",
    "select_word_left": "ctrl+shift+left",
    "select_word_right": "ctrl+shift+right",
    "delete_left": "backspace shift+backspace",
    "delete_right": "delete",
    "delete_right_or_quit": "ctrl+d",
    "kill_to_end": "ctrl+k",
    "kill_to_start": "ctrl+u",
    "kill_to_space": "ctrl+w",
    "kill_word_left": "alt+backspace ctrl+backspace",
    "kill_word_right": "alt+d alt+delete ctrl+delete",
    "yank": "ctrl+y",
    "undo": "ctrl+underscore ctrl+minus ctrl+z",
    "redo": "ctrl+shift+z",
    "open_paste": "ctrl+o",
    "search_history": "ctrl+r",
    "edit_outside": "ctrl+g",
    "stash": "ctrl+t",
    "clear": "ctrl+c",
    "read_up": "pageup",
    "read_down": "pagedown",
}


# Split at single spaces, for a key may be named by a carriage return.
PROMPT_KEYS: Mapping[str, Deed] = MappingProxyType(
    {key: deed for deed, keys in _KEYS.items() for key in keys.split(" ")}
)
"""The deed of each key, by Textual's name of the key."""
COMMAND_DEEDS: Mapping[str, Deed] = MappingProxyType(
    {
        "submit": "submit",
        "newline": "newline",
        "steer": "steer",
        "history": "up",
        "find_history": "search_history",
        "stash": "stash",
        "edit_outside": "edit_outside",
        "open_paste": "open_paste",
        "read_up": "read_up",
        "read_down": "read_down",
        "leave": "delete_right_or_quit",
    }
)
"""What the commands of the prompt do there."""


def prompt_keys(keymap: Mapping[str, str]) -> Mapping[str, Deed]:
    """The deed of each key, with the user's own keys in place of those that are declared."""
    if not keymap:
        return PROMPT_KEYS
    declared = by_key(IN_THE_PROMPT, {})
    table: dict[str, Deed] = {key: deed for key, deed in PROMPT_KEYS.items() if key not in declared}
    table.update({key: COMMAND_DEEDS[name] for key, name in by_key(IN_THE_PROMPT, keymap).items()})
    return table
