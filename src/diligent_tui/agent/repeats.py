"""Notices a model that runs in a circle. It looks at the log, so a compaction does not make it forget."""

import json
from collections.abc import Iterator, Sequence

from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage, text_of
from diligent_tui.session.effective import Lookup
from diligent_tui.session.tree import Node

MOST_IDENTICAL_CALLS = 3


def is_repeated(call: ToolCallBlock, path: Sequence[Node], lookup: Lookup) -> bool:
    """True if the calls before this one were the same, with the same output each time, once too often.

    Polling, where the output changes, is no circle; words of the user's begin a new count.
    """
    outputs: list[str | None] = []
    for earlier, output in _calls_backwards(path, lookup):
        if _key(earlier) != _key(call):
            return False
        outputs.append(output)
        if len(outputs) == MOST_IDENTICAL_CALLS - 1:
            return len(set(outputs)) == 1 and outputs[0] is not None
    return False


def _calls_backwards(path: Sequence[Node], lookup: Lookup) -> Iterator[tuple[ToolCallBlock, str | None]]:
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
