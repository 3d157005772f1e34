"""The tool `ls`: what is in a folder."""

import asyncio
import heapq
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, optional_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.paths import SAFE_OPEN, Located, kind_of, locate, open_located, shown_name
from diligent_tui.tools.permissions import judge_reading
from diligent_tui.tools.specs import list_folder_spec

MOST_ENTRIES = 1_000


@dataclass(frozen=True, slots=True)
class ListFolder:
    """Shows a folder's entries, folders first."""

    spec: ToolSpec = field(default_factory=list_folder_spec)
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        """The folder as it was given."""
        return str(arguments.get("path") or ".")

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free in the workspace."""
        return judge_reading(_folder(arguments, workplace), mode)

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """List in a thread, for a folder may be large or far away."""
        return Outcome(await asyncio.to_thread(_list, _folder(arguments, call.workplace), call))


def _folder(arguments: JsonObject, workplace: Workplace) -> Located:
    known_only(arguments, ("path",))
    return locate(optional_text(arguments, "path") or ".", workplace)


def _list(located: Located, call: Call) -> str:
    if located.real.is_file():
        raise ToolError(f"{located.shown} is a file, not a folder: use `read`.")
    descriptor = open_located(located, call.workplace, approved=call.approved, flags=SAFE_OPEN | os.O_DIRECTORY)
    try:
        with os.scandir(descriptor) as entries:
            rows = _Rows(entries)
            lines = [_line(entry, descriptor) for entry in heapq.nsmallest(MOST_ENTRIES, rows, key=_order)]
    finally:
        os.close(descriptor)
    return _within(lines, rows.count, call.workplace.output_limit_bytes)


class _Rows:
    """The entries of a folder, counted as they go by: a folder of millions is never held in memory."""

    def __init__(self, entries: Iterator[os.DirEntry[str]]) -> None:
        self._entries = entries
        self.count = 0

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        for entry in self._entries:
            self.count += 1
            yield entry


def _order(entry: os.DirEntry[str]) -> tuple[bool, str, str]:
    return (not entry.is_dir(follow_symlinks=False), entry.name.casefold(), entry.name)


def _line(entry: os.DirEntry[str], folder: int) -> str:
    name = shown_name(entry.name)
    try:
        if entry.is_symlink():
            return f"{name} -> {shown_name(os.readlink(entry.name, dir_fd=folder))}"
        if entry.is_dir(follow_symlinks=False):
            return f"{name}/"
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return f"{name}  [{error.strerror}]"
    kind = kind_of(status.st_mode)
    return f"{name}  [{kind}]" if kind else f"{name}  {status.st_size:,}"


def _within(lines: list[str], count: int, limit_bytes: int) -> str:
    if not count:
        return "[the folder is empty]"
    shown: list[str] = []
    room = limit_bytes - 100
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        shown.append(line)
    if len(shown) < count:
        shown.append(f"[shown: {len(shown):,} of {count:,} entries; name a sub-folder to see less at once]")
    return "\n".join(shown)
