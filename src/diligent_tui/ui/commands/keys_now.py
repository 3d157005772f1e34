"""The one place that knows which key a command has now: what the screen says of keys is asked here."""

import re
from collections.abc import Iterator, Mapping, Sequence

from diligent_tui.ui.commands import COMMANDS, Command, Where
from diligent_tui.ui.commands.command import with_keys
from diligent_tui.ui.key_line import Hint, key_name, spelled

NAMED = re.compile(r"\{(\w+)\}")
NO_KEY = "(no key)"
BY_NAME: Mapping[str, Command] = {command.id: command for command in COMMANDS}


def commands_now(keymap: Mapping[str, str], where: Where | None = None) -> tuple[Command, ...]:
    """All commands, or those of one place, with the keys of now."""
    return with_keys((command for command in COMMANDS if where in (None, command.where)), keymap)


def shown_key(command: Command) -> str:
    """How to reach a command: its key, or its slash word if it has none."""
    return spelled(key_name(command.first_key)) or (f"/{command.slash}" if command.slash else "")


def key_now(name: str, keymap: Mapping[str, str]) -> str:
    """How to reach a command of that name now."""
    (command,) = with_keys((BY_NAME[name],), keymap)
    return shown_key(command)


def pieces_now(sentence: str, keymap: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """The pieces of a sentence that names commands in braces: their keys of now, and the words between."""
    for place, piece in enumerate(NAMED.split(sentence)):
        if place % 2 and piece in BY_NAME:
            yield key_now(piece, keymap) or NO_KEY, True
        elif piece:
            yield f"{{{piece}}}" if place % 2 else piece, False


def sentence_now(sentence: str, keymap: Mapping[str, str]) -> str:
    """A sentence that names commands in braces, with their keys of now."""
    return "".join(piece for piece, _ in pieces_now(sentence, keymap))


def hints_now(hints: Sequence[Hint], where: Where, keymap: Mapping[str, str]) -> Sequence[Hint]:
    """What a foot there says, written with our keys, with those of now; a hint that has no key any more is left out."""
    changed = _changed_names(where, keymap)
    if not changed:
        return hints
    said = [([changed.get(key, key) for key in keys.split(" ")], words) for keys, words in hints]
    return [(" ".join(filter(None, keys)), words) for keys, words in said if any(keys)]


def _changed_names(where: Where, keymap: Mapping[str, str]) -> dict[str, str]:
    """What is shown now in the place of each of our keys that does its work no more; the place's own count first."""
    names: dict[str, str] = {}
    chosen = [command for name in keymap if (command := BY_NAME.get(name)) is not None]
    for place in ("everywhere", where):
        for ours in chosen:
            if ours.where == place:
                (now,) = with_keys((ours,), keymap)
                names |= {key_name(key): shown_key(now) for key in ours.each_key if key not in now.each_key}
    return names
