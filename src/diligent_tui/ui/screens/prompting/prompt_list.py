"""The list above the prompt at work: which keys are its own, and what becomes of the word that was chosen."""

from collections.abc import Callable
from dataclasses import replace

from textual import events

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.screens.prompting.completer import COMMAND_KEYS, Completer, is_begun
from diligent_tui.ui.widgets.completion.choices import Choice, Choices
from diligent_tui.ui.widgets.completion.finder import MOST_TYPED_CHARS, Finder
from diligent_tui.ui.widgets.completion.mention import Mention, mention_at, written
from diligent_tui.ui.widgets.completion.popup import ChoicePopup
from diligent_tui.ui.widgets.prompt import PromptInput

TYPING_KEYS = frozenset({"backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+y"})
TAKING_KEYS = frozenset({"enter", "tab", "right", "left", "home", "end"})
LEAVING_KEYS = frozenset({"escape", "ctrl+c", "ctrl+g"})


class PromptList:
    """Completes the word under the cursor, or searches earlier prompts; closed until there is something to choose."""

    def __init__(self, prompt: PromptInput, label_of: Callable[[str], str]) -> None:
        """`label_of` says what to call a file that goes along as a picture; empty for any other."""
        self._prompt = prompt
        self._label_of = label_of
        self._popup: ChoicePopup | None = None
        self._completer: Completer | None = None
        self._finder: Finder | None = None
        self._mention: Mention | None = None
        self._choices = Choices()
        self._has_moved = False
        self._was_typed = False
        self._left: tuple[int, int, str] | None = None

    @property
    def is_open(self) -> bool:
        """True while it is shown."""
        return self._mention is not None or self._finder is not None

    def use(self, completer: Completer) -> None:
        """Complete with this from now on."""
        self._completer = completer

    def take_key(self, event: events.Key) -> bool:
        """True if the key was meant for the list."""
        self._was_typed = event.is_printable or event.key in TYPING_KEYS
        if self._finder is not None:
            return self._take_search_key(self._finder, event)
        if self._mention is None:
            return False
        if self._take_choosing_key(event.key):
            return True
        # The key may move the cursor away, which changes no text.
        self._prompt.call_later(self.look)
        return False

    def take_paste(self, text: str) -> bool:
        """Words that are pasted into a search."""
        self._was_typed = False
        if self._finder is None:
            return False
        self._finder.type_in(self._finder.choices.wanted + clean_line(text, MOST_TYPED_CHARS))
        self._show(self._finder.choices)
        return True

    def find(self, finder: Finder) -> None:
        """Search for something else than a word of the text."""
        self.close()
        self._finder = finder
        self._prompt.lend_cursor("list")
        self._show(finder.choices)

    def close(self) -> None:
        """Show nothing."""
        if self._finder is not None:
            self._prompt.return_cursor("list")
        self._finder = None
        self._mention = None
        if self._popup is not None:
            self._popup.hide()

    def look(self) -> None:
        """Look at the word under the cursor, and offer what it could be."""
        if self._finder is not None or self._completer is None:
            return
        mention = self._mention_now()
        if mention is None:
            self._left = None
        if mention is None or not (self._was_typed or self.is_open) or self._place_of(mention) == self._left:
            self.close()
        elif mention != self._mention:
            self._completer.look_up(mention)

    def take_found(self, mention: Mention, choices: Choices) -> None:
        """Show what was found, if it is still what is asked for."""
        if self._finder is not None or mention != self._mention_now():
            return
        if not choices.rows:
            self.close()
            return
        is_same = (
            mention == self._mention
            and choices.rows[: self._choices.place + 1] == (self._choices.rows[: self._choices.place + 1])
        )
        self._mention = mention
        self._has_moved = self._has_moved and is_same
        self._choices = replace(choices, place=self._choices.place) if is_same else choices
        self._show(self._choices)

    def _take_search_key(self, finder: Finder, event: events.Key) -> bool:
        if event.key in LEAVING_KEYS:
            self.close()
        elif event.key in TAKING_KEYS:
            self.close()
            if finder.choices.chosen is not None:
                finder.accept(finder.choices.chosen)
        elif finder.take_key(event.key, event.character):
            self._show(finder.choices)
        else:
            self.close()
            return False
        return True

    def _take_choosing_key(self, key: str) -> bool:
        match key:
            case "down" | "ctrl+n":
                self._move(self._choices.moved(1))
            case "up":
                self._move(self._choices.moved(-1))
            case "pagedown":
                self._move(self._choices.moved_by_page(1))
            case "pageup":
                self._move(self._choices.moved_by_page(-1))
            case "tab" | "enter":
                return self._choose(is_enter=key == "enter")
            case "escape":
                self._left = self._place_of(self._mention) if self._mention else None
                self.close()
            case _:
                return False
        return True

    def _move(self, choices: Choices) -> None:
        self._has_moved = True
        is_run = self._mention is not None and self._mention.kind == "command"
        self._choices = replace(choices, keys=COMMAND_KEYS) if is_run else choices
        self._show(self._choices)

    def _choose(self, *, is_enter: bool) -> bool:
        """Take what is chosen; False if the key is not for the list after all."""
        mention = self._mention_now()
        if mention is None or self._completer is None:
            self.close()
            return False
        if mention != self._mention:
            # Typed faster than it was found.
            self._choices, self._has_moved = self._completer.at_once(mention), False
        chosen, has_moved = self._choices.chosen, self._has_moved
        self.close()
        if chosen is None or (is_enter and not _is_for_enter(mention, chosen, has_moved=has_moved)):
            return False
        self._write(self._completer, mention, chosen)
        # What merely has the letters somewhere was guessed: it is only written, to be seen before it runs.
        is_meant = has_moved or is_begun(mention, chosen)
        if is_enter and is_meant and mention.kind == "command" and not chosen.is_open_ended:
            self._prompt.do("submit")
        return True

    def _write(self, completer: Completer, mention: Mention, chosen: Choice) -> None:
        label = self._label_of(chosen.value) if mention.kind == "file" and not chosen.is_open_ended else ""
        if label:
            self._prompt.complete(mention.column, written(chosen.value), label)
            self._prompt.type_text(" ")
        else:
            self._prompt.complete(mention.column, completer.text_of(mention, chosen))
        if mention.kind == "file":
            self._prompt.run_worker(completer.count(chosen.value), group="file uses")
        # What follows a folder, or an option that needs a name, is offered at once.
        self._was_typed = chosen.is_open_ended or mention.kind == "command"

    def _mention_now(self) -> Mention | None:
        if not self._prompt.selection.is_empty:
            return None
        row, column = self._prompt.cursor_location
        return mention_at(self._prompt.document[row], column, is_first_line=row == 0)

    def _place_of(self, mention: Mention) -> tuple[int, int, str]:
        return self._prompt.cursor_location[0], mention.column, mention.kind

    def _show(self, choices: Choices) -> None:
        if self._popup is None:
            self._popup = ChoicePopup(self._prompt)
            self._prompt.screen.mount(self._popup, before=self._prompt)
        self._popup.show(choices)


def _is_for_enter(mention: Mention, chosen: Choice, *, has_moved: bool) -> bool:
    """Enter chooses what is not there yet; behind a command nothing need be chosen, so it must have been meant."""
    if mention.typed == chosen.value:
        return False
    return mention.kind != "argument" or has_moved or bool(mention.typed)
