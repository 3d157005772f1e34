"""The application: first a frame one can type into, then the core behind it. It routes wishes and decides nothing."""

import asyncio
import gc
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.binding import Binding
from textual.driver import Driver
from textual.screen import Screen
from textual.worker import Worker

from diligent_tui.domain.errors import DiligentError, SessionLocked, SessionNotFound
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands import Where
from diligent_tui.ui.commands.bindings import bindings, keys_of_the_chat
from diligent_tui.ui.commands.key_check import check_keys, usable_keys
from diligent_tui.ui.commands.keys_now import key_now
from diligent_tui.ui.commands.places import place_of
from diligent_tui.ui.opening import Opening
from diligent_tui.ui.pane_routes import PaneRoutes
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.stylesheets import Sheets, first_paths
from diligent_tui.ui.terminal import has_shell_to_go_back_to
from diligent_tui.ui.widgets.prompt.prompt import PromptInput
from diligent_tui.ui.widgets.prompt.terminal_input import PromptDriver
from diligent_tui.ui.widgets.welcome import Welcome, first_words, why_this_model

if TYPE_CHECKING:
    from diligent_tui.config.survey import Finding
    from diligent_tui.domain.events import Event
    from diligent_tui.ui.core import Core
    from diligent_tui.ui.glimpse import Glimpse
    from diligent_tui.ui.widgets.virtual_log import VirtualLog

GARBAGE_THRESHOLDS = (50_000, 20, 50)
"""Collections are rare, so that none falls into a key press; what was there at the start is left out of them."""


