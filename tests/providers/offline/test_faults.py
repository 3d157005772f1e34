import asyncio
from dataclasses import dataclass

import pytest

from diligent_tui.domain.errors import (
    AuthFailed,
    BadResponse,
    ContextOverflow,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamCut,
    Unavailable,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import TextBlock, ThinkingBlock
from diligent_tui.providers.base import (
    CallBegun,
    CallPiece,
    CallReady,
    Failed,
    Finished,
    Piece,
    TextPiece,
    ThinkingPiece,
)
from diligent_tui.providers.offline.faults import BEGINNING, ENDING, FAULTS, MISSING_TOOL, MOST_SAME_CALLS
from diligent_tui.providers.offline.provider import OfflineProvider
from tests.providers.offline.driver import (
    TOOLS,
    ask,
    assistant,
    calls_of,
    failed,
    finished,
    pieces,
    play,
    text_streamed,
    turn_of,
    user,
    words,
)


def ok(_name: str, _arguments: JsonObject) -> tuple[str, bool]:
    return "ok", False


@pytest.mark.parametrize(
    ("name", "kind", "may_retry"),
    [
        ("rate_limited", RateLimited, True),
        ("overloaded", Overloaded, True),
        ("unavailable", Unavailable, True),
        ("auth", AuthFailed, False),
        ("overflow", ContextOverflow, False),
        ("bad_response", BadResponse, False),
    ],
)
async def test_a_fault_before_the_answer_is_the_only_piece(
    name: str, kind: type[ProviderError], may_retry: bool
) -> None:
    streamed = await pieces(ask(user(f"read a.py [[fault={name}]]")))
    assert len(streamed) == 1
    assert isinstance(streamed[0], Failed)
    assert type(streamed[0].error) is kind
    assert streamed[0].error.may_retry is may_retry


@pytest.mark.parametrize(("after", "seconds"), [("", None), (" after=2.5", 2.5)])
async def test_a_rate_limit_may_say_when_to_come_back(after: str, seconds: float | None) -> None:
    error = (await failed(ask(user(f"[[fault=rate_limited{after}]]")))).error
    assert isinstance(error, RateLimited)
    assert error.retry_after_seconds == seconds


async def test_an_overflow_names_its_figures() -> None:
    error = (await failed(ask(user("[[fault=overflow]]"), window_tokens=9000))).error
    assert isinstance(error, ContextOverflow)
    assert (error.tokens, error.limit) == (9001, 9000)


async def test_a_cut_stream_has_words_and_then_fails() -> None:
    streamed = await pieces(ask(user("[[fault=cut]]")))
    assert text_streamed(streamed) == BEGINNING
    assert isinstance(streamed[-1], Failed)
    assert isinstance(streamed[-1].error, StreamCut)


async def test_a_stream_without_end_just_stops() -> None:
    streamed = await pieces(ask(user("[[fault=no_end]]")))
    assert text_streamed(streamed) == BEGINNING
    assert all(isinstance(piece, TextPiece) for piece in streamed)


async def test_an_empty_answer_has_no_blocks() -> None:
    answer = await finished(ask(user("[[fault=empty]]")))
    assert (answer.blocks, answer.stop_reason) == ((), "end_turn")


@pytest.mark.parametrize("go_on", ["Continue.", "Go on exactly where it stopped.", "[go on]"])
async def test_a_text_cut_by_its_limit_is_finished_when_asked_to_go_on(go_on: str) -> None:
    order = user("[[fault=max_tokens]]")
    cut = await finished(ask(order))
    assert (words(cut), cut.stop_reason) == (BEGINNING, "max_tokens")
    rest = await finished(ask(order, turn_of(cut), user(go_on)))
    assert (words(rest), rest.stop_reason) == (ENDING, "end_turn")


async def test_a_truncated_call_begins_and_is_never_ready() -> None:
    streamed = await pieces(ask(user("[[fault=truncated_call]]")))
    kinds = {type(piece) for piece in streamed}
    assert {CallBegun, CallPiece} <= kinds
    assert CallReady not in kinds
    last = streamed[-1]
    assert isinstance(last, Finished)
    assert last.stop_reason == "max_tokens"
    assert not calls_of(last)


@pytest.mark.parametrize("name", ["refusal", "content_filter"])
async def test_a_stop_reason_can_be_played(name: str) -> None:
    answer = await finished(ask(user(f"[[fault={name}]]")))
    assert answer.stop_reason == name
    assert words(answer)


async def test_a_stall_says_something_and_then_waits_until_it_is_cancelled() -> None:
    streamed: list[Piece] = []
    spoken = asyncio.Event()

    async def listen() -> None:
        async for piece in OfflineProvider().stream(ask(user("[[fault=stall]]"))):
            streamed.append(piece)
            if text_streamed(streamed) == BEGINNING:
                spoken.set()

    task = asyncio.create_task(listen())
    await spoken.wait()
    await asyncio.sleep(0)
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert all(isinstance(piece, TextPiece) for piece in streamed)


@pytest.mark.parametrize(
    ("name", "called"), [("unknown_tool", MISSING_TOOL), ("bad_arguments", "read"), ("same_call", "ls")]
)
async def test_a_wrong_call_is_made_and_its_answer_reported(name: str, called: str) -> None:
    played = await play(f"[[fault={name}]]", lambda _name, _arguments: ("there is no such thing", True))
    assert {call.name for call in played.calls} == {called}
    assert "there is no such thing" in played.final


async def test_bad_arguments_have_the_wrong_shape_for_every_property() -> None:
    (call,) = calls_of(await finished(ask(user("[[fault=bad_arguments]]"))))
    assert call.input
    assert not any(isinstance(value, str | int) for value in call.input.values())


@pytest.mark.parametrize("tools", [TOOLS, TOOLS[:1], ()])
async def test_the_same_call_is_made_ten_times_at_most(tools: tuple[()]) -> None:
    played = await play("[[fault=same_call]]", ok, tools=tools)
    assert len(played.calls) == MOST_SAME_CALLS
    assert len({(call.name, str(call.input)) for call in played.calls}) == 1
    assert len({call.id for call in played.calls}) == MOST_SAME_CALLS


async def test_an_answer_may_be_nothing_but_thinking() -> None:
    streamed = await pieces(ask(user("[[fault=thinking_only]]")))
    assert {type(piece) for piece in streamed[:-1]} == {ThinkingPiece}
    last = streamed[-1]
    assert isinstance(last, Finished)
    assert [type(block) for block in last.blocks] == [ThinkingBlock]


@pytest.mark.parametrize("name", sorted(set(FAULTS) - {"stall"}))
async def test_a_fault_with_times_is_over_after_so_many_requests(name: str) -> None:
    provider = OfflineProvider()
    request = ask(user(f"hello [[fault={name} times=2]]"))
    for _ in range(2):
        assert "rehearsal engine" not in text_streamed(await pieces(request, provider))
    assert "rehearsal engine" in words(await finished(request, provider))


async def test_after_the_fault_the_order_is_carried_out() -> None:
    provider = OfflineProvider()
    request = ask(user("read a.py [[fault=overloaded times=1]]"))
    await failed(request, provider)
    (call,) = calls_of(await finished(request, provider))
    assert call.input == {"path": "a.py"}


async def test_after_a_fault_without_an_order_that_is_said() -> None:
    provider = OfflineProvider()
    request = ask(user("[[fault=overloaded times=1]]"))
    await failed(request, provider)
    assert "over" in words(await finished(request, provider))


async def test_another_provider_counts_for_itself() -> None:
    request = ask(user("hello [[fault=overloaded times=1]]"))
    for _ in range(2):
        await failed(request, OfflineProvider())


async def test_only_the_newest_words_play_a_fault() -> None:
    answer = await finished(ask(user("[[fault=auth]]"), assistant("no"), user("hello")))
    assert "Hello" in words(answer)


async def test_a_name_that_is_no_fault_is_answered_with_those_that_are() -> None:
    answer = words(await finished(ask(user("[[fault=earthquake]]"))))
    assert "`earthquake`" in answer
    assert all(f"`{name}`" in answer for name in FAULTS)


@dataclass(frozen=True)
class Case:
    directive: str
    plays: bool


@pytest.mark.parametrize("case", [Case("[[fault=overloaded on=summary]]", True), Case("[[fault=overloaded]]", False)])
async def test_a_fault_for_summaries_is_played_on_summaries_only(case: Case) -> None:
    talk = (user(f"hello {case.directive}"), assistant("hello"), user("Summarise this."))
    last = (await pieces(ask(*talk, summary=True)))[-1]
    assert isinstance(last, Failed) is case.plays
    if case.plays:
        assert isinstance((await pieces(ask(talk[0])))[-1], Finished)


async def test_text_of_a_finished_fault_is_what_was_streamed() -> None:
    streamed = await pieces(ask(user("[[fault=content_filter]]")))
    last = streamed[-1]
    assert isinstance(last, Finished)
    assert last.blocks == (TextBlock(text=text_streamed(streamed)),)
