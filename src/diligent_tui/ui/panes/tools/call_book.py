"""The calls of a session in order: saved ones read when they come into sight, new ones as they are heard."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from diligent_tui.domain.endings import UNANSWERED_CALL
from diligent_tui.domain.entries import Entry, MessageEntry, PruneEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.events import (
    Event,
    MessageSaved,
    StepStarted,
    ToolCallReady,
    ToolFinished,
    ToolOutput,
    ToolStarted,
)
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage
from diligent_tui.session.tree import Node
from diligent_tui.ui.panes.tools.facts import UNREADABLE, CallDetails, CallFacts, call_in, details_of, facts_of
from diligent_tui.ui.panes.tools.live_call import LiveCall
from diligent_tui.ui.transcript import unanswered_id

Lookup = Callable[[str], Entry]
MOST_KEPT = 4_096
"""Calls whose facts stay in memory; they are read again when they come back into sight."""


class CallBook:
    """Calls by key; the key of a saved one is its entry, and a new one keeps its own when it is saved."""

    def __init__(self, lookup: Lookup, clock: Callable[[], float] = time.monotonic) -> None:
        """Read entries through `lookup`; the clock tells how long a call has been running."""
        self.lookup = lookup
        self.clock = clock
        self.keys: list[str] = []
        self.new_keys: list[str] = []
        """Those heard since the session was shown."""
        self._live: dict[str, LiveCall] = {}
        self._entry_ids: dict[str, str] = {}
        self._answer_ids: dict[str, str] = {}
        self._facts: dict[str, CallFacts] = {}
        self._prune_ids: list[str] = []
        self._pruned: set[str] = set()
        self._answer_id = ""
        self._heard = 0

    @property
    def running(self) -> list[str]:
        """The keys of calls that have not ended."""
        return [key for key, call in self._live.items() if call.finished is None]

    def show_saved(self, path: Sequence[Node]) -> None:
        """Begin with the calls of a path; of its entries only the last answer is read, and what its calls said."""
        self.keys, self.new_keys = [], []
        self._live, self._entry_ids, self._answer_ids, self._facts = {}, {}, {}, {}
        self._prune_ids, self._pruned = [], set()
        answer_id = ""
        for node in path:
            if node.role == "tool_result":
                self.keys.append(node.id)
                self._answer_ids[node.id] = answer_id
            elif node.role == "assistant":
                answer_id = node.id
            elif node.type == "prune":
                self._prune_ids.append(node.id)
        self._answer_id = answer_id
        self._add_unanswered(path)

    def take(self, event: Event) -> str | None:
        """Note what an event tells of a call; the key of that call, if it tells anything."""
        match event:
            case StepStarted():
                self._answer_id = event.message_id
                return None
            case ToolCallReady():
                return self._begin(LiveCall(event.call_id, event.name, event.input, self._answer_id))
            case ToolStarted():
                key = self._open_key(event.call_id) or self._begin(
                    LiveCall(event.call_id, event.name, event.input, self._answer_id)
                )
                self._live[key].state = "running"
                self._live[key].started_seconds = self.clock()
                return key
            case ToolOutput():
                key = self._open_key(event.call_id)
                if key is not None:
                    self._live[key].say(event.text)
                return key
            case ToolFinished():
                key = self._open_key(event.call_id) or self._begin(
                    LiveCall(event.call_id, event.name, {}, self._answer_id)
                )
                self._live[key].finish(event)
                return key
            case MessageSaved(role="tool_result"):
                return self._saved(event.entry_id)
            case _:
                return None

    def facts(self, key: str) -> CallFacts:
        """A call as the list shows it."""
        call = self._live.get(key)
        if call is not None:
            return call.facts(self.clock())
        facts = self._facts.get(key)
        if facts is None:
            entry_id = self.entry_id(key)
            facts = UNREADABLE if entry_id is None else self.read_facts(entry_id, self.lookup)
            self._keep(key, facts)
        return facts

    def details(self, key: str) -> CallDetails:
        """All of a call."""
        call = self._live.get(key)
        entry_id = self.entry_id(key)
        if call is not None:
            return call.details()
        entry = None if entry_id is None else _read(self.lookup, entry_id)
        if entry is None or entry_id is None:
            return CallDetails(output="This entry cannot be read.")
        return details_of(entry, self._call(entry, entry_id, self.lookup))

    def entry_id(self, key: str) -> str | None:
        """The entry of a call's result; None while it is not saved."""
        return None if key in self._live else self._entry_ids.get(key, key)

    def key_of(self, entry_id: str) -> str | None:
        """The key of the call whose result this entry is."""
        new = next((key for key, known in self._entry_ids.items() if known == entry_id), None)
        return new or (entry_id if entry_id in self._answer_ids else None)

    def is_pruned(self, key: str) -> bool:
        """Whether the model sees a digest in place of the output."""
        while self._prune_ids:
            entry = _read(self.lookup, self._prune_ids.pop())
            if isinstance(entry, PruneEntry):
                self._pruned |= {item.target_id for item in entry.items}
        return bool(self._pruned) and self.entry_id(key) in self._pruned

    def read_facts(self, entry_id: str, lookup: Lookup) -> CallFacts:
        """The facts of a saved result, read anew."""
        entry = _read(lookup, entry_id)
        return UNREADABLE if entry is None else facts_of(entry, self._call(entry, entry_id, lookup))

    def read_details(self, entry_id: str, lookup: Lookup) -> CallDetails:
        """All of a saved result, read anew; for a search in a thread."""
        entry = _read(lookup, entry_id)
        return CallDetails() if entry is None else details_of(entry, self._call(entry, entry_id, lookup))

    def _call(self, entry: Entry, entry_id: str, lookup: Lookup) -> ToolCallBlock | None:
        answer_id = self._answer_ids.get(entry_id)
        match entry:
            case MessageEntry(message=ToolResultMessage(tool_call_id=call_id)) if answer_id:
                return call_in(_read(lookup, answer_id), call_id)
            case _:
                return None

    def _add_unanswered(self, path: Sequence[Node]) -> None:
        """List what the last answer called and has no result, such as after a crash: it may have run."""
        match _read(self.lookup, self._answer_id) if self._answer_id else None:
            case MessageEntry(message=AssistantMessage(tool_calls=calls)) if calls:
                pass
            case _:
                return
        answered: set[str] = set()
        for node in reversed(path):
            if node.id == self._answer_id:
                break
            match _read(self.lookup, node.id) if node.role == "tool_result" else None:
                case MessageEntry(message=ToolResultMessage(tool_call_id=call_id)):
                    answered.add(call_id)
                case _:
                    pass
        for call in calls:
            if call.id not in answered:
                # A name of its own, for a model may use one id for several calls.
                call_id = unanswered_id(self._answer_id, call.id)
                key = self._begin(LiveCall(call_id, call.name, call.input, self._answer_id))
                self._live[key].finish(ToolFinished(call_id, call.name, UNANSWERED_CALL, True, 0.0))

    def _begin(self, call: LiveCall) -> str:
        # A number, for a model may use one id for several calls.
        self._heard += 1
        key = f"new-{self._heard}"
        self._live[key] = call
        self.keys.append(key)
        self.new_keys.append(key)
        return key

    def _open_key(self, call_id: str) -> str | None:
        keys = (key for key, call in self._live.items() if call.call_id == call_id and call.finished is None)
        return next(keys, None)

    def _saved(self, entry_id: str) -> str | None:
        entry = _read(self.lookup, entry_id)
        match entry:
            case MessageEntry(message=ToolResultMessage(tool_call_id=call_id)):
                calls = self._live.items()
                key = next((key for key, call in calls if call.call_id == call_id and call.finished), None)
            case _:
                key = None
        if key is not None:
            # From here on its words are read from disk, so that a long session does not fill the memory.
            call = self._live.pop(key)
            self._entry_ids[key], self._answer_ids[entry_id] = entry_id, call.answer_id
            self._keep(key, replace(call.facts(0.0), entry_id=entry_id))
        return key

    def _keep(self, key: str, facts: CallFacts) -> None:
        if len(self._facts) >= MOST_KEPT:
            for stale in list(self._facts)[: MOST_KEPT // 2]:
                del self._facts[stale]
        self._facts[key] = facts


def _read(lookup: Lookup, entry_id: str) -> Entry | None:
    """The entry of that id; None if it is not there or the file cannot be read."""
    try:
        return lookup(entry_id)
    except (KeyError, OSError, StorageError):
        return None
