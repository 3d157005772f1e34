import asyncio
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.errors import ContextOverflow
from diligent_tui.domain.requests import Image, RequestMessage, Text, UserTurn
from diligent_tui.providers.base import CallPiece, CallReady, Finished, TextPiece, ThinkingPiece
from diligent_tui.providers.offline.answers import TOKEN_CHARS
from diligent_tui.providers.offline.counting import measure
from diligent_tui.providers.offline.markdown import markdown
from diligent_tui.providers.offline.provider import TOKENS_BETWEEN_YIELDS, OfflineProvider
from tests.providers.offline.driver import (
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
)


class FakeTime:
    """A clock that moves only by sleeping, and sometimes oversleeps."""

    def __init__(self, oversleep_seconds: float = 0) -> None:
        self.now_seconds = 100.0
        self.slept: list[float] = []
        self._oversleep_seconds = oversleep_seconds

    def clock(self) -> float:
        return self.now_seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_seconds += seconds + self._oversleep_seconds


@pytest.mark.parametrize("tokens", [1, 2, 3, 10, 57, 400, 5000, 20000])
async def test_the_directive_streams_exactly_that_many_tokens(tokens: int) -> None:
    streamed = await pieces(ask(user(f"go [[t={tokens} r=0 id=x7]]")))
    texts = [piece for piece in streamed if isinstance(piece, TextPiece)]
    last = streamed[-1]
    assert len(texts) == tokens
    assert isinstance(last, Finished)
    assert last.usage is not None
    assert last.usage.output_tokens == tokens
    assert text_streamed(streamed).splitlines()[-1] == "Qx79"


@given(st.integers(1, 3000), st.text("abz019_", min_size=1, max_size=12))
def test_benchmark_text_has_its_length_closed_fences_and_its_last_word(tokens: int, mark: str) -> None:
    word = f"Q{mark}9"
    text = markdown(tokens, word)
    assert text.splitlines()[-1] == word
    assert text.count("```") % 2 == 0
    assert len(text) == tokens * TOKEN_CHARS or text == word


def test_benchmark_text_has_every_kind_of_block() -> None:
    text = markdown(2000, "Q9")
    for mark in (
        "\n## ",
        "\n### ",
        "\n- ",
        "\n  - ",
        "\n1. ",
        "\n> ",
        "\n| ",
        "\n```python",
        "\n```sh",
        "\n---",
        "**",
        "](",
    ):
        assert mark in text


@pytest.mark.parametrize(
    ("pace", "directive", "seconds"),
    [(0, "[[t=100 r=50 id=a]]", 2.0), (10, "[[t=100 r=50 id=a]]", 2.0), (20, "[[t=100 id=a]]", 5.0)],
)
@pytest.mark.parametrize("oversleep_seconds", [0, 0.05])
async def test_the_pace_is_right_on_average(
    pace: float, directive: str, seconds: float, oversleep_seconds: float
) -> None:
    fake = FakeTime(oversleep_seconds)
    await pieces(ask(user(directive)), OfflineProvider(pace, fake.sleep, fake.clock))
    assert fake.now_seconds - 100 == pytest.approx(seconds, abs=oversleep_seconds + 0.001)


@pytest.mark.parametrize(("pace", "directive"), [(0, "[[t=100 id=a]]"), (9, "[[t=100 r=0 id=a]]")])
async def test_no_pace_means_no_waiting(pace: float, directive: str) -> None:
    fake = FakeTime()
    await pieces(ask(user(directive)), OfflineProvider(pace, fake.sleep, fake.clock))
    assert fake.slept == []


async def test_others_get_their_turn_while_it_streams_at_full_speed() -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counter = asyncio.create_task(count_turns())
    await pieces(ask(user("[[t=1000 r=0 id=a]]")))
    counter.cancel()
    assert turns >= 1000 // TOKENS_BETWEEN_YIELDS


@pytest.mark.parametrize(
    "directive", ["[[t=x r=0 id=a]]", "[[t=]]", "[[fault]]", "[t=5 r=0 id=a]", "[[t=5 r=fast id=a]]", "[[]]"]
)
async def test_a_garbled_directive_is_only_words(directive: str) -> None:
    streamed = await pieces(ask(user(f"hello {directive}")))
    assert "rehearsal engine" in text_streamed(streamed)


