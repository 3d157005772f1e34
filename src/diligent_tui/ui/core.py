"""The session behind the screen: opened after the first frame, fed with wishes, told of in batches."""

import asyncio
import gc
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from diligent_tui.agent.costs import cost_of
from diligent_tui.agent.known_models import KnownModels
from diligent_tui.agent.session import AgentSession
from diligent_tui.config.estimates import save_estimator
from diligent_tui.config.survey import Finding
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.events import (
    CompactionFinished,
    CompactionPruned,
    CompactionReverted,
    CompactionSummaryDelta,
    ErrandDelta,
    Event,
    Labelled,
    LeafMoved,
    PermissionRequested,
    PermissionResolved,
    Pinned,
    StorageFailed,
    SummaryEdited,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolOutput,
    TurnFinished,
    TurnStarted,
    Unpinned,
)
from diligent_tui.domain.messages import ToolResultMessage
from diligent_tui.domain.modes import MODES, Mode
from diligent_tui.domain.usage import Usage
from diligent_tui.session.store import SessionStore
from diligent_tui.ui.bridge import Batch, Bridge, first_state
from diligent_tui.ui.commands.keys_now import key_now
from diligent_tui.ui.glimpse import TAIL_ENTRIES, Glimpse
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.loading import Ground, load_ground, open_session, state_of_file, whole_transcript
from diligent_tui.ui.markdown.code import warm_up
from diligent_tui.ui.opening import Access, Opening
from diligent_tui.ui.panes.chat.marks import Marks, marks_of
from diligent_tui.ui.panes.context import ContextPane
from diligent_tui.ui.panes.knowledge import KnowledgePane
from diligent_tui.ui.panes.session_tree import SessionTreePane
from diligent_tui.ui.panes.summary import SummaryPane
from diligent_tui.ui.panes.tools import ToolsPane
from diligent_tui.ui.panes.trace import TracePane
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.state import ScreenState
from diligent_tui.ui.transcript import ChatBlock, TurnCount
from diligent_tui.ui.widgets.guide import GuideStrip

LENSES = (
    CompactionFinished,
    CompactionPruned,
    CompactionReverted,
    CompactionSummaryDelta,
    LeafMoved,
    Pinned,
    SummaryEdited,
    Unpinned,
)
"""Events after which messages may stand otherwise in the context than before."""
PIECES = (TextDelta, ThinkingDelta, ToolCallDelta, ToolOutput, CompactionSummaryDelta, ErrandDelta)
"""Events that add nothing to the tree."""


