"""What the tree, the chat's cursor and the list of sessions ask for: the questions first, then the verb."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from time import monotonic

from textual.app import App

from diligent_tui.agent.branching import BranchSummaryWish
from diligent_tui.agent.file_history import Receipt
from diligent_tui.config.session_files import mask
from diligent_tui.domain.errors import DiligentError, SessionLocked
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.progress import Tell
from diligent_tui.domain.speech import speech_of, typed_words
from diligent_tui.session.export.exporting import export_session
from diligent_tui.session.export.formats import FORMAT_OF_SUFFIX
from diligent_tui.session.export.saving import save_export
from diligent_tui.session.shelf import Shelf
from diligent_tui.session.store import SessionStore
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import key_now, sentence_now
from diligent_tui.ui.core import Core
from diligent_tui.ui.opening import Access
from diligent_tui.ui.panes.chat import TreeDeed
from diligent_tui.ui.panes.context import sheet_of
from diligent_tui.ui.questions import ask_about_lock
from diligent_tui.ui.screens.choice import Answer, ChoiceScreen
from diligent_tui.ui.screens.comparison import ComparisonScreen
from diligent_tui.ui.screens.context_at import ContextScreen
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.screens.restore import RestoreDesk, RestoreScreen
from diligent_tui.ui.screens.sessions import SessionChoice, SessionsScreen
from diligent_tui.ui.screens.summarising import SummarisingScreen
from diligent_tui.ui.screens.working import work_aside
from diligent_tui.ui.state import ScreenState
from diligent_tui.ui.transcript import ChatBlock

EXPORT_ANSWERS = (
    Answer("h", "one web page with the whole tree, to read anywhere", "html"),
    Answer("m", "Markdown of this branch", "md"),
    Answer("j", "the file itself, line by line", "jsonl"),
    Answer("q", "not at all", ""),
)
EXPORT_WORDS = "A new file in this folder; keys of yours that stand in it are masked."


class Travel:
    """Goes about the session's tree and between sessions; each method is run as a worker of the app."""

    def __init__(
        self,
        app: App[int],
        core: Core,
        main: MainScreen,
        say: Callable[[str], None],
        keymap: Mapping[str, str] = OUR_KEYS,
    ) -> None:
        """Ask through the app, act through the core; `keymap` has the user's own keys."""
        self._app = app
        self._core = core
        self._main = main
        self._say = say
        self._keymap = keymap
        self._shelf = Shelf(core.ground.house.places.sessions)

    async def continue_from(self, entry_id: str | None, text: str = "") -> None:
        """Go on from an entry; the words of a prompt that is to be said again go into the editor."""
        session = self._core.session
        if session is None:
            return
        if session.is_running:
            said = "The agent is at work on this branch. Stop it with {stop}, then move."
            self._say(sentence_now(said, self._keymap))
            return
        left = session.left_behind(entry_id)
        choice = await self._app.push_screen_wait(LeaveBranchScreen(left, session.branch)) if left else None
        if left and choice is None:
            return
        if choice is None or choice.kind == "nothing":
            moved = await self._core.wish(session.move_to(entry_id))
        else:
            moved = await self._move_with_summary(entry_id, choice.focus)
        if moved:
            if text:
                self._main.prompt.give_back(text)
            self._main.prompt.focus()

    async def from_chat(self, deed: TreeDeed, block: ChatBlock) -> None:
        """Do what was asked for at a block of the chat."""
        session, entry_id = self._core.session, self._core.entry_id_of(block)
        if session is None or entry_id is None:
            self._say("This is no entry of the session's tree.")
            return
        match deed:
            case "branch":
                await self.continue_from(entry_id)
            case "edit" if session.store.tree.nodes[entry_id].is_prompt:
                words = typed_words(session.store.entry(entry_id)) or ""
                await self.continue_from(session.store.tree.nodes[entry_id].parent_id, words)
            case "edit":
                self._say("Only a prompt can be edited and sent again. Go to one with K.")
            case "tree":
                self.show_in_tree(entry_id)

    def show_in_tree(self, entry_id: str) -> None:
        """Go to an entry in the tree."""
        self._core.tree.go_to(entry_id)
        self._main.show("tree")

    def show_in_chat(self, entry_id: str | None, call_id: str) -> None:
        """Go to a call in the chat; one that has just run is known there by its call."""
        self._core.chat.put_cursor_on(f"{entry_id}-tool", call_id)
        self._core.chat.focus()

    async def run_again(self, tool: str, arguments: JsonObject) -> None:
        """Run a call anew; where the rules say so it is asked, and a refusal is said."""
        if (session := self._core.session) is not None:
            await self._core.wish(session.acts.run_again(tool, arguments))

    async def graft(self, entry_id: str) -> None:
        """Bring an entry of another branch into this one."""
        session = self._core.session
        if session is not None and await self._core.wish(session.graft(entry_id)):
            self._say("Brought into this branch as a quote. Say what to do with it.")
            self._main.prompt.focus()

    async def label(self, entry_id: str, label: str) -> None:
        """Name an entry."""
        if (session := self._core.session) is not None:
            await self._core.wish(session.label(entry_id, label))

    async def compare(self, left_id: str, right_id: str) -> None:
        """Show two branches side by side, and go to one of them if that is wanted."""
        session = self._core.session
        if session is None:
            return
        left_id, right_id = session.store.tree.tip(left_id), session.store.tree.tip(right_id)
        comparison = await asyncio.to_thread(session.compare, left_id, right_id)
        match await self._app.push_screen_wait(ComparisonScreen(comparison)):
            case "left":
                await self.continue_from(left_id)
            case "right":
                await self.continue_from(right_id)
            case _:
                pass

    async def show_context_at(self, entry_id: str) -> None:
        """Show the exact request that would be sent from an entry."""
        session = self._core.session
        if session is not None:
            sheet = await asyncio.to_thread(lambda: sheet_of(session.memory.context_at(entry_id)))
            words = speech_of(session.store.entry(entry_id)).words
            await self._app.push_screen_wait(ContextScreen(f"Context at: {words or entry_id}", sheet, self._keymap))

    async def fork_at(self, entry_id: str | None) -> None:
        """Go on in a new session that holds the way to an entry, or all of this one; a prompt is said anew there."""
        session = self._core.session
        if session is None:
            return
        words = ""
        if entry_id is not None and (node := session.store.tree.nodes[entry_id]).is_prompt:
            words, entry_id = typed_words(session.store.entry(node.id)) or "", node.parent_id
        try:
            path = None if words and entry_id is None else await session.fork(entry_id)
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
            return
        await self.go_to(path)
        if words:
            self._main.prompt.give_back(words)
        key = key_now("sessions", self._keymap)
        self._say(f"This is the fork. The session it came from is as it was: {key} shows it.")

    async def restore_files(self) -> None:
        """Show what the agent changed in files, turn by turn, and put it back where that is wanted."""
        session = self._core.session
        if session is None:
            return
        store = session.store

        def prompt_of(turn_id: str) -> str:
            return speech_of(store.read(turn_id)).words if turn_id in store.tree.nodes else ""

        def why_not() -> str:
            if session.is_running:
                return sentence_now("The agent is at work. Stop it with {stop} first.", self._keymap)
            return f"Read-only: {store.read_only_because}." if store.read_only_because else ""

        def restored(receipt: Receipt) -> None:
            self._app.run_worker(self._core.wish(session.note(receipt.note)))

        on_path = {node.id for node in session.conversation.path}
        desk = RestoreDesk(
            session.history, prompt_of, self._app.push_screen_wait, on_path.__contains__, why_not, restored
        )
        await self._app.push_screen_wait(RestoreScreen(desk))

    async def choose_session(self) -> None:
        """Show the sessions of this project, and go where the user chose."""
        house = self._core.ground.house
        if not house.sessions_are_known:
            self._say("The sessions found here were not made by you. /trust looks at them.")
            return
        session = self._core.session
        screen = SessionsScreen(self._shelf, session.id if session else None, keymap=self._keymap)
        match await self._app.push_screen_wait(screen):
            case SessionChoice(kind="resume", path=path):
                await self.go_to(path)
            case SessionChoice(kind="fork", path=path):
                await self.go_to(path, "fork")
            case SessionChoice(kind="export", path=path):
                await self._export(path)
            case _:
                pass

    async def go_to(self, path: Path | None, access: Access = "write") -> None:
        """Open another session, or a new one; one that is in use is asked about."""
        session = self._core.session
        if session is not None and session.store.path == path and access == "write":
            return
        while True:
            try:
                await self._core.switch_to(path, access)
            except SessionLocked as error:
                answer = await ask_about_lock(self._app, error.problem)
                if answer is None:
                    return
                access = answer
            except DiligentError as error:
                self._say(f"{error.message} {error.advice}")
                return
            else:
                self._main.prompt.focus()
                return

    async def _move_with_summary(self, entry_id: str | None, focus: str) -> bool:
        session = self._core.session
        if session is None:
            return False
        screen = SummarisingScreen("the branch you leave")
        stopped = asyncio.Event()

        def answered(answer: str | None) -> None:
            if answer == "cancel":
                stopped.set()
                session.interrupt()

        await self._app.push_screen(screen, answered)
        screen.watch(self._main, "state", partial(self._follow, screen))
        try:
            # The key may have been pressed before there was anything to stop.
            wish = BranchSummaryWish(focus, screen.take)
            moved = not stopped.is_set() and await session.move_to(entry_id, wish)
        except DiligentError as error:
            self._say(f"Nothing was moved. {error.message} {error.advice}")
            return False
        finally:
            if screen.is_current:
                screen.dismiss(None)
        if not moved:
            self._say("Stopped; nothing was moved.")
        return moved

    def _follow(self, screen: SummarisingScreen, state: ScreenState | None) -> None:
        screen.follow(state, None if self._main.is_still else monotonic())

    async def _export(self, path: Path) -> None:
        house = self._core.ground.house
        form = await self._app.push_screen_wait(ChoiceScreen("Export this session", EXPORT_WORDS, EXPORT_ANSWERS))
        if not form:
            return
        target = house.places.cwd / f"{path.stem}.{form}"
        store = await asyncio.to_thread(SessionStore.open, path, for_writing=False)

        def export(tell: Tell) -> int:
            return save_export(target, export_session(store, FORMAT_OF_SUFFIX[f".{form}"], mask(house), tell=tell))

        try:
            size_bytes = await work_aside(self._app, "exporting", export)
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
        else:
            is_stopped = size_bytes is None
            self._say("Nothing was exported." if is_stopped else f"Exported to {target.name}, {size_bytes:,} bytes.")
        finally:
            await store.close()
