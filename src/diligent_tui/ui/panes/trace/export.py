"""The trace as a file of JSON lines: cleaned, without keys, and never over another file."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeGuard

from diligent_tui.agent.trace import TraceRecord, TraceRecorder
from diligent_tui.agent.trace_size import CUT
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.events import event_to_json
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.plain_text import clean
from diligent_tui.domain.secret_text import is_secret_value
from diligent_tui.domain.times import to_stamp
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.export.saving import save_export
from diligent_tui.storage.jsonl import encode_line
from diligent_tui.ui.panes.trace.hiding import hide
from diligent_tui.ui.panes.trace.told import HIDDEN

MOST_NAMES = 1_000
FEWEST_CHARS = 4
"""A shorter end of a text is like the beginning of anything."""


def trace_lines(records: Sequence[TraceRecord], mask: Mask, session_id: str, dropped: int = 0) -> Iterator[bytes]:
    """A line that says what this is, then one for each record."""
    head: JsonObject = {"type": "trace", "sessionId": session_id, "records": len(records), "dropped": dropped}
    yield mask.line(encode_line(head))
    for record in records:
        fields = _hidden(_record_fields(record), mask)
        yield encode_line(fields if _is_dict(fields) else {})


def save_trace(recorder: TraceRecorder, mask: Mask, folder: Path, session_id: str) -> tuple[Path, int]:
    """Write what is recorded now to a new file in a folder: its path and size; meant for a thread."""
    records, dropped = list(recorder.records), recorder.dropped
    for number in range(1, MOST_NAMES):
        path = folder / f"trace-{session_id}{f'-{number}' if number > 1 else ''}.jsonl"
        if os.path.lexists(path):
            continue
        try:
            return path, save_export(path, trace_lines(records, mask, session_id, dropped))
        except StorageError:
            # Another export may have taken the name meanwhile; then there is a next one.
            if not os.path.lexists(path):
                raise
    raise StorageError("There are too many traces of this session here.", "Move some of them away, then export again.")


def _record_fields(record: TraceRecord) -> JsonObject:
    fields: JsonObject = {"at": to_stamp(record.at), **event_to_json(record.event)}
    if record.chars:
        fields["characters"] = record.chars
    if record.repeats:
        fields["pieces"] = record.repeats + 1
        fields["until"] = to_stamp(record.until or record.at)
    return fields


def _hidden(value: object, mask: Mask) -> object:
    if isinstance(value, str):
        # Cleaned first: what colours a part of a key would keep it from being seen.
        return hide(mask.text(_without_half_a_key(clean(value), mask)))
    if _is_dict(value):
        return {
            str(_hidden(key, mask)): HIDDEN
            if isinstance(item, str) and is_secret_value(key, item)
            else _hidden(item, mask)
            for key, item in value.items()
        }
    if _is_list(value):
        return [_hidden(item, mask) for item in value]
    return value


def _without_half_a_key(text: str, mask: Mask) -> str:
    """A text that lost its end may have lost it within a key; half a key is still half a key."""
    found = CUT.search(text)
    if found is None:
        return text
    kept = text[: found.start()]
    for value, name in mask.values:
        for length in range(len(value) - 1, FEWEST_CHARS - 1, -1):
            if kept.endswith(value[:length]):
                return f"{kept[:-length]}{name}{found[0]}"
    return text


def _is_dict(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
