"""One line to type into, for a search, a label or a focus; what comes from outside passes the gate."""

from textual import events
from textual.message import Message
from textual.widgets import Input

from diligent_tui.domain.plain_text import clean_line

MOST_CHARS = 400


class LineInput(Input):
    """A line without a frame. Enter and escape act at once: bound, they would act behind the keys typed after them."""

    class Entered(Message):
        """The line was answered."""

        def __init__(self, text: str) -> None:
            """Carry what stood there."""
            super().__init__()
            self.text = text

    class Left(Message):
        """The line was left without an answer."""

    def __init__(self, *, hint: str = "", widget_id: str | None = None) -> None:
        """Begin empty, with these words where text will be."""
        super().__init__(placeholder=hint, id=widget_id, compact=True, select_on_focus=False, max_length=MOST_CHARS)
        self.cursor_blink = False

    def show_text(self, text: str) -> None:
        """Show another text, with the cursor at its end; it may be anything."""
        self.value = clean_line(text, MOST_CHARS)
        self.cursor_position = len(self.value)

    def take_key(self, event: events.Key) -> None:
        """Take a key that was pressed for this line before it had the focus."""
        if event.is_printable and event.character is not None:
            self.insert_text_at_cursor(event.character)
            event.stop()
        else:
            self.on_key(event)

    def on_key(self, event: events.Key) -> None:
        """Enter answers, escape leaves; the rest is typed."""
        if event.key == "enter":
            self.post_message(self.Entered(self.value.strip()))
        elif event.key == "escape":
            self.post_message(self.Left())
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Take a paste on one line, without anything that hides or acts."""
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(clean_line(event.text, MOST_CHARS))
