"""Keeping what was written: the unsent soon after each change and before leaving, what was sent for later sessions."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual import events

from diligent_tui.domain.errors import StorageError
from diligent_tui.ui.commands.keys_now import key_now
from diligent_tui.ui.routes.base import Routes

if TYPE_CHECKING:
    from diligent_tui.config.drafts import DraftDrawer, Found
    from diligent_tui.config.summary_drafts import SummaryDraft
    from diligent_tui.ui.core import Core
    from diligent_tui.ui.opening import Opening
    from diligent_tui.ui.panes.knowledge import KnowledgePane
    from diligent_tui.ui.panes.summary import SummaryPane
    from diligent_tui.ui.screens.permission import PermissionScreen
    from diligent_tui.ui.widgets.prompt import PromptInput

DRAFT_DELAY_SECONDS = 0.4


class KeepingRoutes(Routes):
    """Saves what the prompt and the forms hold; a disk that refuses is told of once, and one writes on."""

    _prompt: "PromptInput | None" = None
    """The prompt; it is read from here after it left the screen too."""
    _form: Mapping[str, str] = MappingProxyType({})
    """The fields of a form of knowledge that are not saved there yet."""
    _has_unsaved = False
    """True if the text of the prompt, or the form, changed since it was kept."""
    _drawer: "DraftDrawer | None" = None
    """Where the draft of this window is kept, once it is known what the last one left there."""
    _beginning: "asyncio.Task[Found] | None" = None
    """Finds what the last window left; it is waited for before leaving, else that would be written over."""
    _left: tuple[str, ...] = ()
    """What was found and is not in the prompt yet; after the screen is gone it will never be, and is kept as it is."""
    _unsaved_summaries: "Mapping[str, SummaryDraft]" = MappingProxyType({})
    """By session: a summary that is being edited, if its text changed since it was kept."""
    _saving: asyncio.Task[None] | None = None
    """The newest of what is being saved, one after another; it is waited for before leaving."""
    _refused: frozenset[str] = frozenset()
    """What could not be saved the last time."""

    async def begin_drafts(self, core: "Core") -> None:
        """Begin with what a window that is gone left unsent."""
        if self._drawer is None:
            self._prompt = self.main.prompt
            self._beginning = asyncio.create_task(self._find_left())
            self._show_left(core, await asyncio.shield(self._beginning))

    async def _find_left(self) -> "Found":
        self._drawer, found = await asyncio.to_thread(_begin, self.opening)
        self._left, self._form = (*found.unsent.aside, found.unsent.text), found.unsent.form
        return found

    def _show_left(self, core: "Core", found: "Found") -> None:
        self.main.prompt.bring_back(found.unsent.aside, found.unsent.text)
        self._left = ()
        if found.unsent.form and core.knowledge.go_on_with(found.unsent.form):
            self._say(f"An entry of knowledge is not saved yet: {key_now('knowledge', self.opening.keys)}")
        for path in found.unreadable:
            self._say(f"A draft could not be read. It is kept as it is: {path}")
        if found.waiting:
            more = "1 more draft waits" if found.waiting == 1 else f"{found.waiting} more drafts wait"
            self._say(f"{more} for another window to be opened here.")

    def on_prompt_input_edited(self, message: "PromptInput.Edited") -> None:
        """Keep the draft, soon."""
        self._prompt = message.prompt
        self._keep_soon()

    def on_knowledge_pane_unsaved(self, message: "KnowledgePane.Unsaved") -> None:
        """Keep what a form holds, soon."""
        self._form = message.fields
        self._keep_soon()

    def on_summary_pane_unsaved(self, message: "SummaryPane.Unsaved") -> None:
        """Keep the text of a summary that is being edited, soon."""
        if not self._unsaved_summaries:
            self.set_timer(DRAFT_DELAY_SECONDS, self._save_summaries)
        self._note_summary(message)

    def on_prompt_input_remembered(self, message: "PromptInput.Remembered") -> None:
        """Keep what was sent or cleared for later sessions."""
        self._keep("History", partial(_remember, self.opening, message.text))

    def on_permission_screen_typed_on(self, message: "PermissionScreen.TypedOn") -> None:
        """Let a letter that came while a question came up stand where it was meant; one alone was rather an answer."""
        prompt = self.main.prompt
        if prompt.text and self.main.focused is prompt:
            prompt.type_text(message.letter)

    async def on_unmount(self, event: events.Unmount) -> None:
        """Whatever the way out."""
        await self.keep_draft()
        if self._drawer is not None:
            await asyncio.to_thread(self._drawer.leave)

    async def keep_draft(self) -> None:
        """Save the drafts now, if they are not yet, and wait until all is saved."""
        if self._beginning is not None:
            await self._beginning
        elif self._has_unsaved and self._drawer is None:
            self._drawer = await asyncio.to_thread(_open_drawer, self.opening)
        if self.core is not None and self.core.knowledge.unsaved != self._form:
            self._form, self._has_unsaved = self.core.knowledge.unsaved, True
        self._save_draft()
        if self.core is not None and (unsaved := self.core.summary.unsaved) is not None:
            self._note_summary(unsaved)
        self._save_summaries()
        if self._saving is not None:
            await self._saving

    def _keep_soon(self) -> None:
        if not self._has_unsaved:
            self._has_unsaved = True
            self._save_draft_soon()

    def _save_draft_soon(self) -> None:
        self.set_timer(DRAFT_DELAY_SECONDS, self._save_draft)

    def _save_draft(self) -> None:
        prompt = self._prompt
        if prompt is None or not self._has_unsaved:
            return
        if self._drawer is None:
            # It is not known yet what is there already.
            self._save_draft_soon()
            return
        self._has_unsaved = False
        written = (*filter(str.strip, self._left), *prompt.written)
        self._keep("Draft", partial(_save, self._drawer, written, self._form))

    def _note_summary(self, unsaved: "SummaryPane.Unsaved") -> None:
        self._unsaved_summaries = {**self._unsaved_summaries, unsaved.session_id: unsaved.draft}

    def _save_summaries(self) -> None:
        changed, self._unsaved_summaries = self._unsaved_summaries, MappingProxyType({})
        if changed:
            self._keep("Edited summary", partial(_save_summaries, self.opening, changed))

    def _keep(self, what: str, save: Callable[[], None]) -> None:
        # No worker, for those are cancelled when the app ends, and what waits for a thread by then would be lost.
        self._saving = asyncio.create_task(self._save_after(self._saving, what, save))

    async def _save_after(self, before: asyncio.Task[None] | None, what: str, save: Callable[[], None]) -> None:
        if before is not None:
            await before
        try:
            await asyncio.to_thread(save)
        except StorageError as error:
            if what not in self._refused:
                self._refused |= {what}
                self._say(f"{what} not saved: {error.message} {error.advice}")
        else:
            self._refused -= {what}


def _open_drawer(opening: "Opening") -> "DraftDrawer":
    from diligent_tui.config.drafts import DraftDrawer
    from diligent_tui.config.paths import find_places

    places = find_places(opening.cwd, opening.environ)
    return DraftDrawer(places.user_state, places.root)


def _begin(opening: "Opening") -> "tuple[DraftDrawer, Found]":
    drawer = _open_drawer(opening)
    return drawer, drawer.begin()


def _save(drawer: "DraftDrawer", written: tuple[str, ...], form: Mapping[str, str]) -> None:
    from diligent_tui.config.drafts import Unsent

    *aside, text = written
    drawer.save(Unsent(text, tuple(aside), form))


def _save_summaries(opening: "Opening", changed: "Mapping[str, SummaryDraft]") -> None:
    from diligent_tui.config.paths import find_places
    from diligent_tui.config.summary_drafts import save_summary_draft

    places = find_places(opening.cwd, opening.environ)
    for session_id, draft in changed.items():
        save_summary_draft(places.user_state, places.root, session_id, draft)


def _remember(opening: "Opening", text: str) -> None:
    from diligent_tui.config.paths import find_places
    from diligent_tui.config.prompt_history import append_history

    places = find_places(opening.cwd, opening.environ)
    append_history(places.user_state, places.root, text)
