"""Puts records together to things: each event belongs to one of them, or is one itself."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from diligent_tui.agent.trace import TraceRecord
from diligent_tui.domain import events as ev
from diligent_tui.ui.panes.trace.telling_memory import STOPPED_KIND
from diligent_tui.ui.panes.trace.things import Kind, State, Thing

CompactionStep = (
    ev.CompactionStarted
    | ev.CompactionPruned
    | ev.CompactionSummarising
    | ev.CompactionSummaryDelta
    | ev.CompactionChecking
    | ev.CompactionRejected
    | ev.CompactionFinished
    | ev.CompactionFailed
)
ErrandStep = ev.ErrandStarted | ev.ErrandAsked | ev.ErrandDelta | ev.ErrandFinished | ev.ErrandFailed
Ending = ev.CompactionFinished | ev.CompactionFailed | ev.ErrandFinished | ev.ErrandFailed
OUTSIDE_TURNS: tuple[Kind, ...] = ("compaction", "errand")
"""What a turn's end does not end."""


@dataclass(slots=True)
class Totals:
    """What all requests that were ever heard of add up to."""

    requests: int = 0
    breaks: int = 0
    problems: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0

    @property
    def cache_percent(self) -> float | None:
        """How much of what was sent came from the cache."""
        return 100 * self.cached_tokens / self.prompt_tokens if self.prompt_tokens else None


