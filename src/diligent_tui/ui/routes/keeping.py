"""Keeping what was written: the draft soon after each change and before leaving, what was sent for later sessions."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual import events

from diligent_tui.domain.errors import StorageError
from diligent_tui.ui.routes.base import Routes

if TYPE_CHECKING:
    from diligent_tui.ui.screens.permission import PermissionScreen
    from diligent_tui.ui.widgets.prompt import PromptInput

DRAFT_DELAY_SECONDS = 0.4


class KeepingRoutes(Routes):
    """Saves what the prompt holds; a disk that refuses is told of once, and one writes on."""

    _unsaved: "PromptInput | None" = None
    """The prompt, if its text changed since it was saved; it is read from here after it left the screen too."""
    _saving: asyncio.Task[None] | None = None
    """The newest of what is being saved, one after another; it is waited for before leaving."""
    _refused: frozenset[str] = frozenset()
    """What could not be saved the last time."""

    def on_prompt_input_edited(self, message: "PromptInput.Edited") -> None:
        """Keep the draft, soon."""
        if self._unsaved is None:
            self._unsaved = message.prompt
            self._save_draft_soon()

    def on_prompt_input_remembered(self, message: "PromptInput.Remembered") -> None:
        """Keep what was sent or cleared for later sessions."""
        if self.core is None:
            return
        from diligent_tui.config.prompt_history import append_history

        places = self.core.ground.house.places
        self._keep("History", partial(append_history, places.user_state, places.root, message.text))

    def on_permission_screen_typed_on(self, message: "PermissionScreen.TypedOn") -> None:
        """Let a letter that came while a question came up stand where it was meant; one alone was rather an answer."""
        prompt = self.main.prompt
        if prompt.text and self.main.focused is prompt:
            prompt.type_text(message.letter)

    async def on_unmount(self, event: events.Unmount) -> None:
        """Whatever the way out."""
        await self.keep_draft()

    async def keep_draft(self) -> None:
        """Save the draft now, if it is not yet, and wait until all is saved."""
        self._save_draft()
        if self._saving is not None:
            await self._saving

    def _save_draft_soon(self) -> None:
        self.set_timer(DRAFT_DELAY_SECONDS, self._save_draft)

    def _save_draft(self) -> None:
        prompt = self._unsaved
        if prompt is None:
            return
        if self.core is None:
            # Nobody knows where to, yet.
            self._save_draft_soon()
            return
        from diligent_tui.config.drafts import save_draft

        self._unsaved = None
        places = self.core.ground.house.places
        self._keep("Draft", partial(save_draft, places.user_state, places.root, prompt.text))

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
