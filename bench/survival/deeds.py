"""Which files a call read or changed, by the benchmark's own reading of tool arguments and shell commands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bench.survival.finders import path_key
from bench.survival.values import as_text
from diligent_tui.domain.requests import ToolCall

PATH_KEYS = ("file_path", "path", "notebook_path", "filePath")
SHELL_TOOLS = frozenset({"bash", "execute_bash", "shell", "run_command", "exec"})
READ_TOOLS = frozenset({"read", "view", "read_file", "notebookread"})
CHANGE_TOOLS = frozenset({"edit", "write", "multiedit", "notebookedit", "create", "str_replace", "write_file"})
LOOK_TOOLS = READ_TOOLS | {"grep", "glob", "ls", "webfetch", "websearch", "find"}

_FILE = r"[\w./~@+-]*[\w-]\.[A-Za-z]\w{0,7}"
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?(.*?)\n.*?^\s*\1\b", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_WRITTEN = re.compile(rf"(?<![\d<>&-])>>?\s*({_FILE})(?![\w/])")
_PYTHON_WRITE = re.compile(rf"open\(\s*['\"]({_FILE})['\"]\s*,\s*['\"][wa]")
_IN_PLACE = re.compile(rf"\bsed\s+(?:-\w+\s+)*-i\S*\s+(?:''\s+)?(?:-e\s+)?.*?({_FILE})\s*$")
_REMOVED = re.compile(rf"\b(?:rm|touch|tee)\s+(?:-\w+\s+)*({_FILE})")
_READ = re.compile(rf"\b(?:cat|head|tail|nl|less|wc)\s+(?:-\w*\s*\d*\s+)*({_FILE})(?![\w/])")
_SED_READ = re.compile(rf"\bsed\s+-n\s+\S+\s+({_FILE})")
_LOOKING = re.compile(r"^(?:cd\s+\S+\s*&&\s*)?(?:cat|head|tail|nl|less|grep|rg|find|ls|sed -n|git (?:diff|show|log))\b")

Deed = Literal["read", "changed"]


@dataclass(frozen=True, slots=True)
class Touch:
    """A file, by its key, and what was done to it."""

    deed: Deed
    key: str


def touches_in(call: ToolCall) -> Iterator[Touch]:
    """The files that a call touches, if it does not fail."""
    name = call.name.lower()
    if name in SHELL_TOOLS:
        yield from _shell_touches(as_text(call.input.get("command")))
        return
    path = next((text for key in PATH_KEYS if (text := as_text(call.input.get(key)))), "")
    verb = as_text(call.input.get("command")).lower() if name == "str_replace_editor" else name
    if not path or not re.search(r"\.\w{1,8}$", path):
        return
    if verb in READ_TOOLS:
        yield Touch("read", path_key(path))
    elif verb in CHANGE_TOOLS or verb in ("insert", "undo_edit"):
        yield Touch("changed", path_key(path))


def only_looks(call: ToolCall) -> bool:
    """Whether what comes back is other people's text: files, matches, listings."""
    name = call.name.lower()
    if name in SHELL_TOOLS:
        return _LOOKING.match(as_text(call.input.get("command")).strip()) is not None
    return name in LOOK_TOOLS or as_text(call.input.get("command")) == "view"


def _shell_touches(command: str) -> Iterator[Touch]:
    for written in _PYTHON_WRITE.findall(command):
        yield Touch("changed", path_key(written))
    for line in _HEREDOC.sub(r"\2 ;", command).splitlines():
        for simple in re.split(r"&&|\|\||;|\|", _QUOTED.sub(_blank_unless_path, line)):
            changed = [
                *_WRITTEN.findall(simple),
                *_IN_PLACE.findall(simple.strip()),
                *_REMOVED.findall(simple),
            ]
            for path in changed:
                yield Touch("changed", path_key(path))
            for path in (*_READ.findall(simple), *_SED_READ.findall(simple)):
                if path not in changed:
                    yield Touch("read", path_key(path))


def _blank_unless_path(quoted: re.Match[str]) -> str:
    inner = quoted[0][1:-1]
    return inner if re.fullmatch(_FILE, inner) else "Q"
