"""Facts to keep, said quickly."""

from datetime import UTC, datetime, timedelta

from diligent_tui.domain.knowledge import KnowledgeChange, KnowledgeEntry, KnowledgeOp, KnowledgeScope, KnowledgeType
from diligent_tui.domain.times import to_stamp

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def stamp(days: float = 0.0) -> str:
    """So many days after noon."""
    return to_stamp(NOON + timedelta(days=days))


def fact(
    entry_id: str = "",
    content: str = "Tests run with make test.",
    *,
    kind: KnowledgeType = "pattern",
    days: float = 0.0,
    supersedes: str | None = None,
    confidence: float = 0.8,
    pinned: bool = False,
    scope: KnowledgeScope = "project",
) -> KnowledgeEntry:
    """A fact; with an id it is one that was saved."""
    return KnowledgeEntry(
        id=entry_id,
        timestamp=stamp(days) if entry_id else "",
        type=kind,
        content=content,
        confidence=confidence,
        supersedes=supersedes,
        pinned=pinned,
        scope=scope,
    )


def change(op: KnowledgeOp, target_id: str, *, days: float = 0.0, change_id: str = "c0") -> KnowledgeChange:
    """A change to a fact."""
    return KnowledgeChange(op=op, id=change_id, target_id=target_id, timestamp=stamp(days))
