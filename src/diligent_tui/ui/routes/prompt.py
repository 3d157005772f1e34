"""Wishes of the prompt and of the strip above it."""

from typing import TYPE_CHECKING

from textual import events

from diligent_tui.ui.commands.keys_now import sentence_now
from diligent_tui.ui.routes.base import Routes

if TYPE_CHECKING:
    from diligent_tui.ui.core import Core
    from diligent_tui.ui.screens.prompting import PromptDesk
    from diligent_tui.ui.widgets.prompt import PromptInput
    from diligent_tui.ui.widgets.queue_strip import QueueStrip


class PromptRoutes(Routes):
    """Carries them to the desk that helps while one writes."""

    prompting: "PromptDesk | None" = None

    def help_in_prompt(self, core: "Core") -> None:
        """Complete, search and run from the prompt, now that there is a session to do it with."""
        from diligent_tui.ui.screens.prompting import PromptDesk

        def go_back(entry_id: str | None, words: str) -> None:
            self._go(lambda travel: travel.continue_from(entry_id, words))

        self.prompting = PromptDesk(self, core, lambda: core.ground.house, self.main.prompt, self._say, go_back)

    async def on_unmount(self, event: events.Unmount) -> None:
        """Nobody waits for a walk through files any more."""
        if self.prompting is not None:
            await self.prompting.close()

    def on_prompt_input_shell_wanted(self, message: "PromptInput.ShellWanted") -> None:
        """A command of the user's own."""
        if self.prompting is None:
            self.main.prompt.give_back(f"!{message.text}")
            self._say(sentence_now("Starting; press {submit} again in a moment.", self.opening.keys))
        else:
            self.run_worker(self.prompting.run_shell(message.text), group="shell")

    def on_prompt_input_helper_awaited(self) -> None:
        """The editor or the history is wanted while the core is on its way."""
        self._say("Starting; press it again in a moment.")

    def on_prompt_input_nothing_sent(self) -> None:
        """Enter on the empty prompt: what waits, if nothing is at work."""
        if self.prompting is not None:
            self.run_worker(self.prompting.send_waiting(), group="queue")

    def on_queue_strip_edit_wanted(self, message: "QueueStrip.EditWanted") -> None:
        """A waiting text is to be edited."""
        if self.prompting is not None:
            self.run_worker(self.prompting.edit_queued(message.queued_id), group="queue")

    def on_queue_strip_drop_wanted(self, message: "QueueStrip.DropWanted") -> None:
        """A waiting text is not to be sent."""
        if self.prompting is not None:
            self.run_worker(self.prompting.drop_queued(message.queued_id), group="queue")

    def on_queue_strip_steer_wanted(self, message: "QueueStrip.SteerWanted") -> None:
        """A waiting text is to be told at once."""
        if self.prompting is not None:
            self.run_worker(self.prompting.steer_queued(message.queued_id), group="queue")