class TraceBook:
    """Things in the order in which they began."""

    def __init__(self) -> None:
        """Begin with none."""
        self.things: dict[str, Thing] = {}
        self.totals = Totals()
        self.began_at: datetime | None = None
        self._changed: dict[str, Thing] = {}
        self._of_record: dict[int, Thing] = {}
        self._turn: Thing | None = None
        self._last_tool: Thing | None = None
        self._uncounted: Thing | None = None
        """A finished compaction until the next request is counted."""
        self._open: dict[tuple[Kind, str], Thing] = {}
        self._answer_of_call: dict[str, str] = {}
        self._model_id = ""
        self._asked_model_id = ""
        """Whom the last request went to; the model in force may be another since."""

    def take(self, records: Iterable[TraceRecord]) -> list[Thing]:
        """Take records that came or grew; the things that look otherwise now, in their order."""
        self._changed = {}
        for record in records:
            known = self._of_record.get(record.number)
            if known is None:
                self.began_at = self.began_at or record.at
                known = self._of_record[record.number] = self._place(record)
            self._touch(known)
        return sorted(self._changed.values(), key=lambda thing: thing.records[0].number)

    def has_all(self, records: Iterable[TraceRecord]) -> bool:
        """Whether these were taken before, and have only grown since."""
        return all(record.number in self._of_record for record in records)

    def forget_before(self, number: int) -> list[str]:
        """Drop the things of which every record is older; their ids."""
        stale = [thing for thing in self.things.values() if thing.newest_number < number]
        for thing in stale:
            del self.things[thing.id]
            for record in thing.records:
                self._of_record.pop(record.number, None)
        return [thing.id for thing in stale]

    def _place(self, record: TraceRecord) -> Thing:
        event = record.event
        match event:
            case ev.TurnStarted():
                self._turn = None
                self._turn = self._begin("turn", record, event.turn_id)
                return self._turn
            case ev.TurnFinished() | ev.TurnFailed():
                return self._end_turn(record, event)
            case ev.StepStarted():
                return self._begin_request(record, event)
            case ev.TextDelta() | ev.ThinkingDelta() | ev.ToolCallStarted():
                if isinstance(event, ev.ToolCallStarted):
                    self._answer_of_call[event.call_id] = event.message_id
                return self._to_answer(record, event.message_id)
            case ev.ToolCallDelta() | ev.ToolCallReady():
                message_id = self._answer_of_call.get(event.call_id)
                return self._to_answer(record, message_id) if message_id else self._note(record)
            case ev.MessageSaved():
                return self._save(record, event)
            case ev.UsageRecorded():
                return self._count(record, event)
            case ev.RetryScheduled():
                self.totals.problems += 1
                return self._new("retry", "failed", record)
            case ev.PermissionRequested():
                return self._begin("permission", record, event.call_id)
            case ev.PermissionResolved():
                return self._resolve(record, event)
            case ev.ToolStarted():
                return self._begin("tool", record, event.call_id)
            case ev.ToolOutput():
                return self._into("tool", event.call_id, record)
            case ev.ToolFinished():
                return self._end_tool(record, event)
            case (
                ev.CompactionStarted()
                | ev.CompactionPruned()
                | ev.CompactionSummarising()
                | ev.CompactionSummaryDelta()
                | ev.CompactionChecking()
                | ev.CompactionRejected()
                | ev.CompactionFinished()
                | ev.CompactionFailed()
            ):
                return self._write(record, "compaction", event.compaction_id, event)
            case ev.ErrandStarted() | ev.ErrandAsked() | ev.ErrandDelta() | ev.ErrandFinished() | ev.ErrandFailed():
                return self._write(record, "errand", event.errand_id, event)
            case ev.ContextMeasured():
                return self._measure(record)
            case ev.ModelChanged():
                return self._change_model(record, event)
            case ev.ContextOverflowed() | ev.StorageFailed():
                self.totals.problems += 1
                return self._new("context" if isinstance(event, ev.ContextOverflowed) else "note", "failed", record)
            case ev.CompactionPlanned() | ev.CompactionReverted() | ev.SummaryEdited() | ev.Pinned() | ev.Unpinned():
                return self._new("context", "told", record)
            case (
                ev.QueueChanged()
                | ev.KnowledgeSaved()
                | ev.KnowledgeSuperseded()
                | ev.KnowledgeRetracted()
                | ev.KnowledgeProposed()
                | ev.KnowledgePinned()
                | ev.CandidateResolved()
                | ev.LeafMoved()
                | ev.Labelled()
                | ev.SessionRenamed()
                | ev.SessionForked()
                | ev.ModeChanged()
                | ev.SandboxProbed()
                | ev.StorageRecovered()
            ):
                return self._note(record)
            case _:
                assert_never(event)

    def _begin_request(self, record: TraceRecord, event: ev.StepStarted) -> Thing:
        self.totals.requests += 1
        self.totals.breaks += bool(event.prefix_break)
        thing = self._begin("request", record, event.message_id)
        thing.is_first = self.totals.requests == 1
        thing.model_before, self._asked_model_id = self._asked_model_id, event.model_id
        self._model_id = event.model_id
        return thing

    def _change_model(self, record: TraceRecord, event: ev.ModelChanged) -> Thing:
        thing = self._note(record)
        thing.model_before, self._model_id = self._model_id, event.model_id
        return thing

    def _to_answer(self, record: TraceRecord, message_id: str) -> Thing:
        """A piece of an answer; with the first of them the request has been heard."""
        if request := self._open.pop(("request", message_id), None):
            self._end(request, "done", record.at)
            return self._begin("answer", record, message_id)
        return self._into("answer", message_id, record)

    def _save(self, record: TraceRecord, event: ev.MessageSaved) -> Thing:
        tool = self._last_tool
        match event.role:
            case "user" if ("turn", event.entry_id) in self._open:
                thing = self._into("turn", event.entry_id, record)
            case "tool_result" if tool is not None:
                self._last_tool, thing = None, tool
                thing.records.append(record)
            case "assistant":
                thing = self._to_answer(record, event.entry_id)
                self._end(thing, "failed" if event.stop_reason == "error" else "done", record.at)
            case _:
                thing = self._note(record)
        thing.entry_id = event.entry_id
        return thing

    def _count(self, record: TraceRecord, event: ev.UsageRecorded) -> Thing:
        usage = event.usage
        if event.purpose == "summary":
            kind: Kind = "errand" if ("errand", event.message_id) in self._open else "compaction"
            return self._into(kind, event.message_id, record)
        # Of the requests that are counted as such, and of no others: the charts say the same.
        self.totals.prompt_tokens += usage.prompt_tokens
        self.totals.cached_tokens += usage.cache_read_tokens
        if self._uncounted is not None:
            self._uncounted.counted = usage
            self._touch(self._uncounted)
            self._uncounted = None
        return self._into("answer", event.message_id, record)

    def _measure(self, record: TraceRecord) -> Thing:
        """After an answer, a tool or a compaction it is told with that; by itself where nothing else tells why."""
        last = self._of_record.get(record.number - 1)
        if last is None or last.kind not in ("answer", "tool", "compaction"):
            return self._new("context", "told", record)
        last.records.append(record)
        return last

    def _resolve(self, record: TraceRecord, event: ev.PermissionResolved) -> Thing:
        state: State = "done" if event.allowed else "failed"
        asked = self._open.pop(("permission", event.call_id), None)
        if asked is None:
            self.totals.problems += not event.allowed
            return self._new("permission", state, record)
        asked.records.append(record)
        self._end(asked, state, record.at)
        return asked

    def _end_tool(self, record: TraceRecord, event: ev.ToolFinished) -> Thing:
        tool = self._into("tool", event.call_id, record)
        self._end(tool, "failed" if event.is_error else "done", record.at)
        self._open.pop(("tool", event.call_id), None)
        self._last_tool = tool
        return tool

    def _write(self, record: TraceRecord, kind: Kind, name: str, event: CompactionStep | ErrandStep) -> Thing:
        """A step of what a model writes beside the talk."""
        if isinstance(event, ev.CompactionStarted | ev.ErrandStarted):
            thing = self._begin(kind, record, name)
            thing.entry_id = name if kind == "compaction" else ""
            return thing
        known = self._open.get((kind, name))
        if known is None:
            state = _state_after(event)
            self.totals.problems += state == "failed"
            return self._new(kind, state, record)
        known.records.append(record)
        if isinstance(event, Ending):
            self._end(known, _state_after(event), record.at)
            self._uncounted = known if isinstance(event, ev.CompactionFinished) else self._uncounted
            if isinstance(event, ev.ErrandFinished) and event.kind == "branch_summary":
                known.entry_id = name
            del self._open[kind, name]
        return known

    def _end_turn(self, record: TraceRecord, event: ev.TurnFinished | ev.TurnFailed) -> Thing:
        turn = self._into("turn", event.turn_id, record)
        ended: State = "failed" if isinstance(event, ev.TurnFailed) else "done"
        cut_off: State = "stopped" if isinstance(event, ev.TurnFinished) and event.reason == "interrupted" else ended
        for thing in self._open.values():
            if thing.kind not in ("turn", *OUTSIDE_TURNS):
                self._end(thing, cut_off, record.at)
        self._end(turn, ended, record.at)
        self._forget_open()
        return turn

    def _forget_open(self) -> None:
        """What is said later of what belonged to a turn is said for itself."""
        self._open = {key: thing for key, thing in self._open.items() if thing.kind in OUTSIDE_TURNS}
        self._answer_of_call.clear()
        self._turn = self._last_tool = None

    def _end(self, thing: Thing, state: State, at: datetime) -> None:
        if thing.state == "running":
            thing.state, thing.ended_at = state, at
            self.totals.problems += state == "failed"
            self._touch(thing)

    def _touch(self, thing: Thing) -> None:
        thing.version += 1
        self._changed[thing.id] = thing

    def _into(self, kind: Kind, name: str, record: TraceRecord) -> Thing:
        """Into the thing of that name; where none is open, what is told of it stands for itself."""
        known = self._open.get((kind, name))
        if known is None:
            return self._new(kind, "done", record)
        known.records.append(record)
        return known

    def _begin(self, kind: Kind, record: TraceRecord, name: str) -> Thing:
        thing = self._open[kind, name] = self._new(kind, "running", record)
        return thing

    def _note(self, record: TraceRecord) -> Thing:
        return self._new("note", "told", record)

    def _new(self, kind: Kind, state: State, record: TraceRecord) -> Thing:
        turn = self._turn
        thing = Thing(f"t{record.number}", kind, state, [record], turn.began_at if turn else None)
        self.things[thing.id] = thing
        return thing


def _state_after(event: CompactionStep | ErrandStep) -> State:
    """How what is written stands after what was told of it last."""
    if not isinstance(event, ev.CompactionFailed | ev.ErrandFailed):
        return "done"
    return "stopped" if event.problem.kind == STOPPED_KIND else "failed"
