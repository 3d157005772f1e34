"""Wishes that are sent from the prompt: words for the agent, and commands; in their order, from the first frame on."""

from typing import TYPE_CHECKING, Literal

from textual import work
from textual.worker import Worker

from diligent_tui.ui.commands import slash_command
from diligent_tui.ui.commands.slash import is_command, nearest_words, split_command
from diligent_tui.ui.routes.base import Routes

if TYPE_CHECKING:
    from diligent_tui.ui.core import Core
    from diligent_tui.ui.widgets.prompt import PromptInput

AT_ONCE = frozenset({"help", "quit", "suspend"})
"""Commands that need no session."""
Sent = Literal["prompt", "steer", "command"]


class SendingRoutes(Routes):
    """Tells commands from prompts; what comes before the session is there waits for it."""

    _early: list[tuple[Sent, str]]

    def run_with_words(self, command_id: str, words: str) -> bool:
        """Run a command that takes words after its slash word; False if it takes none."""
        raise NotImplementedError

    async def on_prompt_input_submitted(self, message: "PromptInput.Submitted") -> None:
        """Slash commands are ours; the rest is a prompt."""
        await self._take("prompt", message.text, message.before_id)

    async def on_prompt_input_steered(self, message: "PromptInput.Steered") -> None:
        """Tell the working agent; commands are ours here too."""
        await self._take("steer", message.text)

    async def _take(self, sent: Sent, text: str, before_id: str | None = None) -> None:
        if is_command(text):
            sent = "command"
        command = slash_command(split_command(text)[0]) if sent == "command" else None
        if (self.core is None or self._early) and not (command and command.id in AT_ONCE):
            self._early.append((sent, text))
            self._say("Starting; it will be done in a moment." if command else "Starting; it will be sent in a moment.")
        elif sent == "command":
            self._run_slash(text)
        elif self.core is not None:
            await self._send(self.core, sent, text, before_id)

    async def _send(self, core: "Core", sent: Sent, text: str, before_id: str | None = None) -> None:
        if not await (core.steer(text) if sent == "steer" else core.submit(text, before_id)):
            self.main.prompt.give_back(text)

    async def do_early(self, core: "Core") -> None:
        """Do what was sent so far; each stays in the line until it is done, so that what is sent meanwhile follows."""
        while self._early:
            await self._do_early(core, *self._early[0])
            del self._early[0]

    async def _do_early(self, core: "Core", sent: Sent, text: str) -> None:
        """Do what was sent before the session was there; what follows a change of mode must find it made."""
        if core.ground.awaits_trust:
            # It was meant for a session that may not be used.
            self.main.prompt.give_back(text)
        elif sent != "command":
            await self._send(core, sent, text)
        elif changing := self._run_slash(text):
            await changing.wait()

    def _run_slash(self, text: str) -> "Worker[None] | None":
        """Run a command; one that changes the session is given back, to be waited for."""
        word, words = split_command(text)
        command = slash_command(word)
        if command is None:
            self._refuse(text, word)
        elif command.id == "name":
            return self._rename(words)
        elif command.id == "mode":
            return self._change_mode(words)
        elif command.id == "search":
            self._search(words)
        elif not self.run_with_words(command.id, words):
            self.run_worker(self.run_action(command.action))
        return None

    def _refuse(self, text: str, word: str) -> None:
        """Give back a command that there is not, to be mended; a draft is put aside until then."""
        self.main.prompt.stash(text)
        meant = " or ".join(f"/{name}" for name in nearest_words(word))
        self._say(f"There is no /{word}. " + (f"Did you mean {meant}?" if meant else "Type / to see all."))

    def _search(self, words: str) -> None:
        if self.core is not None:
            self.core.chat.search(words)
            self.core.chat.focus()

    @work(group="wish")
    async def _rename(self, name: str) -> None:
        if self.core is not None:
            await self.core.rename(name)

    @work(group="wish")
    async def _change_mode(self, word: str) -> None:
        if self.core is not None:
            await self.core.set_mode(word)

    def action_search_chat(self) -> None:
        """The words are typed in the prompt."""
        self._begin_words("/search ")

    def action_rename_session(self) -> None:
        """From the palette: the name is typed in the prompt."""
        self._begin_words("/name ")

    def _begin_words(self, begun: str) -> None:
        """Begin a command in the prompt; a draft is put aside until it is sent."""
        prompt = self.main.prompt
        if not prompt.text.startswith(begun):
            prompt.stash(begun)
        prompt.focus()

    async def action_set_mode(self) -> None:
        """From the palette: the next mode."""
        if self.core is not None:
            await self.core.set_mode("")
