"""What header, gauge and status line show, folded from events by one pure function."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem

Phase = Literal["starting", "idle", "waiting", "thinking", "answering", "running", "asking", "retrying", "compacting"]
WritingPhase = Literal["pruning", "reading", "summarising", "writing", "checking"]
WritingDeed = Literal["compacting", "learning", "summing up the branch"]
DEED_OF_ERRAND: dict[ev.ErrandKind, WritingDeed] = {"learn": "learning", "branch_summary": "summing up the branch"}


@dataclass(frozen=True, slots=True)
class Writing:
    """What a model writes beside the talk: since when, which step it is at, and how much of it is written."""

    since: float
    phase: WritingPhase = "pruning"
    writing_since: float = 0.0
    expected_words: int = 0
    """How long it will be, about; 0 if that is not known."""
    words: int = 0
    is_inside_word: bool = False
    deed: WritingDeed = "compacting"
    errand_id: str = ""
    part: int = 1
    """What is too long to be written at once is written in so many `parts`; words are those of this one."""
    parts: int = 1

    def asked(self, phase: WritingPhase, expected_words: int, now: float, part: int = 1, parts: int = 1) -> "Writing":
        """The same with nothing written of this part yet; what is written anew is counted anew."""
        since = now if part == 1 else self.writing_since
        begun = Writing(self.since, phase, since, expected_words, part=part, parts=parts)
        return replace(begun, deed=self.deed, errand_id=self.errand_id)

    def after(self, text: str) -> "Writing":
        """The same with more of it written."""
        if not text:
            return self
        goes_on = self.is_inside_word and not text[0].isspace()
        words = self.words + len(text.split()) - goes_on
        return replace(self, words=words, is_inside_word=not text[-1].isspace())


@dataclass(frozen=True, slots=True)
class ScreenState:
    """Numbers and words of the screen's edges; times are seconds of the bridge's clock."""

    session_name: str = ""
    first_prompt: str = ""
    branch: str = ""
    read_only_because: str = ""
    model_id: str = ""
    thinking: str = "off"
    mode: str = "ask"
    sandbox: str = ""
    phase: Phase = "starting"
    detail: str = ""
    busy_since: float | None = None
    tokens: int | None = None
    limit: int | None = None
    is_estimated: bool = True
    limit_is_assumed: bool = False
    parts: tuple[tuple[str, int], ...] = ()
    """Tokens of the context by kind."""
    compacting: Writing | None = None
    errands: tuple[Writing, ...] = ()
    """What the model is asked beside the talk, the newest last."""
    cache_percent: float | None = None
    cost: float | None = 0.0
    queue: tuple[ev.QueuedText, ...] = ()
    compactions: int = 0
    question: ev.PermissionRequested | None = None
    problem: Problem | None = None
    ending: str = ""
    """How the last turn ended, if nothing was begun since."""

    @property
    def percent(self) -> float | None:
        """How full the context is."""
        return None if not self.limit or self.tokens is None else 100 * self.tokens / self.limit

    @property
    def is_busy(self) -> bool:
        """True while a turn or a compaction goes on."""
        return self.compacting is not None or self.busy_since is not None

    @property
    def is_working(self) -> bool:
        """True while anything goes on that can be stopped."""
        return self.working_since is not None

    @property
    def writing(self) -> Writing | None:
        """What is being written and is shown as going on; a question to the user is more than an errand."""
        errand = self.errands[-1] if self.errands and self.phase != "asking" else None
        return self.compacting or errand

    @property
    def working_since(self) -> float | None:
        """When that began which is shown as going on."""
        return self.writing.since if self.writing else self.busy_since


def reduce(state: ScreenState, event: ev.Event, now: float) -> ScreenState:
    """The state after an event."""
    match event:
        case ev.TurnStarted():
            first_prompt = state.first_prompt or event.text
            begun = replace(state, phase="waiting", busy_since=now, detail="", problem=None, ending="")
            return replace(begun, first_prompt=first_prompt)
        case ev.StepStarted():
            return replace(state, phase="waiting", detail="")
        case ev.TextDelta():
            return state if state.phase == "answering" else replace(state, phase="answering")
        case ev.ThinkingDelta():
            return state if state.phase == "thinking" else replace(state, phase="thinking")
        case ev.ToolStarted():
            limit = "" if event.timeout_seconds is None else f", at most {event.timeout_seconds:g} s"
            return replace(state, phase="running", detail=f"{event.name}{limit}")
        case ev.PermissionRequested():
            return replace(state, phase="asking", detail=event.name, question=event)
        case ev.PermissionResolved():
            return replace(state, phase="waiting", question=None)
        case ev.UsageRecorded():
            return _with_usage(state, event)
        case ev.ContextMeasured():
            return replace(
                state,
                tokens=event.tokens,
                limit=event.limit,
                is_estimated=event.estimated,
                limit_is_assumed=event.limit_assumed,
                parts=event.parts,
            )
        case ev.RetryScheduled():
            return replace(state, phase="retrying", detail=event.problem.message)
        case ev.QueueChanged():
            return replace(state, queue=event.items)
        case ev.CompactionStarted():
            return replace(state, phase="compacting", detail="", compacting=Writing(now), ending="")
        case ev.CompactionSummarising():
            writing = state.compacting
            asked = writing and writing.asked("summarising", event.expected_words, now, event.part, event.part_count)
            return replace(state, compacting=asked)
        case ev.CompactionSummaryDelta():
            return replace(state, compacting=state.compacting and state.compacting.after(event.text))
        case ev.CompactionChecking():
            return replace(state, compacting=state.compacting and replace(state.compacting, phase="checking"))
        case ev.CompactionFinished():
            return replace(_compacted(state), compactions=state.compactions + bool(event.summarised))
        case ev.CompactionFailed():
            return replace(_compacted(state), problem=event.problem)
        case ev.ErrandStarted():
            begun = Writing(now, "reading", deed=DEED_OF_ERRAND[event.kind], errand_id=event.errand_id)
            return replace(state, errands=(*state.errands, begun))
        case ev.ErrandAsked() | ev.ErrandDelta() | ev.ErrandFinished() | ev.ErrandFailed():
            return replace(state, errands=tuple(_errands_after(state.errands, event, now)))
        case ev.LeafMoved() | ev.Labelled():
            return replace(state, branch=event.branch)
        case ev.SessionRenamed():
            return replace(state, session_name=event.name)
        case ev.ModelChanged():
            return replace(state, model_id=event.model_id, thinking=event.thinking or "off")
        case ev.ModeChanged():
            return replace(state, mode=event.mode)
        case ev.SandboxProbed():
            return replace(state, sandbox=event.word)
        case ev.StorageFailed():
            return replace(state, problem=event.problem)
        case ev.StorageRecovered():
            return replace(state, problem=None)
        case ev.TurnFinished():
            return replace(state, phase="idle", busy_since=None, detail="", question=None, ending=event.reason)
        case ev.TurnFailed():
            return replace(state, phase="idle", busy_since=None, detail="", question=None, problem=event.problem)
        case (
            ev.ToolCallStarted()
            | ev.ToolCallDelta()
            | ev.ToolCallReady()
            | ev.ToolOutput()
            | ev.ToolFinished()
            | ev.MessageSaved()
            | ev.CompactionPlanned()
            | ev.CompactionPruned()
            | ev.CompactionRejected()
            | ev.CompactionReverted()
            | ev.ContextOverflowed()
            | ev.SummaryEdited()
            | ev.KnowledgeSaved()
            | ev.KnowledgeSuperseded()
            | ev.KnowledgeRetracted()
            | ev.KnowledgeProposed()
            | ev.KnowledgePinned()
            | ev.CandidateResolved()
            | ev.Pinned()
            | ev.Unpinned()
            | ev.SessionForked()
        ):
            return state
        case _:
            assert_never(event)


def _errands_after(
    errands: tuple[Writing, ...],
    event: ev.ErrandAsked | ev.ErrandDelta | ev.ErrandFinished | ev.ErrandFailed,
    now: float,
) -> Iterator[Writing]:
    for errand in errands:
        match event:
            case _ if errand.errand_id != event.errand_id:
                yield errand
            case ev.ErrandAsked():
                yield errand.asked("writing", event.expected_words, now)
            case ev.ErrandDelta():
                yield errand.after(event.text)
            case ev.ErrandFinished() | ev.ErrandFailed():
                pass
            case _:
                assert_never(event)


def _compacted(state: ScreenState) -> ScreenState:
    return replace(state, compacting=None, phase="idle" if state.busy_since is None else "waiting")


def _with_usage(state: ScreenState, event: ev.UsageRecorded) -> ScreenState:
    usage = event.usage
    hit = 100 * usage.cache_read_tokens / usage.prompt_tokens if usage.prompt_tokens else None
    cost = None if event.cost is None or state.cost is None else state.cost + event.cost
    return replace(state, cache_percent=hit, cost=cost)
