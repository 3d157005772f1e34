"""What commands, the summary pane and the banner ask of memory: the questions first, then the verb."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

from textual.app import App

from diligent_tui.agent.interruption import Interrupted
from diligent_tui.agent.memory import DoesNotFit, Memory
from diligent_tui.agent.session import AgentSession
from diligent_tui.compaction.coverage import CoverageItem
from diligent_tui.compaction.strategies.base import Written
from diligent_tui.compaction.strategies.registry import find_strategy, strategies
from diligent_tui.compaction.views import CompactionWish, Version
from diligent_tui.config.model_list import offers
from diligent_tui.domain.entries import CONTENT_TYPES
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.events import CompactionFailed
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.compact_words import read_compact_words
from diligent_tui.ui.commands.keys_now import key_now, sentence_now
from diligent_tui.ui.core import Core
from diligent_tui.ui.panes.summary.rescue import rescued
from diligent_tui.ui.panes.summary.version_words import active_of
from diligent_tui.ui.screens.choice import Answer, ChoiceScreen
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.screens.model_picker import ModelPicker
from diligent_tui.ui.screens.preview import Choice, PreviewScreen
from diligent_tui.ui.screens.rewrite import RewriteScreen
from diligent_tui.ui.widgets.banner import Banner, Deed

STOPPED = "interrupted"
"""The kind of a compaction that the user stopped: nobody needs a banner for that."""
UNASKED_GRACE_SECONDS = 0.5
"""So long a preview that comes by itself passes keys over: they were meant for what was on the screen before."""
LITTLE_ROOM = "They leave little room: the next prompt will probably compact it again."
WITHOUT_SUMMARY = "There is no summary in force. /compact makes one."
ANOTHER_MODEL = "another model"


class MemoryDesk:
    """Compacts, undoes, pins and mends summaries; each method is run as a worker of the app."""

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
        self._last = CompactionWish()

    @property
    def _memory(self) -> Memory | None:
        return self._core.session.memory if self._core.session else None

    async def compact(self, words: str = "", *, previews: bool = False) -> None:
        """`/compact [focus] [--strategy S] [--model M] [--preview]`."""
        memory = self._memory
        if memory is None:
            return
        try:
            asked = read_compact_words(words)
            find_strategy(asked.wish.strategy or memory.policy.strategy)
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
            return
        if memory.is_compacting:
            self._say(sentence_now("It is being compacted already. {stop} in the prompt stops it.", self._keymap))
        elif previews or asked.previews or memory.policy.always_preview:
            await self._preview(memory, asked.wish)
        else:
            await self._compact(memory, asked.wish)

    async def show_planned(self) -> None:
        """Show a compaction that would happen by itself; it goes as is chosen there, or not at all."""
        memory = self._memory
        if memory is None or (question := memory.question) is None:
            return
        choice = await self._choice(memory, question.wish, grace_seconds=UNASKED_GRACE_SECONDS)
        is_wanted = choice is not None and await self._pin_all(memory, choice)
        memory.decide(choice.wish if choice is not None and is_wanted else None)

    async def undo(self) -> None:
        """Bring the turns of the compaction in force back; if they do not fit, offer a tighter cut."""
        memory = self._memory
        if memory is None:
            return
        try:
            await memory.undo()
        except DoesNotFit as error:
            answers = (
                Answer("t", "look at a tighter cut of all that; nothing is changed yet", "cut"),
                Answer("q", "leave it as it is", ""),
            )
            if await self._app.push_screen_wait(ChoiceScreen("It would not fit", error.message, answers)):
                await self._preview(memory, CompactionWish(restores=True))
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
        else:
            warning = f" {LITTLE_ROOM}" if memory.is_due else ""
            self._say(f"Undone: the turns are in the context again.{warning} /redo-compaction brings the summary back.")

    async def redo(self) -> None:
        """Bring the compaction back that was undone last."""
        memory = self._memory
        if memory is not None and await self._core.wish(memory.redo()):
            self._say("Redone: the summary stands for its turns again.")

    async def recall(self, words: str) -> None:
        """Show the search over all that was said."""
        from diligent_tui.ui.screens.recall import RecallChoice, RecallScreen

        session = self._core.session
        if session is None:
            return
        store = session.store
        screen = RecallScreen(
            session.memory.search, store.read, words, spill_folder=store.spill_folder, keymap=self._keymap
        )
        match await self._app.push_screen_wait(screen):
            case RecallChoice(kind="show", entry_id=entry_id):
                self.show_in_chat(entry_id)
            case RecallChoice(kind="quote", text=text):
                self._main.prompt.give_back(text)
                self._main.prompt.focus()
            case _:
                pass

    async def pin(self, words: str = "") -> None:
        """Pin the entry that is named, the block under the chat's cursor, or the newest answer; or let it go again."""
        session, memory = self._core.session, self._memory
        if session is None or memory is None:
            return
        entry_id = words or self._entry_at_hand(session)
        node = session.store.tree.nodes.get(entry_id) if entry_id else None
        if node is None or node.type not in CONTENT_TYPES:
            self._say("Put the cursor on a prompt, an answer or a tool's result in the chat; then /pin.")
        elif node.id in memory.pinned:
            if await self._core.wish(memory.unpin(node.id)):
                self._say("Unpinned: it may be summarised like the rest.")
        elif await self._core.wish(memory.pin(node.id)):
            self._say("Pinned: it stays in the context, word for word. /pin lets it go again.")

    def show_in_chat(self, entry_id: str) -> None:
        """Go to an entry in the chat."""
        if not self._core.chat.go_to_entry(entry_id):
            self._say("This is not on the branch that the chat shows.")
        self._core.chat.focus()

    async def edit(self, compaction_id: str, text: str) -> None:
        """Save another text for the summary in force."""
        memory = self._memory
        if memory is None:
            return
        active = active_of(memory.versions())
        if active is None or active.entry.id != compaction_id:
            self._say("Another summary is in force since you began. Copy your text, leave with esc, and edit that one.")
        elif await self._core.wish(memory.edit_summary(text)):
            self._say("Saved as a new version; the one before is in the list.")

    async def rescue(self, item: CoverageItem) -> None:
        """Put a dropped fact back into the summary in force."""
        memory = self._memory
        active = active_of(memory.versions()) if memory else None
        if memory is None or active is None:
            self._say(WITHOUT_SUMMARY)
        elif await self._core.wish(memory.edit_summary(rescued(active.entry.summary, item))):
            self._say("It is in the summary again, in a new version.")

    async def write_again(self) -> None:
        """Have the summary in force written in another way, and let the user choose between the two."""
        session, memory = self._core.session, self._memory
        active = active_of(memory.versions()) if memory else None
        if session is None or memory is None or active is None:
            self._say(WITHOUT_SUMMARY)
            return
        if session.is_running:
            said = "The agent is at work. Stop it with {stop}, or wait; then write the summary again."
            self._say(sentence_now(said, self._keymap))
            return
        wish = await self._ask_how("Write the summary again, how?", CompactionWish(focus=active.entry.focus or ""))
        if wish is None:
            return
        written = await self._draft(memory, wish, active)
        if written is not None and await self._core.wish(memory.choose(written)):
            self._say("The new summary is in force; the other one is in the list.")

    async def show_failure(self, event: CompactionFailed) -> None:
        """Say above the prompt what went wrong, with ways out."""
        await self.dismiss()
        if event.problem.kind == STOPPED:
            self._say(event.problem.message)
            return
        deeds: tuple[Deed, ...] = ("retry", "strategy") if event.can_retry else ("strategy",)
        if event.suggest_new_session:
            deeds = (*deeds, "new")
        banner = Banner(
            f"Not compacted: {event.problem.message} {event.problem.advice}", deeds, key_now("notice", self._keymap)
        )
        await self._main.mount(banner, before=self._main.prompt)

    async def dismiss(self) -> None:
        """Take the banner away; typing goes on where it was, or in the prompt."""
        for banner in self._main.query(Banner):
            if banner.has_focus:
                self._main.prompt.focus()
            await banner.remove()

    async def answer(self, deed: Deed) -> None:
        """One of the banner's ways out."""
        await self.dismiss()
        memory = self._memory
        if memory is None:
            return
        match deed:
            case "dismiss":
                pass
            case "retry":
                memory.reset()
                await self._compact(memory, self._last)
            case "strategy":
                if wish := await self._ask_how("Compact, how?", replace(self._last, cut=None)):
                    await self._compact(memory, wish)
            case "new":
                await self._core.switch_to(None)

    async def _preview(self, memory: Memory, wish: CompactionWish) -> None:
        choice = await self._choice(memory, wish)
        if choice is not None and await self._pin_all(memory, choice):
            await self._compact(memory, choice.wish)

    async def _choice(self, memory: Memory, wish: CompactionWish, grace_seconds: float = 0.0) -> Choice | None:
        strategy = wish.strategy or memory.policy.strategy
        screen = PreviewScreen(memory.preview, wish, strategy, self._keymap, grace_seconds)
        return await self._app.push_screen_wait(screen)

    async def _pin_all(self, memory: Memory, choice: Choice) -> bool:
        for entry_id in choice.pins:
            if not await self._core.wish(memory.pin(entry_id)):
                return False
        return True

    async def _compact(self, memory: Memory, wish: CompactionWish) -> None:
        session = self._core.session
        self._last = wish
        is_later = session is not None and session.is_running
        await self._core.wish(memory.compact(wish))
        if is_later:
            self._say("It will be compacted before the agent's next step.")

    async def _ask_how(self, title: str, wish: CompactionWish) -> CompactionWish | None:
        """Another strategy or another model; None if the user thought better of it."""
        known = [strategy for strategy in strategies().values() if strategy.write is not None]
        answers = [
            Answer(str(number), f"{strategy.name}: {strategy.help}", strategy.name)
            for number, strategy in enumerate(known, start=1)
        ]
        answers += [Answer("m", ANOTHER_MODEL, ANOTHER_MODEL), Answer("q", "not at all", "")]
        answer = await self._app.push_screen_wait(ChoiceScreen(title, "", answers))
        if not answer:
            return None
        if answer != ANOTHER_MODEL:
            return replace(wish, strategy=answer, model_id=None)
        model_id = await self._ask_model()
        return replace(wish, strategy="summarize", model_id=model_id) if model_id else None

    async def _ask_model(self) -> str | None:
        session = self._core.session
        if session is None:
            return None
        house = self._core.ground.house

        async def none_nearby() -> tuple[()]:
            return ()

        models = offers(house.settings, house.environ)
        picker = ModelPicker(models, session.model, session.thinking, lambda _: (), none_nearby)
        chosen = await self._app.push_screen_wait(picker)
        return chosen.model_id if chosen else None

    async def _draft(self, memory: Memory, wish: CompactionWish, active: Version) -> Written | None:
        """A second summary, if it was written and chosen."""
        screen = RewriteScreen(wish.model_id or f"strategy {wish.strategy or memory.policy.strategy}", active.entry)
        answered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        await self._app.push_screen(screen, answered.set_result)
        drafting = asyncio.create_task(memory.draft(wish, screen.take))
        await asyncio.wait([drafting, answered], return_when=asyncio.FIRST_COMPLETED)
        if not drafting.done() and self._core.session is not None:
            self._core.session.interrupt()
        try:
            written = await drafting
        except Interrupted:
            self._say("Stopped; the summary is as it was.")
            return None
        except DiligentError as error:
            screen.dismiss(None)
            self._say(f"{error.message} {error.advice}")
            return None
        if answered.done():
            return None
        screen.compare(written)
        return written if await answered == "take" else None

    def _entry_at_hand(self, session: AgentSession) -> str | None:
        if block := self._core.chat.cursor_block:
            return self._core.entry_id_of(block)
        return next((node.id for node in reversed(session.conversation.path) if node.role == "assistant"), None)
