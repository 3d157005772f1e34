"""Says in plain words what happened to the context: how full it was, what a compaction or an errand did, by steps."""

from typing import assert_never

from diligent_tui.domain import events as ev
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.trace.told import Told, pair_words, why

MemoryEvent = (
    ev.ContextMeasured
    | ev.ContextOverflowed
    | ev.CompactionPlanned
    | ev.CompactionStarted
    | ev.CompactionPruned
    | ev.CompactionSummarising
    | ev.CompactionChecking
    | ev.CompactionRejected
    | ev.CompactionFinished
    | ev.CompactionFailed
    | ev.CompactionReverted
    | ev.ErrandStarted
    | ev.ErrandAsked
    | ev.ErrandFinished
    | ev.ErrandFailed
    | ev.SummaryEdited
    | ev.Pinned
    | ev.Unpinned
)
STOPPED_KIND = "interrupted"
"""The kind of a problem that is none: the user wanted it."""
REASONS = {
    "threshold": "the context was nearly full",
    "overflow": "a request was too large for the window",
    "manual": "you asked for it",
    "model_switch": "the other model has a smaller window",
}

PURPOSES: dict[ev.ErrandKind, str] = {
    "learn": "what is worth knowing in other sessions",
    "branch_summary": "a summary of the branch that you leave",
}


def tell_memory(event: MemoryEvent) -> Told:
    """What happened."""
    match event:
        case ev.ContextMeasured():
            guessed = ", estimated" if event.estimated else ""
            assumed = "; the limit is a guess" if event.limit_assumed else ""
            parts = pair_words(tuple((name, fmt.tokens(tokens)) for name, tokens in event.parts if tokens))
            fill = _fill(event.tokens, event.limit, event.percent)
            return Told(f"the context was {fill}{guessed}{assumed}", (("of it", parts),))
        case ev.ContextOverflowed():
            return Told(f"too large: {_fill(event.tokens, event.limit, event.percent)}")
        case ev.CompactionPlanned():
            return Told(f"would take {_change(event.tokens_before, event.tokens_after, event.messages)}")
        case ev.CompactionStarted():
            share = 100 * event.tokens_before / event.limit if event.limit else 0.0
            rows = (("why", REASONS.get(event.reason, event.reason)), ("by", f"the {event.strategy} strategy"))
            return Told(f"began: {_fill(event.tokens_before, event.limit, share)}", rows)
        case ev.CompactionPruned():
            outputs = f"{fmt.count(event.outputs, 'old output')} pruned, {fmt.tokens(event.tokens_saved)} tokens less"
            return Told(outputs, (("tools", ", ".join(event.tools)),))
        case ev.CompactionSummarising():
            words = f", about {fmt.count(event.expected_words, 'word')}" if event.expected_words else ""
            messages = fmt.count(event.messages, "message")
            if event.part_count > 1:
                return Told(f"began part {event.part} of {event.part_count} of a summary: {messages}{words}")
            return Told(f"began a summary of {messages}{words}")
        case ev.CompactionChecking():
            return Told("the summary is written and is being checked")
        case ev.CompactionRejected():
            return Told("the summary was refused", (("why", event.why),))
        case ev.CompactionFinished():
            done = _change(event.tokens_before, event.tokens_after, event.messages)
            return Told(f"saved: {done}", (("summary", event.summary),))
        case ev.CompactionFailed() if event.problem.kind == STOPPED_KIND:
            return Told("stopped before a summary was saved", (("to do", event.problem.advice),))
        case ev.CompactionFailed():
            again = "; it can be tried again" if event.can_retry else ""
            other = "; a new session may be better" if event.suggest_new_session else ""
            return Told(f"failed, and no summary was saved{again}{other}", why(event.problem))
        case ev.CompactionReverted():
            return Told("the compaction was made again" if event.redone else "the compaction was undone")
        case ev.ErrandStarted() | ev.ErrandAsked() | ev.ErrandFinished() | ev.ErrandFailed():
            return _tell_errand(event)
        case ev.SummaryEdited():
            return Told("the summary has another version")
        case ev.Pinned():
            return Told("a message was pinned: no compaction takes it away")
        case ev.Unpinned():
            return Told("a pin was taken away")
        case _:
            assert_never(event)


def _tell_errand(event: ev.ErrandStarted | ev.ErrandAsked | ev.ErrandFinished | ev.ErrandFailed) -> Told:
    match event:
        case ev.ErrandStarted():
            return Told(f"began: {fmt.count(event.messages, 'message')} to read", (("for", PURPOSES[event.kind]),))
        case ev.ErrandAsked():
            words = fmt.count(event.expected_words, "word")
            return Told(f"{event.model_id} was asked for about {words}")
        case ev.ErrandFinished(kind="learn"):
            waiting = f"{fmt.count(event.candidates, 'candidate')} put into the inbox"
            return Told(waiting, (("answer", event.text),))
        case ev.ErrandFinished():
            return Told("saved, and the session goes on elsewhere", (("summary", event.text),))
        case ev.ErrandFailed() if event.problem.kind == STOPPED_KIND:
            return Told("stopped before anything was changed", (("to do", event.problem.advice),))
        case ev.ErrandFailed():
            return Told("failed, and nothing was changed", why(event.problem))
        case _:
            assert_never(event)


def _fill(tokens: int, limit: int, percent: float) -> str:
    return f"{fmt.tokens(tokens)} of {fmt.tokens(limit)} tokens, {fmt.percent(percent)}"


def _change(before: int, after: int, messages: int) -> str:
    return f"{fmt.count(messages, 'message')} cut, {fmt.tokens(before)} → {fmt.tokens(after)} tokens"
