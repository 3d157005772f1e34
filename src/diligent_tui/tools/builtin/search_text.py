"""The tool `grep`: lines of files that fit a regular expression."""

import asyncio
import os
import threading
from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, optional_flag, optional_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.globs import Glob, file_globs
from diligent_tui.tools.limited import limited
from diligent_tui.tools.output import clean_text
from diligent_tui.tools.paths import Located, locate, shown_name
from diligent_tui.tools.permissions import judge_reading
from diligent_tui.tools.searching.patterns import NotUnderstood, Pattern, read_literal, read_pattern
from diligent_tui.tools.searching.programs import Hit, find_ripgrep, python_searcher, ripgrep_searcher
from diligent_tui.tools.searching.search import LARGEST_FILE_BYTES, Left, Search
from diligent_tui.tools.specs import search_text_spec

LONGEST_PATTERN_CHARS = 2_000
LONGEST_LINE_CHARS = 300
MOST_NAMES = 5
LONGEST_NAME_CHARS = 100


@dataclass(frozen=True, slots=True)
class Wish:
    """What is searched for, and where."""

    pattern: Pattern
    note: str
    located: Located
    prefix: str
    """What comes before the path of a hit, so that it can be read by that name."""
    globs: list[Glob]
    files_only: bool


@dataclass(frozen=True, slots=True)
class SearchText:
    """Searches with ripgrep if it is there, else with Python."""

    spec: ToolSpec = field(default_factory=search_text_spec)
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        """Pattern and place."""
        place = arguments.get("path")
        return f"{arguments.get('pattern') or ''}{f' in {place}' if place else ''}"

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free in the workspace."""
        return judge_reading(_wish(arguments, workplace).located, mode)

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Search in a thread, which ends its program if the call is cancelled."""
        wish = _wish(arguments, call.workplace)
        cancelled = threading.Event()
        try:
            return await asyncio.to_thread(_search, wish, call, cancelled)
        finally:
            cancelled.set()


def _wish(arguments: JsonObject, workplace: Workplace) -> Wish:
    known_only(arguments, ("pattern", "path", "glob", "ignoreCase", "filesOnly"))
    given = optional_text(arguments, "pattern")
    if not given:
        raise ToolError("`pattern` is missing: give the regular expression to search for.")
    if len(given) > LONGEST_PATTERN_CHARS:
        raise ToolError(f"`pattern` has {len(given):,} characters: at most {LONGEST_PATTERN_CHARS:,} are taken.")
    ignores_case = optional_flag(arguments, "ignoreCase")
    try:
        pattern, note = read_pattern(given, ignores_case), ""
    except NotUnderstood as error:
        if "\n" in given:
            raise ToolError(
                "`pattern` holds a line break, but lines are matched one by one: search for one line."
            ) from None
        pattern, note = (
            read_literal(given, ignores_case),
            f"[searched as plain text, for as a pattern it fails: {error}]",
        )
    place = optional_text(arguments, "path") or "."
    prefix = "" if place.rstrip("/") == "." else f"{place.rstrip('/')}/"
    globs = file_globs(optional_text(arguments, "glob") or "")
    return Wish(pattern, note, locate(place, workplace), prefix, globs, optional_flag(arguments, "filesOnly"))


def _search(wish: Wish, call: Call, cancelled: threading.Event) -> Outcome:
    most_hits = 1 if wish.files_only else 0
    python = python_searcher(wish.pattern, most_hits)
    ripgrep = find_ripgrep(call.workplace, os.environ.get("PATH", ""))
    plain = ripgrep_searcher(ripgrep, wish.pattern, most_hits) if ripgrep else None
    search = Search(wish.located, wish.globs, plain or python, python, cancelled.is_set)
    lines: list[str] = []
    for found in search.run(call):
        name = shown_name(wish.prefix + found.path if found.path else wish.prefix.rstrip("/"))
        lines.append(name if wish.files_only else f"{name}:{found.hit.line}:{line_text(found.hit)}")
    if not lines:
        lines.append(f"[nothing found in {search.files:,} file{'' if search.files == 1 else 's'}]")
    return limited(lines, [*filter(None, [wish.note, *_notes(search, wish.prefix)])], call)


def line_text(hit: Hit) -> str:
    """The line of a hit, or the part around it if the line is long."""
    before = clean_text(hit.text[: hit.column - 1])
    text = clean_text(hit.text).removesuffix("\r")
    if len(text) <= LONGEST_LINE_CHARS:
        return text
    begin = max(0, min(len(before) - LONGEST_LINE_CHARS // 3, len(text) - LONGEST_LINE_CHARS))
    end = begin + LONGEST_LINE_CHARS
    return f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}"


def _notes(search: Search, prefix: str) -> list[str]:
    left: Left = search.left
    notes = [
        _left_note(left.binary, "binary", "", prefix),
        _left_note(left.secret, "looks like a secret", "; name it as `path` to search it", prefix),
        _left_note(left.too_large, f"larger than {LARGEST_FILE_BYTES:,} bytes", "", prefix),
        _left_note(left.closed, "cannot be opened", "", prefix),
    ]
    if search.ended_early:
        notes.append(f"[{search.ended_early}; there may be more: narrow `path`, `glob` or `pattern`]")
    return notes


def _left_note(paths: list[str], why: str, advice: str, prefix: str) -> str:
    if not paths:
        return ""
    shown = (shown_name(prefix + path if path else prefix.rstrip("/")) for path in paths[:MOST_NAMES])
    names = ", ".join(name if len(name) <= LONGEST_NAME_CHARS else f"…{name[-LONGEST_NAME_CHARS:]}" for name in shown)
    more = f" and {len(paths) - MOST_NAMES:,} more" if len(paths) > MOST_NAMES else ""
    return f"[not searched, {why}: {names}{more}{advice}]"
