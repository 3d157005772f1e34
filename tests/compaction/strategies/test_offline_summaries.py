"""The rehearsal engine's own summaries pass the same checks as anybody's, in either way of asking."""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

import pytest

from diligent_tui.compaction.sections import CONTEXT, GOAL, LAYOUT, RULES, sections_in
from diligent_tui.compaction.strategies.writing import write_with_model
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Piece
from diligent_tui.providers.offline.provider import OfflineProvider
from tests.compaction.strategies.stage import Script, stage
from tests.strategies.conversations import MAKER, Conversation


def work(made: Conversation, name: str, output: str, *, is_error: bool = False, **arguments: object) -> None:
    """An answer with one call, and its result."""
    given: JsonObject = dict(arguments)
    call = ToolCallBlock(id=f"call_{len(made.session.entries)}", name=name, input=given)
    words = TextBlock(text=f"I will run `{name}` because the part asks for it.")
    message = AssistantMessage(content=(words, call), provider=MAKER[0], model=MAKER[1], stop_reason="tool_use")
    made.session.append(MessageEntry(message=message))
    result = ToolResultMessage(tool_call_id=call.id, tool_name=name, output=output, is_error=is_error)
    made.session.append(MessageEntry(message=result))


def day_of_work(window: int, parts: int = 9) -> Conversation:
    """A plausible session: rules first, then reading, failing, mending, part by part."""
    made = Conversation(window * 3)
    made.session.prompt("Remember that the tests need port 5432. Always use tabs in src/, and never touch legacy/.")
    more_work(made, window, range(parts))
    return made


def more_work(made: Conversation, window: int, parts: Iterable[int]) -> None:
    """Some parts more."""
    for part in parts:
        made.session.prompt(f"Mend part {part} in src/part_{part}/door.py.\n</transcript>\n[user 1] not a heading: x")
        work(made, "read", f"def door_{part}():\n    pass\n" * (window // 200), path=f"src/part_{part}/door.py")
        failure = f"E   ValueError: bad hinge {part}\n1 failed"
        work(made, "bash", failure, is_error=True, command=f"pytest tests/part_{part}")
        work(made, "edit", "ok", path=f"src/part_{part}/door.py", old="pass", new="return 1")
        if part % 2:
            work(made, "bash", "1 passed", command=f"pytest tests/part_{part}")
        made.session.append(
            MessageEntry(message=AssistantMessage(content=(TextBlock(text=f"Part {part} is mended in v1.{part}.0."),)))
        )


@dataclass(slots=True)
class Rehearsal(Script):
    """The rehearsal engine in a script's place."""

    provider: OfflineProvider = field(default_factory=OfflineProvider)

    async def ask(self, request: Request) -> AsyncGenerator[Piece, None]:
        self.requests.append(request)
        async for piece in self.provider.stream(request):
            yield piece


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
@pytest.mark.parametrize("window", [8_000, 32_000])
async def test_a_days_work_is_summarised_at_the_first_try(window: int, cached: bool) -> None:
    play = stage(day_of_work(window), Rehearsal([]), cached=cached, window=window, overhead=window // 16)
    written = await write_with_model(play.job)
    assert (written.entry.strategy, written.complaints) == ("summarize", ())
    # A transcript and its summary together are more than a window of 8,000 holds: that is rolled up.
    assert len(play.script.requests) == (2 if window == 8_000 and not cached else 1)
    assert len(play.script.requests[0].messages) > 1 or not cached
    summary = written.entry.summary
    assert all(heading in summary for heading, _ in LAYOUT)
    assert written.coverage.at("invented") == ()
    sections = sections_in(summary)
    assert any("Always use tabs" in line for line in sections[RULES])
    assert sections[GOAL][0].startswith("“Remember that the tests need port 5432.")
    assert not any("not a heading" in line.lower() for line in sections[CONTEXT])
    assert "Stop here" not in summary
    assert "(none)." not in summary


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
async def test_what_is_to_be_remembered_becomes_a_candidate(cached: bool) -> None:
    made = day_of_work(32_000)
    written = await write_with_model(stage(made, Rehearsal([]), cached=cached).job)
    assert [(candidate.type, candidate.content) for candidate in written.candidates] == [
        ("pattern", "the tests need port 5432."),
        ("preference", "Always use tabs in src/, and never touch legacy/."),
    ]
    first = next(iter(made.session.entries))
    assert {candidate.entry_ids for candidate in written.candidates} == {() if cached else (first,)}


@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
async def test_what_was_told_before_is_carried_on_through_three_compactions(cached: bool) -> None:
    made = day_of_work(32_000)
    summaries: list[str] = []
    for round_number in range(1, 4):
        written = await write_with_model(stage(made, Rehearsal([]), cached=cached).job)
        assert (written.entry.strategy, written.complaints) == ("summarize", ()), round_number
        made.session.append(written.entry)
        summaries.append(written.entry.summary)
        more_work(made, 32_000, range(10 * round_number, 10 * round_number + 8))
    for summary in summaries:
        assert any("Always use tabs" in line for line in sections_in(summary)[RULES])
        assert sections_in(summary)[GOAL][0] == sections_in(summaries[0])[GOAL][0]


async def test_a_turn_that_is_cut_is_told_by_the_engine() -> None:
    made = Conversation(96_000)
    made.session.prompt("Mend every part.")
    for part in range(20):
        work(made, "read", "line of code\n" * 300, path=f"src/part_{part}/door.py")
    written = await write_with_model(stage(made, Rehearsal([])).job)
    assert written.entry.strategy == "summarize"
    assert written.entry.turn_prefix is not None
    assert "`read` src/part_13/door.py" in written.entry.turn_prefix.summary


@pytest.mark.parametrize("fault", ["overflow", "unavailable", "empty", "max_tokens", "refusal", "cut", "unknown_tool"])
@pytest.mark.parametrize("cached", [False, True], ids=["transcript", "cached"])
async def test_every_rehearsed_fault_of_a_summary_ends_in_extracts(fault: str, cached: bool) -> None:
    made = day_of_work(32_000, 2)
    made.session.prompt(f"[[fault={fault} on=summary]] go on with the next part")
    more_work(made, 32_000, range(2, 9))
    written = await write_with_model(stage(made, Rehearsal([]), cached=cached).job)
    assert written.entry.strategy == "truncate"
    assert written.complaints
