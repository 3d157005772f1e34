"""Files that a conversation read and changed."""

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage
from diligent_tui.session.touched_files import touched_files


def call(name: str, path: object, *, fails: bool = False) -> list[Entry]:
    block = ToolCallBlock(id=f"{name}{path}", name=name, input={"path": path})
    return [
        MessageEntry(message=AssistantMessage(content=(block,))),
        MessageEntry(message=ToolResultMessage(tool_call_id=block.id, tool_name=name, output="", is_error=fails)),
    ]


def test_a_changed_file_is_not_a_read_one_and_failed_calls_touch_nothing() -> None:
    talk = [
        *call("read", "a"),
        *call("read", "b"),
        *call("edit", "a"),
        *call("write", "gone", fails=True),
        *call("read", 7),
        *call("bash", "c"),
    ]
    found = touched_files(talk)
    assert found.read == ("b",)
    assert found.changed == ("a",)


def test_the_last_touch_decides_the_order() -> None:
    assert touched_files([*call("read", "a"), *call("read", "b"), *call("read", "a")]).read == ("b", "a")
