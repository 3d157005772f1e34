"""What a command is: something the user can ask for, by a key, a slash word or its name."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Where = Literal[
    "everywhere",
    "prompt",
    "log",
    "tree",
    "tools",
    "knowledge",
    "summary",
    "context",
    "trace",
    "sessions",
    "preview",
    "recall",
    "charts",
    "queue",
]

OUR_KEYS: Mapping[str, str] = MappingProxyType({})
"""The keymap of who changed no key; a keymap has the user's own keys by the names of commands."""


class Command(NamedTuple):
    """Something the user can ask for; `action` is the method that does it, `slash` its word in the prompt."""

    id: str
    title: str
    help: str
    keys: str = ""
    slash: str = ""
    action: str = ""
    where: Where = "everywhere"
    in_footer: bool = False
    is_fixed: bool = False
    """True if its key means more than this one thing, and so cannot be changed."""

    @property
    def each_key(self) -> tuple[str, ...]:
        """Its keys, of which each will do."""
        return tuple(filter(None, self.keys.split(",")))

    @property
    def first_key(self) -> str:
        """The key to show."""
        return self.keys.partition(",")[0]


def with_keys(commands: Iterable[Command], keymap: Mapping[str, str]) -> tuple[Command, ...]:
    """The commands with the keys of now: the user's own in place of ours."""
    if not keymap:
        return tuple(commands)
    return tuple(command._replace(keys=keymap.get(command.id, command.keys)) for command in commands)


def by_key(commands: Iterable[Command], keymap: Mapping[str, str]) -> dict[str, str]:
    """The id of the command of each key of now."""
    return {key: command.id for command in with_keys(commands, keymap) for key in command.each_key}
