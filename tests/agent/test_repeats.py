"""A model that runs in a circle is stopped, one that waits for something is not."""

import pytest

from diligent_tui.agent.repeats import is_repeated
from diligent_tui.domain.entries import CompactionEntry, Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.session.tree import node_of


def call(name: str, number: int = 0) -> ToolCallBlock:
    return ToolCallBlock(id=f"call-{number}", name="bash", input={"command": name})


def log(story: str) -> list[Entry]:
    """A letter is a call with its output in brackets behind it, `u` a prompt, `-` a compaction."""
    entries: list[Entry] = [MessageEntry(id="start", message=UserMessage(content="go"))]
    for number, step in enumerate(story.split()):
        name, _, output = step.partition(":")
        if name == "u":
            entries.append(MessageEntry(id=f"u-{number}", message=UserMessage(content="more")))
        elif name == "-":
            entries.append(CompactionEntry(id=f"c-{number}", summary="so far", first_kept_entry_id=entries[-1].id))
        else:
            asked = call(name, number)
            told = ToolResultMessage(tool_call_id=asked.id, tool_name="bash", output=output)
            entries.append(MessageEntry(id=f"a-{number}", message=AssistantMessage(content=(asked,))))
            entries.append(MessageEntry(id=f"r-{number}", message=told))
    return entries


@pytest.mark.parametrize(
    ("story", "next_call", "expected"),
    [
        ("", "a", False),
        ("a:1", "a", False),
        ("a:1 a:1", "a", True),
        ("a:1 a:1", "b", False),
        ("a:1 a:2", "a", False),
        ("b:1 a:1", "a", False),
        ("a:1 b:1 a:1", "b", False),
        ("a:1 b:2 a:1 b:2", "a", True),
        ("x:0 a:1 b:2 a:1 b:2", "a", True),
        ("a:1 b:2 a:1 b:2", "b", False),
        ("a:1 b:2 a:1 b:3", "a", False),
        ("a:1 b:2 c:3 a:1 b:2 c:3", "a", True),
        ("a:1 b:2 c:3 a:1 b:2 c:4", "a", False),
        ("a:1 - a:1", "a", True),
        ("a:1 a:1 -", "a", True),
        ("a:1 b:2 - a:1 - b:2", "a", True),
        ("a:1 u a:1", "a", False),
        ("a:1 a:1 u", "a", False),
        ("u a:1 a:1", "a", True),
    ],
)
def test_the_third_round_is_a_repetition(story: str, next_call: str, expected: bool) -> None:
    entries = log(story)
    known = {entry.id: entry for entry in entries}
    path = [node_of(entry) for entry in entries]
    assert is_repeated(call(next_call), path, known.__getitem__) == expected


def test_the_order_of_arguments_does_not_matter() -> None:
    entries = log("a:1 a:1")
    known = {entry.id: entry for entry in entries}
    path = [node_of(entry) for entry in entries]
    same = ToolCallBlock(id="x", name="bash", input={"command": "a"})
    other = ToolCallBlock(id="x", name="read", input={"command": "a"})
    assert [is_repeated(each, path, known.__getitem__) for each in (same, other)] == [True, False]
