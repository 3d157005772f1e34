"""The prompt that the user writes in: sending, history, pastes; what is written never waits and is never lost."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from textual import events
from textual.document._document import Location
from textual.message import Message
from textual.widgets import TextArea

from diligent_tui.ui.commands.prompt_keys import PROMPT_KEYS, Deed
from diligent_tui.ui.widgets.prompt.helper import Helper
from diligent_tui.ui.widgets.prompt.history_walk import HistoryWalk
from diligent_tui.ui.widgets.prompt.line_editor import LineEditor
from diligent_tui.ui.widgets.prompt.pasting import (
    TOKEN,
    Pastes,
    clean_pasted,
    is_long,
    is_too_long_to_edit,
    stands_apart,
)

HINT = "Ask, or / for commands"
SHELL_SIGN = "!"
Recall = Callable[[], bool]


def recall_nothing() -> bool:
    """For a prompt that no queue stands behind."""
    return False


class TextMessage(Message):
    """What the prompt says about one text."""

    def __init__(self, text: str) -> None:
        """Hold the text, with every folded paste in it."""
        super().__init__()
        self.text = text


class PromptInput(LineEditor, inherit_bindings=False):
    """The prompt. `text` is what would be sent; a folded paste is in it whole."""

    class Submitted(TextMessage):
        """The user sent the text; the prompt is empty again. `before_id` names the waiting text it stood before."""

        def __init__(self, text: str, before_id: str | None = None) -> None:
            """Hold the text and its place."""
            super().__init__(text)
            self.before_id = before_id

    class Steered(TextMessage):
        """The user sent the text to the agent at work."""

    class Remembered(TextMessage):
        """The text became the newest of the history: sent, steered or cleared."""

    class ShellWanted(TextMessage):
        """The user sent a command to the shell; the text is the command alone."""

    class CopyRequested(TextMessage):
        """The user wants the selected text copied."""

    class Edited(Message):
        """The text changed; it is read only when asked for, so that a draft costs nothing until it is saved."""

        def __init__(self, prompt: "PromptInput") -> None:
            """Name the prompt."""
            super().__init__()
            self.prompt = prompt

        @property
        def text(self) -> str:
            """The text as it is now."""
            return self.prompt.text

    class QuitWanted(Message):
        """The user pressed ctrl+d on an empty prompt."""

    class StopWanted(Message):
        """The user pressed ctrl+c on an empty prompt."""

    class ReadWanted(Message):
        """The user turns a page of what stands above; `pages` are negative towards its beginning."""

        def __init__(self, pages: int) -> None:
            """So many pages."""
            super().__init__()
            self.pages = pages

    class NothingSent(Message):
        """The user pressed Enter on an empty prompt."""

    class HelperAwaited(Message):
        """The user wants help in writing, and there is none yet."""

    class PasteTooLong(Message):
        """A folded paste is too long to be opened in the prompt; it is sent whole nevertheless."""

    def __init__(
        self,
        history: Iterable[str] = (),
        *,
        hint: str = HINT,
        recall: Recall = recall_nothing,
        keys: Mapping[str, Deed] = PROMPT_KEYS,
        stash_key: str = "ctrl+t",
        name: str | None = None,
        widget_id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Begin empty; ↑ on the empty prompt asks `recall` first, which may set a queued text and say True.

        `stash_key` is the one that brings back what was put aside.
        """
        self._pastes = Pastes()
        self._walk = HistoryWalk(history, self._door)
        self._stashed: list[str] = []
        self._hint = hint
        self._stash_key = stash_key
        self.recall = recall
        self.helper: Helper | None = None
        self.early_pastes: tuple[str, ...] = ()
        """What was pasted before there was a helper to look at it."""
        self.before_id: str | None = None
        """Where the text waited that was taken back to be edited; another text has no place."""
        super().__init__(hint, keys, name=name, widget_id=widget_id, classes=classes)

    @property
    def text(self) -> str:
        """What would be sent."""
        return self._pastes.expand(self.document.text)

    @text.setter
    def text(self, value: str) -> None:
        self.set_text(value)

    @property
    def selected_text(self) -> str:
        """The selection as it would be sent."""
        return self._pastes.expand(super().selected_text)

    @property
    def written(self) -> tuple[str, ...]:
        """All that was written and not sent: what was put aside, oldest first, and last the text of the prompt."""
        return tuple(map(self._pastes.expand, (*self._stashed, *self._walk.written(self.document.text))))

    def bring_back(self, aside: Iterable[str], text: str) -> None:
        """Begin with what an earlier window left; what was typed or put aside since comes before it."""
        if self.document.text.strip():
            aside = (*aside, text)
        elif text:
            self.set_text(text)
        self._stashed[:0] = [self._door(each) for each in aside if each.strip()]
        self.show_own_hint()

    def set_text(self, text: str) -> None:
        """Show another text, with the cursor at its end; it may be anything."""
        self._end_walk()
        self._show(self._door(text))

    def give_back(self, text: str) -> None:
        """Put a text that could not be sent before what was written since."""
        written = self.document.text
        self._end_walk()
        self._show(f"{self._door(text)}\n{written}" if written else self._door(text))

    @property
    def history_prompts(self) -> Sequence[str]:
        """The earlier prompts, oldest first."""
        return self._walk.prompts

    def complete(self, column: int, text: str, label: str = "") -> None:
        """Put a text in the place of what stands between a column and the cursor; one with a label is folded."""
        row, end = self.cursor_location
        self.replace(self._pastes.fold(text, label) if label else text, (row, column), (row, end))
        self.move_cursor(self.cursor_location)

    def insert_word(self, text: str, label: str = "") -> None:
        """Put a word where the cursor stands, with blanks around it; one with a label is folded."""
        start, end = sorted(self.selection)
        before, behind = self.document[start[0]][: start[1]], self.document[end[0]][end[1] :]
        word = self._pastes.fold(text, label) if label else text
        self.type_text(("" if stands_apart(before) else " ") + word + ("" if behind[:1].isspace() else " "))

    def stash(self, text: str | None = None) -> None:
        """Put the text aside, and another in its place; it comes back when that is sent, or by the same key."""
        if self.document.text.strip():
            self._end_walk()
            self._stashed.append(self.document.text)
            self.post_message(self.Remembered(self.text))
            self._show("" if text is None else self._door(text))
        elif text is not None:
            self.set_text(text)
        else:
            self._unstash()
        self.show_own_hint()

    def set_history(self, history: Iterable[str]) -> None:
        """Walk through these prompts from now on, oldest first."""
        self._walk = HistoryWalk(history, self._door)

    def remember(self, text: str) -> None:
        """Add a prompt to the history."""
        self._end_walk()
        self._walk.remember(text)

    def paste(self, text: str) -> None:
        """Put outside text where the cursor stands, folded if it is long; never sends."""
        if self.helper is not None and self.helper.take_paste(text):
            return
        self.early_pastes += (text,) if self.helper is None else ()
        cleaned = clean_pasted(text)
        self.type_text(self._pastes.fold(cleaned) if is_long(cleaned) else cleaned)

    def on_paste(self, event: events.Paste) -> None:
        """Take a paste of the terminal."""
        event.stop()
        event.prevent_default()
        self.paste(event.text)

    def on_key(self, event: events.Key) -> None:
        """Let the helper have it first; else it goes on to the line editor."""
        if self.helper is not None and self.helper.take_key(event):
            event.stop()
            event.prevent_default()

    def on_blur(self) -> None:
        """What helps in writing is not needed elsewhere."""
        if self.helper is not None:
            self.helper.prompt_was_left()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Say it in the prompt's own words."""
        event.stop()
        self.post_message(self.Edited(self))
        if self.helper is not None:
            self.helper.text_changed()

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        """Keep each step of the cursor from travelling up to the app, where nobody waits for it."""
        event.stop()

    def do(self, deed: Deed, was_kill: bool = False) -> bool:
        """Do a deed; False if it means nothing here and now."""
        match deed:
            case "submit" if self._ends_in_backslash():
                row, column = self.cursor_location
                self.replace("\n", (row, column - 1), (row, column), maintain_selection_offset=False)
            case "submit" | "steer" if self.document.text.startswith(SHELL_SIGN):
                self._send_to_shell()
            case "submit":
                self._send(partial(self.Submitted, before_id=self.before_id))
            case "steer":
                self._send(self.Steered)
            case "clear":
                self._copy_or_clear()
            case "delete_right_or_quit" if not self.document.text:
                self.post_message(self.QuitWanted())
            case "up" if self.navigator.is_first_wrapped_line(self.cursor_location):
                self._walk_older()
            case "down" if self.navigator.is_last_wrapped_line(self.cursor_location):
                if (newer := self._walk.newer(self.document.text)) is not None:
                    self._show(newer)
            case "read_up" | "read_down":
                self.post_message(self.ReadWanted(-1 if deed == "read_up" else 1))
            case "open_paste":
                return self._open_paste()
            case "stash":
                self.stash()
            case "search_history" if self.helper is not None:
                self.helper.search_history()
            case "edit_outside" if self.helper is not None:
                self.helper.edit_outside()
            case "search_history" | "edit_outside":
                self.post_message(self.HelperAwaited())
            case _:
                return super().do(deed, was_kill)
        return True

    def _door(self, text: str) -> str:
        """Outside text as the editor may hold it."""
        cleaned = clean_pasted(text)
        return self._pastes.fold(cleaned) if is_too_long_to_edit(cleaned) else cleaned

    def _show(self, text: str) -> None:
        self._was_kill = False
        self.before_id = None
        self.load_text(text)
        self.move_cursor(self.document.end)
        self._pastes.keep_only((text, self._killed, *self._walk.texts_left, *self._stashed))

    def _send(self, message: Callable[[str], TextMessage]) -> None:
        text = self.text
        if text.strip():
            self.post_message(message(text))
            self._finish(text)
            self._unstash()
        elif not self.document.text:
            self.post_message(self.NothingSent())

    def _send_to_shell(self) -> None:
        text = self.text
        if command := text.removeprefix(SHELL_SIGN).strip():
            self.post_message(self.ShellWanted(command))
            self._finish(text)
            self._unstash()

    def _finish(self, text: str) -> None:
        self.remember(text)
        self.post_message(self.Remembered(text))
        self._show("")

    def _end_walk(self) -> None:
        """Be at the unsent text again; one that was walked away from is put aside, for another takes its place."""
        if self._walk.unsent.strip():
            self._stashed.append(self._walk.unsent)
            self.show_own_hint()
        self._walk.rest()

    def _unstash(self) -> None:
        """Bring back what was put aside last, if there is any."""
        if self._stashed:
            self._show(self._stashed.pop())
            self.show_own_hint()

    def show_own_hint(self) -> None:
        """Say what can be done here, after something else was said."""
        aside = f"{len(self._stashed)} put aside: {self._stash_key} brings it back" if self._stashed else self._hint
        self.show_hint(aside)

    def _copy_or_clear(self) -> None:
        if not self.selection.is_empty:
            self.post_message(self.CopyRequested(self.selected_text))
        elif self.text.strip():
            self._finish(self.text)
        elif self.document.text:
            self._show("")
        else:
            self.post_message(self.StopWanted())

    def _walk_older(self) -> None:
        if not self.document.text and not self._walk.is_walking and self.recall():
            return
        if (older := self._walk.older(self.document.text)) is not None:
            self._show(older)

    def _ends_in_backslash(self) -> bool:
        """Two backslashes are one that is meant."""
        row, column = self.cursor_location
        line = self.document[row]
        return column == len(line) and (len(line) - len(line.rstrip("\\"))) % 2 == 1 and self.selection.is_empty

    def _open_paste(self) -> bool:
        """Show the folded paste at the cursor, or else the last one before it, or the first; undo folds it again."""
        if (span := self._find_token()) is None:
            return False
        text = self._pastes.expand(self.get_text_range(*span))
        if is_too_long_to_edit(text):
            self.post_message(self.PasteTooLong())
        else:
            self.replace(text, *span, maintain_selection_offset=False)
        return True

    def _find_token(self) -> tuple[Location, Location] | None:
        spans = [
            ((row, token.start()), (row, token.end()))
            for row in range(self.document.line_count)
            for token in TOKEN.finditer(self.document[row])
        ]
        before = [span for span in spans if span[0] <= self.cursor_location]
        return before[-1] if before else spans[0] if spans else None
