"""The conversation as blocks: the same whether it was read from disk or heard as it happened."""

from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import CompactionEntry, Entry, KnowledgeNoteEntry, MessageEntry
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.messages import (
    AssistantMessage,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.usage import Usage
from diligent_tui.domain.user_run import UserRun
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.transcript import ChatBlock, Transcript, TurnCount, TurnSpan, words_of

MODEL = "offline/rehearsal"
USAGE = Usage(input_tokens=10, output_tokens=5)
TURN: tuple[ev.Event, ...] = (
    ev.TurnStarted("p", "read a"),
    ev.MessageSaved("p", "user", "read a"),
    ev.StepStarted("p", "m", 1, MODEL),
    ev.ThinkingDelta("m", "hm"),
    ev.TextDelta("m", "I "),
    ev.TextDelta("m", "read."),
    ev.ToolCallStarted("m", "c", "read"),
    ev.ToolCallReady("c", "read", {"path": "a.txt"}),
    ev.MessageSaved("m", "assistant", "I read."),
    ev.UsageRecorded("m", MODEL, USAGE, 0.0),
    ev.ToolStarted("c", "read", {"path": "a.txt"}),
    ev.ToolFinished("c", "read", "one\ntwo", is_error=False, duration_seconds=0.5),
    ev.MessageSaved("r", "tool_result", "one\ntwo"),
    ev.StepStarted("p", "n", 2, MODEL),
    ev.TextDelta("n", "Done."),
    ev.MessageSaved("n", "assistant", "Done."),
    ev.UsageRecorded("n", MODEL, USAGE, 0.0),
    ev.TurnFinished("p", "done", 2, Usage(), 0.0),
)
WITHOUT_END = TURN[:-1]
SAVED: tuple[Entry, ...] = (
    MessageEntry(id="p", message=UserMessage(content="read a")),
    MessageEntry(
        id="m",
        message=AssistantMessage(
            content=(
                ThinkingBlock(thinking="hm"),
                TextBlock(text="I read."),
                ToolCallBlock(id="c", name="read", input={"path": "a.txt"}),
            ),
            usage=USAGE,
        ),
    ),
    MessageEntry(id="r", message=ToolResultMessage(tool_call_id="c", tool_name="read", output="one\ntwo")),
    MessageEntry(
        id="n", message=AssistantMessage(content=(TextBlock(text="Done."),), stop_reason="end_turn", usage=USAGE)
    ),
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
    assert [kind for kind, *_ in shape] == ["prompt", "thinking", "answer", "tool", "answer", "footer"]
    # There is air below the header, too.
    assert saved[0].has_gap
    assert [block.span for block in saved] == [block.span for block in heard(*TURN)]


def test_saved_blocks_read_their_words_from_their_entries() -> None:
    entries = {entry.id: entry for entry in SAVED}
    words = [words_of(block, entries[block.entry_id or ""]) for block in Transcript().saved(SAVED)[:-1]]
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
    steered = heard(*TURN[:13], ev.MessageSaved("s", "user", "stop that"), *TURN[13:])
    assert [block.text for block in steered if block.kind == "prompt"] == ["read a", "stop that"]


def test_an_interrupted_answer_and_a_compaction_read_back_are_marked() -> None:
    cut = AssistantMessage(content=(TextBlock(text="half"),), stop_reason="interrupted")
    compaction = CompactionEntry(id="k", summary="It was long.", first_kept_entry_id="p")
    blocks = Transcript().saved((MessageEntry(id="x", message=cut), compaction))
    assert [block.kind for block in blocks] == ["answer", "notice", "memory"]


def test_running_output_grows_in_the_card() -> None:
    transcript = LiveTranscript()
    for event in TURN[:11]:
        transcript.take(event)
    transcript.take(ev.ToolOutput("c", "on"))
    block = transcript.take(ev.ToolOutput("c", "e"))[0]
    assert (block.text, block.state) == ("one", "running")


def answer(entry_id: str, *, usage: Usage | None = USAGE, stop_reason: str = "end_turn") -> MessageEntry:
    said = (TextBlock(text="Yes."),)
    return MessageEntry(id=entry_id, message=AssistantMessage(content=said, usage=usage, stop_reason=stop_reason))


def prompt(entry_id: str, queued_id: str | None = None) -> MessageEntry:
    return MessageEntry(id=entry_id, message=UserMessage(content="And?"), queued_id=queued_id)


COMPACTION = CompactionEntry(id="k", summary="It was long.", first_kept_entry_id="p")
WHOLE = TurnSpan(("m", "n"), "n", "p")


def spans(*entries: Entry, begins_inside: bool = False) -> list[tuple[int, TurnSpan]]:
    """Where footers stand among the blocks, and what they are about."""
    blocks = Transcript(begins_inside=begins_inside).saved(entries)
    return [(place, block.span) for place, block in enumerate(blocks) if block.span is not None]


def test_every_turn_read_back_ends_in_a_footer_that_knows_the_answer_before_it() -> None:
    second = TurnSpan(("x",), "x", "q", before_id="n")
    assert spans(*SAVED, prompt("q"), answer("x")) == [(5, WHOLE), (8, second)]


def test_what_is_said_into_a_running_turn_belongs_to_it_and_after_its_end_does_not() -> None:
    running = (*SAVED[:3], prompt("s", "queued"), SAVED[3])
    assert spans(*running) == [(6, WHOLE)]
    ended = (*SAVED, prompt("s", "queued"), answer("x"))
    assert spans(*ended) == [(5, WHOLE), (8, TurnSpan(("x",), "x", "s", before_id="n"))]


def test_heard_steering_ends_a_turn_just_where_it_does_when_read_back() -> None:
    said, next_step = ev.MessageSaved("s", "user", "And?"), ev.StepStarted("p", "x", 3, MODEL)
    rest = (
        ev.TextDelta("x", "Yes."),
        ev.MessageSaved("x", "assistant", "Yes."),
        ev.UsageRecorded("x", MODEL, USAGE, 0.0),
    )
    blocks = heard(*WITHOUT_END, said, next_step, *rest, TURN[-1])
    saved = Transcript().saved((*SAVED, prompt("s", "queued"), answer("x")))
    assert [(block.kind, block.span, block.has_gap) for block in blocks] == [
        (block.kind, block.span, block.has_gap) for block in saved
    ]


def test_a_compaction_after_a_turn_stands_below_its_footer_and_one_inside_above_it() -> None:
    assert [block.kind for block in Transcript().saved((*SAVED, COMPACTION))][-2:] == ["footer", "memory"]
    inside = Transcript().saved((*SAVED[:3], COMPACTION, SAVED[3]))
    assert [block.kind for block in inside][-3:] == ["memory", "answer", "footer"]


def test_a_turn_whose_beginning_is_not_read_yet_says_so_and_is_the_same_block_later() -> None:
    end = Transcript(begins_inside=True).saved(SAVED[2:])[-1]
    assert end.span == TurnSpan(("n",), "n", is_whole=False)
    assert end.id == Transcript().saved(SAVED)[-1].id
    assert Transcript().saved(SAVED[2:])[-1].span == TurnSpan(("n",), "n")


def test_a_turn_that_used_nothing_has_no_footer() -> None:
    assert spans(prompt("q"), answer("x", usage=None)) == []
    assert "footer" not in {block.kind for block in heard(*TURN[:3], TURN[-1])}
    # What was paid for an answer that was never saved is not known when it is read back, so it is not told either.
    assert "footer" not in {
        block.kind for block in heard(*TURN[:3], ev.UsageRecorded("m", MODEL, USAGE, 0.0), TURN[-1])
    }


def test_a_stopped_and_a_failed_turn_have_their_footer_below_the_notice() -> None:
    stopped = heard(*WITHOUT_END, ev.TurnFinished("p", "interrupted", 2, Usage(), 0.0))
    failed = heard(*WITHOUT_END, ev.TurnFailed("p", Problem("auth", "No key.", "Set it.")))
    assert [[block.kind for block in blocks[-2:]] for blocks in (stopped, failed)] == [["notice", "footer"]] * 2
    cut = (SAVED[0], answer("n", stop_reason="interrupted"))
    assert [block.kind for block in Transcript().saved(cut)][-2:] == ["notice", "footer"]


def test_a_turn_that_goes_on_after_a_saved_one_knows_the_answer_before_it() -> None:
    live = LiveTranscript("footer", TurnCount("earlier"))
    footer = [block for event in TURN for block in live.take(event)][-1]
    assert footer.span == TurnSpan(("m", "n"), "n", "p", before_id="earlier")
    assert live.take(ev.TurnStarted("q", "more"))[0].has_gap


def test_pictures_that_go_with_a_prompt_are_no_words_of_it() -> None:
    said = UserMessage(content=(TextBlock(text="see @a.png"), ImageBlock(source={}, name="a.png")))
    entry = MessageEntry(id="p", message=said)
    (block,) = Transcript().saved([entry])
    assert block.names_files
    assert words_of(block, entry) == "see @a.png"
    live = heard(ev.TurnStarted("p", "see @a.png"), ev.MessageSaved("p", "user", "see @a.png"))
    assert [(block.names_files, block.text) for block in live] == [(True, "see @a.png")]
    assert [block.names_files for block in heard(*TURN[:2])] == [False]


def calling(entry_id: str, *call_ids: str) -> MessageEntry:
    """An answer that calls the shell, once for each id."""
    calls = tuple(ToolCallBlock(id=call_id, name="bash", input={"command": f"sleep {call_id}"}) for call_id in call_ids)
    return MessageEntry(id=entry_id, message=AssistantMessage(content=calls, usage=USAGE))


def result(entry_id: str, call_id: str) -> MessageEntry:
    """What came of a call."""
    return MessageEntry(id=entry_id, message=ToolResultMessage(tool_call_id=call_id, tool_name="bash", output="ok"))


def test_a_call_that_a_crash_left_without_a_result_is_a_card_that_says_so() -> None:
    blocks = Transcript().saved((prompt("p"), calling("m", "1", "2"), result("r", "1")))
    cards = [(block.subject, block.state, block.entry_id) for block in blocks if block.kind == "tool"]
    assert cards == [("sleep 1", "done", "r"), ("sleep 2", "failed", "m")]
    assert [block.kind for block in blocks] == ["prompt", "tool", "tool", "footer"]
    assert blocks[2].text.startswith("interrupted\n")
    assert not blocks[2].has_gap


def test_a_call_without_a_result_stands_before_what_was_said_next_and_one_id_may_be_used_again() -> None:
    entries = (prompt("p"), calling("m", "1"), prompt("q"), calling("n", "1"), result("r", "1"), answer("z"))
    blocks = Transcript().saved(entries)
    kinds = [(block.kind, block.state) for block in blocks if block.kind != "footer"]
    assert kinds == [
        ("prompt", "done"),
        ("tool", "failed"),
        ("prompt", "done"),
        ("tool", "done"),
        ("answer", "done"),
    ]
    assert len({block.id for block in blocks}) == len(blocks)


def test_an_answer_that_broke_off_is_an_error_when_it_is_read_back() -> None:
    broken = Transcript().saved((prompt("p"), answer("n", stop_reason="error")))
    assert [(block.kind, block.is_error) for block in broken[1:3]] == [("answer", False), ("notice", True)]
    stopped = Transcript().saved((prompt("p"), answer("n", stop_reason="interrupted")))
    assert not stopped[2].is_error


def test_a_command_of_the_user_s_is_the_same_call_read_back_with_its_code() -> None:
    run = UserRun("make", "boom\nexit code 4", is_error=True)
    said, card = Transcript().saved([KnowledgeNoteEntry(id="k", text=run.note)])
    assert (said.text, card.id, card.exit_code) == ("!make", "own-k", 4)
    assert card.duration_seconds is None


def test_what_never_ran_shows_no_time() -> None:
    refused = heard(*TURN[:10], ev.ToolFinished("c", "read", "Not allowed.", is_error=True, duration_seconds=0.0))
    assert refused[-1].duration_seconds is None
