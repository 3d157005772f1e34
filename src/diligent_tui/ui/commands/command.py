"""What a command is: something the user can ask for, by a key, a slash word or its name."""

from collections.abc import Iterable, Mapping
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

    @property
    def first_key(self) -> str:
        """The key to show."""
        return self.keys.partition(",")[0]


def by_key(commands: Iterable[Command], keymap: Mapping[str, str]) -> dict[str, str]:
    """The id of the command of each key, with the user's own keys in place of ours."""
    return {key: command.id for command in commands for key in keymap.get(command.id, command.keys).split(",") if key}
