"""A knowledge desk on real files and on a real session's conversation."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from diligent_tui.agent.knowledge_desk import KnowledgeDesk
from diligent_tui.domain.events import Event
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.inbox import INBOX_NAME, Inbox
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.store import KnowledgeStore
from tests.agent.conftest import Stage

AnyEvent = TypeVar("AnyEvent", bound=Event)


@dataclass
class DeskStage:
    """A desk, its files, and what it told."""

    stage: Stage
    desk: KnowledgeDesk
    files: KnowledgeFiles
    events: list[Event] = field(default_factory=list[Event])

    def __post_init__(self) -> None:
        self.stage.session.hub.subscribe(self.events.append)

    def heard(self, event_class: type[AnyEvent]) -> list[AnyEvent]:
        return [event for event in self.events if isinstance(event, event_class)]

    def live(self) -> list[str]:
        return [known.entry.content for known in self.desk.overview().live]


def make_files(folder: Path, *, accepts: bool = False) -> KnowledgeFiles:
    """Both knowledge files and the inbox of a project in that folder."""
    project = KnowledgeStore(folder / ".diligent" / "knowledge" / "knowledge.jsonl", "project")
    user = KnowledgeStore(folder / "home" / "knowledge" / "knowledge.jsonl", "user")
    return KnowledgeFiles(KnowledgeShelf(project, user), Inbox(folder / ".diligent" / INBOX_NAME), accepts)


def make_desk(stage: Stage, files: KnowledgeFiles, policy: KnowledgePolicy | None = None) -> DeskStage:
    """A desk for the session of a stage."""
    session = stage.session
    desk = KnowledgeDesk(files, policy or KnowledgePolicy(), session.hub, session.conversation, lambda: 200_000)
    return DeskStage(stage, desk, files)
