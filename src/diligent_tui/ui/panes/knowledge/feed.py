"""Reads what the knowledge pane shows from the desk, in threads, and hears what changes it."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from textual import work

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.events import (
    CandidateResolved,
    Event,
    KnowledgePinned,
    KnowledgeProposed,
    KnowledgeRetracted,
    KnowledgeSaved,
    KnowledgeSuperseded,
    LeafMoved,
    ModelChanged,
    ToolFinished,
    ToolStarted,
    TurnStarted,
)
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.times import Clock, now
from diligent_tui.knowledge.duplicates import Near
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import Damage, KnownEntry, Overview, Uses
from diligent_tui.ui.panes.knowledge import wishes
from diligent_tui.ui.panes.knowledge.browser import KnowledgeBrowser
from diligent_tui.ui.panes.knowledge.details import Shown
from diligent_tui.ui.panes.knowledge.listing import Book, key_of
from diligent_tui.ui.panes.knowledge.origins import Background, Origin, Talk

DETAILS_DELAY_SECONDS = 0.05
"""While one runs down the list, the past of each entry is not looked up."""
SAVING_TOOLS = frozenset({"add_knowledge", "supersede_knowledge"})
CHANGES = (
    KnowledgeSaved,
    KnowledgeSuperseded,
    KnowledgeRetracted,
    KnowledgePinned,
    KnowledgeProposed,
    CandidateResolved,
    LeafMoved,
    ModelChanged,
)


class Desk(Protocol):
    """What the pane reads; the verbs are for others."""

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        ...

    def overview(self) -> Overview:
        """All entries."""
        ...

    def candidates(self) -> tuple[InboxCandidate, ...]:
        """All that waits."""
        ...

    def chain(self, knowledge_id: str) -> tuple[KnowledgeEntry, ...]:
        """An entry's history."""
        ...

    def near(self, content: str) -> tuple[Near, ...]:
        """What says much the same."""
        ...

    def damage(self) -> Damage:
        """What could not be read."""
        ...

    def uses(self, knowledge_id: str) -> Uses:
        """How often an entry was of use."""
        ...

    async def refresh(self) -> Overview:
        """Read what others wrote."""
        ...


