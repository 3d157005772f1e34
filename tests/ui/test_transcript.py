"""The conversation as blocks: the same whether it was read from disk or heard as it happened."""

from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import CompactionEntry, Entry, MessageEntry
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.messages import (
    AssistantMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.transcript import ChatBlock, Transcript, words_of

TURN: tuple[ev.Event, ...] = (
    ev.TurnStarted("p", "read a"),
    ev.MessageSaved("p", "user", "read a"),
    ev.StepStarted("p", "m", 1, "offline/rehearsal"),
    ev.ThinkingDelta("m", "hm"),
    ev.TextDelta("m", "I "),
    ev.TextDelta("m", "read."),
    ev.ToolCallStarted("m", "c", "read"),
    ev.ToolCallReady("c", "read", {"path": "a.txt"}),
    ev.ToolStarted("c", "read", {"path": "a.txt"}),
    ev.ToolFinished("c", "read", "one\ntwo", is_error=False, duration_seconds=0.5),
    ev.MessageSaved("r", "tool_result", "one\ntwo"),
    ev.StepStarted("p", "n", 2, "offline/rehearsal"),
    ev.TextDelta("n", "Done."),
    ev.TurnFinished("p", "done", 2, Usage(), 0.0),
)
SAVED: tuple[Entry, ...] = (
    MessageEntry(id="p", message=UserMessage(content="read a")),
    MessageEntry(
        id="m",
        message=AssistantMessage(
            content=(
                ThinkingBlock(thinking="hm"),
                TextBlock(text="I read."),
                ToolCallBlock(id="c", name="read", input={"path": "a.txt"}),
            )
        ),
    ),
    MessageEntry(id="r", message=ToolResultMessage(tool_call_id="c", tool_name="read", output="one\ntwo")),
    MessageEntry(id="n", message=AssistantMessage(content=(TextBlock(text="Done."),), stop_reason="end_turn")),
)


def heard(*events: ev.Event) -> list[ChatBlock]:
    """The blocks after these events, each in its last version, with streamed words joined."""
    transcript = LiveTranscript()
    blocks: dict[str, ChatBlock] = {}
    for event in events:
        for block in transcript.take(event):
            blocks[block.id] = block
    return list(blocks.values())


def test_a_turn_heard_and_a_turn_read_back_show_the_same_blocks() -> None:
    shape = [(block.kind, block.has_gap, block.tool_name, block.subject, block.state) for block in heard(*TURN)]
    saved = Transcript().saved(SAVED)
    assert shape == [(block.kind, block.has_gap, block.tool_name, block.subject, block.state) for block in saved]
    assert [kind for kind, *_ in shape] == ["prompt", "thinking", "answer", "tool", "answer"]


def test_saved_blocks_read_their_words_from_their_entries() -> None:
    entries = {entry.id: entry for entry in SAVED}
    words = [words_of(block, entries[block.entry_id or ""]) for block in Transcript().saved(SAVED)]
    assert words == ["read a", "hm", "I read.", "one\ntwo", "Done."]


def test_a_stream_hands_out_pieces_and_closes_when_something_else_begins() -> None:
    transcript = LiveTranscript()
    taken = [block for event in TURN for block in transcript.take(event) if block.id == "m-2"]
    assert [block.text for block in taken] == ["I ", "read.", ""]
    assert [block.is_live for block in taken] == [True, True, False]
    assert [block.version for block in taken] == [1, 2, 3]


def test_ends_that_are_not_the_models_own_are_said() -> None:
    stopped = heard(*TURN[:6], ev.TurnFinished("p", "interrupted", 1, Usage(), 0.0))
    assert stopped[-1].kind == "notice"
    assert "stopped" in stopped[-1].text
    failed = heard(*TURN[:3], ev.TurnFailed("p", Problem("auth", "No key.", "Set it.")))
    assert failed[-1].text == "No key. Set it."
    assert failed[-1].is_error


def test_steering_inside_a_turn_is_shown_and_a_prompt_is_not_shown_twice() -> None:
    steered = heard(*TURN[:11], ev.MessageSaved("s", "user", "stop that"), *TURN[11:])
    assert [block.text for block in steered if block.kind == "prompt"] == ["read a", "stop that"]


def test_an_interrupted_answer_and_a_compaction_read_back_are_marked() -> None:
    cut = AssistantMessage(content=(TextBlock(text="half"),), stop_reason="interrupted")
    compaction = CompactionEntry(id="k", summary="It was long.", first_kept_entry_id="p")
    blocks = Transcript().saved((MessageEntry(id="x", message=cut), compaction))
    assert [block.kind for block in blocks] == ["answer", "notice", "memory"]


def test_running_output_grows_in_the_card() -> None:
    transcript = LiveTranscript()
    for event in TURN[:9]:
        transcript.take(event)
    transcript.take(ev.ToolOutput("c", "on"))
    block = transcript.take(ev.ToolOutput("c", "e"))[0]
    assert (block.text, block.state) == ("one", "running")
