"""Finds what is wrong with the keys that a user chose: names, spellings, and two commands on one key."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import combinations
from typing import NamedTuple

from diligent_tui.ui.commands.command import Command, with_keys
from diligent_tui.ui.commands.keys_now import BY_NAME
from diligent_tui.ui.commands.prompt_keys import COMMAND_DEEDS, PROMPT_KEYS
from diligent_tui.ui.key_line import KEY_NAMES, key_name

NAMED_KEYS = frozenset(
    {
        "enter",
        "escape",
        "tab",
        "space",
        "backspace",
        "delete",
        "insert",
        "home",
        "end",
        "pageup",
        "pagedown",
        "up",
        "down",
        "left",
        "right",
        *(f"f{number}" for number in range(1, 25)),
    }
)
OTHER_NAMES: Mapping[str, str] = {shown: key for key, shown in KEY_NAMES.items()} | {
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgdown": "pagedown",
    "page_up": "pageup",
    "page_down": "pagedown",
}
OTHER_MODIFIERS: Mapping[str, str] = {"control": "ctrl", "meta": "alt", "option": "alt"}
SAME_IN_A_TERMINAL: Mapping[str, str] = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "escape"}
PARTS = re.compile(r"(?P<before>(?:alt\+)?(?:ctrl\+)?(?:shift\+)?)(?P<last>.+)", re.DOTALL)
NEEDED = frozenset({"submit", "stop"})
"""Nothing else does these."""
LONGEST_SHOWN_CHARS = 40
TOO_FEW = "Choose one with ctrl+ or alt+ before it, or f1 to f24."


class KeyFault(NamedTuple):
    """What is wrong with the key of a command; one that clashes is used nevertheless."""

    name: str
    message: str
    advice: str
    is_used: bool = False


def check_keys(chosen: Mapping[str, str]) -> tuple[KeyFault, ...]:
    """Everything that is wrong, in the order of the settings; clashes last."""
    faults = tuple(fault for name, said in chosen.items() for fault in _faults_of(name, said))
    return (*faults, *_clashes(_usable(chosen, faults)))


def usable_keys(chosen: Mapping[str, str]) -> dict[str, str]:
    """What of it can be used, without blanks between keys; the others keep our keys."""
    return _usable(chosen, check_keys(chosen))


def _usable(chosen: Mapping[str, str], faults: tuple[KeyFault, ...]) -> dict[str, str]:
    wrong = {fault.name for fault in faults if not fault.is_used}
    return {name: ",".join(_split(said)) for name, said in chosen.items() if name not in wrong}


def _split(said: str) -> list[str]:
    return [key for part in said.split(",") if (key := part.strip())]


def _faults_of(name: str, said: str) -> Iterator[KeyFault]:
    command = BY_NAME.get(name)
    if command is None:
        near = get_close_matches(name, BY_NAME, n=1)
        advice = f"Did you mean `{near[0]}`?" if near else "docs/keys.md lists the names."
        yield KeyFault(name, f"`{name[:LONGEST_SHOWN_CHARS]}` names no command.", advice)
    elif command.is_fixed:
        key = key_name(command.first_key)
        yield KeyFault(name, f"The key of `{name}` cannot be changed.", f"Take it out; {key} stays as it is.")
    elif said and not _split(said):
        advice = 'Write space for the space bar, or "" to take the key away; a comma stands between keys.'
        yield KeyFault(name, f"There is no key for `{name}` in it.", advice)
    elif name in NEEDED and not said:
        yield KeyFault(name, f"`{name}` cannot be without a key.", f"Ours is {command.first_key}.")
    else:
        for key in _split(said):
            if advice := _why_no_key(key, command):
                yield KeyFault(name, f"`{key[:LONGEST_SHOWN_CHARS]}` cannot be the key of `{name}`.", advice)


def _why_no_key(key: str, command: Command) -> str:
    """What to do about a key that cannot be used there; nothing if it can."""
    if same := SAME_IN_A_TERMINAL.get(key):
        return f"In a terminal it is the same as {same}. Choose another."
    if not _is_key(key):
        better = _better(key)
        known = "Write a character as it is typed, or such as ctrl+b, alt+x, f12, pageup, shift+up."
        return f"Did you mean {better}?" if better else known
    if len(key) == 1 and command.where == "prompt":
        return f"There it is typed. {TOO_FEW}"
    return ""


def _is_key(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable()
    parts = PARTS.fullmatch(key)
    if parts is None:
        return False
    before, last = parts["before"], parts["last"]
    if last in NAMED_KEYS:
        return True
    # With shift a terminal sends another character, and no shift.
    return bool(before) and "shift" not in before and len(last) == 1 and last.isprintable() and last == last.lower()


def _better(key: str) -> str:
    """The same key in our writing, if one can be made out."""
    words = key.replace("-", "+").split("+") if len(key) > 1 else [key]
    *before, last = [word.strip() for word in words]
    before = sorted(OTHER_MODIFIERS.get(word.lower(), word.lower()) for word in before)
    if before == ["shift"] and len(last) == 1 and last.isalpha():
        return last.upper()
    low = last.lower()
    for wanted in (OTHER_NAMES.get(low, low), *get_close_matches(low, NAMED_KEYS, n=1, cutoff=0.8)):
        if _is_key(better := "+".join((*before, wanted))):
            return better
    return ""


def _clashes(keymap: Mapping[str, str]) -> Iterator[KeyFault]:
    """Only those that the user made: some of our own keys mean one thing in a place and another elsewhere."""
    commands = with_keys(BY_NAME.values(), keymap)
    changed = [command for command in commands if command.id in keymap]
    for command in changed:
        for key in _new_keys(command):
            yield from _clashes_of(command, key, commands)
    for one, other in combinations(changed, 2):
        for key in set(_new_keys(one)) & set(_new_keys(other)):
            if _meet(one, other):
                yield _clash(one, other, key)


def _clashes_of(command: Command, key: str, commands: tuple[Command, ...]) -> Iterator[KeyFault]:
    for other in commands:
        if other.id != command.id and key in other.each_key and key not in _new_keys(other) and _meet(command, other):
            yield _clash(command, other, key)
    deed = PROMPT_KEYS.get(key)
    if command.where in ("prompt", "everywhere") and deed is not None and deed not in COMMAND_DEEDS.values():
        what = deed.replace("_", " ")
        message = f"`{key}` is the key of `{command.id}`, and in the prompt a key for editing: {what}."
        yield KeyFault(command.id, message, "Choose another key.", is_used=True)


def _new_keys(command: Command) -> list[str]:
    ours = BY_NAME[command.id].each_key
    return [key for key in command.each_key if key not in ours]


def _meet(one: Command, other: Command) -> bool:
    return one.where == other.where or "everywhere" in (one.where, other.where)


def _clash(one: Command, other: Command, key: str) -> KeyFault:
    message = f"`{key}` is the key of `{one.id}` and of `{other.id}`."
    return KeyFault(one.id, message, "Give one of them another key.", is_used=True)
