"""The session behind the screen: opened after the first frame, fed with wishes, told of in batches."""

import asyncio
from collections.abc import Callable, Coroutine

from diligent_tui.agent.session import AgentSession
from diligent_tui.config.estimates import save_estimator
from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.events import PermissionRequested, StorageFailed, TurnStarted
from diligent_tui.domain.modes import MODES, Mode
from diligent_tui.ui.bridge import Batch, Bridge, first_state
from diligent_tui.ui.glimpse import Glimpse
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.loading import Ground, import_provider, load_ground, open_session, whole_transcript
from diligent_tui.ui.markdown.code import warm_up
from diligent_tui.ui.opening import Opening
from diligent_tui.ui.panes.tools import ToolsPane
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.state import ScreenState


class Core:
    """One session and the panes that show it; `ask` puts a question to the user, `say` a sentence."""

    def __init__(
        self,
        screen: MainScreen,
        ground: Ground,
        glimpse: Glimpse,
        ask: Callable[[PermissionRequested], None],
        say: Callable[[str], None],
    ) -> None:
        """Use `load`."""
        self.ground = ground
        self.chat = glimpse.chat
        self.tools = ToolsPane()
        self.session: AgentSession | None = None
        self._screen = screen
        self._ask = ask
        self._say = say
        self._tail = glimpse.end.tail if glimpse.end else None
        self._seen = {entry.id: entry for entry in self._tail.entries} if self._tail else {}
        self._live = LiveTranscript()
        self._bridge: Bridge | None = None
        self._telling: asyncio.Task[None] | None = None

    @classmethod
    async def load(
        cls,
        screen: MainScreen,
        opening: Opening,
        glimpse: Glimpse,
        ask: Callable[[PermissionRequested], None],
        say: Callable[[str], None],
    ) -> "Core":
        """Look around, behind what is on screen already."""
        end = glimpse.end
        core = cls(screen, await load_ground(opening, end.path if end else None), glimpse, ask, say)
        await screen.put_in_tools(core.tools)
        return core

    async def open(self) -> None:
        """Open the session itself; what came before its end is put in above."""
        session = await open_session(self.ground)
        # Before the chat reads from the session too: its entries are not for two threads at once.
        state = await asyncio.to_thread(first_state, session)
        self.session = session
        self.chat.read_through(self._entry)
        self._listen(session, state)
        await import_provider(self.ground, session.model)
        if self._tail and not self._tail.is_whole:
            self.chat.show_whole(await asyncio.to_thread(whole_transcript, session))

    async def warm_up(self) -> None:
        """Load in a thread what a first answer would otherwise wait for."""
        await asyncio.to_thread(warm_up)

    @property
    def is_behind(self) -> bool:
        """True while something happened that the screen was not told of yet."""
        return self._bridge is not None and self._bridge.has_news

    async def submit(self, text: str) -> bool:
        """Send a prompt, or queue it; False if it could not be saved."""
        return self.session is not None and await self._try(self.session.prompt(text))

    async def steer(self, text: str) -> bool:
        """Tell the working agent; False if it could not be saved."""
        return self.session is not None and await self._try(self.session.steer(text))

    async def take_back_newest(self) -> str | None:
        """The text that was queued last, which waits no longer."""
        session = self.session
        if session is None or not session.waiting.items:
            return None
        return await session.take_back(session.waiting.items[-1].id)

    def interrupt(self) -> bool:
        """Stop the agent; False if it was idle."""
        if self.session is None or not self.session.is_running:
            return False
        self.session.interrupt()
        return True

    def resolve(self, call_id: str, *, allowed: bool) -> None:
        """Answer a question."""
        if self.session is not None:
            self.session.resolve_permission(call_id, allowed=allowed)

    async def rename(self, name: str) -> None:
        """Name the session."""
        if self.session is not None and self.session.store.tree.nodes:
            await self._try(self.session.rename(name))
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
        await self._try(self.session.set_mode(mode or MODES[(MODES.index(self.session.mode) + 1) % len(MODES)]))

    async def new_session(self) -> None:
        """Begin anew; the old session is saved and closed."""
        await self.close()
        self.ground = Ground(self.ground.house, self.ground.given, self.ground.history, "", None)
        self._tail = None
        self.chat.start_anew()
        self._screen.show_welcome()
        await self.open()

    async def close(self) -> None:
        """Stop and save."""
        if self._telling is not None:
            self._telling.cancel()
        if self.session is not None:
            await self.session.close()
            state_folder = self.ground.house.places.user_state
            await asyncio.to_thread(save_estimator, state_folder, self.session.estimator)
            self.session = None

    def _listen(self, session: AgentSession, state: ScreenState) -> None:
        self._live = LiveTranscript(self.chat.last_kind)
        self._bridge = Bridge(session, state, self._tell)
        self._screen.state = state
        self._telling = asyncio.create_task(self._bridge.run())

    def _tell(self, batch: Batch) -> None:
        self._screen.state = batch.state
        for event in batch.events:
            match event:
                case TurnStarted():
                    self._screen.show_chat()
                case PermissionRequested():
                    self._ask(event)
                case StorageFailed():
                    self._say(f"{event.problem.message} {event.problem.advice}")
                case _:
                    pass
        blocks = [block for event in batch.events for block in self._live.take(event)]
        self.chat.take(blocks, is_shown=batch.is_whole)
        self.tools.take(batch.events)

    def _entry(self, entry_id: str) -> Entry:
        known = self._seen.get(entry_id)
        if known is not None or self.session is None:
            return self._seen[entry_id]
        return self.session.store.entry(entry_id)

    async def _try(self, wish: Coroutine[object, object, None]) -> bool:
        """Wait for a wish; a refusal is said, not raised."""
        try:
            await wish
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
            return False
        return True
