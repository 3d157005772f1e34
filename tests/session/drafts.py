"""Session files written by hand, line by line."""

from collections.abc import Sequence
from pathlib import Path

from diligent_tui.domain.entries import Entry, MessageEntry, PartialEntry, encode_entry
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.domain.records import JsonObject
from diligent_tui.storage.jsonl import encode_line

SESSION_ID = "20260102030405-abcdef"
STAMP = "2026-01-02T03:04:05.678Z"
HEADER: JsonObject = {"type": "session", "version": 2, "id": SESSION_ID, "timestamp": STAMP, "cwd": "/tmp/project"}


def line_of(entry: Entry | JsonObject) -> bytes:
    return encode_line(entry if isinstance(entry, dict) else encode_entry(entry))


def draft(folder: Path, *lines: Entry | JsonObject | bytes, header: JsonObject | None = HEADER) -> Path:
    """A session file in a folder of its own, with these lines behind its header; bytes stand as they are."""
    path = folder / ".diligent" / "sessions" / f"{SESSION_ID}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [line if isinstance(line, bytes) else line_of(line) for line in lines]
    path.write_bytes(b"".join(([line_of(header)] if header is not None else []) + parts))
    return path


def said(entry_id: str, parent_id: str | None, text: str = "hello") -> MessageEntry:
    """A prompt."""
    return MessageEntry(id=entry_id, parent_id=parent_id, timestamp=STAMP, message=UserMessage(content=text))


def answered(entry_id: str, parent_id: str | None, text: str = "hi") -> MessageEntry:
    """An answer in words."""
    message = AssistantMessage(content=(TextBlock(text=text),), stop_reason="end_turn")
    return MessageEntry(id=entry_id, parent_id=parent_id, timestamp=STAMP, message=message)


def piece(piece_id: str, parent_id: str | None, message_id: str, delta: str, kind: str = "text") -> PartialEntry:
    """A piece of a streaming answer."""
    return PartialEntry(
        id=piece_id,
        parent_id=parent_id,
        timestamp=STAMP,
        message_id=message_id,
        delta=delta,
        kind="thinking" if kind == "thinking" else "text",
    )


def conversation(turns: int) -> list[Entry]:
    """Turns of a prompt, a call, its result and an answer, one behind the other."""
    entries: list[Entry] = []
    parent: str | None = None
    for turn in range(turns):
        ids = [f"{turn:06x}{place:02x}" for place in range(4)]
        call = ToolCallBlock(id=f"call_{turn}", name="ls", input={"path": "."})
        result = ToolResultMessage(tool_call_id=call.id, tool_name="ls", output="a.py")
        entries += [
            said(ids[0], parent, f"prompt {turn}"),
            MessageEntry(id=ids[1], parent_id=ids[0], timestamp=STAMP, message=AssistantMessage(content=(call,))),
            MessageEntry(id=ids[2], parent_id=ids[1], timestamp=STAMP, message=result),
            answered(ids[3], ids[2], f"answer {turn}"),
        ]
        parent = ids[3]
    return entries


def ids_of(entries: Sequence[Entry]) -> list[str]:
    return [entry.id for entry in entries]
