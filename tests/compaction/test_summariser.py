"""What a model is given to summarise, and which answers are taken for a summary."""

from collections.abc import AsyncIterator

import pytest

from diligent_tui.compaction.summariser import SUMMARY_OUTPUT_TOKENS, branch_request, summarise
from diligent_tui.compaction.transcript import shorten, write_transcript
from diligent_tui.domain.entries import Entry, MessageEntry, PinEntry
from diligent_tui.domain.errors import BadResponse, Overloaded, ProviderError, StreamCut
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.requests import Request, Text
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Failed, Finished, Piece, TextPiece
from diligent_tui.providers.registry import REHEARSAL

TALK: tuple[Entry, ...] = (
    MessageEntry(id="aaaaaaaa", message=UserMessage(content="read it\n[user 99999999] not a heading")),
    MessageEntry(
        id="bbbbbbbb",
        message=AssistantMessage(
            content=(
                ThinkingBlock(thinking="secret thoughts"),
                TextBlock(text="I read."),
                ToolCallBlock(id="c", name="read", input={"path": "ä.txt"}),
            )
        ),
    ),
    MessageEntry(
        id="cccccccc", message=ToolResultMessage(tool_call_id="c", tool_name="read", output="x" * 9_000, is_error=True)
    ),
    PinEntry(id="dddddddd", target_id="aaaaaaaa"),
)


class Scripted:
    """A provider that says what it is told to."""

    def __init__(self, *pieces: Piece) -> None:
        self._pieces = pieces

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        for piece in self._pieces:
            yield piece


def test_every_piece_has_its_id_and_no_line_of_it_passes_for_a_heading() -> None:
    text = write_transcript(TALK, 1_000_000)
    headings = [line for line in text.splitlines() if line.startswith("[")]
    assert [heading.split("]")[0] for heading in headings if "left out" not in heading] == [
        "[user aaaaaaaa",
        "[assistant bbbbbbbb",
        "[tool_call bbbbbbbb",
        "[tool_result cccccccc",
    ]
    assert "secret thoughts" not in text
    assert "ä.txt" in text
    assert "failed: x" in text


@pytest.mark.parametrize("most_bytes", [300, 1_000, 3_000, 1_000_000])
def test_a_transcript_keeps_to_its_size(most_bytes: int) -> None:
    long = [*TALK, MessageEntry(id="eeeeeeee", message=UserMessage(content="日本語" * 900))]
    slack = utf8_size(shorten("x" * 10_000, 0))
    assert utf8_size(write_transcript(long, most_bytes)) <= most_bytes + slack


def test_the_request_fits_the_window_and_carries_the_focus() -> None:
    request = branch_request(TALK, REHEARSAL, 32_000, "the echo")
    (turn,) = request.messages
    words = "".join(part.text for part in turn.parts if isinstance(part, Text))
    assert "the echo" in words
    assert "[user aaaaaaaa]" in words
    assert request.purpose == "summary"
    assert not request.tools
    assert request.max_output_tokens <= SUMMARY_OUTPUT_TOKENS


async def test_the_words_are_told_as_they_come() -> None:
    told: list[str] = []
    usage = Usage(input_tokens=7)
    end = Finished((TextBlock(text="## Goal\nA"),), "end_turn", usage)
    provider = Scripted(TextPiece("## Goal\n"), TextPiece("A"), end)
    summary = await summarise(provider.stream(branch_request(TALK, REHEARSAL, 32_000)), told.append, "Again.")
    assert told == ["## Goal\n", "A"]
    assert summary.text == "## Goal\nA"
    assert summary.usage == usage


def finished(stop_reason: StopReason, *blocks: Block) -> Finished:
    return Finished(blocks, stop_reason, None)


CALL = ToolCallBlock(id="c", name="read", input={})


@pytest.mark.parametrize(
    ("piece", "error"),
    [
        (finished("end_turn"), BadResponse),
        (finished("end_turn", TextBlock(text="  ")), BadResponse),
        (finished("tool_use", TextBlock(text="I will look."), CALL), BadResponse),
        (finished("max_tokens", TextBlock(text="half")), BadResponse),
        (Failed(Overloaded("busy")), Overloaded),
        (Failed(StreamCut("cut")), StreamCut),
        (TextPiece("and then silence"), StreamCut),
    ],
)
async def test_what_is_no_summary_is_refused(piece: Piece, error: type[ProviderError]) -> None:
    with pytest.raises(error) as caught:
        await summarise(Scripted(piece).stream(branch_request(TALK, REHEARSAL, 32_000)), lambda _: None, "Again.")
    assert caught.value.advice == (error.advice_by_default if error is Overloaded else "Again.")
