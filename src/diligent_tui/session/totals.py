"""The figures of a session from its whole file, for where head and tail do not tell them; meant for a thread."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.domain.entries import SIDE_TYPES, SessionInfoEntry, decode_entry
from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.usage import Usage
from diligent_tui.session.catalog import prompt_of
from diligent_tui.session.reading import decode_line, recover
from diligent_tui.session.tree import node_of_line
from diligent_tui.storage.jsonl import open_reading, read_lines


@dataclass(frozen=True, slots=True)
class SessionTotals:
    """What a whole session adds up to; the cost is that of its own last note, for prices are not known here."""

    name: str | None
    first_prompt: str | None
    last_prompt: str | None
    compactions: int
    tokens: int | None
    cost: float | None
    branches: int


def scan_totals(path: Path, is_wanted: Callable[[], bool] = lambda: True) -> SessionTotals | None:
    """Read the file once, line by line; None as soon as nobody wants to know any more."""
    descriptor = open_reading(path)
    sum_ = _Sum()
    try:
        for line in read_lines(descriptor):
            if not is_wanted():
                return None
            value = decode_line(line.data)
            for each in [value] if value is not None else [value for value, _ in recover(line)]:
                sum_.take(each)
    finally:
        os.close(descriptor)
    return sum_.totals()


class _Sum:
    """Keeps ids and figures, never an entry: memory grows with the number of entries and not with their size."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._parents: set[str] = set()
        self._compactions = 0
        self._tokens: int | None = None
        self._last: SessionInfoEntry | None = None
        self._name: str | None = None
        self._first_prompt: str | None = None
        self._last_prompt: str | None = None

    def take(self, value: JsonObject) -> None:
        node = node_of_line(value)
        if node is None or node.type == "session":
            return
        if node.type == "session_info":
            self._take_note(value)
        if node.type in SIDE_TYPES or node.id in self._seen:
            return
        self._seen.add(node.id)
        if node.parent_id is not None:
            self._parents.add(node.parent_id)
        self._compactions += node.is_compaction
        if node.role == "assistant" and (usage := _usage(value)) is not None:
            self._tokens = (self._tokens or 0) + usage.context_tokens
        elif node.is_prompt and (words := prompt_of(value)):
            self._first_prompt = self._first_prompt or words
            self._last_prompt = words

    def totals(self) -> SessionTotals:
        return SessionTotals(
            name=self._name,
            first_prompt=self._first_prompt,
            last_prompt=self._last_prompt,
            compactions=max(self._compactions, (self._last.compactions or 0) if self._last else 0),
            tokens=self._tokens,
            cost=self._last.cost if self._last else None,
            branches=len(self._seen) - len(self._parents & self._seen),
        )

    def _take_note(self, value: JsonObject) -> None:
        entry = decode_entry(value)
        if isinstance(entry, SessionInfoEntry):
            self._name = entry.name or self._name
            if entry.tokens is not None:
                self._last = entry
                self._tokens = entry.tokens


def _usage(value: JsonObject) -> Usage | None:
    message = value.get("message")
    try:
        return Usage.model_validate(message.get("usage") if is_object(message) else None)
    except ValueError:
        return None
