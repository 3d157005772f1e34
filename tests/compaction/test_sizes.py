"""Sizes of items agree with what the request really holds, and each entry is looked at once."""

from collections import Counter

import pytest
from hypothesis import given, settings

from diligent_tui.agent.measure import message_bytes
from diligent_tui.agent.requests import build_messages
from diligent_tui.compaction.sizes import IMAGE_TOKENS, PAIR_FRAME_BYTES, Overhead, Sizes, entry_size
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, Block, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Image, ToolResult
from diligent_tui.session.effective import SummaryPair, effective
from tests.strategies.conversations import MAKER, Conversation, Turn, tokens_at
from tests.strategies.conversations import Step as Answer
from tests.strategies.sessions import STEPS, RandomSession, Step

MODEL = Model("anthropic", "claude-a", sees_images=True)
SLACK_BYTES = 160
"""Per item: a mended name, a note on an interrupted call, an answer told to go on."""


@given(STEPS)
@settings(max_examples=300)
def test_the_sizes_of_items_are_those_of_the_request(steps: list[Step]) -> None:
    session = RandomSession()
    for step in steps:
        session.play(step)
    session.prompt()
    items = effective(session.path, session.lookup).items
    sizes = Sizes(session.lookup, lambda size_bytes: size_bytes, MAKER)
    messages = build_messages(items, session.lookup, MODEL)
    sent = sum(message_bytes(message) for message in messages)
    images = sum(
        isinstance(part, Image) + (len(part.images) if isinstance(part, ToolResult) else 0)
        for message in messages
        if not isinstance(message, AssistantTurn)
        for part in message.parts
    )
    guessed = sum(sizes.items(items))
    assert abs(guessed - images * IMAGE_TOKENS - sent) <= SLACK_BYTES * len(items) + PAIR_FRAME_BYTES


def test_a_long_path_is_looked_at_once_however_often_it_is_measured() -> None:
    talk = Conversation(3_000)
    for _ in range(200):
        talk.play(Turn(0.01, (Answer(0.01, (0.05, 0.05)),)))
    looked = Counter[str]()

    def lookup(entry_id: str) -> Entry:
        looked[entry_id] += 1
        return talk.session.lookup(entry_id)

    sizes = Sizes(lookup, tokens_at(3.0), MAKER)
    items = talk.see().items
    first = sizes.items(items)
    assert sizes.items(items) == first
    assert sum(sizes.for_ratio(tokens_at(6.0)).items(items)) < sum(first) * 0.6
    assert set(looked.values()) == {1}


def test_the_breakdown_by_kind_is_the_whole() -> None:
    talk = Conversation(30_000)
    for _ in range(6):
        talk.play(Turn(0.01, (Answer(0.01, (0.2, 0.1)),)))
    talk.pin(0)
    talk.compact(tokens_at(3.0), 12_000, 1_000)
    items = talk.see().items
    assert isinstance(items[0], SummaryPair)
    sizes = talk.sizes(tokens_at(3.0))
    parts = sizes.breakdown(items, Overhead(system=700, tools=200, knowledge=100))
    assert sum(parts.values()) == sum(sizes.items(items)) + 1_000
    assert all(parts.values())


THOUGHT = ThinkingBlock(thinking="x" * 900, signature="signed")
CALL = ToolCallBlock(id="c", name="read", input={"path": "a.py"})


@pytest.mark.parametrize(
    ("blocks", "maker", "size_bytes"),
    [
        ((TextBlock(text="four"),), MAKER, 4),
        ((THOUGHT, TextBlock(text="four")), MAKER, 904),
        ((THOUGHT, TextBlock(text="four")), ("openai", "gpt-a"), 4),
        ((THOUGHT,), MAKER, 0),
        ((ThinkingBlock(thinking="unsigned"), TextBlock(text="four")), MAKER, 4),
        ((CALL,), MAKER, 21),
        ((TextBlock(text="  "),), MAKER, 0),
        ((TextBlock(text="日本"),), MAKER, 6),
    ],
)
def test_an_answer_counts_as_much_as_its_reader_is_sent(
    blocks: tuple[Block, ...], maker: tuple[str, str], size_bytes: int
) -> None:
    message = AssistantMessage(content=blocks, provider=MAKER[0], model=MAKER[1])
    assert entry_size(MessageEntry(id="1", message=message), maker).size_bytes == size_bytes
