"""Notices a model that runs in a circle. It looks at the log, so a compaction does not make it forget."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice

from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage, text_of
from diligent_tui.session.effective import Lookup
from diligent_tui.session.tree import Node

MOST_ROUNDS = 3
LONGEST_CIRCLE_CALLS = 3


def is_repeated(call: ToolCallBlock, path: Sequence[Node], lookup: Lookup) -> bool:
    """True if the call would begin or go on with the third round of one to three calls, with the same output each time.

    Polling, where the output changes, is no circle; words of the user's begin a new count.
    """
    whole_rounds = MOST_ROUNDS - 1
    earlier = list(islice(_calls_backwards(path, lookup), LONGEST_CIRCLE_CALLS * whole_rounds))
    keys = [_key(each) for each, _ in earlier]
    done = [(key, output) for key, (_, output) in zip(keys, earlier, strict=True)]
    for length in range(1, LONGEST_CIRCLE_CALLS + 1):
        last, before = done[:length], done[length : length * whole_rounds]
        if len(before) == length and last == before and _key(call) == keys[length - 1]:
            return True
    return False


def _calls_backwards(path: Sequence[Node], lookup: Lookup) -> Iterator[tuple[ToolCallBlock, str]]:
    outputs: dict[str, str] = {}
    for node in reversed(path):
        if node.is_prompt:
            return
        entry = lookup(node.id) if node.type == "message" else None
        if not isinstance(entry, MessageEntry):
            continue
        if isinstance(entry.message, ToolResultMessage):
            outputs[entry.message.tool_call_id] = text_of(entry.message.output)
        elif isinstance(entry.message, AssistantMessage):
            for call in reversed(entry.message.tool_calls):
                if call.id in outputs:
                    yield call, outputs.pop(call.id)


def _key(call: ToolCallBlock) -> tuple[str, str]:
    return call.name, json.dumps(call.input, sort_keys=True, default=str)