class Core:
    """One session and the panes that show it; `hear` is told of facts that ask for an answer, `say` says a sentence."""

    def __init__(
        self,
        screen: MainScreen,
        ground: Ground,
        glimpse: Glimpse,
        hear: Callable[[Event], None],
        say: Callable[[str], None],
        keymap: Mapping[str, str],
    ) -> None:
        """Use `load`."""
        self.ground = ground
        self.chat = glimpse.chat
        self.tools = ToolsPane(self._entry, self._read, keymap)
        self.tree = SessionTreePane(self._entry, self._read, keymap)
        self.summary = SummaryPane(keymap)
        self.summary.expect(ground.summary_drafts)
        self.knowledge = KnowledgePane(keymap)
        self.sides = (self.knowledge, self.summary, ContextPane(keymap), TracePane(keymap))
        self.session: AgentSession | None = None
        self._store: SessionStore | None = None
        """Where the chat reads what it shows: it is drawn while its session is closed, too, which stays readable."""
        self.guide: GuideStrip | None = None
        """Told of every event too, if there is one."""
        self._screen = screen
        self._hear = hear
        self._say = say
        self._keymap = keymap
        self._tail = glimpse.end.tail if glimpse.end else None
        self._seen = {entry.id: entry for entry in self._tail.entries} if self._tail else {}
        self._live = LiveTranscript()
        self._bridge: Bridge | None = None
        self._telling: asyncio.Task[None] | None = None
        self._filling: asyncio.Task[None] | None = None

    @classmethod
    async def load(
        cls,
        screen: MainScreen,
        opening: Opening,
        glimpse: Glimpse,
        hear: Callable[[Event], None],
        say: Callable[[str], None],
    ) -> "Core":
        """Look around, behind what is on screen already."""
        end = glimpse.end
        ground = await load_ground(opening, end.path if end else None)
        core = cls(screen, ground, glimpse, hear, say, opening.keys)
        await screen.put_in_panes(core.tree, core.tools, *core.sides, layout=ground.layout)
        return core

    async def open(self, access: Access) -> None:
        """Open the session itself; what came before its end is put in above."""
        session = await open_session(self.ground, self.ground.session_path, access)
        # Before the chat reads from the session too: its entries are not for two threads at once.
        state, marks = await asyncio.to_thread(_first_look, session)
        leaf_id = session.store.tree.leaf_id
        self._take_in(session, state, marks)
        if self._tail is None:
            self._show_path(leaf_id)
        else:
            self.tools.show_saved(session.store.tree.path(leaf_id))
        if self._tail and not self._tail.is_whole:
            await self._fill(session, leaf_id)
        self._show_state_of_file(session)
        await session.warm_up()

    async def switch_to(self, path: Path | None, access: Access = "write") -> None:
        """Leave this session for another, or for a new one; if that cannot be opened, nothing changes."""
        self._hand_on_sizes()
        session = await open_session(self.ground, path, access)
        state, marks = await asyncio.to_thread(_first_look, session)
        await self.close()
        self._tail, self._seen = None, {}
        self._take_in(session, state, marks)
        self._show_path(session.store.tree.leaf_id)
        self._show_state_of_file(session)
        await session.warm_up()
        await session.probe_sandbox()

    async def enter_again(self, opening: Opening, for_now: Sequence[Finding]) -> None:
        """Look around anew after a folder was trusted; the session goes on with what may be used now."""
        # A session that waited for the answer is looked for now; else the one on screen goes on.
        wanted = opening if self.ground.awaits_trust else replace(opening, goes_on=False, resume="")
        self.ground = await load_ground(wanted, None, for_now)
        path = self.session.store.path if self.session and self.session.store.tree.nodes else None
        if path is not None:
            await self.close()
        await self.switch_to(path)

    async def warm_up(self) -> None:
        """Load in a thread what a first answer would otherwise wait for."""
        await asyncio.to_thread(warm_up)
        if self.session is not None:
            await self.session.probe_sandbox()

    @property
    def is_behind(self) -> bool:
        """True while something happened that the screen was not told of yet."""
        is_filling = self._filling is not None and not self._filling.done()
        return is_filling or (self._bridge is not None and self._bridge.has_news)

    async def submit(self, text: str, before_id: str | None = None) -> bool:
        """Send a prompt, or queue it, as the last or in front of another; False if it could not be saved."""
        return self.session is not None and await self.wish(self.session.prompt(text, before_id))

    async def steer(self, text: str) -> bool:
        """Tell the working agent; False if it could not be saved."""
        return self.session is not None and await self.wish(self.session.steer(text))

    async def take_back_newest(self) -> str | None:
        """The text that was queued last, which waits no longer."""
        session = self.session
        if session is None or not session.waiting.items:
            return None
        return await session.take_back(session.waiting.items[-1].id)

    def interrupt(self) -> bool:
        """Stop the agent and its errands; False if it was idle."""
        if self.session is None or not (self.session.is_running or self.session.is_on_errand):
            return False
        self.session.interrupt()
        return True

    async def rename(self, name: str) -> None:
        """Name the session."""
        if self.session is not None and self.session.store.tree.nodes:
            await self.wish(self.session.rename(name))
        else:
            self._say("A session has a name once something was said in it.")

    async def set_mode(self, word: str) -> None:
        """Put a permission mode in force, or the next one if none is named."""
        if self.session is None:
            return
        mode: Mode | None = next((mode for mode in MODES if mode == word), None)
        if word and mode is None:
            self._say(f"There is no mode {word}: choose {', '.join(MODES)}.")
            return
        await self.wish(self.session.set_mode(mode or MODES[(MODES.index(self.session.mode) + 1) % len(MODES)]))

    async def wish(self, wish: Coroutine[object, object, object]) -> bool:
        """Wait for a wish; a refusal is said, not raised, and makes this False."""
        try:
            return await wish is not False
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
            return False

    async def close(self) -> None:
        """Stop and save."""
        for task in (self._telling, self._filling):
            if task is not None:
                task.cancel()
        self._hand_on_sizes()
        if self.session is not None:
            session, self.session = self.session, None
            await session.close()
            await asyncio.to_thread(save_estimator, self.ground.house.places.user_state, session.estimator)

    def entry_id_of(self, block: ChatBlock) -> str | None:
        """The entry that a block shows; a call that has just run knows only its call."""
        session = self.session
        if block.entry_id or session is None:
            return block.entry_id
        for node in reversed(session.conversation.path):
            entry = session.store.entry(node.id) if node.role == "tool_result" else None
            match entry:
                case MessageEntry(message=ToolResultMessage(tool_call_id=block.id)):
                    return node.id
                case _:
                    pass
        return None

    def _hand_on_sizes(self) -> None:
        """Let the next session estimate with what this one has learnt."""
        if self.session is not None:
            given = replace(self.ground.given, estimator=self.session.estimator)
            self.ground = replace(self.ground, given=given)

    def _take_in(self, session: AgentSession, state: ScreenState, marks: Marks) -> None:
        self.session, self._store = session, session.store
        self.chat.read_through(self._entry)
        self.chat.mark(marks)
        self.chat.price_with(self._price(session))
        self._live = self._begin_live()
        self._bridge = Bridge(session, state, self._tell)
        self._screen.state = state
        self.tools.read_through(
            self._entry,
            self._read,
            spill_folder=session.store.spill_folder,
            count=lambda size_bytes: session.estimator.tokens(session.model.id, size_bytes),
        )
        self.tree.read_through(self._entry, self._read)
        self.tree.show(session.store.tree, session.store.content.labels)
        for side in self.sides:
            side.attach(session)
        if self.summary.is_editing:
            self._say(f"A summary that you were editing is not saved yet: {key_now('summary', self._keymap)} has it.")
        self._telling = asyncio.create_task(self._bridge.run())

    def _begin_live(self) -> LiveTranscript:
        """What is said from now on follows what is shown."""
        return LiveTranscript(self.chat.last_kind, TurnCount(self.chat.last_answer_id))

    def _price(self, session: AgentSession) -> Callable[[str, Usage], float | None]:
        models = KnownModels(session.model, self.ground.given.find_model)

        def price(model_id: str, usage: Usage) -> float | None:
            model = models.known(model_id)
            return cost_of(usage, model) if model else None

        return price

    def _tell(self, batch: Batch) -> None:
        self._screen.state = batch.state
        events = batch.events
        if self.guide is not None:
            self.guide.hear(events)
        moves = [index for index, event in enumerate(events) if isinstance(event, LeafMoved)]
        if moves:
            moved = events[moves[-1]]
            self._show_path(moved.entry_id if isinstance(moved, LeafMoved) else None)
        for event in events:
            match event:
                case TurnStarted():
                    self._screen.show_chat()
                case PermissionRequested() | PermissionResolved() | StorageFailed():
                    self._hear(event)
                case _:
                    pass
        # What came before a move is in the path that was just shown.
        newer = events[moves[-1] + 1 :] if moves else events
        blocks = [block for event in newer for block in self._live.take(event)]
        self.chat.take(blocks, is_shown=batch.is_whole)
        if self.session is not None and any(isinstance(event, LENSES) for event in events):
            self.chat.mark(marks_of(self.session))
        self.tools.take(events)
        for side in self.sides:
            side.take(events)
        if batch.is_whole and not all(isinstance(event, PIECES) for event in events):
            self._update_tree(is_rebuilt=any(isinstance(event, LeafMoved | Labelled) for event in events))
        if any(isinstance(event, TurnFinished) for event in events):
            # Painting leaves rings behind, megabytes in ten turns. Now nobody waits for the next word: some 15 ms.
            gc.collect()

    def _update_tree(self, *, is_rebuilt: bool) -> None:
        if is_rebuilt and self.session is not None:
            self.tree.show(self.session.store.tree, self.session.store.content.labels)
        else:
            self.tree.grew()

    def _show_path(self, leaf_id: str | None) -> None:
        """Show another path: its end at once, and what comes before when it is read."""
        session = self.session
        if session is None:
            return
        if self._filling is not None:
            self._filling.cancel()
        path = session.store.tree.path(leaf_id)
        is_whole = len(path) <= TAIL_ENTRIES
        self.tools.show_saved(path)
        self.chat.start_anew()
        self.chat.show_saved((session.store.entry(node.id) for node in path[-TAIL_ENTRIES:]), is_whole=is_whole)
        self._live = self._begin_live()
        if self.chat.last_kind:
            self._screen.show_chat()
        else:
            self._screen.show_welcome()
        if not is_whole:
            self._filling = asyncio.create_task(self._fill(session, leaf_id))

    def _show_state_of_file(self, session: AgentSession) -> None:
        """Say below the talk what of the file could not be used, and whether one may go on in it."""
        notices = state_of_file(session.store)
        if notices:
            self._screen.show_chat()
        self.chat.take(ChatBlock(f"file-{place}", "notice", text=words) for place, words in enumerate(notices))

    async def _fill(self, session: AgentSession, leaf_id: str | None) -> None:
        self.chat.show_whole(await asyncio.to_thread(whole_transcript, session, leaf_id))

    def _entry(self, entry_id: str) -> Entry:
        known = self._seen.get(entry_id)
        if known is not None or self._store is None:
            return self._seen[entry_id]
        return self._store.entry(entry_id)

    def _read(self, entry_id: str) -> Entry:
        """An entry for a thread that reads very many."""
        store = self._store
        return self._seen[entry_id] if store is None else store.read(entry_id)


def _first_look(session: AgentSession) -> tuple[ScreenState, Marks]:
    """What the screen shows of a session before anything happened; slow for a long one, so it is called in a thread."""
    return first_state(session), marks_of(session)
