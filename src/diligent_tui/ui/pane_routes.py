"""The app's part that carries wishes from panes to whoever fulfils them; it asks nothing and decides nothing."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING

from textual.app import App

from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.theme import THEMES

if TYPE_CHECKING:
    from diligent_tui.ui.core import Core
    from diligent_tui.ui.knowledge_desk import KnowledgeTravel
    from diligent_tui.ui.memory_desk import MemoryDesk
    from diligent_tui.ui.model_choice import ModelChooser
    from diligent_tui.ui.opening import Opening
    from diligent_tui.ui.panes.chat import ChatPane
    from diligent_tui.ui.panes.context import ContextPane
    from diligent_tui.ui.panes.knowledge import FormView, KnowledgePane
    from diligent_tui.ui.panes.session_tree import SessionTreePane
    from diligent_tui.ui.panes.summary import SummaryPane
    from diligent_tui.ui.panes.tools import ToolsPane
    from diligent_tui.ui.panes.trace import TracePane
    from diligent_tui.ui.screens.recall import RecallScreen
    from diligent_tui.ui.screens.trust import TrustDesk
    from diligent_tui.ui.travel import Travel
    from diligent_tui.ui.widgets.banner import Banner
    from diligent_tui.ui.widgets.prompt import PromptInput
    from diligent_tui.ui.widgets.virtual_log import VirtualLog


class PaneRoutes(App[int]):
    """Handlers of what the panes ask for; before the session is there, there is nobody to ask."""

    travel: "Travel | None" = None
    chooser: "ModelChooser | None" = None
    trust: "TrustDesk | None" = None
    memory: "MemoryDesk | None" = None
    knowledge: "KnowledgeTravel | None" = None

    @property
    def core(self) -> "Core | None":
        """The session behind the screen, once it is there."""
        raise NotImplementedError

    @property
    def opening(self) -> "Opening":
        """How the app was opened."""
        raise NotImplementedError

    def run_with_words(self, command_id: str, words: str) -> bool:
        """Run a command that takes words after its slash word; False if it takes none."""
        match command_id:
            case "model":
                self.choose_model(words)
            case "compact":
                self._remember(lambda memory: memory.compact(words))
            case "preview":
                self._remember(lambda memory: memory.compact(words, previews=True))
            case "pin":
                self._remember(lambda memory: memory.pin(words))
            case "recall":
                self._go_to_memory(lambda memory: memory.recall(words))
            case "learn":
                self._learn(words)
            case "remember":
                self._keep_in_mind(words)
            case _:
                return False
        return True

    def action_compact(self) -> None:
        """From the palette: as the settings say."""
        self._remember(lambda memory: memory.compact())

    def action_preview_compaction(self) -> None:
        """What would be summarised."""
        self._remember(lambda memory: memory.compact(previews=True))

    def action_undo_compaction(self) -> None:
        """The turns instead of their summary."""
        self._remember(lambda memory: memory.undo())

    def action_redo_compaction(self) -> None:
        """The summary again."""
        self._remember(lambda memory: memory.redo())

    def action_pin(self) -> None:
        """The block under the cursor."""
        self._remember(lambda memory: memory.pin())

    def action_recall(self) -> None:
        """From the palette: the words are typed on the screen."""
        self._go_to_memory(lambda memory: memory.recall(""))

    def action_learn(self) -> None:
        """From the palette: all of the session."""
        self._learn("")

    def action_remember(self) -> None:
        """From the palette: the words are typed in the form."""
        self._keep_in_mind("")

    def on_knowledge_pane_wished(self, message: "KnowledgePane.Wished") -> None:
        """Something is to be done with what is kept."""
        if self.knowledge is not None:
            self.run_worker(self.knowledge.do(message.deed, message.ids), group="knowledge")

    def on_knowledge_pane_filled(self, message: "KnowledgePane.Filled") -> None:
        """A form is to be saved."""
        if self.knowledge is not None:
            errand = self.knowledge.save(message.purpose, message.draft, message.targets)
            self.run_worker(errand, group="knowledge")

    def on_knowledge_pane_to_chat(self, message: "KnowledgePane.ToChat") -> None:
        """Where an entry was learnt."""
        if self.knowledge is not None:
            self.knowledge.show_origin(message.entry_id)

    def on_knowledge_pane_learnt(self, message: "KnowledgePane.Learnt") -> None:
        """The agent kept something."""
        if self.knowledge is not None:
            self.knowledge.announce(message.content)

    def on_knowledge_pane_copy_requested(self, message: "KnowledgePane.CopyRequested") -> None:
        """Copy from the knowledge."""
        self._copy(message.text)

    def on_form_view_cursor_at(self, message: "FormView.CursorAt") -> None:
        """Input methods open their box where the terminal's own cursor is."""
        self.cursor_position = message.offset

    def action_to_notice(self) -> None:
        """F10: the banner, if there is one."""
        for notice in self.screen.query("#banner"):
            notice.focus()

    def on_summary_pane_to_chat(self, message: "SummaryPane.ToChat") -> None:
        """A fact where it was said."""
        if self.memory is not None:
            self.memory.show_in_chat(message.entry_id)

    def on_summary_pane_edited(self, message: "SummaryPane.Edited") -> None:
        """Other words for the summary."""
        self._remember(lambda memory: memory.edit(message.compaction_id, message.text))

    def on_summary_pane_to_summary(self, message: "SummaryPane.ToSummary") -> None:
        """A dropped fact back into the summary."""
        self._remember(lambda memory: memory.rescue(message.item))

    def on_summary_pane_undo(self, message: "SummaryPane.Undo") -> None:
        """The turns instead of their summary."""
        self._remember(lambda memory: memory.undo())

    def on_summary_pane_redo(self, message: "SummaryPane.Redo") -> None:
        """The summary again."""
        self._remember(lambda memory: memory.redo())

    def on_summary_pane_write_again(self, message: "SummaryPane.WriteAgain") -> None:
        """A second summary to choose from."""
        self._remember(lambda memory: memory.write_again())

    def on_summary_pane_copy_requested(self, message: "SummaryPane.CopyRequested") -> None:
        """Copy from the summary."""
        self._copy(message.text)

    def on_recall_screen_copy_requested(self, message: "RecallScreen.CopyRequested") -> None:
        """Copy from what was found."""
        self._copy(message.text)

    def on_summary_pane_failed(self, message: "SummaryPane.Failed") -> None:
        """A compaction failed: say so above the prompt."""
        if self.memory is not None:
            self.run_worker(self.memory.show_failure(message.event), group="banner")

    def on_summary_pane_succeeded(self, message: "SummaryPane.Succeeded") -> None:
        """What was said of an earlier failure holds no more."""
        self.dismiss_notice()

    def dismiss_notice(self) -> None:
        """Take the banner away."""
        if self.memory is not None:
            self.run_worker(self.memory.dismiss(), group="banner")

    def on_banner_chosen(self, message: "Banner.Chosen") -> None:
        """A way out of a failure."""
        self._remember(lambda memory: memory.answer(message.deed))

    def action_show_sessions(self) -> None:
        """F8."""
        self._go(lambda travel: travel.choose_session())

    def action_restore_files(self) -> None:
        """What the agent changed in files, and back."""
        self._go(lambda travel: travel.restore_files())

    def action_fork_session(self) -> None:
        """All of this session, in a new one."""
        self._go(lambda travel: travel.fork_at(None))

    def action_choose_model(self) -> None:
        """From the palette: the list."""
        self.choose_model("")

    def choose_model(self, words: str) -> None:
        """Switch to the model of that name, or show the list."""
        if self.chooser is not None:
            self._begin(self.chooser.choose(words))

    def action_look_at_trust(self) -> None:
        """What the folder brings, and whether it may be used."""
        if self.trust is not None:
            self._begin(self.trust.look())

    def on_chat_pane_wished(self, message: "ChatPane.Wished") -> None:
        """Something is to be done at a block of the chat."""
        deed = message.deed
        if deed == "pin":
            self._remember(lambda memory: memory.pin(message.block.entry_id or ""))
        else:
            self._go(lambda travel: travel.from_chat(deed, message.block))

    def on_context_pane_to_chat(self, message: "ContextPane.ToChat") -> None:
        """A part of the next request in the chat."""
        if self.memory is not None:
            self.memory.show_in_chat(message.entry_id)

    def on_context_pane_pin_toggled(self, message: "ContextPane.PinToggled") -> None:
        """A part of the next request stays in it, or may leave it."""
        self._remember(lambda memory: memory.pin(message.entry_id))

    def on_context_pane_copy_requested(self, message: "ContextPane.CopyRequested") -> None:
        """Copy from the context."""
        self._copy(message.text)

    def action_show_charts(self) -> None:
        """The session in pictures."""
        if self.core is not None:
            self._begin(self._show_charts(self.core))

    async def _show_charts(self, core: "Core") -> None:
        from diligent_tui.ui.screens.charts import ChartsScreen, begin_reading, words_of

        session = core.session
        if session is None:
            return
        screen = ChartsScreen(
            partial(begin_reading, session, core.ground.given.find_model),
            partial(words_of, session),
            session.store.content.name,
            keymap=self.opening.keys,
            # A terminal without colours of its own often has few glyphs, too.
            is_plain=self.no_color or self.theme == THEMES["ansi"].name,
        )
        if (entry_id := await self.push_screen_wait(screen)) and self.memory is not None:
            self.memory.show_in_chat(entry_id)

    def on_trace_pane_to_chat(self, message: "TracePane.ToChat") -> None:
        """A row of the trace in the chat."""
        if self.memory is not None:
            self.memory.show_in_chat(message.entry_id)

    def on_trace_pane_export_requested(self, message: "TracePane.ExportRequested") -> None:
        """The trace in a file."""
        if self.core is not None:
            self.run_worker(self._export_trace(self.core, message), group="export")

    async def _export_trace(self, core: "Core", message: "TracePane.ExportRequested") -> None:
        from diligent_tui.config.assembly import mask
        from diligent_tui.ui.panes.trace import save_trace

        house = core.ground.house
        try:
            path, size_bytes = await asyncio.to_thread(
                save_trace, message.recorder, mask(house), house.places.cwd, message.session_id
            )
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
        else:
            self._say(
                f"Exported to {path.name}, {size_bytes:,} bytes. Keys are masked; look at it before you share it."
            )

    def on_tools_pane_to_tree(self, message: "ToolsPane.ToTree") -> None:
        """A call in the tree."""
        if self.travel is not None:
            self.travel.show_in_tree(message.entry_id)

    def on_tools_pane_to_chat(self, message: "ToolsPane.ToChat") -> None:
        """A call in the chat."""
        if self.travel is not None:
            self.travel.show_in_chat(message.entry_id, message.call_id)

    def on_tools_pane_rerun(self, message: "ToolsPane.Rerun") -> None:
        """A call once more; it may take long, and other wishes must not wait for it."""
        if self.travel is not None:
            self.run_worker(self.travel.run_again(message.tool, message.arguments), group="run again")

    def on_session_tree_pane_continue_from(self, message: "SessionTreePane.ContinueFrom") -> None:
        """Go on from another entry."""
        self._go(lambda travel: travel.continue_from(message.entry_id, message.text))

    def on_session_tree_pane_fork_at(self, message: "SessionTreePane.ForkAt") -> None:
        """Go on in a new session."""
        self._go(lambda travel: travel.fork_at(message.entry_id))

    def on_session_tree_pane_label_set(self, message: "SessionTreePane.LabelSet") -> None:
        """Name an entry."""
        self._go(lambda travel: travel.label(message.entry_id, message.label))

    def on_session_tree_pane_graft(self, message: "SessionTreePane.Graft") -> None:
        """Bring an entry over."""
        self._go(lambda travel: travel.graft(message.entry_id))

    def on_session_tree_pane_compare(self, message: "SessionTreePane.Compare") -> None:
        """Two branches side by side."""
        self._go(lambda travel: travel.compare(message.left_id, message.right_id))

    def on_session_tree_pane_context_at(self, message: "SessionTreePane.ContextAt") -> None:
        """The context at an entry."""
        self._go(lambda travel: travel.show_context_at(message.entry_id))

    def on_virtual_log_copy_requested(self, message: "VirtualLog.CopyRequested") -> None:
        """Copy from the log."""
        self._copy(message.text)

    def on_tools_pane_copy_requested(self, message: "ToolsPane.CopyRequested") -> None:
        """Copy from the tools."""
        self._copy(message.text)

    def on_prompt_input_copy_requested(self, message: "PromptInput.CopyRequested") -> None:
        """Copy from the prompt."""
        self._copy(message.text)

    def _learn(self, focus: str) -> None:
        if self.knowledge is not None:
            self.run_worker(self.knowledge.learn(focus), group="learning")

    def _keep_in_mind(self, content: str) -> None:
        if self.knowledge is not None:
            self.knowledge.remember(content)

    def _copy(self, text: str) -> None:
        """Copy, and say truly how."""
        self.copy_to_clipboard(text)
        self._say("Sent to the terminal's clipboard by OSC 52; some terminals do not take it.")

    def _say(self, sentence: str) -> None:
        self.notify(clean_line(sentence), markup=False)

    def _go(self, journey: "Callable[[Travel], Coroutine[object, object, None]]") -> None:
        if self.travel is not None:
            self._begin(journey(self.travel))

    def _go_to_memory(self, wish: "Callable[[MemoryDesk], Coroutine[object, object, None]]") -> None:
        if self.memory is not None:
            self._begin(wish(self.memory))

    def _remember(self, wish: "Callable[[MemoryDesk], Coroutine[object, object, None]]") -> None:
        """Wishes of memory one after another: a compaction takes its time, and panes and lists stay open to it."""
        if self.memory is None:
            return
        if any(worker.group == "memory" for worker in self.workers):
            self._say("Memory is at work already. Esc in the prompt stops it.")
        else:
            self.run_worker(wish(self.memory), group="memory")

    def _begin(self, journey: "Coroutine[object, object, None]") -> None:
        """One at a time: a second wish while a dialog is open would act on what is about to change."""
        if any(worker.group == "travel" for worker in self.workers):
            journey.close()
        else:
            self.run_worker(journey, group="travel")
