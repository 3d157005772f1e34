"""The tool `glob`: files by the pattern of their names."""

import asyncio
import os
import threading
import time
from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, optional_text, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.globs import Glob, file_globs
from diligent_tui.tools.limited import limited
from diligent_tui.tools.paths import SAFE_OPEN, Located, locate, open_located, shown_name
from diligent_tui.tools.permissions import judge_reading
from diligent_tui.tools.specs import find_files_spec
from diligent_tui.tools.walking import Walk

LONGEST_SEARCH_SECONDS = 20.0
MOST_FILES = 10_000


@dataclass(frozen=True, slots=True)
class FindFiles:
    """Names the files that fit, in order."""

    spec: ToolSpec = field(default_factory=find_files_spec)
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        """Pattern and place."""
        place = arguments.get("path")
        return f"{arguments.get('pattern') or ''}{f' in {place}' if place else ''}"

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free in the workspace."""
        return judge_reading(_wish(arguments, workplace)[0], mode)

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Walk in a thread, which stops if the call is cancelled."""
        located, globs = _wish(arguments, call.workplace)
        cancelled = threading.Event()
        try:
            return await asyncio.to_thread(_find, located, globs, call, cancelled)
        finally:
            cancelled.set()


def _wish(arguments: JsonObject, workplace: Workplace) -> tuple[Located, list[Glob]]:
    known_only(arguments, ("pattern", "path"))
    globs = file_globs(required_text(arguments, "pattern", "give the pattern, as `**/*.py`"))
    return locate(optional_text(arguments, "path") or ".", workplace), globs


def _find(located: Located, globs: list[Glob], call: Call, cancelled: threading.Event) -> Outcome:
    if not located.real.is_dir():
        state = "is a file" if located.real.exists() else "does not exist"
        raise ToolError(f"{located.shown} {state}: give a folder as `path`.")
    descriptor = open_located(located, call.workplace, approved=call.approved, flags=SAFE_OPEN | os.O_DIRECTORY)
    deadline = time.monotonic() + LONGEST_SEARCH_SECONDS
    prefix = "" if located.shown.rstrip("/") == "." else f"{located.shown.rstrip('/')}/"
    paths: list[str] = []
    looked_at = 0
    try:
        walk = Walk(descriptor, located.real, call.workplace, lambda: cancelled.is_set() or time.monotonic() > deadline)
        for found in walk:
            looked_at += 1
            if any(glob.matches(found.names) for glob in globs):
                paths.append(shown_name(prefix + found.path))
            if len(paths) > MOST_FILES:
                break
    finally:
        os.close(descriptor)
    notes = [f"[stopped at {MOST_FILES:,} files: narrow the pattern]"] if len(paths) > MOST_FILES else []
    if time.monotonic() > deadline:
        notes.append(f"[stopped after {LONGEST_SEARCH_SECONDS:g} s, {looked_at:,} files: name a smaller folder]")
    if walk.was_too_deep:
        notes.append("[some folders are too deep and were not entered]")
    return limited(paths[:MOST_FILES] or [f"[none of {looked_at:,} files fits]"], notes, call)