ORDERS = ["hello", "read a.py and b.py", "[[t=50 r=0 id=z]]", "plan: a, b", "[[fault=max_tokens]]", "what did I ask?"]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("thinking", ["off", "high"])
async def test_the_same_request_has_the_same_answer(order: str, thinking: str) -> None:
    request = ask(user("earlier"), assistant("yes"), user(order), thinking="high" if thinking == "high" else "off")
    assert await pieces(request) == await pieces(request)


@pytest.mark.parametrize("order", ORDERS)
async def test_pieces_and_blocks_tell_the_same(order: str) -> None:
    streamed = await pieces(ask(user(order), thinking="low"))
    last = streamed[-1]
    assert isinstance(last, Finished)
    blocks_text = "".join(
        str(getattr(block, "thinking", "")) + str(getattr(block, "text", "")) for block in last.blocks
    )
    said = "".join(piece.text for piece in streamed if isinstance(piece, ThinkingPiece | TextPiece))
    assert said == blocks_text
    for call in calls_of(last):
        arguments = "".join(
            piece.text for piece in streamed if isinstance(piece, CallPiece) and piece.call_id == call.id
        )
        assert json.loads(arguments) == call.input
        assert CallReady(call.id, call.name, call.input) in streamed


async def test_input_is_a_quarter_of_the_bytes_sent() -> None:
    small = await finished(ask(user("x"), tools=()))
    large = await finished(ask(user("x" + "é" * 200), tools=()))
    assert small.usage is not None
    assert large.usage is not None
    assert large.usage.input_tokens - small.usage.input_tokens == 100


async def test_what_the_last_request_had_is_read_from_the_cache() -> None:
    provider = OfflineProvider()
    played = await play(
        "read a.py then run make then ls", lambda _name, _arguments: ("ok " * 100, False), provider=provider
    )
    usages = [answer.usage for answer in played.answers if answer.usage]
    reads = [usage.cache_read_tokens for usage in usages]
    assert len(usages) == 4
    assert reads[0] == 0
    assert reads == sorted(set(reads))
    for earlier, later in pairwise(usages):
        assert abs(later.cache_read_tokens - earlier.prompt_tokens) <= 1
        assert later.cache_write_tokens == 0


async def test_a_changed_beginning_is_not_read_from_the_cache() -> None:
    provider = OfflineProvider()
    await finished(ask(user("one")), provider)
    answer = await finished(ask(user("two"), tools=()), provider)
    assert answer.usage is not None
    assert answer.usage.cache_read_tokens == len("Be plain.") // 4


async def test_a_request_above_the_window_overflows_with_its_figures() -> None:
    request = ask(user("x" * 5000), window_tokens=1000)
    error = (await failed(request)).error
    assert isinstance(error, ContextOverflow)
    assert error.tokens == measure(request).tokens > 1000
    assert error.limit == 1000


async def test_a_request_that_just_fits_is_answered() -> None:
    request = ask(user("hello"))
    fitting = ask(user("hello"), window_tokens=measure(request).tokens)
    assert isinstance((await pieces(fitting))[-1], Finished)
    await failed(ask(user("hello"), window_tokens=measure(request).tokens - 1))


@given(st.lists(st.text(max_size=60), min_size=1, max_size=3))
def test_any_words_get_exactly_one_last_piece(texts: list[str]) -> None:
    messages: tuple[RequestMessage, ...] = (UserTurn((*(Text(text) for text in texts), Image({"type": "url"}))),)
    streamed = asyncio.run(pieces(ask(*messages)))
    assert [isinstance(piece, Finished) for piece in streamed].count(True) == 1
    assert isinstance(streamed[-1], Finished)


async def test_lone_surrogates_are_counted_and_answered() -> None:
    answer = await finished(ask(user("read \udcff.py")))
    assert turn_of(answer).parts


async def test_closing_is_harmless() -> None:
    provider = OfflineProvider()
    assert provider.name == "offline"
    await provider.aclose()