class DiligentApp(PaneRoutes):
    """Opens on a folder; `opening` says how."""

    CSS_PATH = first_paths()
    TITLE = "diligent"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, opening: Opening) -> None:
        """Nothing is read or imported yet."""
        super().__init__(driver_class=PromptDriver)
        self._key_faults = check_keys(opening.keys)
        self._opening = opening = replace(opening, keys=usable_keys(opening.keys))
        self._core: Core | None = None
        self._early = [("prompt", opening.prompt)] if opening.prompt else []
        self._loading: Worker[None] | None = None
        self._main = MainScreen(self._recall, opening.keys)
        self.theme = self._drawn_theme = self.dress(opening)
        self.stylesheet = self._sheets = Sheets(self.get_css_variables())
        for binding in bindings(opening.keys):
            self._bind(binding)

    def _bind(self, binding: Binding) -> None:
        for each in Binding.make_bindings([binding]):
            self._bindings.bind(each.key, each.action, each.description, show=each.show, priority=each.priority)

    def refresh_css(self, animate: bool = True) -> None:
        """Draw in other colours; Textual asks for it at the start too, where all is drawn in the right ones already."""
        if self.theme != self._drawn_theme:
            self._drawn_theme = self.theme
            super().refresh_css(animate)

    @property
    def opening(self) -> Opening:
        """How the app was opened."""
        return self._opening

    @property
    def core(self) -> "Core | None":
        """The session behind the screen, once it is there."""
        return self._core

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        return self._main

    @on(Driver.SignalResume)
    def paint_all(self) -> None:
        """Draw everything again: the shell had the terminal, and gave back an empty one."""
        self.refresh(layout=True)

    def action_suspend(self) -> None:
        """Give the terminal to the shell until it calls back."""
        if isinstance(self._driver, PromptDriver) and has_shell_to_go_back_to():
            self._driver.stop_until_called_back()
        else:
            self._say("Not suspended: no shell waits behind this terminal that could call the program back.")

    def get_default_screen(self) -> Screen[None]:
        """The main screen is there at once."""
        return self._main

    def on_mount(self) -> None:
        """Paint first; the core comes after the first frame."""
        self.set_keymap(keys_of_the_chat(self._opening.keys))
        self.call_after_refresh(self._begin_loading)

    def _begin_loading(self) -> None:
        if self._opening.typed:
            self._main.prompt.set_text(self._opening.typed + self._main.prompt.text)
        self._loading = self._load()

    @work(group="core", exclusive=True)
    async def _load(self) -> None:
        try:
            glimpse = await self._show_glimpse()
            await asyncio.to_thread(_import_core)
            await self._sheets.read_later()
            from diligent_tui.ui.core import Core
            from diligent_tui.ui.knowledge_desk import KnowledgeTravel
            from diligent_tui.ui.memory_desk import MemoryDesk
            from diligent_tui.ui.model_choice import ModelChooser
            from diligent_tui.ui.screens.trust import TrustDesk
            from diligent_tui.ui.travel import Travel

            core = await Core.load(self._main, self._opening, glimpse, self._hear, self._say)
            self._main.prompt.set_history(core.ground.history)
            await self.begin_drafts(core)
            await self._open(core)
        except DiligentError as error:
            self.exit(1, return_code=1, message=clean_line(f"diligent: {error.message} {error.advice}"))
            return
        self._core = core
        self.travel = Travel(self, core, self._main, self._say, self._opening.keys)
        self.memory = MemoryDesk(self, core, self._main, self._say, self._opening.keys)
        self.knowledge = KnowledgeTravel(core, self._main, self._say, self._opening.keys)
        self.chooser = ModelChooser(self, core, self._say)
        self.trust = TrustDesk(
            lambda: core.ground.house, self._opening.flags, self.push_screen_wait, self._enter_again, self._say
        )
        self.help_in_prompt(core)
        self._show_notices(core)
        if self._opening.guides:
            core.guide = await self._main.put_in_guide()
        self.fulfil_wish()
        gc.freeze()
        gc.set_threshold(*GARBAGE_THRESHOLDS)
        gc.enable()
        if core.ground.awaits_trust:
            await self._ask_to_go_on(core)
        await self.do_early(core)
        if self._opening.chooses:
            self.run_worker(self.travel.choose_session(), group="travel")
        elif not (self._main.prompt.text or self._opening.prompt):
            self.run_worker(self.trust.ask_once(), group="travel")
        await core.warm_up()

    def _show_notices(self, core: "Core") -> None:
        welcome = self._main.query_one(Welcome)
        model_id, settings = core.ground.given.model.id, core.ground.house.settings
        welcome.because = why_this_model(model_id, self._opening.model, settings.model)
        welcome.first_words = first_words(self._opening.cwd)
        welcome.model_id = model_id
        faults = (clean_line(f"{fault.message} {fault.advice}") for fault in self._key_faults)
        welcome.notices = (*core.ground.house.notices, *faults)

    async def _enter_again(self, for_now: "Sequence[Finding]") -> None:
        """After the folder was trusted: its settings and files are used from now on."""
        core = self._core
        if core is None:
            return
        try:
            await core.enter_again(self._opening, for_now)
        except SessionNotFound as error:
            self._say(f"{error.message} {error.advice}")
            return
        if core.ground.session_path is not None and self.travel is not None:
            await self.travel.go_to(core.ground.session_path, self._opening.access)
        self._show_notices(core)

    async def _ask_to_go_on(self, core: "Core") -> None:
        """The session that is to be gone on with is not known as the user's own: nothing of it is used unasked."""
        if self.trust is not None:
            await self.trust.look()
        if core.ground.awaits_trust:
            self._say("This is a new session.")

    async def _open(self, core: "Core") -> None:
        """Open the session; one that is in use elsewhere is asked about."""
        from diligent_tui.ui.questions import ask_about_lock

        access = self._opening.access
        while True:
            try:
                await core.open(access)
            except SessionLocked as error:
                answer = await ask_about_lock(self, error.problem)
                if answer is None:
                    raise
                access = answer
            else:
                return

    async def _show_glimpse(self) -> "Glimpse":
        await asyncio.to_thread(_import_glimpse)
        from diligent_tui.ui.glimpse import show_glimpse
        from diligent_tui.ui.panes.chat import chat_look

        look = chat_look(self.family, self.theme_variables)
        glimpse = await show_glimpse(self._main, self._opening, look)
        if glimpse.end:
            # The imports that follow would run beside the painting and make it late.
            painted = asyncio.Event()
            glimpse.chat.call_after_refresh(painted.set)
            await painted.wait()
        return glimpse

    async def on_prompt_input_quit_wanted(self) -> None:
        """ctrl+d on an empty prompt."""
        await self.action_quit()

    def on_prompt_input_stop_wanted(self) -> None:
        """ctrl+c on an empty prompt."""
        self.action_help_quit()

    def on_prompt_input_read_wanted(self, message: PromptInput.ReadWanted) -> None:
        """Turn a page of the chat."""
        if self._core is not None and message.pages < 0:
            self._core.chat.action_page_up()
        elif self._core is not None:
            self._core.chat.action_page_down()

    def on_virtual_log_new_below_changed(self, message: "VirtualLog.NewBelowChanged") -> None:
        """Say how much waits below the chat; other logs say it themselves."""
        if message.control.id == "chat":
            self._main.show_new_below(message.count, is_following=message.is_following)

    def on_prompt_input_paste_too_long(self) -> None:
        """Say why a paste stays folded."""
        self._say("This paste is too long to be shown in the prompt; it is sent whole.")

    def _recall(self) -> bool:
        """Take the newest queued text back into the prompt; False if none waits."""
        core = self._core
        if core is None or core.session is None or not core.session.waiting.items:
            return False
        self._take_back(core)
        return True

    @work(group="queue", exclusive=True)
    async def _take_back(self, core: "Core") -> None:
        text = await core.take_back_newest()
        if text is not None:
            # Letters may have been typed since.
            self._main.prompt.give_back(text)

    def _hear(self, event: "Event") -> None:
        """A fact that asks for an answer."""
        from diligent_tui.ui.questions import put_question

        if self._core is not None and self._core.session is not None:
            put_question(self, event, self._core.session, self._main.prompt, self._say)

    def action_step_back(self) -> None:
        """Esc: leave the log for the prompt, then stop the agent."""
        if not self._main.prompt.has_focus:
            self._main.prompt.focus()
        elif self._core is not None and not self._core.interrupt():
            self.dismiss_notice()

    def action_help_quit(self) -> None:
        """ctrl+c where it has nothing to clear or copy: stop the agent, as a shell does."""
        if self._core is None or not self._core.interrupt():
            self._say(f"{key_now('quit', self._opening.keys)} leaves; all is saved.")

    def action_show_help(self) -> None:
        """F1, or `?` where no text is typed."""
        from diligent_tui.ui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self._place, self._opening.keys))

    @property
    def _place(self) -> Where:
        """Where the user is, as the help knows it: panes and screens with commands of their own say so."""
        return place_of((self.focused or self.screen).ancestors_with_self)

    def action_to_end(self) -> None:
        """Follow the newest words."""
        if self._core is not None:
            self._core.chat.action_scroll_end()

    async def action_new_session(self) -> None:
        """Begin anew; the unsent text stays."""
        if self._core is not None:
            await self._core.switch_to(None)

    async def action_quit(self) -> None:
        """Save, then leave."""
        async with self._main.settling:
            # What is not loaded by now is not needed any more.
            if self._loading is not None:
                self._loading.cancel()
            await self.keep_draft()
            if self._core is not None:
                await self._core.close()
            self.exit(0)

    async def on_unmount(self, event: events.Unmount) -> None:
        """Whatever the way out: save."""
        if self._core is not None:
            await self._core.close()


def _import_glimpse() -> None:
    """Import in a thread what the first frame did without and the last screen of a session needs."""
    import diligent_tui.ui.glimpse

    assert diligent_tui.ui.glimpse


def _import_core() -> None:
    """Import in a thread all the rest."""
    import diligent_tui.ui.core

    assert diligent_tui.ui.core
