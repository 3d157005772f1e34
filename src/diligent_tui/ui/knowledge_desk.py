"""Carries out what the knowledge pane asks for, `/learn` and `/remember`; errands go in the order of the wishes."""

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import assert_never

from diligent_tui.agent.knowledge_desk import KnowledgeDesk
from diligent_tui.agent.learning import Learnt
from diligent_tui.compaction.coverage import CoverageItem
from diligent_tui.domain.errors import DiligentError, KnowledgeConflict
from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgeType
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import key_now, sentence_now
from diligent_tui.ui.core import Core
from diligent_tui.ui.panes.knowledge import KnowledgePane
from diligent_tui.ui.panes.knowledge.drafts import Draft
from diligent_tui.ui.panes.knowledge.form import Purpose
from diligent_tui.ui.panes.knowledge.wishes import Deed
from diligent_tui.ui.screens.main import MainScreen

MOST_TOLD_CHARS = 60
TYPES: Mapping[str, KnowledgeType] = MappingProxyType({"constraint": "preference", "decision": "decision"})
"""What a fact of the coverage report is as knowledge; any other kind is something that was found out."""
CONFLICT = "Somebody else changed it first; this stands there now."


class KnowledgeErrands:
    """Verbs of the desk for the pane; what came of each is told in its foot, and refusals there too."""

    def __init__(self, pane: KnowledgePane, desk: Callable[[], KnowledgeDesk | None]) -> None:
        """`desk` is that of the session of now."""
        self._pane = pane
        self._desk = desk
        self._one_at_a_time = asyncio.Lock()

    async def do(self, deed: Deed, ids: tuple[str, ...]) -> None:
        """Do something with entries or a candidate."""
        if deed == "stop":
            self.stop_learning()
            return
        desk = self._desk()
        if desk is None:
            return
        async with self._one_at_a_time:
            try:
                said = sentence_now(await _done(desk, deed, ids), self._pane.keymap)
            except DiligentError as error:
                said = f"{error.message} {error.advice}"
        if deed == "keep":
            self._pane.read_soon()
        self._pane.tell(said)

    def stop_learning(self) -> None:
        """Ask no more; here nobody is asked."""

    async def save(self, purpose: Purpose, draft: Draft, targets: tuple[str, ...]) -> None:
        """Save what a form says, and tell the form what came of it."""
        desk = self._desk()
        if desk is None:
            return
        async with self._one_at_a_time:
            try:
                saved = await _saved(desk, purpose, draft, targets)
            except KnowledgeConflict as conflict:
                # One that was taken back has no newer one that the draft could take the place of.
                rival = conflict.newer if conflict.newer.id not in targets else None
                told = CONFLICT if rival else f"{conflict.message} {conflict.advice}"
                self._pane.refused(told, rival)
            except DiligentError as error:
                self._pane.refused(f"{error.message} {error.advice}")
            else:
                self._pane.saved(saved)