class KnowledgeFeed(KnowledgeBrowser):
    """Keeps the list as it is on disk; nothing is read while the pane is hidden."""

    def __init__(self, clock: Clock = now) -> None:
        """No desk yet."""
        super().__init__(clock)
        self._desk: Desk | None = None
        self._talk: Talk | None = None
        self._is_stale = True
        self._must_refresh = True
        self._saving_calls: set[str] = set()
        self._backgrounds: dict[str, Background] = {}
        self._wanted: KnowledgeEntry | None = None
        """Where the cursor goes when it is listed."""

    @property
    def can_undo(self) -> bool:
        """Whether the desk has something to undo."""
        return self._desk is not None and self._desk.can_undo

    @property
    def has_origin(self) -> bool:
        """Whether the talk can tell where the row under the cursor comes from."""
        known, candidate, talk = self.known, self.candidate, self._talk
        if talk is not None and known is not None:
            return talk.has_origin(known.entry.session_id, (known.entry.entry_id,))
        return talk is not None and candidate is not None and talk.has_origin(candidate.session_id, candidate.entry_ids)

    def attach(self, session: AgentSession) -> None:
        """Show another session's knowledge from now on."""
        self.read_from(session.knowledge, Talk(session.id, session.store.tree, session.store.read))

    def read_from(self, desk: Desk, talk: Talk) -> None:
        """Show what is on another desk; origins are looked up in the talk."""
        self._desk, self._talk = desk, talk
        self._saving_calls.clear()
        self._new_ids.clear()
        self._backgrounds.clear()
        self.mode = "list"
        self._must_refresh = True
        self.read_soon()

    def take(self, events: Sequence[Event]) -> None:
        """Hear what happened; what the agent saves is announced, and new rows are marked until the next turn."""
        for event in events:
            match event:
                case ToolStarted(call_id=call_id, name=name) if name in SAVING_TOOLS:
                    self._saving_calls.add(call_id)
                case ToolFinished(call_id=call_id):
                    self._saving_calls.discard(call_id)
                case (
                    KnowledgeSaved(knowledge_id=new, content=content)
                    | KnowledgeSuperseded(knowledge_id=new, content=content)
                ):
                    self._new_ids.add(new)
                    if self._saving_calls:
                        self.post_message(wishes.Learnt(content))
                case TurnStarted():
                    self._new_ids.clear()
                case _:
                    pass
        if any(isinstance(event, CHANGES) for event in events):
            self.read_soon()

    def read_soon(self) -> None:
        """Read anew, now if the pane is seen and otherwise when it is."""
        self._is_stale = True
        if self.is_ready and self.display and self._desk is not None:
            self._read(self._desk)

    def on_show(self) -> None:
        """What others wrote meanwhile counts too."""
        self.read_from_disk()

    def on_focus(self) -> None:
        """Likewise: an editor may have been at work."""
        self.read_from_disk()

    def read_from_disk(self) -> None:
        """Read anew, with what others wrote."""
        self._must_refresh = True
        self.read_soon()

    def show_details(self) -> None:
        """Show the row under the cursor, and soon all that is told of it."""
        known, candidate = self.known, self.candidate
        if self.mode == "merge" or (known is None and candidate is None):
            self.details.show(Shown(known) if known else None)
        elif known is not None:
            self._show(known, key_of(known))
        elif candidate is not None:
            self._show(candidate, candidate.id)

    def _show(self, subject: KnownEntry | InboxCandidate, key: str) -> None:
        self.details.show(Shown(subject, self._backgrounds.get(key, Background())))
        if self._desk is not None and self._talk is not None and key not in self._backgrounds:
            self._look_up(self._desk, self._talk, subject, key)

    @work(group="knowledge-read", exclusive=True)
    async def _read(self, desk: Desk) -> None:
        """Make the book anew; a newer reading ends this one."""
        problem = ""
        if self._must_refresh:
            try:
                await desk.refresh()
                self._must_refresh = False
            except DiligentError as error:
                problem = f"{error.message} {error.advice}"
        book, damage = await asyncio.to_thread(_read_all, desk)
        if desk is not self._desk:
            return
        self._is_stale = False
        self.book, self.damage = book, damage
        self._backgrounds.clear()
        self.list_rows()
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            self.go_to(wanted)
        if problem:
            self._say(problem)

    @work(group="knowledge-details", exclusive=True)
    async def _look_up(self, desk: Desk, talk: Talk, subject: KnownEntry | InboxCandidate, key: str) -> None:
        await asyncio.sleep(DETAILS_DELAY_SECONDS)
        found = await asyncio.to_thread(_background, desk, talk, subject)
        if desk is self._desk:
            self._backgrounds[key] = found
            self.show_details()


def _read_all(desk: Desk) -> tuple[Book, Damage]:
    return Book.of(desk.overview(), desk.candidates()), desk.damage()


def origin_of(talk: Talk, subject: KnownEntry | InboxCandidate) -> Origin:
    """Where an entry or a candidate was learnt."""
    if isinstance(subject, InboxCandidate):
        return talk.origin(subject.session_id, subject.entry_ids)
    return talk.origin(subject.entry.session_id, (subject.entry.entry_id,))


def _background(desk: Desk, talk: Talk, subject: KnownEntry | InboxCandidate) -> Background:
    origin = origin_of(talk, subject)
    if isinstance(subject, InboxCandidate):
        return Background(origin)
    entry = subject.entry
    uses = desk.uses(entry.id)
    counts = [(uses.told, "told"), (uses.found, "found"), (uses.named, "named by the model")]
    said = ", ".join(f"{words} {count:,}×" for count, words in counts if count)
    return Background(origin, desk.chain(entry.id), f"in this session: {said}" if said else "")
