"""Writes long sessions quickly: lines straight into the file, as the store would have written them."""

from pathlib import Path

from diligent_tui.domain.entries import MessageEntry, SessionHeader, encode_entry
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.domain.records import to_json_object
from diligent_tui.storage.jsonl import encode_line

STAMP = "2026-01-02T03:04:05.678Z"
LAST_WORD = "Qlast9"


def write_session(project: Path, messages: int) -> None:
    """A session of so many messages whose last answer ends with the last word."""
    folder = project / ".diligent" / "sessions"
    folder.mkdir(parents=True, mode=0o700)
    header = SessionHeader(id="20260102-030405-bench", timestamp=STAMP, cwd=str(project))
    with (folder / f"{header.id}.jsonl").open("wb") as file:
        file.write(encode_line(to_json_object(header)))
        for number in range(messages):
            parent = f"{number - 1:08x}" if number else None
            entry = MessageEntry(
                id=f"{number:08x}", parent_id=parent, timestamp=STAMP, message=_message(number, messages)
            )
            file.write(encode_line(encode_entry(entry)))


def _message(number: int, messages: int) -> UserMessage | AssistantMessage | ToolResultMessage:
    match number % 4:
        case 0:
            return UserMessage(content=f"Please look at part {number}, and say what is wrong with it.")
        case 1:
            call = ToolCallBlock(id=f"call_{number}", name="read", input={"path": f"src/part_{number}.py"})
            return AssistantMessage(content=(TextBlock(text="I read it."), call), stop_reason="tool_use")
        case 2:
            output = f"1  import part_{number}\n" * 20
            return ToolResultMessage(tool_call_id=f"call_{number - 1}", tool_name="read", output=output)
        case _:
            end = LAST_WORD if number == messages - 1 else ""
            words = f"Nothing is **wrong** with `part_{number}`, as far as I can see:\n\n- the first\n- the second\n"
            return AssistantMessage(content=(TextBlock(text=f"{words}\n{end}"),), stop_reason="end_turn")
