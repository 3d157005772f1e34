"""Which files a tool call reads and changes, told from its name and arguments, whoever made the tool.

Our own tools are `read`, `write`, `edit` and `bash`; others come with entry points, and sessions of other programs
are read too. So a tool is known by what its name says and by the argument that names a file.
"""

import re
from functools import lru_cache
from typing import Literal

from diligent_tui.compaction.shell_touches import Touches, command_name, shell_touches
from diligent_tui.domain.json_objects import JsonObject

PATH_ARGUMENTS = ("path", "file_path", "filePath", "filename", "file", "notebook_path", "target_file")
COMMAND_ARGUMENTS = ("command", "cmd", "script")
SHELLS = frozenset({"bash", "shell", "sh", "execute_bash", "run_command", "terminal", "exec", "run"})

_CHANGING = re.compile(r"write|edit|create|replace|patch|insert|append|delete|move|rename", re.IGNORECASE)
_READING = re.compile(r"read|view|open|cat\b", re.IGNORECASE)
_ENDING = re.compile(r"[\w-]\.[A-Za-z]\w{0,7}\Z")
_LOOKING = re.compile(r"read|view|open|grep|glob|find|search|list|\bls\b|fetch|recall|todo|think", re.IGNORECASE)


def touches_of(name: str, arguments: JsonObject) -> Touches:
    """The files that a call is about to touch, if it does not fail."""
    if (command := shell_command(name, arguments)) is not None:
        return shell_touches(command)
    path = _path_in(arguments)
    # An editor with several verbs names the one it means in `command`.
    verb = arguments.get("command")
    deed = verb if isinstance(verb, str) and path else name
    kind = _kind_of(deed)
    only_looks = kind in ("reads", "looks")
    if path is None:
        return Touches(only_looks=only_looks)
    if kind == "changes":
        return Touches(changed=(path,))
    # A search looks into one file or below a folder; only a file's name has an ending.
    is_read = kind == "reads" or (only_looks and _ENDING.search(path))
    return Touches(read=(path,) if is_read else (), only_looks=only_looks)


@lru_cache(maxsize=256)
def _kind_of(deed: str) -> Literal["changes", "reads", "looks", "other"]:
    """What a tool does, by its name; the same few names come again and again."""
    if _CHANGING.search(deed):
        return "changes"
    if _READING.search(deed):
        return "reads"
    return "looks" if _LOOKING.search(deed) else "other"


def shell_command(name: str, arguments: JsonObject) -> str | None:
    """The command line of a call to a shell, or None for other tools."""
    if name.lower() not in SHELLS:
        return None
    return next((value for key in COMMAND_ARGUMENTS if isinstance(value := arguments.get(key), str)), None)


def deed_of(name: str, arguments: JsonObject) -> str:
    """What a call does, in a few words that are the same for every try of it."""
    if (command := shell_command(name, arguments)) is not None:
        return f"{name} {command_name(command)}"
    return f"{name} {_path_in(arguments) or ''}".strip()


def _path_in(arguments: JsonObject) -> str | None:
    for key in PATH_ARGUMENTS:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return value
    return None
