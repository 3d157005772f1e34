"""What the trace lists: a turn, a request, an answer, a tool's run, a compaction, or a fact by itself."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from diligent_tui.agent.trace import TraceRecord
from diligent_tui.domain.events import Event
from diligent_tui.domain.usage import Usage

Kind = Literal["turn", "request", "answer", "retry", "tool", "permission", "compaction", "errand", "context", "note"]
State = Literal["running", "done", "failed", "stopped", "told"]
"""`stopped` is what the user ended, which is no problem; `told` is a fact that takes no time and cannot fail."""
Group = Literal["requests and answers", "tools", "memory", "session"]
GROUPS: tuple[Group, ...] = ("requests and answers", "tools", "memory", "session")
MARKS: dict[State, str] = {"running": "◐", "done": "✓", "failed": "✗", "stopped": "·", "told": "·"}
GROUP_OF: dict[Kind, Group] = {
    "turn": "session",
    "request": "requests and answers",
    "answer": "requests and answers",
    "retry": "requests and answers",
    "tool": "tools",
    "permission": "tools",
    "compaction": "memory",
    "errand": "memory",
    "context": "memory",
    "note": "session",
}


@dataclass(slots=True)
class Thing:
    """All records of one thing, which may still grow; `version` is another number after each change."""

    id: str
    kind: Kind
    state: State
    records: list[TraceRecord]
    turn_began_at: datetime | None = None
    ended_at: datetime | None = None
    version: int = 0
    counted: Usage | None = None
    """Of a compaction: what the first request after it was counted as."""
    is_first: bool = False
    """Of a request: nothing was cached for it by any before."""
    model_before: str = ""
    """Of a request or a change of the model: which one was asked before."""
    entry_id: str = ""
    """Where it stands in the chat, if it does."""

    @property
    def began_at(self) -> datetime:
        """When it began."""
        return self.records[0].at

    @property
    def group(self) -> Group:
        """What it is filtered by."""
        return GROUP_OF[self.kind]

    @property
    def newest_number(self) -> int:
        """The place of its last record among all."""
        return max(record.number for record in self.records)

    @property
    def first(self) -> Event:
        """What it began with."""
        return self.records[0].event

    def seconds(self, now: datetime) -> float | None:
        """How long it took, or takes so far; None for what takes no time."""
        if self.state == "running":
            return (now - self.began_at).total_seconds()
        return None if self.ended_at is None else (self.ended_at - self.began_at).total_seconds()
