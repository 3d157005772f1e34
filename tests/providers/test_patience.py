"""The wait for the first byte of a server nearby."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from diligent_tui.providers.openai_chat.client import DEFAULT_BASE_URL
from diligent_tui.providers.patience import Patient, patience_for

STALL_SECONDS = 0.002


class Slow:
    """A response that sends its first chunk when it is told to."""

    def __init__(self) -> None:
        self.may_begin = asyncio.Event()
        self.was_closed = False
        self.was_left = False

    async def aiter_bytes(self) -> AsyncGenerator[bytes, None]:
        try:
            await self.may_begin.wait()
            yield b"data: 1\n\n"
            yield b"data: 2\n\n"
        finally:
            self.was_left = True

    async def aclose(self) -> None:
        self.was_closed = True


@pytest.mark.parametrize(
    ("base_url", "is_near"),
    [
        (DEFAULT_BASE_URL, True),
        ("http://localhost:1234/v1", True),
        ("http://192.168.1.20:8000/v1", True),
        ("http://studio.local/v1", True),
        ("http://[::1]:8000/v1", True),
        ("https://openrouter.ai/api/v1", False),
        ("https://8.8.8.8/v1", False),
        ("http://[::1", False),
    ],
)
def test_servers_nearby_are_given_time(base_url: str, *, is_near: bool) -> None:
    assert (patience_for(base_url) > 1) is is_near


async def test_comments_fill_the_wait_and_then_the_bytes_come_as_they_are() -> None:
    slow = Slow()
    async with aclosing(Patient(slow, STALL_SECONDS, 10_000).aiter_bytes()) as chunks:
        assert [await anext(chunks) for _ in range(3)] == [b":\n"] * 3
        slow.may_begin.set()
        rest = [chunk async for chunk in chunks]
    assert [chunk for chunk in rest if chunk != b":\n"] == [b"data: 1\n\n", b"data: 2\n\n"]
    assert slow.was_left


async def test_patience_ends_so_that_the_usual_watch_sees_the_stall() -> None:
    slow = Slow()
    async with aclosing(Patient(slow, STALL_SECONDS, 3).aiter_bytes()) as chunks:
        assert [await anext(chunks) for _ in range(4)] == [b":\n"] * 4
        waiting = asyncio.ensure_future(anext(chunks))
        await asyncio.wait({waiting}, timeout=5 * STALL_SECONDS)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.wait({waiting})
    assert slow.was_left
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_reader_that_leaves_leaves_nothing_running() -> None:
    slow = Slow()
    patient = Patient(slow, STALL_SECONDS, 10_000)
    async with aclosing(patient.aiter_bytes()) as chunks:
        await anext(chunks)
    await patient.aclose()
    assert (slow.was_left, slow.was_closed) == (True, True)
    assert asyncio.all_tasks() == {asyncio.current_task()}
