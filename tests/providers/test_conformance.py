"""What holds for every provider that speaks over a wire, tried with its real SDK against the loopback server."""

import asyncio
import json
from collections.abc import AsyncGenerator

import pytest

from diligent_tui.domain.errors import ContextOverflow, RateLimited
from diligent_tui.domain.messages import TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.requests import Text, UserTurn
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import (
    CallBegun,
    CallPiece,
    CallReady,
    Finished,
    Provider,
    TextPiece,
    ThinkingPiece,
)
from diligent_tui.providers.registry import ProviderOptions
from tests.providers.lineup import KEY, LINEUP, Contender, Heard, ask, hear, refusal, results_for, said_again
from tests.wire.scripts import Break, Call, Ending, Fault, Hang, Insert, Refuse, Say, Script, Think, call
from tests.wire.server import WireServer

TEXT = "The naïve café — 東京 🙂 has\nthree lines\n\nof text."
WHOLE = Script((Think("I think first."), Say("I look."), call("call_1", "read", path="a.py")))
pytestmark = [
    pytest.mark.parametrize("contender", LINEUP, ids=[contender.name for contender in LINEUP], scope="module"),
    pytest.mark.asyncio(loop_scope="module"),
]

WIRES = {
    "event by event": Script((Say(TEXT),)),
    "byte by byte": Script((Say(TEXT),), chunk_bytes=1),
    "with other line breaks": Script((Say(TEXT),), newline=b"\r\n", chunk_bytes=7),
    "all at once": Script((Say(TEXT),), chunk_bytes=10**6),
    "slowly": Script((Say(TEXT),), pause_seconds=0.001),
}


async def asked(provider: Provider, server: WireServer, contender: Contender, script: Script) -> Heard:
    server.play(script)
    return await hear(provider.stream(ask(contender)))


@pytest.mark.parametrize("wire", WIRES)
async def test_text_arrives_whole_however_its_bytes_are_cut(
    provider: Provider, server: WireServer, contender: Contender, wire: str
) -> None:
    heard = await asked(provider, server, contender, WIRES[wire])
    assert "".join(piece.text for piece in heard.pieces if isinstance(piece, TextPiece)) == TEXT
    (block,) = heard.finished.blocks
    assert isinstance(block, TextBlock)
    assert (block.text, heard.finished.stop_reason) == (TEXT, "end_turn")
    assert heard.finished.usage == WIRES[wire].usage


