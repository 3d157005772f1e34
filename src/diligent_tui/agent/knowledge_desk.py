"""Knowledge as a session works with it: verbs that save and tell, and reads that touch no disk.

Verbs raise StorageError (a secret, too long, an unknown id, the disk), KnowledgeConflict (somebody else superseded or
retracted it first; `newer` is what stands there now) and UsageError. Reads tell what was last read or written;
`refresh` picks up what others wrote.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.knowledge_uses import count_uses
from diligent_tui.agent.knowledge_writing import KnowledgeWriter
from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.domain.errors import StorageError, UsageError
from diligent_tui.domain.knowledge import (
    DEFAULT_CONFIDENCE,
    KnowledgeEntry,
    KnowledgePolicy,
    KnowledgeScope,
    KnowledgeType,
)
from diligent_tui.domain.models import Model
from diligent_tui.knowledge.admission import admit
from diligent_tui.knowledge.duplicates import Near, nearest
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.overview import overview_of
from diligent_tui.knowledge.searching import search
from diligent_tui.knowledge.views import Damage, KnownEntry, Overview, Uses
from diligent_tui.knowledge.words import normalised
from diligent_tui.providers.registry import assumed_window
from diligent_tui.tools.base import Tool
from diligent_tui.tools.toolbox import knowledge_tools

Source = Literal["compaction", "learn"]
Act = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class _Undo:
    words: str
    act: Act


class KnowledgeDesk:
    """The verbs and reads on both knowledge files and the inbox; what a verb did is told on the hub."""

    def __init__(
        self,
        files: KnowledgeFiles,
        policy: KnowledgePolicy,
        hub: Hub,
        conversation: Conversation,
        window_tokens: Callable[[], int],
    ) -> None:
        """`window_tokens` is the window that the budget is a share of."""
        self.policy = policy
        self._files = files
        self._shelf = files.shelf
        self._writer = KnowledgeWriter(files, hub)
        self._conversation = conversation
        self._window_tokens = window_tokens
        self._kept: set[str] = set()
        self._undos: list[_Undo] = []
        self._has_news = False

    def tools(self) -> tuple[Tool, ...]:
        """The model's tools on this knowledge; none if knowledge is switched off."""
        return knowledge_tools(self) if self.policy.enabled else ()

    def overview(self) -> Overview:
        """All entries with score and fate, and the budget; some milliseconds for each thousand entries."""
        damaged = self._files.inbox.state.damaged if self._files.inbox else 0
        on_path = {node.id for node in self._conversation.path}
        return overview_of(
            self._shelf.states, self.policy, self._window_tokens(), partial(self._is_left_behind, on_path), damaged
        )

    def entries(self) -> tuple[KnownEntry, ...]:
        """All entries: the live ones by rank, then those of the past."""
        return self.overview().entries

    def chain(self, knowledge_id: str) -> tuple[KnowledgeEntry, ...]:
        """The supersede history that an entry belongs to, oldest first; nothing for an unknown id."""
        return self._shelf.history(knowledge_id)

    def candidates(self) -> tuple[InboxCandidate, ...]:
        """The candidates that wait, oldest first."""
        return self._files.inbox.state.waiting if self._files.inbox else ()

    def search(self, words: str) -> tuple[KnownEntry, ...]:
        """The live entries that fit some words, the best first."""
        live = {(known.entry.scope, known.entry.id): known for known in self.overview().live}
        found = search(words, [known.entry for known in live.values()])
        return tuple(live[match.entry.scope, match.entry.id] for match in found)

    def near(self, content: str) -> tuple[Near, ...]:
        """The live entries that say much the same, or the contrary."""
        return nearest(content, (entry for state in self._shelf.states for entry in state.live))

    def facts(self) -> tuple[str, ...]:
        """The words of all live entries."""
        return tuple(entry.content for state in self._shelf.states for entry in state.live)

    def damage(self) -> Damage:
        """Lines that mean nothing, by file."""
        inbox = self._files.inbox.state.damaged if self._files.inbox else 0
        return Damage(self._shelf.state_of("project").damaged, self._shelf.state_of("user").damaged, inbox)

    def uses(self, knowledge_id: str) -> Uses:
        """How often the current path made use of an entry; slow for a long one, so it is called in a thread."""
        return count_uses(knowledge_id, tuple(self._conversation.path), self._conversation.store.entry)

    def take_news(self) -> bool:
        """Whether the user changed something since this was last asked; the model's own changes are no news to it."""
        had, self._has_news = self._has_news, False
        return had

    async def refresh(self) -> Overview:
        """Pick up what other processes and editors wrote."""
        await asyncio.to_thread(self._shelf.refresh)
        if inbox := self._files.inbox:
            await asyncio.to_thread(inbox.refresh)
        return self.overview()

    async def add(
        self,
        kind: KnowledgeType,
        content: str,
        *,
        confidence: float = DEFAULT_CONFIDENCE,
        tags: Sequence[str] = (),
        scope: KnowledgeScope = "project",
        pinned: bool = False,
        origin: str = "",
        said_in: str = "",
    ) -> KnowledgeEntry:
        """Save a fact; `origin` is the result of the model's call that wants it, empty if the user does.

        `said_in` is the entry where the user found it; without one it is what was said last.
        """
        draft = self._draft(kind, content, confidence, tags, origin)
        if said_in:
            draft = draft.model_copy(update={"entry_id": said_in})
        saved = await self._writer.save(draft.model_copy(update={"scope": scope, "pinned": pinned}))
        self._remember(origin, f"Took back: {saved.content}", lambda: self._take_back(saved.id))
        return saved

    async def supersede(
        self,
        target_id: str,
        content: str,
        *,
        kind: KnowledgeType | None = None,
        confidence: float | None = None,
        tags: Sequence[str] | None = None,
        origin: str = "",
    ) -> KnowledgeEntry:
        """Save a fact in place of another: what is None stays as it was, and so does a pin."""
        target = await asyncio.to_thread(self._shelf.known, target_id)
        draft = self._draft(
            kind or target.type,
            content,
            target.confidence if confidence is None else confidence,
            target.tags if tags is None else tags,
            origin,
        )
        saved = await self._writer.replace(target_id, draft)
        self._remember(origin, f"As it was before: {target.content}", lambda: self._say_again(target, saved.id))
        return saved

    async def retract(self, knowledge_id: str) -> bool:
        """Take a fact back; False if it was taken back already."""
        return await self._toggle(knowledge_id, self._writer.set_retracted, True, "Brought back")

    async def restore(self, knowledge_id: str) -> bool:
        """Bring a fact back that was taken back."""
        return await self._toggle(knowledge_id, self._writer.set_retracted, False, "Taken back again")

    async def pin(self, knowledge_id: str) -> bool:
        """Put a fact before all that are not pinned."""
        return await self._toggle(knowledge_id, self._writer.set_pinned, True, "Unpinned")

    async def unpin(self, knowledge_id: str) -> bool:
        """Let a fact find its rank again."""
        return await self._toggle(knowledge_id, self._writer.set_pinned, False, "Pinned again")

    async def change_scope(self, knowledge_id: str) -> KnowledgeEntry:
        """Move a fact to the other file, where it has a new id; it is there before it goes here."""
        entry = await asyncio.to_thread(self._writer.must_live, knowledge_id)
        scope: KnowledgeScope = "user" if entry.scope == "project" else "project"
        moved = await self._writer.save(self._again(entry).model_copy(update={"scope": scope}))
        await self._writer.set_retracted(knowledge_id, True)

        async def move_back() -> None:
            await self._writer.set_retracted(knowledge_id, False)
            await self._take_back(moved.id)

        self._remember("", f"Moved back: {entry.content}", move_back)
        return moved

    async def merge(self, knowledge_ids: Sequence[str], content: str) -> KnowledgeEntry:
        """One fact in place of several, with the most that each of them had: it supersedes the first, the others go."""
        merging = [
            await asyncio.to_thread(self._writer.must_live, knowledge_id)
            for knowledge_id in dict.fromkeys(knowledge_ids)
        ]
        if len(merging) < 2:
            raise UsageError("One entry alone cannot be merged.", "Mark two or more, then merge them.")
        first, *others = merging
        gains_pin = not self._is_pinned(first) and any(map(self._is_pinned, others))
        merged = await self._writer.replace(first.id, self._united(merging, content))
        if gains_pin:
            await self._writer.set_pinned(merged.id, True)
        for each in others:
            await self._writer.set_retracted(each.id, True)

        async def part() -> None:
            again = await self._say_again(first, merged.id)
            if gains_pin:
                await self._writer.set_pinned(again.id, False)
            for each in others:
                await self._writer.set_retracted(each.id, False)

        self._remember("", f"Parted again: {merged.content}", part)
        return merged

    async def keep(self, knowledge_ids: Iterable[str]) -> None:
        """Let facts learnt on a branch that was left stand without their mark, for this run."""
        self._kept.update(knowledge_ids)

    async def propose(
        self, candidates: Iterable[Candidate], source: Source = "compaction"
    ) -> tuple[InboxCandidate, ...]:
        """Put candidates into the inbox; what is known, waits or was refused already, and secrets, are left out."""
        if self._files.inbox is None:
            return ()
        await self.refresh()
        put = await self._writer.put(self._fresh(candidates, source))
        if self._files.accepts_candidates:
            for each in put:
                # What is like something known is for the user to judge.
                if not self.near(each.content):
                    await self._writer.accept(each.id)
                    self._has_news = True
        return put

    async def accept(self, candidate_id: str, content: str | None = None) -> KnowledgeEntry:
        """Keep a candidate, in other words if some are given."""
        saved = await self._writer.accept(candidate_id, content)

        async def wait_again() -> None:
            await self._take_back(saved.id)
            await self._writer.reopen(candidate_id)

        self._remember("", f"Back in the inbox: {saved.content}", wait_again)
        return saved

    async def reject(self, candidate_id: str) -> None:
        """Refuse a candidate."""
        refused = await self._writer.reject(candidate_id)
        self._remember("", f"Back in the inbox: {refused.content}", partial(self._writer.reopen, candidate_id))

    async def accept_all(self) -> tuple[KnowledgeEntry, ...]:
        """Keep every candidate that waits; each can be undone by itself."""
        return tuple([await self.accept(candidate.id) for candidate in self.candidates()])

    @property
    def can_undo(self) -> bool:
        """Whether there is a verb of this run to undo."""
        return bool(self._undos)

    async def undo_last(self) -> str:
        """Undo the user's last verb of this run; says in words what holds again."""
        if not self._undos:
            raise UsageError("There is nothing to undo here.", "Open an entry's history to go back further.")
        undo = self._undos[-1]
        await undo.act()
        self._undos.remove(undo)
        self._has_news = True
        return undo.words

    def _draft(
        self, kind: KnowledgeType, content: str, confidence: float, tags: Sequence[str], origin: str
    ) -> KnowledgeEntry:
        store = self._conversation.store
        # A session without a prompt has no file that one could go back to.
        is_begun = bool(store.tree.nodes)
        return KnowledgeEntry(
            type=kind,
            content=content,
            confidence=confidence,
            tags=tuple(tags),
            session_id=store.content.header.id if is_begun or origin else None,
            entry_id=origin or store.tree.leaf_id,
            author="model" if origin else "user",
        )

    def _united(self, merging: Sequence[KnowledgeEntry], content: str) -> KnowledgeEntry:
        """A draft in place of several: of the weightiest type, as sure as the surest, with the tags of all."""
        weightiest = max(merging, key=lambda entry: self.policy.type_weights[entry.type])
        confidence = max(entry.confidence for entry in merging)
        tags = dict.fromkeys(tag for entry in merging for tag in entry.tags)
        return self._draft(weightiest.type, content, confidence, tuple(tags), "")

    def _again(self, entry: KnowledgeEntry) -> KnowledgeEntry:
        """What an entry said, as a draft that keeps its origin."""
        pinned = self._is_pinned(entry)
        return entry.model_copy(update={"id": "", "timestamp": "", "supersedes": None, "pinned": pinned})

    def _is_pinned(self, entry: KnowledgeEntry) -> bool:
        return entry.id in self._shelf.state_of(entry.scope).pinned

    def _fresh(self, candidates: Iterable[Candidate], source: Source) -> list[InboxCandidate]:
        """The candidates that say something new, as they are put into the inbox."""
        known = {normalised(entry.content) for state in self._shelf.states for entry in state.live}
        known |= {normalised(each.content) for each in self._writer.inbox.state.candidates.values()}
        session_id = self._conversation.store.content.header.id
        fresh: list[InboxCandidate] = []
        for each in candidates:
            try:
                content = admit(KnowledgeEntry(type=each.type, content=each.content)).content
            except StorageError:
                continue
            if (words := normalised(content)) not in known:
                known.add(words)
                draft = InboxCandidate(type=each.type, content=content, session_id=session_id, source=source)
                fresh.append(draft.model_copy(update={"entry_ids": each.entry_ids}))
        return fresh

    def _is_left_behind(self, on_path: set[str], entry: KnowledgeEntry) -> bool:
        """True for what the agent learnt on a branch that was left; what the user wrote down himself holds anywhere."""
        store = self._conversation.store
        return (
            entry.author != "user"
            and entry.session_id == store.content.header.id
            and entry.entry_id in store.tree.nodes
            and entry.entry_id not in on_path
            and entry.id not in self._kept
        )

    def _remember(self, origin: str, words: str, act: Act) -> None:
        """Note how a verb is undone; what a tool does comes with its origin, and is not the user's to undo blindly."""
        if not origin:
            self._undos.append(_Undo(words, act))
            self._has_news = True

    async def _toggle(
        self, knowledge_id: str, change: Callable[[str, bool], Awaitable[bool]], value: bool, undone: str
    ) -> bool:
        if not await change(knowledge_id, value):
            return False
        content = self._shelf.known(knowledge_id).content
        self._remember("", f"{undone}: {content}", partial(change, knowledge_id, not value))
        return True

    async def _take_back(self, knowledge_id: str) -> None:
        """Take back what stands at the end of a chain now, for an undo in between may have added to it."""
        await self._writer.set_retracted(await asyncio.to_thread(self._writer.tip, knowledge_id), True)

    async def _say_again(self, entry: KnowledgeEntry, knowledge_id: str) -> KnowledgeEntry:
        tip = await asyncio.to_thread(self._writer.tip, knowledge_id)
        return await self._writer.replace(tip, self._again(entry))


def open_desk(
    files: KnowledgeFiles, policy: KnowledgePolicy, hub: Hub, conversation: Conversation, model: Callable[[], Model]
) -> KnowledgeDesk:
    """The desk of a session, with a budget for the window of the model in force."""
    return KnowledgeDesk(files, policy, hub, conversation, lambda: assumed_window(model())[0])
