"""A summary being edited: the line editor's keys in a text of many lines; ctrl+s asks to save, escape to leave."""

from collections.abc import Mapping
from types import MappingProxyType

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widgets import TextArea

from diligent_tui.domain.plain_text import clean
from diligent_tui.ui.commands.prompt_keys import PROMPT_KEYS, Deed
from diligent_tui.ui.widgets.prompt.line_editor import LineEditor
from diligent_tui.ui.widgets.prompt.pasting import clean_pasted

NOT_HERE: frozenset[Deed] = frozenset(
    {"submit", "steer", "open_paste", "clear", "delete_right_or_quit", "read_up", "read_down"}
)
EDITOR_KEYS: Mapping[str, Deed] = MappingProxyType(
    {
        **{key: deed for key, deed in PROMPT_KEYS.items() if deed not in NOT_HERE},
        "enter": "newline",
        "ctrl+d": "delete_right",
    }
)


class SummaryEditor(LineEditor, inherit_bindings=False):
    """Keys act in the order they were typed."""

    class SaveWanted(Message):
        """The text is to be saved."""

    class LeaveWanted(Message):
        """The editor is to be left."""

    class Written(Message):
        """The text is another than before."""

    def __init__(self, widget_id: str) -> None:
        """Begin empty."""
        super().__init__("An empty summary cannot be saved", EDITOR_KEYS, name=None, widget_id=widget_id, classes=None)
        self._loaded = ""

    @property
    def gutter_width(self) -> int:
        """No mark stands before a line here."""
        return 0

    @property
    def is_changed(self) -> bool:
        """True once the text is another than the one that was loaded."""
        return self.text != self._loaded

    def edit_text(self, text: str) -> None:
        """Begin to edit a text, from its beginning; it may be anything."""
        self._loaded = clean(text).strip()
        self.load_text(self._loaded)
        self.move_cursor((0, 0))

    def go_on_with(self, text: str) -> None:
        """Go on with a text that was not saved."""
        self._loaded = ""
        self.load_text(text)

    def on_key(self, event: events.Key) -> None:
        """Save, leave, go by screens; the rest is the line editor's."""
        match event.key:
            case "ctrl+s":
                self.post_message(self.SaveWanted())
            case "escape":
                self.post_message(self.LeaveWanted())
            case "pageup":
                self.action_cursor_page_up()
            case "pagedown":
                self.action_cursor_page_down()
            case _:
                super().on_key(event)
                return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Take a paste of the terminal, without anything that hides or acts."""
        event.stop()
        event.prevent_default()
        self.type_text(clean_pasted(event.text))

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Say only that the text is another."""
        event.stop()
        self.post_message(self.Written())

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        """Nobody above waits for each step of the cursor."""
        event.stop()

    def render_line(self, y: int) -> Strip:
        """A row without the prompt's mark."""
        return TextArea.render_line(self, y)
