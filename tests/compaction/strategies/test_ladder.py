"""However long the history and however small the window, a request fits or another way is found."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from diligent_tui.compaction.strategies.base import Rejected, Summarising
from diligent_tui.compaction.strategies.ladder import MOST_CHUNKS
from diligent_tui.compaction.strategies.writing import TOO_LONG, write_with_model
from diligent_tui.compaction.summary_requests import Task, instruction_for
from diligent_tui.domain.entries import CompactionEntry, MessageEntry
from diligent_tui.domain.errors import ContextOverflow, Unavailable
from diligent_tui.domain.messages import AssistantMessage, UserMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, UserTurn
from diligent_tui.providers.base import Piece
from diligent_tui.providers.offline.counting import measure
from diligent_tui.providers.wire import check_request
from tests.compaction.strategies.stage import (
    CANDIDATES,
    GOOD,
    POLICY,
    SYSTEM,
    TOKENS_OF,
    TOOLS,
    WINDOW,
    Script,
    failed,
    instruction,
    planned,
    said,
    stage,
    talk,
    texts,
)
from tests.strategies.conversations import Conversation, Step, Turn


def is_transcript(request: Request) -> bool:
    return len(request.messages) == 1 and "<transcript>" in texts(request)


def wish(request: Request) -> str:
    """What the tail of a cached request says."""
    (*_, last) = request.messages[-1].parts
    assert isinstance(last, Text)
    return last.text


@pytest.mark.parametrize("turns", [5, 10])
async def test_on_the_cached_prefix_the_request_begins_like_the_conversations_own(turns: int) -> None:
    play = stage(talk(turns), Script([said(GOOD)]), cached=True, overhead=2_000)
    await write_with_model(play.job)
    (request,) = play.script.requests
    sent = play.job.writer.conversation
    assert sent is not None
    assert check_request(request) == []
    assert (request.system, request.tools, request.thinking, request.cache_key) == (SYSTEM, TOOLS, "high", "k")
    *earlier, last = request.messages
    assert tuple(earlier) == sent.messages[: len(earlier)]
    assert isinstance(last, UserTurn)
    assert last.parts[:-1] == sent.messages[len(earlier)].parts[: len(last.parts) - 1]
    assert wish(request) == instruction_for(Task(play.job.plan.budgets.summary_tokens), POLICY)
    mine, theirs = measure(request).parts, measure(sent).parts
    assert mine[:-1] == theirs[: len(mine) - 1]


async def test_the_cut_inside_a_turn_keeps_results_with_their_calls_on_the_cached_prefix() -> None:
    made = Conversation(96_000)
    made.play(Turn(0.001, tuple(Step(0.005, (0.03, 0.02)) for _ in range(12))))
    play = stage(made, Script([said(GOOD)]), cached=True)
    await write_with_model(play.job)
    (request,) = play.script.requests
    assert play.job.plan.cut.prompt_id
    assert check_request(request) == []
    assert len(request.messages[-1].parts) == 3


async def test_thinking_comes_on_top_of_the_cap_and_both_stay_within_the_models_own() -> None:
    play = stage(talk(10), Script([said(GOOD)]), cached=True)
    await write_with_model(play.job)
    assert play.script.requests[0].max_output_tokens == 8_000
    quiet = replace(play.job.writer, conversation=None, covered=())
    await write_with_model(replace(play.job, writer=quiet))
    assert play.script.requests[1].max_output_tokens == 4_096
    always = Model("openai", "thinker", window_tokens=WINDOW, thinking_levels=("low", "medium", "high"))
    await write_with_model(replace(play.job, writer=replace(quiet, model=always)))
    assert play.script.requests[2].max_output_tokens > 4_096


async def test_what_the_user_left_out_is_in_no_request() -> None:
    made = talk()
    secret = "the words nobody is told"
    hidden = made.session.append(MessageEntry(message=UserMessage(content=secret)))
    made.step(Step(0.02, (0.02,)))
    for _ in range(6):
        made.play(Turn(0.001, (Step(0.02, (0.05,)),)))
    bad: Sequence[Sequence[Piece]] = [failed(ContextOverflow("too long")), said(""), said(GOOD)]
    play = stage(made, Script(bad), cached=True, excluded=[hidden.id])
    written = await write_with_model(play.job)
    assert written.entry.excluded == (hidden.id,)
    assert len(play.script.requests) > 3
    for request in play.script.requests:
        assert is_transcript(request)
        assert secret not in texts(request)
    play = stage(made, Script([said(GOOD)]), cached=True)
    await write_with_model(play.job)
    assert secret in texts(play.script.requests[0])


async def test_answers_that_only_failed_are_left_out_of_a_transcript() -> None:
    made = talk()
    nothing = AssistantMessage(content=(), stop_reason="error")
    broken = made.session.append(MessageEntry(message=nothing))
    for _ in range(6):
        made.play(Turn(0.001, (Step(0.02, (0.05,)),)))
    play = stage(made, Script([said(GOOD)]))
    await write_with_model(play.job)
    assert broken.id not in texts(play.script.requests[0])


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
async def test_the_focus_is_asked_for_and_kept(cached: bool) -> None:
    play = stage(talk(), Script([said(GOOD)]), cached=cached, focus="the echo of the loops")
    written = await write_with_model(play.job)
    assert "the echo of the loops" in instruction(play.script.requests[0])
    assert written.entry.focus == "the echo of the loops"


def again(made: Conversation, summary: str) -> None:
    """Save a compaction with this summary, and go on."""
    plan = planned(made)
    made.session.append(
        CompactionEntry(summary=summary, ledger="---\nledger", first_kept_entry_id=plan.cut.first_kept_id)
    )
    for _ in range(8):
        made.play(Turn(0.001, (Step(0.02, (0.05,)),)))


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
async def test_a_later_summary_is_an_update_and_the_pair_is_not_fed_as_talk(cached: bool) -> None:
    made = talk()
    again(made, f"{GOOD}- told before\n")
    play = stage(made, Script([said(GOOD)]), cached=cached)
    await write_with_model(play.job)
    (request,) = play.script.requests
    assert "bring your notes up to date" in instruction(request)
    assert texts(request).count("told before") == 1
    if not cached:
        before, _, transcript = texts(request).partition("<transcript>")
        assert "told before" in before
        assert "told before" not in transcript
        assert "ledger" not in transcript


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
async def test_overflow_on_every_call_ends_in_extracts_after_a_few(cached: bool) -> None:
    play = stage(talk(), Script([failed(ContextOverflow("too long"))]), cached=cached)
    written = await write_with_model(play.job)
    assert written.entry.strategy == "truncate"
    assert len(play.script.requests) <= 5
    assert set(written.complaints) == {TOO_LONG}
    assert Rejected(TOO_LONG) in play.told
    sizes = [measure(request).tokens for request in play.script.requests]
    assert sizes == sorted(sizes, reverse=True)


async def test_what_does_not_fit_the_prefix_is_asked_as_a_transcript() -> None:
    play = stage(talk(10), Script([failed(ContextOverflow("no", limit=9_000)), said(GOOD)]), cached=True)
    written = await write_with_model(play.job)
    assert written.entry.strategy == "summarize"
    cached, *transcripts = play.script.requests
    assert not is_transcript(cached)
    assert all(map(is_transcript, transcripts))
    for request in transcripts:
        assert measure(request).tokens + request.max_output_tokens <= 9_000


HISTORIES = {
    "1.5 windows": (18, 0.05, 0.005),
    "10 windows of outputs": (120, 0.08, 0.002),
    "10 windows of talk": (120, 0.01, 0.03),
    "one output of 5 windows": (1, 5.0, 0.005),
}


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
@pytest.mark.parametrize("window", [8_000, 32_000])
@pytest.mark.parametrize("name", HISTORIES)
async def test_a_history_of_any_length_is_summarised_in_requests_that_fit(name: str, window: int, cached: bool) -> None:
    turns, result, words = HISTORIES[name]
    made = talk(turns, result=result, words=words, window=window)
    for _ in range(4):
        made.play(Turn(0.001, (Step(0.005, (0.02,)),)))
    play = stage(made, Script([said(GOOD)], window), cached=cached, window=window, overhead=window // 16)
    written = await write_with_model(play.job)
    assert written.entry.strategy == "summarize"
    assert written.complaints == ()
    assert len(play.script.requests) <= MOST_CHUNKS
    for request in play.script.requests:
        assert check_request(request) == []
        assert measure(request).tokens + request.max_output_tokens <= window
    assert (written.entry.tokens_after or 0) <= window // 16 + 0.6 * (window - window // 16)


async def test_a_small_window_that_is_told_by_overflow_only_is_found_out() -> None:
    play = stage(talk(words=0.03), Script([said(GOOD)], 9_000), cached=True)
    written = await write_with_model(play.job)
    assert written.entry.strategy == "summarize"
    assert set(written.complaints) == {TOO_LONG}


def rolling(request: Request) -> Sequence[Piece]:
    """A summary that says how often it was brought up to date."""
    rounds = texts(request).count("one more round")
    return said(GOOD + "- one more round\n" * (rounds + 1) + (CANDIDATES if not rounds else ""))


async def test_chunks_roll_each_into_the_summary_of_those_before() -> None:
    made = talk(120, result=0.01, words=0.03)
    play = stage(made, Script([rolling]))
    written = await write_with_model(play.job)
    calls = len(play.script.requests)
    assert calls == MOST_CHUNKS
    parts = [(step.part, step.parts) for step in play.told if isinstance(step, Summarising)]
    assert parts == [(part, calls) for part in range(1, calls + 1)]
    assert written.entry.summary.count("one more round") == calls
    assert len(written.candidates) == 1
    asked = [wanted for request in play.script.requests for wanted in ids_in(request)]
    assert asked == sorted(asked, key=[entry.id for entry in play.job.plan.span.entries].index)
    # What is older than the first chunk is there as extracts.
    first = texts(play.script.requests[0]).partition("<transcript>")[0]
    assert "prompt 0" in first
    assert "extracts" in first


def ids_in(request: Request) -> list[str]:
    lines = texts(request).partition("<transcript>\n")[2].splitlines()
    return [line.split("]")[0].split()[1] for line in lines if line.startswith(("[user ", "[assistant ", "[tool_"))]


@pytest.mark.parametrize("broken", [failed(Unavailable("gone")), said("")], ids=["down", "bad"])
async def test_where_the_roll_breaks_extracts_go_on_from_what_is_told(broken: Sequence[Piece]) -> None:
    made = talk(120, result=0.01, words=0.03)
    play = stage(made, Script([rolling, rolling, broken]))
    written = await write_with_model(play.job)
    assert written.entry.strategy == "truncate"
    assert "one more round" in written.entry.summary
    assert "The user wants the echo mended" in written.entry.summary
    assert len(play.script.requests) <= 4


async def test_a_turn_cut_far_back_is_told_through_all_chunks() -> None:
    made = Conversation(96_000)
    made.play(Turn(0.001, tuple(Step(0.05, (0.01,)) for _ in range(60))))
    play = stage(made, Script([said(f"{GOOD}\n## This Turn So Far\n- part told\n")]))
    written = await write_with_model(play.job)
    assert len(play.script.requests) > 1
    assert all("## This Turn So Far" in instruction(request) for request in play.script.requests)
    assert all("part told" in texts(request).partition("<transcript>")[0] for request in play.script.requests[1:])
    assert written.entry.turn_prefix is not None
    assert written.entry.turn_prefix.summary == "- part told"


async def test_a_previous_summary_of_any_length_does_not_burst_the_request() -> None:
    made = talk()
    again(made, GOOD + "".join(f"- line {number} of a page that somebody pasted\n" for number in range(4_000)))
    play = stage(made, Script([said(GOOD)], WINDOW), plan=None, window=200_000)
    job = replace(play.job, writer=replace(play.job.writer, window_tokens=WINDOW))
    written = await write_with_model(job)
    assert written.entry.strategy == "summarize"
    assert TOKENS_OF(len(written.entry.summary)) <= play.job.plan.budgets.summary_tokens
