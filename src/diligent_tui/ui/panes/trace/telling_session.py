"""Says in plain words what happened to a session besides its turns: model, mode, places, names, knowledge, saving."""

from typing import assert_never

from diligent_tui.domain import events as ev
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.trace.told import Told, why

SessionEvent = (
    ev.QueueChanged
    | ev.KnowledgeSaved
    | ev.KnowledgeSuperseded
    | ev.KnowledgeRetracted
    | ev.KnowledgeProposed
    | ev.KnowledgePinned
    | ev.CandidateResolved
    | ev.LeafMoved
    | ev.Labelled
    | ev.SessionRenamed
    | ev.SessionForked
    | ev.ModelChanged
    | ev.ModeChanged
    | ev.SandboxProbed
    | ev.StorageFailed
    | ev.StorageRecovered
)


def tell_session(event: SessionEvent, model_before: str) -> Told:
    """What happened; the model before it was changed is known to the trace alone."""
    match event:
        case ev.QueueChanged():
            rows = tuple(("now" if item.kind == "steer" else "next", item.text) for item in event.items)
            return Told(f"{fmt.count(len(rows), 'text')} in the queue" if rows else "the queue is empty", rows)
        case ev.LeafMoved():
            return Told("the session goes on from another place", (("branch", event.branch),))
        case ev.Labelled():
            return Told(f"the place is called {event.label}" if event.label else "the place has no name any more")
        case ev.SessionRenamed():
            return Told(f"the session is called {event.name}")
        case ev.SessionForked():
            return Told("another session was begun as a copy of this path")
        case ev.ModelChanged():
            return Told("another model answers from now on", _model_rows(event, model_before))
        case ev.ModeChanged():
            return Told(f"the permission mode is {event.mode}")
        case ev.SandboxProbed():
            return Told(event.word, (("so", event.sentence),))
        case ev.StorageFailed():
            return Told("something could not be saved", (*why(event.problem), ("text", event.text)))
        case ev.StorageRecovered():
            return Told("what could not be saved before is saved")
        case _:
            return _tell_knowledge(event)


def _tell_knowledge(
    event: ev.KnowledgeSaved
    | ev.KnowledgeSuperseded
    | ev.KnowledgeRetracted
    | ev.KnowledgeProposed
    | ev.KnowledgePinned
    | ev.CandidateResolved,
) -> Told:
    match event:
        case ev.KnowledgeSaved():
            return Told("a fact was kept", (("fact", event.content), ("for", event.scope)))
        case ev.KnowledgeSuperseded():
            return Told("a fact took the place of another", (("fact", event.content),))
        case ev.KnowledgeRetracted():
            return Told("a fact was brought back" if event.restored else "a fact was taken back")
        case ev.KnowledgeProposed():
            return Told("a fact was proposed and waits in the inbox", (("fact", event.content),))
        case ev.KnowledgePinned():
            return Told("a fact was pinned" if event.pinned else "the pin of a fact was taken away")
        case ev.CandidateResolved():
            return Told("a proposed fact was accepted" if event.accepted else "a proposed fact was rejected")
        case _:
            assert_never(event)


def _model_rows(event: ev.ModelChanged, model_before: str) -> tuple[tuple[str, str], ...]:
    return ("from", model_before), ("to", event.model_id), ("thinking", event.thinking or "")
