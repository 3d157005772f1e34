"""What helps while one writes: the list above the prompt, earlier prompts, the user's own editor and shell."""

from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager
from typing import Protocol

from textual import events
from textual.app import App, SuspendNotSupported
from textual.widgets.text_area import Selection

from diligent_tui.agent.attachments import PICTURE_SUFFIXES, PictureFile, look_at
from diligent_tui.agent.session import AgentSession
from diligent_tui.compaction.strategies.registry import strategies
from diligent_tui.config.house import House
from diligent_tui.config.model_list import offers
from diligent_tui.domain.errors import DiligentError, UsageError
from diligent_tui.tools.base import Workplace
from diligent_tui.ui.screens.prompting.completer import Completer
from diligent_tui.ui.screens.prompting.going_back import earlier_prompts
from diligent_tui.ui.screens.prompting.outside_editor import edit_outside
from diligent_tui.ui.screens.prompting.pasted_paths import path_in
from diligent_tui.ui.screens.prompting.prompt_list import PromptList
from diligent_tui.ui.theme import CHOICES
from diligent_tui.ui.widgets.completion.choices import Choice
from diligent_tui.ui.widgets.completion.finder import Finder
from diligent_tui.ui.widgets.completion.mention import written
from diligent_tui.ui.widgets.completion.slash_rows import SlashWords
from diligent_tui.ui.widgets.prompt import PromptInput
from diligent_tui.ui.widgets.prompt.prompt import SHELL_SIGN

HISTORY_KEYS = (("⏎", "take"), ("ctrl+r", "older"), ("esc", "back"))
REWIND_KEYS = (("⏎", "go back before it"), ("esc", "stay"))
ONCE_MORE = "Esc once more goes back to an earlier prompt"


class Behind(Protocol):
    """The session behind the screen, as far as the prompt needs it."""

    @property
    def session(self) -> AgentSession | None:
        """The session that is open."""
        ...

    async def wish(self, wish: Coroutine[object, object, object]) -> bool:
        """Wait for a wish; a refusal is said and makes this False."""
        ...


