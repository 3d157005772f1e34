"""The keys of a shell's line editor in a text of many lines: moving, selecting, killing and yanking.

Keys are handled as they come and nothing waits in between: a key bound the usual way would travel to the app and back,
and act behind the keys that were typed after it.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from textual import events
from textual.document._document import Location
from textual.widgets.text_area import Selection

from diligent_tui.ui.commands.prompt_keys import Deed
from diligent_tui.ui.widgets.prompt.line_steps import (
    is_typed,
    space_left,
    step_left,
    step_right,
    word_left,
    word_right,
)
from diligent_tui.ui.widgets.prompt.prompt_view import PromptView

Direction = Literal["left", "right"]
Step = Callable[[str, int], int]


class LineEditor(PromptView, inherit_bindings=False):
    """An editor whose keys are a table; a key that is not in it goes on to whoever stands around."""

    def __init__(
        self, hint: str, keys: Mapping[str, Deed], *, name: str | None, widget_id: str | None, classes: str | None
    ) -> None:
        """Begin empty, with these keys."""
        super().__init__(hint, name=name, widget_id=widget_id, classes=classes)
        self._keys = keys
        self._killed = ""
        self._was_kill = False

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Whether the key would be typed or used here."""
        return key in self._keys or _types(key, character)

    def on_key(self, event: events.Key) -> None:
        """Type the key or do its deed, before any later key is looked at."""
        was_kill, self._was_kill = self._was_kill, False
        deed = self._keys.get(event.key)
        if deed is not None:
            is_done = self.do(deed, was_kill)
        else:
            is_done = _types(event.key, event.character)
            if is_done:
                self.type_text(event.character or "")
        if is_done:
            event.stop()
        # Without this the text area would type the key a second time, or one that the table leaves to others.
        event.prevent_default()

    def do(self, deed: Deed, was_kill: bool = False) -> bool:
        """Do a deed; False if it means nothing here and now."""
        match deed:
            case "newline":
                self.type_text("\n")
            case "left" | "select_left":
                self._move("left", step_left, select=deed == "select_left")
            case "right" | "select_right":
                self._move("right", step_right, select=deed == "select_right")
            case "word_left" | "select_word_left":
                self._move("left", word_left, select=deed == "select_word_left")
            case "word_right" | "select_word_right":
                self._move("right", word_right, select=deed == "select_word_right")
            case "line_start" | "select_line_start":
                self.move_cursor((self.cursor_location[0], 0), select=deed == "select_line_start")
            case "line_end" | "select_line_end":
                self.move_cursor(self._line_end(), select=deed == "select_line_end")
            case "up" | "select_up":
                self.action_cursor_up(select=deed == "select_up")
            case "down" | "select_down":
                self.action_cursor_down(select=deed == "select_down")
            case "delete_left":
                self._delete(self._target("left", step_left))
            case "delete_right" | "delete_right_or_quit":
                self._delete(self._target("right", step_right))
            case "kill_to_start":
                self._kill(self._target("left", lambda _line, _column: 0), was_kill)
            case "kill_to_end":
                self._kill(self._target("right", lambda line, _column: len(line)), was_kill)
            case "kill_to_space":
                self._kill(self._target("left", space_left), was_kill)
            case "kill_word_left":
                self._kill(self._target("left", word_left), was_kill)
            case "kill_word_right":
                self._kill(self._target("right", word_right), was_kill)
            case "yank":
                self.type_text(self._killed)
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case "submit" | "steer" | "open_paste" | "search_history" | "edit_outside" | "stash" | "clear":
                return False
            case "read_up" | "read_down":
                return False
        return True

    def type_text(self, text: str) -> None:
        """Put text in place of the selection, or where the cursor stands."""
        if text:
            self.replace(text, *self.selection, maintain_selection_offset=False)

    def _line_end(self) -> Location:
        row = self.cursor_location[0]
        return row, len(self.document[row])

    def _target(self, direction: Direction, step: Step) -> Location:
        """Where a step leads: along the line, or over its end to the next one."""
        row, column = self.cursor_location
        line = self.document[row]
        if direction == "left":
            if column > 0:
                return row, step(line, column)
            return (row - 1, len(self.document[row - 1])) if row else (0, 0)
        if column < len(line):
            return row, step(line, column)
        return (row + 1, 0) if row + 1 < self.document.line_count else (row, column)

    def _move(self, direction: Direction, step: Step, *, select: bool) -> None:
        start, end = sorted(self.selection)
        if start != end and not select and step in (step_left, step_right):
            self.move_cursor(start if direction == "left" else end)
        else:
            self.move_cursor(self._target(direction, step), select=select)

    def _delete(self, target: Location) -> None:
        selection = self._selection_or(target)
        if not selection.is_empty:
            if len(self.get_text_range(*selection)) > 1:
                # So that one undo brings back this and not the characters deleted around it as well.
                self.history.checkpoint()
            self.delete(*selection, maintain_selection_offset=False)

    def _kill(self, target: Location, was_kill: bool) -> None:
        """Delete and keep for a yank; kills that follow each other are kept as one."""
        selection = self._selection_or(target)
        killed = self.get_text_range(*selection)
        if not killed:
            self._was_kill = was_kill
            return
        is_forward = selection.end > selection.start
        kept = self._killed if was_kill else ""
        self._killed = kept + killed if is_forward else killed + kept
        self._was_kill = True
        self._delete(target)

    def _selection_or(self, target: Location) -> Selection:
        return self.selection if not self.selection.is_empty else Selection(self.cursor_location, target)


def _types(key: str, character: str | None) -> bool:
    """Alt with a letter comes with the letter as its character, but nobody wants it typed."""
    return character is not None and not key.startswith(("alt+", "ctrl+")) and is_typed(character)
