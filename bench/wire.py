"""What decoding costs: a long answer through each provider up to our events, against reading its lines alone.

Both sides read the same answer of the same loopback server with the maker's own SDK. The server has a thread of its
own, and only the CPU time of the reading thread counts. What a reading costs differs with how the bytes happen to come,
so the two are taken in turns, and the median of the rounds' ratios is told.
"""

import asyncio
import json
import statistics
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from bench.frame import CommandFailed, Measure, at_most
from diligent_tui.agent.answer import Answer, PieceSaver, take_answer
from diligent_tui.agent.hub import Hub
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.events import Event, TextDelta
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, UserTurn
from diligent_tui.providers.base import Provider
from diligent_tui.providers.registry import ProviderOptions, make_provider
from diligent_tui.providers.retry import Retries, with_retries
from tests.wire.scripts import Say, Script
from tests.wire.server import WireServer

TOKENS = 20_000
TOKEN = "word"
"""Each is an event of its own on the wire."""
MOST_TIMES = 2.0
KEY = "any"
SAVING_SECONDS = 0.1

Lines = Callable[[], AsyncIterator[str]]
Read = Callable[[], Awaitable[int]]
"""Reads one answer, and says how many tokens came."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A provider's model, and its SDK's plainest way to the lines of an answer."""

    model: Model
    base_path: str
    lines: Callable[[str, str], AbstractAsyncContextManager[Lines]]


@asynccontextmanager
async def anthropic_lines(base_url: str, model_name: str) -> AsyncGenerator[Lines, None]:
    """Lines as Anthropic's SDK reads them."""
    import anthropic

    async with anthropic.AsyncAnthropic(api_key=KEY, base_url=base_url, max_retries=0) as client:

        async def lines() -> AsyncIterator[str]:
            asking = client.messages.with_streaming_response.create(
                model=model_name, max_tokens=8_000, messages=[{"role": "user", "content": "Go."}], stream=True
            )
            async with asking as response:
                async for line in response.iter_lines():
                    yield line

        yield lines


@asynccontextmanager
async def responses_lines(base_url: str, model_name: str) -> AsyncGenerator[Lines, None]:
    """Lines of Responses as OpenAI's SDK reads them."""
    import openai

    async with openai.AsyncOpenAI(api_key=KEY, base_url=base_url, max_retries=0) as client:

        async def lines() -> AsyncIterator[str]:
            asking = client.responses.with_streaming_response.create(
                model=model_name,
                input=[{"type": "message", "role": "user", "content": "Go."}],
                store=False,
                stream=True,
            )
            async with asking as response:
                async for line in response.iter_lines():
                    yield line

        yield lines


@asynccontextmanager
async def chat_lines(base_url: str, model_name: str) -> AsyncGenerator[Lines, None]:
    """Lines of Chat Completions as OpenAI's SDK reads them."""
    import openai

    async with openai.AsyncOpenAI(api_key=KEY, base_url=base_url, max_retries=0) as client:

        async def lines() -> AsyncIterator[str]:
            asking = client.chat.completions.with_streaming_response.create(
                model=model_name, messages=[{"role": "user", "content": "Go."}], stream=True
            )
            async with asking as response:
                async for line in response.iter_lines():
                    yield line

        yield lines


CONTESTS = (
    Contest(Model("anthropic", "claude-sonnet-5-5"), "", anthropic_lines),
    Contest(Model("openai", "gpt-6.1-sol"), "/v1", responses_lines),
    Contest(Model("openai-compatible", "qwen3:8b"), "/v1", chat_lines),
)


def run(quick: bool) -> list[Measure]:
    """Measure every provider that speaks over a wire."""
    rounds, tokens = (3, TOKENS // 4) if quick else (5, TOKENS)
    return [asyncio.run(_measure(contest, rounds, tokens)) for contest in CONTESTS]


async def _measure(contest: Contest, rounds: int, tokens: int) -> Measure:
    async with reading(contest, tokens) as (ours, plain):
        times = await compare(ours, plain, rounds, tokens)
    name = f"{contest.model.provider}: {tokens:,} tokens to our events ÷ iter_lines + json.loads"
    return at_most(name, times, "×", MOST_TIMES)


@asynccontextmanager
async def reading(contest: Contest, tokens: int) -> AsyncGenerator[tuple[Read, Read], None]:
    """Our way to read an answer of so many tokens, and the plain one."""
    script = Script((Say(TOKEN * tokens),), piece_chars=len(TOKEN))
    with WireServer(answer=lambda _: script) as server:
        base_url = server.url + contest.base_path
        provider = make_provider(contest.model.provider, ProviderOptions(api_key=KEY, base_url=base_url))
        async with contest.lines(base_url, contest.model.name) as lines:
            yield (lambda: tokens_as_events(provider, contest.model)), (lambda: tokens_as_lines(lines))
        await provider.aclose()


async def compare(ours: Read, plain: Read, rounds: int, tokens: int) -> float:
    """How many times the CPU of the plain reading ours costs; the first reading of each is not counted."""
    await _cost(ours, tokens)
    await _cost(plain, tokens)
    return statistics.median([await _cost(ours, tokens) / await _cost(plain, tokens) for _ in range(rounds)])


async def _cost(read: Read, tokens: int) -> float:
    begun_s = time.thread_time()
    came = await read()
    used_s = time.thread_time() - begun_s
    if came < tokens:
        raise CommandFailed(f"Of {tokens} tokens only {came} came.")
    return used_s


async def tokens_as_events(provider: Provider, model: Model) -> int:
    """Read an answer the way a turn does, up to what the hub tells."""
    request = Request(model, "", (), (UserTurn((Text("Go."),)),), 8_000)
    heard = 0

    def count(event: Event) -> None:
        nonlocal heard
        heard += isinstance(event, TextDelta)

    hub, answer = Hub(), Answer()
    hub.subscribe(count)
    pieces = with_retries(lambda: provider.stream(request), Retries(), _forget_wait)
    await take_answer(answer, pieces, "message", hub.publish, PieceSaver(_forget_words, SAVING_SECONDS))
    return heard if answer.finished else 0


def _forget_wait(attempt: int, delay_seconds: float, problem: Problem) -> None:
    """A wait would show in nothing that is measured here."""


def _forget_words(kind: Literal["text", "thinking"], words: str) -> None:
    """Where a session would write to the disk."""


async def tokens_as_lines(lines: Lines) -> int:
    """Read an answer line by line and take its JSON apart; nothing is made of it."""
    found = 0
    async for line in lines():
        if line.startswith("data: {"):
            json.loads(line[6:])
            found += 1
    return found