async def test_thinking_is_told_and_goes_back_as_it_came(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    server.play(Script((Think("Let me see. "), Say("I see."))), Script((Say("And on."),)))
    first = await hear(provider.stream(ask(contender, thinking="high")))
    assert "".join(piece.text for piece in first.pieces if isinstance(piece, ThinkingPiece)) == "Let me see. "
    thought, words = first.finished.blocks
    assert isinstance(thought, ThinkingBlock)
    assert isinstance(words, TextBlock)
    start = UserTurn((Text("Look around."),))
    again = ask(contender, start, said_again(first.finished.blocks), UserTurn((Text("Go on."),)), thinking="high")
    second = await hear(provider.stream(again))
    assert second.finished.stop_reason == "end_turn"
    assert [request.problems for request in server.requests] == [(), ()]


async def test_parallel_calls_are_told_in_order_and_their_results_are_taken(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    steps = (Say("I look twice."), call("call_1", "read", path="a é.py"), call("call_2", "list"))
    server.play(Script(steps), Script((Say("Done."),)))
    first = await hear(provider.stream(ask(contender)))
    begun = [(piece.call_id, piece.name) for piece in first.pieces if isinstance(piece, CallBegun)]
    ready = [(piece.call_id, piece.name, piece.input) for piece in first.pieces if isinstance(piece, CallReady)]
    kept = [(block.id, block.name, block.input) for block in first.finished.blocks if isinstance(block, ToolCallBlock)]
    assert begun == [("call_1", "read"), ("call_2", "list")]
    assert ready == kept == [("call_1", "read", {"path": "a é.py"}), ("call_2", "list", {})]
    told = "".join(piece.text for piece in first.pieces if isinstance(piece, CallPiece) and piece.call_id == "call_1")
    assert json.loads(told) == {"path": "a é.py"}
    assert first.finished.stop_reason == "tool_use"
    results = results_for(first.finished.blocks, failing="call_2")
    start = UserTurn((Text("Look around."),))
    second = await hear(provider.stream(ask(contender, start, said_again(first.finished.blocks), results)))
    assert second.finished.stop_reason == "end_turn"
    assert [request.problems for request in server.requests] == [(), ()]


async def test_an_empty_answer_is_finished_and_empty(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    heard = await asked(provider, server, contender, Script())
    assert (heard.pieces, heard.finished.blocks) == ((), ())


async def test_an_answer_without_a_count_is_taken(provider: Provider, server: WireServer, contender: Contender) -> None:
    heard = await asked(provider, server, contender, Script((Say("Hello."),), usage=None))
    assert heard.finished.usage is None


async def test_the_output_limit_is_told(provider: Provider, server: WireServer, contender: Contender) -> None:
    heard = await asked(provider, server, contender, Script((Say("Hello, I"),), stop="max_tokens"))
    assert heard.finished.stop_reason == "max_tokens"


@pytest.mark.parametrize("arguments", ['{"path": "a', '{"path": "a.py"', "{", "[1]", '"text"', "null", "{} {}", "nan"])
@pytest.mark.parametrize("stop", ["max_tokens", "tool_use"])
async def test_a_call_without_whole_arguments_never_becomes_one(
    provider: Provider, server: WireServer, contender: Contender, arguments: str, stop: str
) -> None:
    ending = "max_tokens" if stop == "max_tokens" else "tool_use"
    steps = (Say("I look."), Call("call_1", "read", arguments))
    heard = await asked(provider, server, contender, Script(steps, stop=ending))
    assert not heard.of(CallReady)
    if isinstance(heard.last, Finished):
        assert not [block for block in heard.last.blocks if isinstance(block, ToolCallBlock)]
        assert heard.last.stop_reason == "max_tokens"
    else:
        assert heard.error.kind == "bad_response"


async def test_two_hundred_calls_and_long_arguments_are_taken(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    steps = (
        *(call(f"call_{number}", "read", path=f"{number}") for number in range(200)),
        call("big", "read", path="x" * 10**6),
    )
    heard = await asked(provider, server, contender, Script(steps, piece_chars=4096))
    calls = [block for block in heard.finished.blocks if isinstance(block, ToolCallBlock)]
    assert len({block.id for block in calls}) == 201
    assert calls[-1].input == {"path": "x" * 10**6}


async def test_calls_with_one_id_get_two(provider: Provider, server: WireServer, contender: Contender) -> None:
    heard = await asked(provider, server, contender, Script((call("a", "read", path="1"), call("a", "read", path="2"))))
    calls = [block for block in heard.finished.blocks if isinstance(block, ToolCallBlock)]
    assert [block.input for block in calls] == [{"path": "1"}, {"path": "2"}]
    assert len({block.id for block in calls}) == 2
    assert [piece.call_id for piece in heard.pieces if isinstance(piece, CallReady)] == [block.id for block in calls]


async def test_every_shape_of_overflow_is_one(provider: Provider, server: WireServer, contender: Contender) -> None:
    assert contender.overflows
    for shape, fault in contender.overflows.items():
        heard = await asked(provider, server, contender, Script((Say("Hello."),), fault=fault))
        assert isinstance(heard.error, ContextOverflow), shape
        assert not heard.error.may_retry


async def test_a_request_over_the_window_is_refused_with_figures(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    server.window_tokens = 10
    heard = await hear(provider.stream(ask(contender)))
    assert isinstance(heard.error, ContextOverflow)
    assert heard.error.limit == 10
    assert (heard.error.tokens or 0) > 10


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "provider"),
        (401, "auth"),
        (402, "provider"),
        (403, "auth"),
        (404, "bad_response"),
        (408, "unavailable"),
        (409, "unavailable"),
        (413, "context_overflow"),
        (422, "provider"),
        (429, "rate_limited"),
        (500, "unavailable"),
        (502, "unavailable"),
        (503, "unavailable"),
        (504, "unavailable"),
        (529, "overloaded"),
    ],
)
async def test_a_status_becomes_an_error_of_ours_after_one_request(
    provider: Provider, server: WireServer, contender: Contender, status: int, kind: str
) -> None:
    bodies = (
        refusal(contender.format, status, "some_error", f"No, {KEY} is \x1b[2Jnot\x00 welcome.").body,
        b"",
        b"<html><body>Bad gateway</body></html>",
        b"\xff\xfe\x00",
        b'{"error": null}',
        b"[]",
    )
    for body in bodies:
        heard = await asked(provider, server, contender, Script(fault=Refuse(status, body)))
        assert (heard.error.kind, heard.pieces) == (kind, ())
    assert len(server.requests) == len(bodies)


async def test_a_limit_tells_when_to_come_back(provider: Provider, server: WireServer, contender: Contender) -> None:
    fault = Refuse(429, b"{}", (("retry-after", "7"), ("content-type", "application/json")))
    heard = await asked(provider, server, contender, Script(fault=fault))
    assert isinstance(heard.error, RateLimited)
    assert heard.error.retry_after_seconds == 7


async def test_an_error_within_the_stream_is_told_after_what_came(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    assert contender.stream_errors
    for name, (fault, kind) in contender.stream_errors.items():
        heard = await asked(provider, server, contender, Script((Say(TEXT),), fault=fault))
        assert heard.error.kind == kind, name


@pytest.mark.parametrize("ending", ["clean", "close", "reset"])
async def test_an_answer_that_ends_too_early_is_cut_at_whatever_event(
    provider: Provider, server: WireServer, contender: Contender, ending: Ending
) -> None:
    needed = len(contender.format.events(WHOLE, {"model": contender.model.name})) - contender.spare_events
    for after_events in range(needed):
        fault = Break(ending, after_events=after_events)
        heard = await asked(provider, server, contender, Script(WHOLE.steps, fault=fault))
        assert heard.error.kind in ("stream_cut", "unavailable"), after_events
        assert heard.error.may_retry


async def test_an_answer_is_cut_at_whatever_byte(provider: Provider, server: WireServer, contender: Contender) -> None:
    events = contender.format.events(WHOLE, {"model": contender.model.name})
    needed = sum(map(len, events[: len(events) - contender.spare_events]))
    for after_bytes in range(1, needed - 1, 23):
        fault = Break("clean", after_bytes=after_bytes)
        heard = await asked(provider, server, contender, Script(WHOLE.steps, fault=fault))
        assert heard.error.kind == "stream_cut", after_bytes


@pytest.mark.parametrize("fault", [Break("stall", after_events=3), Break("stall", after_events=0), Hang("stall")])
async def test_silence_ends_the_wait_and_the_connection(server: WireServer, contender: Contender, fault: Fault) -> None:
    impatient = contender.make(
        ProviderOptions(api_key=KEY, base_url=server.url + contender.base_path, stall_seconds=0.1)
    )
    server.play(Script(WHOLE.steps, fault=fault))
    heard = await hear(impatient.stream(ask(contender)))
    assert heard.error.kind in ("stream_cut", "unavailable")
    assert await asyncio.to_thread(server.requests[0].has_left.wait, 10)
    await impatient.aclose()


GARBAGE: dict[str, Fault] = {
    "no JSON": Insert(b"data: {not json\n\n", 3),
    "no UTF-8": Insert(b'data: {"type": "\xff\xfe"}\n\n', 3),
    "no object": Insert(b"data: [1, 2]\n\n", 3),
    "nested beyond reason": Insert(b"data: " + b"[" * 200_000 + b"\n\n", 3),
    "a page": Refuse(200, b"<html>Sign in</html>", (("content-type", "text/html"),)),
    "nothing": Refuse(200, b"", (("content-type", "text/event-stream"),)),
    "an error that calls itself a success": Refuse(200, b'{"error": {"message": "no", "type": "api_error"}}'),
    "a redirect": Refuse(307, b"", (("location", "http://127.0.0.1:9/v1"),)),
    "an endless refusal": Refuse(500, b"no " * 10_000, endless=True),
    "no HTTP": Hang("clean"),
    "a closed connection": Hang("close"),
    "a reset connection": Hang("reset"),
    "bytes that are not packed": Refuse(
        200, b"\x00" * 64, (("content-type", "text/event-stream"), ("content-encoding", "gzip"))
    ),
}


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_garbage_becomes_an_error_of_ours(
    provider: Provider, server: WireServer, contender: Contender, garbage: str
) -> None:
    heard = await asked(provider, server, contender, Script((Say(TEXT),), fault=GARBAGE[garbage]))
    assert heard.error.kind in ("bad_response", "stream_cut", "unavailable")
    after = await asked(provider, server, contender, Script((Say("Well again."),)))
    assert after.finished.stop_reason == "end_turn"


@pytest.mark.parametrize(
    "noise", [b": a comment\n\n", b"event: news\ndata: {}\n\n", b'data: {"type": "news"}\n\n', b"\n\n\n"]
)
async def test_what_is_not_known_is_passed_over(
    provider: Provider, server: WireServer, contender: Contender, noise: bytes
) -> None:
    for at_event in range(4):
        heard = await asked(provider, server, contender, Script((Say(TEXT),), fault=Insert(noise, at_event)))
        assert "".join(piece.text for piece in heard.pieces if isinstance(piece, TextPiece)) == TEXT
        assert heard.finished.stop_reason == "end_turn"


async def test_a_reader_that_is_cancelled_frees_the_connection_at_whatever_event(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    count = len(contender.format.events(WHOLE, {"model": contender.model.name}))
    await hear(provider.stream(ask(contender)))
    for after_events in range(count - contender.spare_events):
        server.reset()
        server.play(Script(WHOLE.steps, fault=Break("stall", after_events=after_events)))
        task = asyncio.create_task(hear(provider.stream(ask(contender))))
        await _until_asked(server)
        assert await asyncio.to_thread(server.requests[0].has_said.wait, 10)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert await asyncio.to_thread(server.requests[0].has_left.wait, 10), after_events
        assert asyncio.all_tasks() == {asyncio.current_task()}
    after = await asked(provider, server, contender, Script((Say("Well again."),)))
    assert after.finished.stop_reason == "end_turn"


async def test_a_reader_that_stops_reading_frees_the_connection(
    provider: Provider, server: WireServer, contender: Contender
) -> None:
    server.play(Script((Say(TEXT),), fault=Break("stall", after_events=6)))
    stream = provider.stream(ask(contender))
    assert isinstance(await anext(stream), TextPiece)
    assert isinstance(stream, AsyncGenerator)
    await stream.aclose()
    assert await asyncio.to_thread(server.requests[0].has_left.wait, 10)


async def test_two_answers_at_once_do_not_mix(provider: Provider, server: WireServer, contender: Contender) -> None:
    server.play(Script((Say("one " * 50),)), Script((Say("two " * 50),)))
    heard = await asyncio.gather(*(hear(provider.stream(ask(contender))) for _ in range(2)))
    texts = {"".join(piece.text for piece in each.pieces if isinstance(piece, TextPiece)) for each in heard}
    assert texts == {"one " * 50, "two " * 50}


async def test_a_server_that_is_not_there_is_told(server: WireServer, contender: Contender) -> None:
    lost = contender.make(ProviderOptions(api_key=KEY, base_url="http://127.0.0.1:9" + contender.base_path))
    heard = await hear(lost.stream(ask(contender)))
    assert heard.error.kind == "unavailable"
    assert "127.0.0.1" in heard.error.message
    await lost.aclose()


@pytest.mark.parametrize("address", ["no address", "ftp://127.0.0.1/", "http://", "http://[::1", "http://\x00/"])
async def test_an_address_that_is_none_is_told(server: WireServer, contender: Contender, address: str) -> None:
    lost = contender.make(ProviderOptions(api_key=KEY, base_url=address))
    heard = await hear(lost.stream(ask(contender)))
    assert heard.error.kind in ("provider", "unavailable", "bad_response")
    await lost.aclose()


async def test_a_key_that_cannot_be_sent_is_told(server: WireServer, contender: Contender) -> None:
    for key in ("a\nb", "a\x00b", "a\r\nx-other: b"):
        odd = contender.make(ProviderOptions(api_key=key, base_url=server.url + contender.base_path))
        heard = await hear(odd.stream(ask(contender)))
        assert heard.error.kind == "auth"
        assert key not in heard.error.message
        await odd.aclose()


async def test_a_missing_key_is_told_with_its_variable(server: WireServer, contender: Contender) -> None:
    if not contender.key_variable:
        return
    keyless = contender.make(ProviderOptions(base_url=server.url + contender.base_path))
    heard = await hear(keyless.stream(ask(contender)))
    assert heard.error.kind == "auth"
    assert contender.key_variable in heard.error.advice
    assert "https://" in heard.error.advice
    assert server.requests == []
    await keyless.aclose()


async def test_headers_of_the_settings_are_sent(server: WireServer, contender: Contender) -> None:
    options = ProviderOptions(
        api_key=KEY, base_url=server.url + contender.base_path, headers={"x-team": "north", "x-pass": "secret-word"}
    )
    made = contender.make(options)
    server.play(Script((Say("Hello."),)), Script(fault=Refuse(400, b'{"error": {"message": "bad secret-word"}}')))
    assert (await hear(made.stream(ask(contender)))).finished.stop_reason == "end_turn"
    assert server.requests[0].headers["x-team"] == "north"
    assert "secret-word" not in (await hear(made.stream(ask(contender)))).error.message
    assert "secret-word" not in repr(options)
    await made.aclose()


async def test_the_same_request_is_the_same_bytes(provider: Provider, server: WireServer, contender: Contender) -> None:
    for _ in range(2):
        await asked(provider, server, contender, Script((Say("Hello."),)))
    assert server.requests[0].raw == server.requests[1].raw


USAGES = {
    "plain": Usage(input_tokens=100, output_tokens=20),
    "from a cache": Usage(input_tokens=10, output_tokens=20, cache_read_tokens=90),
    "into a cache": Usage(input_tokens=10, output_tokens=20, cache_read_tokens=40, cache_write_tokens=50),
}


@pytest.mark.parametrize("usage", USAGES)
async def test_what_it_cost_is_told_in_one_shape(
    provider: Provider, server: WireServer, contender: Contender, usage: str
) -> None:
    heard = await asked(provider, server, contender, Script((Say("Hello."),), usage=USAGES[usage]))
    assert heard.finished.usage == USAGES[usage]


async def _until_asked(server: WireServer) -> None:
    while not server.requests:
        await asyncio.sleep(0.001)