class KnowledgeTravel(KnowledgeErrands):
    """Errands that lead about on the screen as well: to the pane, into its form, to where an entry was learnt."""

    def __init__(
        self, core: Core, main: MainScreen, say: Callable[[str], None], keymap: Mapping[str, str] = OUR_KEYS
    ) -> None:
        """Act on the core's session; `say` says what the pane, which may be hidden, cannot."""
        super().__init__(core.knowledge, lambda: core.session.knowledge if core.session else None)
        self._core = core
        self._main = main
        self._say = say
        self._keymap = keymap

    def remember(self, content: str) -> None:
        """Open the form with a fact in it."""
        self._main.show("knowledge")
        self._pane.remember(content)

    async def rescue(self, item: CoverageItem) -> None:
        """Keep a fact that a summary covers, with the entry it was said in as its origin."""
        session = self._core.session
        if session is None:
            return
        kind = TYPES.get(item.kind, "discovery")
        if await self._core.wish(session.knowledge.add(kind, item.text, said_in=item.entry_id)):
            ways = sentence_now("{knowledge} shows it, {fact_undo} there takes it back.", self._keymap)
            self._say(f"Kept: {clean_line(item.text, MOST_TOLD_CHARS)}  {ways}")

    def announce(self, content: str) -> None:
        """Say what the agent saved."""
        self._say(f"Saved: {clean_line(content, MOST_TOLD_CHARS)}  {key_now('knowledge', self._keymap)}")

    def show_origin(self, entry_id: str) -> None:
        """Go to an entry in the chat, or in the tree if it is on another branch."""
        session = self._core.session
        if session is None:
            return
        if any(node.id == entry_id for node in session.conversation.path):
            self._core.chat.go_to_entry(entry_id)
            self._core.chat.focus()
        else:
            self._core.tree.go_to(entry_id)
            self._main.show("tree")

    async def learn(self, focus: str = "") -> None:
        """Ask the model what of this session is worth keeping, and show the inbox."""
        session = self._core.session
        if session is None:
            return
        self._main.show("knowledge")
        self._pane.show_inbox()
        self._pane.learn(True)
        try:
            told = _told(await session.learning.learn(focus))
        except DiligentError as error:
            told = f"{error.message} {error.advice}"
        finally:
            self._pane.learn(False)
        self._pane.tell(told)
        if not self._pane.display:
            self._say(told)

    def stop_learning(self) -> None:
        """Ask no more; what was said so far proposes nothing."""
        if (session := self._core.session) is not None:
            session.learning.stop()


async def _done(desk: KnowledgeDesk, deed: Deed, ids: tuple[str, ...]) -> str:
    """Do it, and say what was done, with the keys that follow by the names of their commands."""
    first = ids[0] if ids else ""
    match deed:
        case "retract":
            await desk.retract(first)
            return "Taken back. {fact_undo} brings it back."
        case "restore":
            await desk.restore(first)
            return "It holds again."
        case "pin":
            await desk.pin(first)
            return "Pinned: told before all others."
        case "unpin":
            await desk.unpin(first)
            return "Unpinned."
        case "scope":
            moved = await desk.change_scope(first)
            return "It holds in all your projects now." if moved.scope == "user" else "It holds in this project only."
        case "keep":
            await desk.keep(ids)
            return f"{fmt.count(len(ids), 'entry')} kept." if len(ids) == 1 else f"{len(ids):,} entries kept."
        case "accept":
            await desk.accept(first)
            return "Accepted. {fact_undo} undoes it."
        case "reject":
            await desk.reject(first)
            return "Rejected. {fact_undo} undoes it."
        case "accept_all":
            kept = len(await desk.accept_all())
            return f"{kept:,} accepted."
        case "undo":
            return clean_line(await desk.undo_last(), MOST_TOLD_CHARS)
        case "stop":
            return ""
        case _:
            assert_never(deed)


async def _saved(desk: KnowledgeDesk, purpose: Purpose, draft: Draft, targets: tuple[str, ...]) -> KnowledgeEntry:
    confidence = draft.confidence_value or 0.0
    match purpose:
        case "add":
            return await desk.add(
                draft.type, draft.content, confidence=confidence, tags=draft.tag_list, scope=draft.scope
            )
        case "edit":
            return await desk.supersede(
                targets[0], draft.content, kind=draft.type, confidence=confidence, tags=draft.tag_list
            )
        case "merge":
            return await desk.merge(targets, draft.content)
        case "accept":
            return await desk.accept(targets[0], draft.content)
        case _:
            assert_never(purpose)


def _told(learnt: Learnt) -> str:
    """What came of looking through the session."""
    if learnt.problem is not None:
        return f"{learnt.problem.message} {learnt.problem.advice}"
    if learnt.is_stopped:
        return "Stopped; nothing was proposed."
    if learnt.candidates:
        return f"{fmt.count(len(learnt.candidates), 'candidate')} to review."
    return "All of it is known already." if learnt.proposed else "Nothing here is worth keeping, the model says."
