"""The inbox: facts that a model proposes to keep, waiting for the user's word; nothing in it is ever told to a model.

Lines are appended and never changed: a candidate, what became of it, or that it waits again. The file stays on this
machine, so the order of its lines counts.
"""

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.ids import new_entry_id
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KnowledgeType, is_knowledge_id
from diligent_tui.domain.plain_text import clean_line, mend_surrogates
from diligent_tui.domain.records import Record, to_json_object
from diligent_tui.domain.times import Clock, Stamp, now, to_stamp
from diligent_tui.knowledge.admission import LONGEST_CONTENT_BYTES, LONGEST_SHOWN_CHARS
from diligent_tui.knowledge.reading import LARGEST_FILE_BYTES, Signature, signature_of
from diligent_tui.storage.appender import sync_data
from diligent_tui.storage.jsonl import encode_line, open_reading, parse_line, read_lines
from diligent_tui.storage.private import is_torn, storage_error, write_all
from diligent_tui.storage.project import make_project_folder
from diligent_tui.storage.turnstile import taking_turn

INBOX_NAME = "inbox.jsonl"


class InboxCandidate(Record):
    """A fact that is proposed; `source` says by what: a compaction, or /learn."""

    op: Literal["candidate"] = "candidate"
    id: str = ""
    timestamp: Stamp = ""
    session_id: str | None = None
    entry_ids: tuple[str, ...] = ()
    type: KnowledgeType
    content: str
    source: str = ""


class CandidateChange(Record):
    """What became of a candidate: kept as an entry, refused, or put back to wait."""

    op: Literal["resolved", "reopened"]
    id: str = ""
    candidate_id: str
    accepted: bool = False
    knowledge_id: str | None = None
    timestamp: Stamp = ""


@dataclass(frozen=True, slots=True)
class InboxState:
    """All candidates in the order of their lines, and what became of those that were decided on."""

    candidates: dict[str, InboxCandidate] = field(default_factory=dict[str, InboxCandidate])
    resolved: dict[str, CandidateChange] = field(default_factory=dict[str, CandidateChange])
    damaged: int = 0

    @property
    def waiting(self) -> tuple[InboxCandidate, ...]:
        """Those that nobody has decided on, oldest first."""
        return tuple(each for each in self.candidates.values() if each.id not in self.resolved)


