"""A list of things to do, as it is written into a tool's result and read back from there; pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from diligent_tui.domain.messages import Message, ToolResultMessage, text_of

TodoState = Literal["open", "active", "done"]
STATES: tuple[TodoState, ...] = get_args(TodoState)
SIGNS: dict[TodoState, str] = {"open": "[ ]", "active": "[>]", "done": "[x]"}
TOOL_NAME = "todo"
EMPTY = "[nothing to do]"
_LINE = re.compile(r"(\[[ >x]\]) (.+)")


@dataclass(frozen=True, slots=True)
class TodoItem:
    """One thing to do."""

    text: str
    state: TodoState = "open"


def write_todo(items: Sequence[TodoItem]) -> str:
    """The list as the model and the user see it, one line for each item."""
    return "\n".join(f"{SIGNS[item.state]} {item.text}" for item in items) or EMPTY


def read_todo(text: str) -> tuple[TodoItem, ...]:
    """The list that `write_todo` wrote."""
    states: dict[str | None, TodoState] = {sign: state for state, sign in SIGNS.items()}
    lines = (_LINE.fullmatch(line) for line in text.split("\n"))
    return tuple(TodoItem(line[2], states[line[1]]) for line in lines if line)


def newest_todo(messages: Iterable[Message]) -> tuple[TodoItem, ...]:
    """The list as it stands after these messages of a path."""
    newest: tuple[TodoItem, ...] = ()
    for message in messages:
        if isinstance(message, ToolResultMessage) and message.tool_name == TOOL_NAME and not message.is_error:
            newest = read_todo(text_of(message.output))
    return newest
