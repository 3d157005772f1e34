"""Writes projects as they look after months of work: sessions of any length with long outputs, and many sessions."""

import os
from collections.abc import Iterator
from pathlib import Path

from diligent_tui.domain.entries import (
    CompactionEntry,
    Entry,
    MessageEntry,
    SessionHeader,
    SessionInfoEntry,
    encode_entry,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.domain.records import to_json_object
from diligent_tui.storage.jsonl import encode_line

STAMP = "2026-01-02T03:04:05.678Z"
LAST_WORD = "Qlast9"
SPILL_BYTES = 1_000_000
ENTRIES_PER_SPILL = 400
"""One output in a hundred is too long for its line."""
ENTRIES_PER_COMPACTION = 200
"""Some 600 KB, which is what fits into a window of 200,000 tokens."""
KEPT_ENTRIES = 20
OUTPUT_LINE = "    {number:>6}  assert measure(part_{number}) == pytest.approx(expected[{number}])\n"
OUTPUT_LINES = 180
"""Some 12 KB, as a page of a file or the end of a test run."""


def write_long_session(project: Path, entries: int) -> Path:
    """A session of so many entries, with its long outputs beside it, whose last answer ends with the last word."""
    path = _new_file(project, 0)
    spills = path.with_suffix("")
    spills.mkdir(mode=0o700)
    with path.open("wb") as file:
        file.write(_header(path))
        for entry in _talk(entries):
            file.write(encode_line(encode_entry(entry)))
    # Long outputs are never read while opening; holes would do, but then the folder would be smaller than it says.
    block = b"a line of a long build that nobody reads again\n" * (SPILL_BYTES // 47)
    for number in range(2, entries, ENTRIES_PER_SPILL):
        (spills / f"{number:08x}.txt").write_bytes(block)
    return path


def write_sessions(project: Path, count: int) -> Path:
    """So many sessions of a few turns each; returns their folder."""
    for number in range(count):
        path = _new_file(project, number)
        info = SessionInfoEntry(id="ffffffff", timestamp=STAMP, name=f"session {number}", tokens=number, compactions=0)
        lines = [_header(path), *(encode_line(encode_entry(entry)) for entry in (*_talk(12), info))]
        path.write_bytes(b"".join(lines))
        os.utime(path, (1_760_000_000 + number, 1_760_000_000 + number))
    return _sessions(project)


def size_megabytes(folder: Path) -> float:
    """What a folder holds."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _sessions(project: Path) -> Path:
    return project / ".diligent" / "sessions"


def _new_file(project: Path, number: int) -> Path:
    _sessions(project).mkdir(parents=True, exist_ok=True, mode=0o700)
    return _sessions(project) / f"20260102030405-{number:06x}.jsonl"


def _header(path: Path) -> bytes:
    return encode_line(to_json_object(SessionHeader(id=path.stem, timestamp=STAMP, cwd=str(path.parent.parent.parent))))


def _talk(entries: int) -> Iterator[Entry]:
    for number in range(entries):
        parent = f"{number - 1:08x}" if number else None
        if number % ENTRIES_PER_COMPACTION == ENTRIES_PER_COMPACTION - 1 and number < entries - 1:
            yield CompactionEntry(
                id=f"{number:08x}",
                parent_id=parent,
                timestamp=STAMP,
                summary="So far every part was looked at, and nothing was wrong. " * 60,
                first_kept_entry_id=f"{number - KEPT_ENTRIES + 1:08x}",
                tokens_before=180_000,
                tokens_after=20_000,
            )
        else:
            message = _message(number, is_last=number == entries - 1)
            yield MessageEntry(id=f"{number:08x}", parent_id=parent, timestamp=STAMP, message=message)


def _message(number: int, *, is_last: bool) -> UserMessage | AssistantMessage | ToolResultMessage:
    end = LAST_WORD if is_last else ""
    match number % 4:
        case 0:
            return UserMessage(content=f"Please look at part {number}, and say what is wrong with it.{end}")
        case 1:
            call = ToolCallBlock(id=f"call_{number}", name="read", input={"path": f"src/part_{number}.py"})
            words = TextBlock(text=f"I read it.{end}")
            return AssistantMessage(content=(words, call), stop_reason="tool_use")
        case 2:
            output = OUTPUT_LINE.format(number=number) * OUTPUT_LINES
            return ToolResultMessage(tool_call_id=f"call_{number - 1}", tool_name="read", output=f"{output}{end}")
        case _:
            words = f"Nothing is **wrong** with `part_{number}`:\n\n- the first\n- the second\n\n{end}"
            return AssistantMessage(content=(TextBlock(text=words),), stop_reason="end_turn")