class Inbox:
    """The candidates of one project; the file is made with the first. All verbs block; call them in a thread."""

    def __init__(self, path: Path, *, clock: Clock = now, made_folder: Callable[[Path], None] = lambda _: None) -> None:
        """Name the file. `made_folder` hears of a `.diligent` that had to be made."""
        self.path = path
        self._clock = clock
        self._made_folder = made_folder
        self._state = InboxState()
        self._signature: Signature | None = None
        self._one_thread = threading.RLock()

    @property
    def state(self) -> InboxState:
        """What was last read or written; touches no disk."""
        return self._state

    def refresh(self) -> InboxState:
        """Pick up what others wrote."""
        with self._one_thread:
            try:
                signature = signature_of(self.path.lstat())
            except (FileNotFoundError, NotADirectoryError):
                self._state, self._signature = InboxState(), None
                return self._state
            except OSError as error:
                raise storage_error(error, self.path, "reading") from error
            if signature != self._signature:
                descriptor = open_reading(self.path)
                try:
                    self._read(descriptor)
                finally:
                    os.close(descriptor)
            return self._state

    def put(self, drafts: Iterable[InboxCandidate]) -> tuple[InboxCandidate, ...]:
        """Let candidates wait; each comes back with its id and time."""
        saved: list[InboxCandidate] = []

        def compose(state: InboxState) -> list[Record]:
            taken = {*state.candidates}
            for draft in drafts:
                place = {"id": new_entry_id(taken), "timestamp": to_stamp(self._clock())}
                saved.append(draft.model_copy(update=place))
                taken.add(saved[-1].id)
            return [*saved]

        self._commit(compose)
        return tuple(saved)

    def accept(self, candidate_id: str, save: Callable[[InboxCandidate], str]) -> InboxCandidate:
        """Keep a candidate: `save` gives the id of the entry it became, and if that fails it goes on waiting."""
        return self._resolve(candidate_id, save)

    def reject(self, candidate_id: str) -> InboxCandidate:
        """Refuse a candidate; it stays in the file."""
        return self._resolve(candidate_id, None)

    def reopen(self, candidate_id: str) -> InboxCandidate:
        """Let a candidate wait again."""
        return self._decide(candidate_id, lambda _: CandidateChange(op="reopened", candidate_id=candidate_id))

    def _resolve(self, candidate_id: str, save: Callable[[InboxCandidate], str] | None) -> InboxCandidate:
        def decide(candidate: InboxCandidate) -> CandidateChange:
            if (earlier := self._state.resolved.get(candidate_id)) is not None:
                word = "accepted" if earlier.accepted else "rejected"
                raise StorageError(f"This candidate was {word} already.", "Look at the inbox again.")
            knowledge_id = save(candidate) if save else None
            return CandidateChange(
                op="resolved",
                candidate_id=candidate_id,
                accepted=save is not None,
                knowledge_id=knowledge_id,
            )

        return self._decide(candidate_id, decide)

    def _decide(self, candidate_id: str, decide: Callable[[InboxCandidate], CandidateChange]) -> InboxCandidate:
        found: list[InboxCandidate] = []

        def compose(state: InboxState) -> list[Record]:
            if (candidate := state.candidates.get(candidate_id)) is None:
                raise StorageError(
                    f"There is no candidate {clean_line(candidate_id, LONGEST_SHOWN_CHARS)} in the inbox.",
                    "Look at the inbox again.",
                )
            found.append(candidate)
            place = {"id": new_entry_id(state.candidates), "timestamp": to_stamp(self._clock())}
            return [decide(candidate).model_copy(update=place)]

        self._commit(compose)
        return found[0]

    def _commit(self, compose: Callable[[InboxState], list[Record]]) -> None:
        """Append the lines composed from the newest state, in a turn of their own."""
        with self._one_thread:
            if make_project_folder(self.path.parent):
                self._made_folder(self.path.parent)
            with taking_turn(self.path) as descriptor:
                self._read(descriptor)
                lines = b"".join(encode_line(to_json_object(record)) for record in compose(self._state))
                try:
                    write_all(descriptor, b"\n" * is_torn(descriptor) + lines)
                    sync_data(descriptor)
                except OSError as error:
                    raise storage_error(error, self.path, "writing") from error
                self._read(descriptor)

    def _read(self, descriptor: int) -> None:
        try:
            signature = signature_of(os.fstat(descriptor))
            if signature[2] > LARGEST_FILE_BYTES:
                raise StorageError(
                    f"{self.path.name} is larger than {LARGEST_FILE_BYTES // 1_000_000} MB; it is not read.",
                    "Move it aside; what waits in it was not reviewed yet.",
                )
            self._state = fold_inbox(line.data for line in read_lines(descriptor))
        except OSError as error:
            raise storage_error(error, self.path, "reading") from error
        self._signature = signature


def fold_inbox(lines: Iterable[bytes]) -> InboxState:
    """What the lines of an inbox add up to; damaged ones are counted."""
    candidates: dict[str, InboxCandidate] = {}
    resolved: dict[str, CandidateChange] = {}
    damaged = 0
    for data in lines:
        value = parse_line(data)
        match decode_inbox(value) if value is not None else None:
            case None:
                damaged += 1
            case InboxCandidate() as candidate:
                candidates.setdefault(candidate.id, candidate)
            case CandidateChange(op="resolved") as change:
                resolved[change.candidate_id] = change
            case CandidateChange() as change:
                resolved.pop(change.candidate_id, None)
    return InboxState(candidates, resolved, damaged)


def decode_inbox(value: JsonObject) -> InboxCandidate | CandidateChange | None:
    """The line that an object means; None if it means nothing."""
    line_class = InboxCandidate if value.get("op") == "candidate" else CandidateChange
    try:
        found = line_class.model_validate(mend_surrogates(value))
    except ValidationError:
        return None
    match found:
        case InboxCandidate():
            fits = 0 < len(found.content.strip()) <= LONGEST_CONTENT_BYTES
            return found if fits and is_knowledge_id(found.id) else None
        case CandidateChange():
            return found
