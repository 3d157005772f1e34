"""Moves about the tree: leaving a branch with or without a summary, bringing an entry over, forking a session."""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.agent.comparison import common_ancestor
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.errands import Errands
from diligent_tui.agent.file_history import bring_history
from diligent_tui.agent.interruption import Interrupted
from diligent_tui.compaction.summariser import BRANCH_WORDS, branch_request
from diligent_tui.compaction.transcript import shorten
from diligent_tui.domain.entries import CONTENT_TYPES, BranchSummaryEntry, Entry, MessageEntry
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.events import MessageSaved
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request
from diligent_tui.domain.speech import speech_of
from diligent_tui.domain.times import Clock
from diligent_tui.session.fork import fork_session
from diligent_tui.session.store import folder_of
from diligent_tui.session.tree import Node

GRAFT_CHARS = 30_000
ADVICE = "Try again, or leave without a summary."


@dataclass(frozen=True, slots=True)
class BranchSummaryWish:
    """How the branch that is left is to be summarised; `tell` hears the words as they come."""

    focus: str = ""
    tell: Callable[[str], None] = lambda _: None


class Branching:
    """The verbs of the tree. Nothing is ever taken away; each verb is one appended line."""

    def __init__(self, conversation: Conversation, clock: Clock, errands: Errands) -> None:
        """Work on this conversation's tree; a summary is asked for on an errand."""
        self._conversation = conversation
        self._clock = clock
        self._errands = errands

    def must_know(self, entry_id: str | None) -> None:
        """Refuse an entry that this session does not have."""
        if entry_id is not None and entry_id not in self._conversation.store.tree.nodes:
            raise UsageError(f"This session has no entry {entry_id}.", "Pick one from the tree.")

    def left_behind(self, target_id: str | None) -> list[Node]:
        """What of the path would not be on it any more after moving there."""
        tree = self._conversation.store.tree
        shared = len(tree.path(common_ancestor(tree, tree.leaf_id, target_id)))
        return [node for node in self._conversation.path[shared:] if node.type in CONTENT_TYPES]

    async def leave(self, target_id: str | None, wish: BranchSummaryWish, model: Model, window_tokens: int) -> bool:
        """Summarise what is left behind and go on from the target; False if it was stopped, and nothing moved."""
        left = self.left_behind(target_id)
        if not left:
            raise UsageError("Nothing would be left behind.", "Go there without a summary.")
        tree = self._conversation.store.tree
        from_id = tree.leaf_id or ""

        def write(entries: Iterable[Entry]) -> Request:
            return branch_request(entries, model, window_tokens, wish.focus)

        try:
            async with self._errands.begun("branch_summary", len(left)) as errand:
                summary = await errand.ask(left, write, BRANCH_WORDS, ADVICE, wish.tell)
                if tree.leaf_id != from_id:
                    raise UsageError(
                        "The branch went on while it was summarised; nothing was moved.", "Leave it again."
                    )
                entry = BranchSummaryEntry(from_id=from_id, summary=summary.text)
                await self._conversation.add_elsewhere(entry, target_id, errand.id)
        except Interrupted:
            return False
        return True

    async def graft(self, entry_id: str) -> MessageSaved:
        """Bring an entry of another branch into this one: quoted by the user, with its origin."""
        self.must_know(entry_id)
        quote = self._quoted(entry_id)
        saved = await self._conversation.add_message(UserMessage(content=quote))
        return MessageSaved(saved.id, "user", quote)

    async def fork(self, sessions: Path, entry_id: str | None, cwd: str) -> Path:
        """A new session that holds the way to an entry, or all of this one."""
        self.must_know(entry_id)
        store = self._conversation.store
        if not store.tree.nodes:
            raise UsageError("Nothing was said here yet.", "Send a prompt first; then there is something to fork.")
        path = await asyncio.to_thread(fork_session, store, sessions, self._clock(), entry_id, cwd)
        await asyncio.to_thread(bring_history, store.spill_folder / "before", folder_of(path) / "before")
        return path

    def _quoted(self, entry_id: str) -> str:
        store = self._conversation.store
        entry = store.entry(entry_id)
        words = shorten(speech_of(entry).words.strip(), GRAFT_CHARS)
        quote = "\n".join(f"> {line}" for line in words.splitlines())
        return f"[Brought here from another branch: {self._origin(entry)}, entry {entry_id}]\n{quote}"

    def _origin(self, entry: Entry) -> str:
        match entry:
            case MessageEntry(message=AssistantMessage()):
                return "an answer"
            case MessageEntry(message=ToolResultMessage() as message):
                call = self._call(entry, message.tool_call_id)
                arguments = json.dumps(call.input, ensure_ascii=False) if call else ""
                return f"the result of {message.tool_name} {arguments}".strip()
            case _:
                return f"said by {speech_of(entry).who}"

    def _call(self, entry: MessageEntry, call_id: str) -> ToolCallBlock | None:
        store = self._conversation.store
        for node in store.tree.way_up(entry.parent_id):
            if node.role == "assistant":
                answer = store.entry(node.id)
                if isinstance(answer, MessageEntry) and isinstance(answer.message, AssistantMessage):
                    return next((call for call in answer.message.tool_calls if call.id == call_id), None)
        return None