class PromptDesk:
    """Stands above the prompt and sees its keys first."""

    def __init__(
        self,
        app: App[int],
        behind: Behind,
        house: Callable[[], House],
        prompt: PromptInput,
        say: Callable[[str], None],
        go_back: Callable[[str | None, str], None],
    ) -> None:
        """`go_back` goes on from an entry, with words in the editor."""
        self._app = app
        self._behind = behind
        self._house = house
        self._prompt = prompt
        self._say = say
        self._go_back = go_back
        self._list = PromptList(prompt, self._picture_label)
        self._completer = Completer(house().places, self._slash_words(), self._list.take_found)
        self._list.use(self._completer)
        self._is_armed = False
        self._prompt.helper = self
        for text in self._prompt.early_pastes:
            self._look_again(text.strip())

    def take_key(self, event: events.Key) -> bool:
        """True if the key was meant for the list, or is the second Esc on an empty prompt."""
        was_armed, self._is_armed = self._is_armed, False
        if was_armed:
            self._prompt.show_own_hint()
        if self._list.take_key(event):
            return True
        return event.key == "escape" and self._step_back(was_armed)

    def take_paste(self, text: str) -> bool:
        """True if the paste was words for a search, or the path of a picture."""
        if self._list.take_paste(text):
            return True
        path = path_in(text)
        label = self._picture_label(path) if path else ""
        if path is None or not label:
            if path is not None and self._is_unseen_picture(path):
                self._say("This model sees no pictures: the path is sent as words. /model chooses another.")
            return False
        self._prompt.insert_word(written(path), label)
        return True

    def _look_again(self, text: str) -> None:
        """Take a paste that came before there was a session, if it still stands there alone as it was."""
        prompt = self._prompt
        if path_in(text) is None or "\n" in text or prompt.document.text.count(text) != 1:
            return
        lines = prompt.document.text.split("\n")
        row, column = next((row, line.find(text)) for row, line in enumerate(lines) if text in line)
        before, was_at_end = prompt.selection, prompt.cursor_location == prompt.document.end
        prompt.selection = Selection((row, column), (row, column + len(text)))
        is_taken = self.take_paste(text)
        prompt.selection = Selection.cursor(prompt.document.end) if is_taken and was_at_end else before

    def text_changed(self) -> None:
        """Look whether there is something to complete."""
        self._list.look()

    def prompt_was_left(self) -> None:
        """Close the list."""
        self._list.close()

    def search_history(self) -> None:
        """Find an earlier prompt by its words."""
        newest_first = tuple(dict.fromkeys(reversed(self._prompt.history_prompts)))
        if not newest_first:
            self._say("There are no earlier prompts yet.")
            return
        rows = tuple(Choice(text, text) for text in newest_first)
        self._list.find(Finder("history", HISTORY_KEYS, rows, self._take_earlier))

    def _take_earlier(self, choice: Choice) -> None:
        """Show an earlier prompt; a draft is put aside until it is sent."""
        if self._prompt.text in self._prompt.history_prompts:
            self._prompt.set_text(choice.value)
        else:
            self._prompt.stash(choice.value)

    def edit_outside(self) -> None:
        """Write on in an editor of the user's own."""
        self._list.close()
        self._prompt.run_worker(self._edit(), group="editor", exclusive=True)

    async def run_shell(self, command: str) -> None:
        """Run a command of the user's own; if it cannot be, it comes back."""
        behind = self._behind
        if behind.session is None or not await behind.wish(behind.session.acts.run_command(command)):
            self._prompt.give_back(f"{SHELL_SIGN}{command}")

    async def edit_queued(self, queued_id: str) -> None:
        """Bring a waiting text back to be edited, and sent to the same place; a draft is put aside until then."""
        session = self._behind.session
        before_id = session.waiting.behind(queued_id) if session else None
        if (text := await self._take_back(queued_id)) is not None:
            self._prompt.stash(text)
            self._prompt.before_id = before_id
            self._prompt.focus()

    async def drop_queued(self, queued_id: str) -> None:
        """Let a waiting text not be sent; it stays among the earlier prompts."""
        if (text := await self._take_back(queued_id)) is not None:
            self._prompt.remember(text)
            self._say("Not sent. ↑ in the prompt brings it back.")

    async def steer_queued(self, queued_id: str) -> None:
        """Tell a waiting text to the agent at work, after its current tool."""
        session = self._behind.session
        text = await self._take_back(queued_id)
        if session is not None and text is not None and not await self._behind.wish(session.steer(text)):
            self._prompt.give_back(text)

    async def send_waiting(self) -> None:
        """Send what still waits after a stop, the oldest first; the rest follows its turn."""
        session = self._behind.session
        if session is None or session.is_running or not session.waiting.items:
            return
        first = session.waiting.next_queued or session.waiting.items[0]
        text = await self._take_back(first.id)
        if text is not None and not await self._behind.wish(session.prompt(text)):
            self._prompt.give_back(text)

    async def close(self) -> None:
        """End what runs."""
        await self._completer.close()

    async def _take_back(self, queued_id: str) -> str | None:
        session = self._behind.session
        try:
            text = await session.take_back(queued_id) if session else None
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
            return None
        if text is None:
            self._say("It was sent already.")
        elif session is not None and not session.waiting.items:
            self._prompt.focus()
        return text

    def _step_back(self, was_armed: bool) -> bool:
        """The first Esc on an idle, empty prompt says what the second does."""
        session = self._behind.session
        if session is None or session.is_running or self._prompt.text:
            return False
        rows = earlier_prompts(session) if was_armed else ()
        if rows:
            self._list.find(Finder("go back", REWIND_KEYS, rows, lambda choice: self._rewind(session, choice)))
        elif any(node.is_prompt for node in session.conversation.path):
            self._is_armed = True
            self._prompt.show_hint(ONCE_MORE)
        return bool(rows)

    def _rewind(self, session: AgentSession, choice: Choice) -> None:
        texts = {row.value: row.label for row in earlier_prompts(session)}
        node = session.store.tree.nodes[choice.value]
        self._go_back(node.parent_id, texts.get(choice.value, ""))

    async def _edit(self) -> None:
        try:
            text = await edit_outside(self._prompt.text, self._house().environ, self._lend_terminal)
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
            return
        if text is None:
            self._say("The editor ended badly; the prompt is as it was.")
        else:
            self._prompt.set_text(text)

    @contextmanager
    def _lend_terminal(self) -> Generator[None]:
        try:
            with self._app.suspend():
                yield
        except SuspendNotSupported as error:
            raise UsageError("This terminal cannot be lent to an editor.", "Write here instead.") from error

    def _picture_label(self, path: str) -> str:
        session = self._behind.session
        if session is None or not session.model.sees_images or not path.lower().endswith(PICTURE_SUFFIXES):
            return ""
        seen = self._look_at(path)
        if seen is None:
            return ""
        if seen.why_not:
            self._say(f"{seen.name} cannot be shown to the model: {seen.why_not}. Make it smaller first.")
            return ""
        return f"image {seen.words}"

    def _is_unseen_picture(self, path: str) -> bool:
        session = self._behind.session
        return session is not None and not session.model.sees_images and self._look_at(path) is not None

    def _look_at(self, path: str) -> PictureFile | None:
        places = self._house().places
        return look_at(path, Workplace(places.root, places.cwd, 0, places.root))

    def _slash_words(self) -> SlashWords:
        return SlashWords(self._models, lambda: tuple(strategies()), CHOICES)

    def _models(self) -> Sequence[Choice]:
        house = self._house()
        return [
            Choice(offer.model.id, offer.model.id, offer.key.words) for offer in offers(house.settings, house.environ)
        ]
