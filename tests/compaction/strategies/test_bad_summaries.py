"""What is no summary is never saved: one retry with the complaint, then extracts; what nearly is one is made to fit."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import pytest

from diligent_tui.compaction.sections import has_section
from diligent_tui.compaction.strategies.base import Checking, NotWorthIt, Rejected, Summarising, SummaryWords
from diligent_tui.compaction.strategies.registry import our_strategies
from diligent_tui.compaction.strategies.taking import MOST_ANSWER_CHARS
from diligent_tui.compaction.strategies.writing import write_with_model, write_without_model
from diligent_tui.compaction.transcript import write_transcript
from diligent_tui.domain.errors import AuthFailed, BadResponse, Overloaded, ProviderError, StreamCut, Unavailable
from diligent_tui.domain.messages import ThinkingBlock
from diligent_tui.domain.requests import Request
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Finished, Piece, TextPiece
from tests.compaction.strategies.stage import (
    CANDIDATES,
    GOOD,
    USAGE,
    Script,
    called,
    failed,
    instruction,
    planned,
    said,
    stage,
    talk,
)
from tests.strategies.conversations import Conversation, Step, Turn

LINE = "- The loop was looked at once more, and it was found to be as it had been found before.\n"
FORM = "\n".join(f"## {name}\n- (none)" for name in ("Goal", "Constraints & Preferences", "Progress", "Next Steps"))
BAD: Mapping[str, tuple[Sequence[Piece], str]] = MappingProxyType(
    {
        "empty": (said(""), "wrote nothing"),
        "whitespace": (said(" \n\n "), "wrote nothing"),
        "thinking only": ((Finished((ThinkingBlock(thinking="hm"),), "end_turn", USAGE),), "wrote nothing"),
        "tool call": (called(), "called a tool"),
        "tool call beside a summary": (called(GOOD), "called a tool"),
        "cut off": (said(GOOD, "max_tokens"), "cut off"),
        "too short": (said("## Goal\n- x\n## Progress\n- y"), "too short"),
        "error text": (said("Error: the service is busy, try again in a while. " * 8), "sections"),
        "no sections": (said("We talked about loops at some length, and then about echoes. " * 8), "sections"),
        "going on with the task": (said("Sure! Let me write the second half of the loop now. " * 8), "sections"),
        "form not filled in": (said(FORM + "\n" + "- (none)\n" * 20), "Almost nothing"),
        "refusal in words": (said("I'm sorry, but I can't help with summarising this conversation. " * 5), "sections"),
        "refusal": (said(GOOD, "refusal"), "declined"),
        "filtered": (said(GOOD, "content_filter"), "declined"),
        "longer than its source": (said(GOOD + LINE * 1_200), "hardly shorter"),
        "endless": ((*[TextPiece("x" * 1_000)] * (MOST_ANSWER_CHARS // 500), *said(GOOD)), "cut off"),
    }
)


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
@pytest.mark.parametrize("name", BAD)
async def test_what_is_no_summary_is_asked_for_once_more_and_then_extracts_take_its_place(
    name: str, cached: bool
) -> None:
    answer, why = BAD[name]
    play = stage(talk(), Script([answer]), cached=cached)
    written = await write_with_model(play.job)
    assert written.entry.strategy == "truncate"
    assert len(play.script.requests) == play.script.closed == 2
    assert [why in complaint for complaint in written.complaints] == [True, True]
    assert [event for event in play.told if isinstance(event, Rejected)] == [Rejected(c) for c in written.complaints]
    assert written.entry.ledger
    assert GOOD not in written.entry.summary
    assert (await write_without_model(play.job)).entry == written.entry


@pytest.mark.parametrize("name", BAD)
async def test_the_retry_says_what_was_wrong_and_a_good_answer_to_it_is_taken(name: str) -> None:
    play = stage(talk(), Script([BAD[name][0], said(GOOD)]))
    written = await write_with_model(play.job)
    assert written.entry.strategy == "summarize"
    assert written.entry.summary == GOOD.strip()
    first, second = play.script.requests
    assert "cannot be used as it is" not in instruction(first)
    assert "cannot be used as it is" in instruction(second)
    assert first.messages[0].parts != second.messages[0].parts


async def test_the_transcript_said_back_is_no_summary() -> None:
    made = talk()
    echo = write_transcript(planned(made).span.entries, 9_000)
    written = await write_with_model(stage(made, Script([said(echo)])).job)
    assert written.entry.strategy == "truncate"


async def test_a_summary_in_another_script_is_refused() -> None:
    made = Conversation(96_000)
    for _ in range(10):
        made.session.prompt("Пожалуйста, исправь эхо во втором цикле и не трогай первый. " * 3)
        made.step(Step(0.03, (0.04,)))
    written = await write_with_model(stage(made, Script([said(GOOD)])).job)
    assert written.entry.strategy == "truncate"
    assert "language" in written.complaints[0]


async def test_finished_work_under_next_steps_is_refused() -> None:
    play = stage(talk(), Script([said(GOOD)]))
    job = replace(play.job, facts=replace(play.job.facts, done=("Write the second half",)))
    assert "next steps" in (await write_with_model(job)).complaints[0]


INVENTED = GOOD + "- See src/made/up.py and lib/none.py.\n"


async def test_invented_names_are_complained_of_once_and_then_marked() -> None:
    play = stage(talk(), Script([said(INVENTED)]))
    written = await write_with_model(play.job)
    assert written.entry.strategy == "summarize"
    assert [item.text for item in written.coverage.at("invented")] == ["src/made/up.py", "lib/none.py"]
    assert written.entry.coverage is not None
    assert written.entry.coverage["invented"] == 2
    assert "src/made/up.py" in instruction(play.script.requests[1])
    assert len(written.complaints) == 1
    assert "src/made/up.py" in written.complaints[0]


@pytest.mark.parametrize(
    "second",
    [
        said(INVENTED + "- and more/of/it.py\n"),
        said(""),
        called(),
        failed(Unavailable("gone")),
        failed(StreamCut("cut")),
    ],
    ids=["worse", "empty", "call", "down", "cut"],
)
async def test_the_better_of_two_answers_is_taken(second: Sequence[Piece]) -> None:
    written = await write_with_model(stage(talk(), Script([said(INVENTED), second])).job)
    assert written.entry.summary == INVENTED.strip()
    assert len(written.coverage.at("invented")) == 2


async def test_names_from_the_system_prompt_the_ledger_or_the_focus_are_not_invented() -> None:
    text = GOOD + "- docs/house.md, src/f1.py and etc/wish.toml.\n"
    play = stage(talk(), Script([said(text)]), focus="look at etc/wish.toml")
    assert (await write_with_model(play.job)).coverage.at("invented") == ()
    assert len(play.script.requests) == 1


async def test_a_fence_around_all_of_it_is_taken_off() -> None:
    written = await write_with_model(stage(talk(), Script([said(f"```markdown\n{GOOD}```\n")])).job)
    assert written.entry.summary == GOOD.strip()


def long_summary(done: int, context: int = 1) -> str:
    lines = "".join(f"- {number} {LINE[2:]}" for number in range(done))
    return GOOD.replace("### Done\n", f"### Done\n{lines}") + LINE * context


async def test_over_length_the_oldest_things_done_go_without_asking_again() -> None:
    play = stage(talk(), Script([said(long_summary(150))]))
    written = await write_with_model(play.job)
    assert len(play.script.requests) == 1
    assert play.job.sizes.text(written.entry.summary) <= play.job.plan.budgets.summary_tokens
    assert "- 149 The loop" in written.entry.summary
    assert "- 0 The loop" not in written.entry.summary
    assert all(has_section(written.entry.summary, name) for name in ("Goal", "Done", "Next Steps", "Critical Context"))


async def test_what_is_too_long_twice_is_shortened_where_there_is_most_to_spare() -> None:
    play = stage(talk(), Script([said(long_summary(2, context=150))]))
    written = await write_with_model(play.job)
    assert written.entry.strategy == "summarize"
    assert len(play.script.requests) == 2
    assert play.job.sizes.text(written.entry.summary) <= play.job.plan.budgets.summary_tokens


@pytest.mark.parametrize(
    "error", [Unavailable("gone"), Overloaded("busy"), AuthFailed("no key"), BadResponse("nonsense")]
)
@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
async def test_with_the_provider_down_extracts_are_made_after_one_call(error: ProviderError, cached: bool) -> None:
    play = stage(talk(), Script([failed(error)]), cached=cached)
    written = await write_with_model(play.job)
    assert (written.entry.strategy, written.complaints) == ("truncate", (error.message,))
    assert len(play.script.requests) == 1


@pytest.mark.parametrize("cut", [failed(StreamCut("lost")), (TextPiece(GOOD[:90]),)], ids=["said", "silent"])
async def test_a_stream_that_is_cut_is_asked_again_once(cut: Sequence[Piece]) -> None:
    play = stage(talk(), Script([cut, said(GOOD)]))
    assert (await write_with_model(play.job)).entry.strategy == "summarize"
    play = stage(talk(), Script([cut]))
    assert (await write_with_model(play.job)).entry.strategy == "truncate"
    assert len(play.script.requests) == 2


async def test_what_happens_is_told_in_order_and_all_answers_are_paid_for() -> None:
    play = stage(talk(), Script([called(), said(GOOD)]))
    written = await write_with_model(play.job)
    assert [type(event) for event in play.told] == [
        *(Summarising, Checking, Rejected),
        *(Summarising, SummaryWords, Checking),
    ]
    assert written.usage == Usage(input_tokens=200, output_tokens=20)


async def test_candidates_go_beside_the_summary_and_only_if_asked_for() -> None:
    play = stage(talk(), Script([said(GOOD + CANDIDATES)]))
    written = await write_with_model(play.job)
    assert [candidate.content for candidate in written.candidates] == ["The user likes short loops."]
    assert "short loops" not in written.entry.summary
    play = stage(talk(), Script([said(GOOD + CANDIDATES)]), asks_candidates=False)
    assert (await write_with_model(play.job)).candidates == ()
    assert "Knowledge Candidates" not in instruction(play.script.requests[0])


async def test_a_summary_without_candidates_is_as_good() -> None:
    written = await write_with_model(stage(talk(), Script([said(GOOD)])).job)
    assert (written.entry.strategy, written.candidates, written.complaints) == ("summarize", (), ())


def one_long_turn() -> Conversation:
    made = Conversation(96_000)
    made.play(Turn(0.001, tuple(Step(0.005, (0.06,)) for _ in range(12))))
    return made


@pytest.mark.parametrize("told", ["## This Turn So Far\n- Half of it was read.\n", ""], ids=["told", "left out"])
async def test_a_cut_turn_is_told_by_the_model_or_else_by_extracts(told: str) -> None:
    play = stage(one_long_turn(), Script([said(GOOD + told)]))
    entry = (await write_with_model(play.job)).entry
    assert "## This Turn So Far" in instruction(play.script.requests[0])
    assert entry.turn_prefix is not None
    assert entry.turn_prefix.prompt_id == play.job.plan.cut.prompt_id
    assert ("Half of it" in entry.turn_prefix.summary) == bool(told)
    assert entry.turn_prefix.summary.strip()
    assert "This Turn So Far" not in entry.summary


@pytest.mark.parametrize("name", [name for name, strategy in our_strategies().items() if strategy.write])
async def test_too_little_to_gain_is_refused_before_anybody_is_asked(name: str) -> None:
    made = Conversation(96_000)
    for _ in range(3):
        made.play(Turn(0.0, (Step(0.0, ()),)))
    play = stage(made, Script([said(GOOD)]))
    write = our_strategies()[name].write
    assert write is not None
    with pytest.raises(NotWorthIt):
        await write(play.job)
    assert play.script.requests == []


async def test_cancelling_closes_the_stream_and_is_no_fault() -> None:
    begun = asyncio.Event()

    class Hanging(Script):
        async def ask(self, request: Request) -> AsyncGenerator[Piece, None]:
            self.requests.append(request)
            try:
                yield TextPiece("## Goal")
                begun.set()
                await asyncio.Event().wait()
            finally:
                self.closed += 1

    play = stage(talk(), Hanging([]))
    task = asyncio.create_task(write_with_model(play.job))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert play.script.closed == 1
