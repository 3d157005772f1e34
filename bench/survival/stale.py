"""How much of a context is file text that is not true any more: read, later changed, and still shown unmarked."""

from collections.abc import Mapping, Sequence

from bench.survival.deeds import touches_in
from bench.survival.ruler import tokens_of
from diligent_tui.domain.requests import RequestMessage, ToolCall, ToolResult

LEAST_SHOWN_SHARE = 0.5
"""An output of which less is shown is a digest, which says so itself."""
MARKS = ("changed since", "stale")


def stale_tokens(messages: Sequence[RequestMessage], history: Sequence[RequestMessage]) -> int:
    """Tokens of the outputs in a list that show a file as it was before a later change."""
    stale = _stale_results(history)
    results = (part for message in messages for part in message.parts if isinstance(part, ToolResult))
    return sum(tokens_of(result.output) for result in results if _is_stale(result, stale))


def _is_stale(result: ToolResult, stale: Mapping[str, int]) -> bool:
    length = stale.get(result.call_id)
    is_shown = length is not None and len(result.output) > LEAST_SHOWN_SHARE * length
    return is_shown and not any(mark in result.output[:200].lower() for mark in MARKS)


def _stale_results(history: Sequence[RequestMessage]) -> dict[str, int]:
    """By call: the length of its output, if the file it read was changed afterwards."""
    outputs = {
        part.call_id: len(part.output) for turn in history for part in turn.parts if isinstance(part, ToolResult)
    }
    reads: dict[str, list[str]] = {}
    stale: dict[str, int] = {}
    for turn in history:
        for part in turn.parts:
            if not isinstance(part, ToolCall):
                continue
            for touch in touches_in(part):
                if touch.deed == "read":
                    reads.setdefault(touch.key, []).append(part.id)
                else:
                    stale.update(
                        (call_id, outputs[call_id]) for call_id in reads.pop(touch.key, ()) if call_id in outputs
                    )
    return stale
