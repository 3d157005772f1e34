"""What an entry says, as it is searched and shown: calls with readable arguments, long outputs from their own file."""

import json
import os
from pathlib import Path

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, Block, ToolCallBlock, ToolResultMessage, text_of
from diligent_tui.domain.speech import speech_of

MOST_CHARS = 1_000_000
"""Of a longer text both ends are searched, so that one output cannot fill the index."""
LEFT_OUT = "\n[…]\n"
OWN_NAME = "recall"
"""The tool's own calls and results are passed over, or a question would find itself."""
SUBJECT_CHARS = 200


def readable_text(entry: Entry, spill_folder: Path | None = None) -> str:
    """The words of an entry; slow where a long output has a file of its own, so call it in a thread."""
    match entry:
        case MessageEntry(message=AssistantMessage() as message):
            return _both_ends("\n".join(_block_text(block) for block in message.content if not _is_own(block)))
        case MessageEntry(message=ToolResultMessage(tool_name="recall")):
            return ""
        case MessageEntry(message=ToolResultMessage(spill=str() as name)) if spill_folder is not None:
            whole = _spilled(spill_folder, name)
            return speech_of(entry).words if whole is None else whole
        case _:
            return _both_ends(speech_of(entry).words)


def subject_of(call: ToolCallBlock) -> str:
    """What a call was about, on one line: the first lines of its arguments."""
    lines = [value.strip().partition("\n")[0] for value in call.input.values() if isinstance(value, str)]
    return " ".join(" ".join(lines).split())[:SUBJECT_CHARS]


def plain_file_name(name: str) -> bool:
    """Whether a name from a session file means a file in the folder itself, and none elsewhere."""
    return name not in ("", ".", "..") and "/" not in name and "\\" not in name and "\0" not in name


def _is_own(block: Block) -> bool:
    return isinstance(block, ToolCallBlock) and block.name == OWN_NAME


def _block_text(block: Block) -> str:
    if not isinstance(block, ToolCallBlock):
        return text_of((block,))
    given = [f"{name}: {_argument(value)}" for name, value in block.input.items()]
    return "\n".join([f"[call {block.name}]", *given])


def _argument(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _both_ends(text: str) -> str:
    half = MOST_CHARS // 2
    return text if len(text) <= MOST_CHARS else f"{text[:half]}{LEFT_OUT}{text[-half:]}"


def _spilled(folder: Path, name: str) -> str | None:
    """Both ends of the file of a long output; None if it cannot be read."""
    if not plain_file_name(name):
        return None
    try:
        descriptor = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        size_bytes = os.fstat(descriptor).st_size
        head = os.pread(descriptor, MOST_CHARS if size_bytes <= MOST_CHARS else MOST_CHARS // 2, 0)
        if size_bytes <= MOST_CHARS:
            return head.decode("utf-8", "replace")
        tail = os.pread(descriptor, MOST_CHARS // 2, size_bytes - MOST_CHARS // 2)
        return head.decode("utf-8", "replace") + LEFT_OUT + tail.decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(descriptor)
