import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest

from diligent_tui.domain.errors import BadResponse, StreamCut
from diligent_tui.providers.base import Failed, Finished, Piece, TextPiece
from diligent_tui.providers.sse import ServerEvent
from diligent_tui.providers.streaming import answer_pieces, guarded


class Body:
    """A response whose body is a list of chunks; an exception is raised, None is silence."""

    def __init__(self, *steps: bytes | Exception | None) -> None:
        self.steps = steps
        self.is_closed = False
        self.is_read = False
        self.is_released = False

    async def aiter_bytes(self) -> AsyncGenerator[bytes, None]:
        try:
            for step in self.steps:
                if step is None:
                    await asyncio.Event().wait()
                elif isinstance(step, Exception):
                    raise step
                else:
                    await asyncio.sleep(0)
                    yield step
            self.is_read = True
        finally:
            self.is_released = True

    async def aclose(self) -> None:
        self.is_closed = True


class Words:
    """Each event is a word; `end` is the end, `bad` makes no sense."""

    def __init__(self) -> None:
        self.last: Finished | Failed | None = None

    def take(self, event: ServerEvent) -> Sequence[Piece]:
        match event.data:
            case b"end":
                self.last = Finished((), "end_turn", None)
                return ()
            case b"bad":
                raise BadResponse("That makes no sense.")
            case data:
                return (TextPiece(data.decode()),)

    def cut(self) -> Finished | Failed:
        return Failed(StreamCut("It was cut."))


async def heard(body: Body, stall_seconds: float = 30) -> list[Piece]:
    return [piece async for piece in answer_pieces(body, Words(), stall_seconds, (OSError,))]


async def test_an_answer_ends_with_its_last_piece_and_the_rest_is_read() -> None:
    body = Body(b"data: a\n\ndata: end\n\ndata: late\n\n", b"data: later\n\n")
    assert await heard(body) == [TextPiece("a"), Finished((), "end_turn", None)]
    assert (body.is_closed, body.is_read) == (True, True)


async def test_bytes_that_end_without_the_end_are_a_cut() -> None:
    body = Body(b"data: a\n\n")
    *pieces, last = await heard(body)
    assert pieces == [TextPiece("a")]
    assert isinstance(last, Failed)
    assert last.error.message == "It was cut."


@pytest.mark.parametrize("rest", [None, OSError("reset")])
async def test_what_happens_after_the_end_does_no_harm(rest: Exception | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.providers.streaming.LINGER_SECONDS", 0.01)
    body = Body(b"data: end\n\n", rest)
    assert await heard(body) == [Finished((), "end_turn", None)]
    assert (body.is_closed, body.is_released) == (True, True)


async def test_the_connection_is_free_before_the_last_piece_is_told() -> None:
    body = Body(b"data: a\n\ndata: end\n\n")
    stream = answer_pieces(body, Words(), 30)
    assert await anext(stream) == TextPiece("a")
    assert not body.is_closed
    assert isinstance(await anext(stream), Finished)
    assert (body.is_closed, body.is_released) == (True, True)
    await stream.aclose()


async def test_what_makes_no_sense_fails_the_answer_and_frees_the_connection() -> None:
    body = Body(b"data: a\n\ndata: bad\n\ndata: end\n\n", None)
    *pieces, last = await heard(body)
    assert pieces == [TextPiece("a")]
    assert isinstance(last, Failed)
    assert (last.error.kind, body.is_closed) == ("bad_response", True)


async def test_an_error_of_the_transport_is_raised_with_the_connection_freed() -> None:
    body = Body(b"data: a\n\n", OSError("reset"))
    with pytest.raises(OSError, match="reset"):
        await heard(body)
    assert (body.is_closed, body.is_released) == (True, True)


@pytest.mark.parametrize("before", [(), (b"data: a\n\n",)])
async def test_silence_is_a_cut(before: tuple[bytes, ...]) -> None:
    body = Body(*before, None)
    *_, last = await heard(body, stall_seconds=0.02)
    assert isinstance(last, Failed)
    assert (last.error.kind, body.is_closed, body.is_released) == ("stream_cut", True, True)
    assert "0.02 s" in last.error.message
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


class Clock:
    """Moves the loop's time on by leaps, and lets timers that are due look at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        real = loop.time
        self._ahead_seconds = 0.0
        monkeypatch.setattr(loop, "time", lambda: real() + self._ahead_seconds)

    async def leap(self, seconds: float) -> None:
        self._ahead_seconds += seconds
        for _ in range(5):
            await asyncio.sleep(0)


async def test_a_reader_that_takes_its_time_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    chunks = guarded(Body(b"a", b"b").aiter_bytes(), 60)
    assert await anext(chunks) == b"a"
    await clock.leap(600)
    assert await anext(chunks) == b"b"
    await chunks.aclose()


async def test_bytes_that_keep_coming_are_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def slow() -> AsyncGenerator[bytes, None]:
        for _ in range(20):
            await clock.leap(40)
            yield b"x"

    assert [chunk async for chunk in guarded(slow(), 60)] == [b"x"] * 20


async def test_silence_counts_from_the_last_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def slow() -> AsyncGenerator[bytes, None]:
        await clock.leap(40)
        yield b"x"
        await clock.leap(40)
        await clock.leap(30)
        yield b"y"

    chunks = guarded(slow(), 60)
    assert await anext(chunks) == b"x"
    with pytest.raises(StreamCut, match="60 s"):
        await anext(chunks)


async def test_a_cancelled_reader_is_cancelled_and_frees_what_it_read() -> None:
    body = Body(b"data: a\n\n", None)
    begun = asyncio.Event()

    async def read() -> None:
        async for _ in answer_pieces(body, Words(), 30):
            begun.set()

    task = asyncio.create_task(read())
    await begun.wait()
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert (body.is_closed, body.is_released) == (True, True)


async def test_a_reader_that_leaves_early_frees_what_it_read() -> None:
    body = Body(b"data: a\n\n", b"data: b\n\n")
    stream = answer_pieces(body, Words(), 30)
    await anext(stream)
    await stream.aclose()
    assert (body.is_closed, body.is_released) == (True, True)
