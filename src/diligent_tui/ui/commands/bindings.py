"""The keys of the commands that hold everywhere, as Textual binds them."""

import re
from collections.abc import Mapping

from textual.binding import Binding

from diligent_tui.ui.commands import COMMANDS
from diligent_tui.ui.commands.command import with_keys

BEFORE_ALL = frozenset({"quit", "palette"})
"""What works whatever has the focus."""
NEVER_TYPED = re.compile(r"f[0-9]+")
"""Keys that are no text: with one of them help comes in dialogs, too, where the app's other keys do nothing."""
NO_KEY = "no_key"
"""A name that no key has."""


def bindings(keymap: Mapping[str, str]) -> list[Binding]:
    """Bindings of the commands that hold everywhere, with the user's own keys."""
    return [
        Binding(key, each.action, each.title, show=False, priority=_comes_first(each.id, key), id=each.id)
        for each in with_keys(COMMANDS, keymap)
        if each.where == "everywhere" and each.action
        for key in each.each_key
    ]


def keys_of_the_chat(keymap: Mapping[str, str]) -> dict[str, str]:
    """The user's own keys for the chat, whose bindings have the names of their commands."""
    names = {command.id for command in COMMANDS if command.where == "log"}
    return {name: keys or NO_KEY for name, keys in keymap.items() if name in names}


def _comes_first(command_id: str, key: str) -> bool:
    return command_id in BEFORE_ALL or (command_id == "help" and bool(NEVER_TYPED.fullmatch(key)))
