"""How a summary is asked for, and how its answer is taken apart."""

import pytest

from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.span import Span, chunks_of, is_pure_error, span_of, without_outputs
from diligent_tui.compaction.summary_requests import (
    Candidate,
    Task,
    cached_request,
    candidates_in,
    instruction_for,
    take_apart,
    transcript_request,
)
from diligent_tui.compaction.transcript import write_transcript
from diligent_tui.domain.entries import CompactionEntry, Entry, MessageEntry
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolResultMessage, UserMessage, text_of
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Request, RequestMessage, Text, ToolSpec, UserTurn
from diligent_tui.providers.wire import check_request
from diligent_tui.session.effective import CutTurn, Digested, SummaryPair, Verbatim
from tests.strategies.conversations import Conversation, Step, Turn

POLICY = CompactionPolicy()
MODEL = Model("anthropic", "claude-a", window_tokens=32_000, max_output_tokens=8_000)
TOOLS = (ToolSpec("read", "Read a file.", {"type": "object", "properties": {}}),)
ASKED, ANSWERED = UserTurn((Text("mend it"),)), AssistantTurn((Text("done"),))
CONVERSATION = Request(MODEL, "Be good.", TOOLS, (ASKED, ANSWERED, ASKED), 8_000, thinking="high", cache_key="k")


@pytest.mark.parametrize("covered", [(ASKED,), (ASKED, ANSWERED), (ASKED, ANSWERED, ASKED)])
def test_on_the_cached_prefix_all_stays_and_the_wish_comes_last(covered: tuple[RequestMessage, ...]) -> None:
    task = Task(2_000, focus="the echo")
    request = cached_request(CONVERSATION, covered, task, POLICY, thinking_tokens=500)
    assert check_request(request) == []
    assert (request.system, request.tools, request.thinking, request.cache_key) == ("Be good.", TOOLS, "high", "k")
    assert request.purpose == "summary"
    assert request.max_output_tokens == 4_096 + 500
    parts = [part for message in request.messages for part in message.parts]
    assert parts == [*(part for message in covered for part in message.parts), Text(instruction_for(task, POLICY))]


def test_the_wish_says_what_this_summary_is_for() -> None:
    first, update = instruction_for(Task(4_096), POLICY), instruction_for(Task(4_096, is_update=True), POLICY)
    assert "800 to 1,200 words" in first
    assert "100 to 150 words" in instruction_for(Task(450), POLICY)
    assert "what you do not carry over is lost" in update
    assert "This Turn So Far" not in first
    assert "This Turn So Far" in instruction_for(Task(4_096, cuts_turn=True), POLICY)
    assert "Knowledge Candidates" in first
    assert "Knowledge Candidates" not in instruction_for(Task(4_096, asks_candidates=False), POLICY)
    assert instruction_for(Task(4_096, complaint="It was cut off."), POLICY).endswith("It was cut off.")


def long_talk() -> tuple[Entry, ...]:
    talk = Conversation(90_000)
    for _ in range(9):
        talk.play(Turn(0.01, (Step(0.01, (0.2, 0.3)),)))
    return tuple(talk.session.entries.values())


def test_another_model_is_given_a_transcript_that_fits_and_the_previous_summary_apart() -> None:
    previous = CompactionEntry(id="cccccccc", summary="## Goal\n- old", first_kept_entry_id="x")
    request = transcript_request(Span(long_talk(), previous), MODEL, 16_000, Task(2_000, is_update=True), POLICY)
    (turn,) = request.messages
    words = "".join(part.text for part in turn.parts if isinstance(part, Text))
    assert words.startswith("<previous-summary>\n## Goal\n- old\n</previous-summary>")
    assert words.count("## Goal\n- old") == 1
    assert utf8_size(words) <= 16_000 * 2
    assert not request.tools
    assert check_request(request) == []


def test_a_span_is_what_the_model_saw_without_what_was_left_out() -> None:
    entries: dict[str, Entry] = {
        "p": MessageEntry(id="p", message=UserMessage(content="mend")),
        "r": MessageEntry(id="r", message=ToolResultMessage(tool_call_id="c", tool_name="read", output="x" * 99)),
        "e": MessageEntry(id="e", message=AssistantMessage(content=(), stop_reason="error")),
        "s": MessageEntry(id="s", message=UserMessage(content="secret")),
        "k": CompactionEntry(id="k", summary="notes", first_kept_entry_id="p"),
    }
    items = (SummaryPair("k", ()), CutTurn("p", "so far"), Digested("r", "short"), Verbatim("e"), Verbatim("s"))
    span = span_of(items, entries.__getitem__, excluded=("s",))
    assert [entry.id for entry in span.entries] == ["p", "r"]
    assert span.previous_summary == "notes\n\nso far"
    result = span.entries[1]
    assert isinstance(result, MessageEntry)
    assert isinstance(result.message, ToolResultMessage)
    assert text_of(result.message.output) == "short"
    assert is_pure_error(entries["e"])
    partial = AssistantMessage(content=(TextBlock(text="half"),), stop_reason="error")
    assert not is_pure_error(MessageEntry(id="f", message=partial))


def test_a_span_too_long_to_send_is_cut_into_stretches_that_fit() -> None:
    entries = long_talk()
    chunks = chunks_of(entries, 9_000)
    assert [entry for chunk in chunks for entry in chunk] == list(entries)
    assert len(chunks) > 1
    assert all(utf8_size(write_transcript(chunk, 9_000)) <= 9_000 for chunk in chunks)


def test_outputs_go_first_and_nothing_else_does() -> None:
    entries = long_talk()
    short = without_outputs(entries, 50)
    for before, after in zip(entries, short, strict=True):
        assert isinstance(before, MessageEntry)
        assert isinstance(after, MessageEntry)
        if isinstance(after.message, ToolResultMessage):
            assert len(text_of(after.message.output)) < 120
        else:
            assert after == before


ANSWER = """\
## Goal
- mend it [11111111]

## Critical Context
- a.py

## This Turn So Far
- read a.py
- found the fault

## Knowledge Candidates
- (pattern) Tests run with make test. [11111111, 22222222]
- **preference**: The user wants short answers.
- (rumour) Not a kind.
- (decision)
"""


def test_an_answer_is_taken_apart() -> None:
    written = take_apart(ANSWER)
    assert written.summary == "## Goal\n- mend it [11111111]\n\n## Critical Context\n- a.py"
    assert written.turn_prefix == "- read a.py\n- found the fault"
    assert written.candidates == (
        Candidate("pattern", "Tests run with make test.", ("11111111", "22222222")),
        Candidate("preference", "The user wants short answers."),
    )


def test_a_summary_without_candidates_is_left_as_it_is() -> None:
    assert candidates_in("## Goal\n- a") == ("## Goal\n- a", ())
