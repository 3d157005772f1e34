"""A session with everything in it that an export has to show, and things that try to break out of it."""

from pathlib import Path

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    LabelEntry,
    LeafEntry,
    MessageEntry,
    ModelChangeEntry,
    QueuedEntry,
    SessionInfoEntry,
    SystemPromptEntry,
)
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
)
from diligent_tui.domain.records import JsonObject
from tests.session.drafts import STAMP, draft, said

HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"> </script><script>document.title='owned'</script> "
    "<!-- --> </textarea></style></pre></details> \u2028 \x1b[2J\x07 \u202eevil &lt; ' \" ```"
)
OUTPUT = "```\n</details>\n## You\n````\n<b>out</b>\n"
ANSWER = """\
Two changes would do:

1. keep `Layer<int>`
2. pass **positions** along

# You

Title
---

![spy](http://127.0.0.1:9/spy.png) <iframe src=http://127.0.0.1:9/></iframe> \\<b>x</b>

| what | cost |
|---|---|
| keep | 2 kB |

```python
class Layer: ...
"""
STRANGE: JsonObject = {"type": "dream", "id": "0000dead", "parentId": "g1", "timestamp": STAMP, "about": "sheep"}


def replied(entry_id: str, parent_id: str, *blocks: Block, stop: str = "end_turn") -> Entry:
    message = AssistantMessage(content=blocks, stop_reason=stop)
    return MessageEntry(id=entry_id, parent_id=parent_id, timestamp=STAMP, message=message)


def resulted(entry_id: str, parent_id: str, call_id: str, output: str, *, is_error: bool = False) -> Entry:
    message = ToolResultMessage(tool_call_id=call_id, tool_name="read", output=output, is_error=is_error)
    return MessageEntry(id=entry_id, parent_id=parent_id, timestamp=STAMP, message=message)


TALK: tuple[Entry | JsonObject | bytes, ...] = (
    ModelChangeEntry(id="m0", timestamp=STAMP, provider="offline", model_id="rehearsal", thinking="high"),
    SystemPromptEntry(id="s0", parent_id="m0", timestamp=STAMP, text="You are diligent."),
    said("a0", "s0", "Why twice?\n\nLook first."),
    replied(
        "a1",
        "a0",
        ThinkingBlock(thinking="Let me think </details> aloud."),
        ToolCallBlock(id="c1", name="read", input={"path": "loader.py", "why": HOSTILE}),
    ),
    resulted("a2", "a1", "c1", OUTPUT),
    replied("a3", "a2", TextBlock(text=ANSWER)),
    said("b0", "a3", "Do it."),
    resulted("b1", "b0", "c9", "it failed", is_error=True),
    CompactionEntry(
        id="k0",
        parent_id="b1",
        timestamp=STAMP,
        summary="## Done\n- all of it",
        first_kept_entry_id="b0",
        tokens_before=142_318,
        tokens_after=28_004,
    ),
    replied("b2", "k0", TextBlock(text="The tests fail in"), stop="interrupted"),
    LeafEntry(id="l0", parent_id="b2", timestamp=STAMP, target_id="a3"),
    BranchSummaryEntry(id="w0", parent_id="a3", timestamp=STAMP, from_id="b2", summary="It was tried."),
    said("d0", "w0", HOSTILE),
    replied("d1", "d0", TextBlock(text=HOSTILE)),
    said("f0", "d1", "In zod?"),
    LeafEntry(id="l1", parent_id="f0", timestamp=STAMP, target_id="d1"),
    said("g0", "d1", "In pydantic?"),
    replied("g1", "g0", TextBlock(text="Also yes.")),
    STRANGE,
    LabelEntry(id="l2", parent_id="g1", timestamp=STAMP, target_id="d0", label="try <i>it</i>"),
    LeafEntry(id="l3", parent_id="g1", timestamp=STAMP, target_id="b2"),
    QueuedEntry(id="q0", parent_id="b2", timestamp=STAMP, text="waiting words"),
    SessionInfoEntry(id="i0", parent_id="b2", timestamp=STAMP, name="The <loader>", tokens=182_000, cost=0.42),
    b"{damaged\n",
)
SHOWN = ("m0", "s0", "a0", "a1", "a2", "a3", "b0", "b1", "k0", "b2")
HIDDEN = ("w0", "d0", "d1", "f0", "g0", "g1", "0000dead")


def talk(folder: Path) -> Path:
    """The session on disk."""
    return draft(folder, *TALK)
