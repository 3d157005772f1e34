"""What waits to be sent, above the prompt, and what can be done with it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import hints_now, sentence_now
from diligent_tui.ui.commands.queue import QUEUE_COMMANDS
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.key_line import render_keys

if TYPE_CHECKING:
    from diligent_tui.domain.events import QueuedText
    from diligent_tui.ui.state import ScreenState

MOST_ROWS = 4
IDLE = " waits · {submit} sends · {history} edits"
KEYS = (("⏎", "edit"), ("d", "delete"), ("s", "tell now"), ("esc", "back"))


class QueueStrip(Widget, can_focus=True):
    """One row for each waiting text, and its keys while one is here; gone when nothing waits."""

    state: "reactive[ScreenState | None]" = reactive(None, repaint=False)

    class QueueMessage(Message):
        """What is wanted of one waiting text."""

        def __init__(self, queued_id: str) -> None:
            """Name the text."""
            super().__init__()
            self.queued_id = queued_id

    class EditWanted(QueueMessage):
        """It is to come back into the prompt."""

    class DropWanted(QueueMessage):
        """It is not to be sent."""

    class SteerWanted(QueueMessage):
        """It is to be told to the agent at work."""

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Begin with nothing waiting; `keymap` has the user's own keys."""
        super().__init__()
        self._keys = by_key(QUEUE_COMMANDS, keymap)
        self._idle = sentence_now(IDLE, keymap)
        self._hints = hints_now(KEYS, "queue", keymap)
        self.display = False
        self._place = 0

    @property
    def _items(self) -> "tuple[QueuedText, ...]":
        return self.state.queue if self.state else ()

    def watch_state(self, before: "ScreenState | None", state: "ScreenState | None") -> None:
        """Show only while something waits; the state changes at every streamed word, what waits does not."""
        items = state.queue if state else ()
        if items != (before.queue if before else ()):
            self.display = bool(items)
            self._place = min(self._place, max(0, len(items) - 1))
            self.refresh(layout=True)
        elif items and state and before and state.is_busy != before.is_busy:
            self.refresh()

    def on_focus(self) -> None:
        """Begin at the newest, and make room for the keys."""
        self._place = max(0, len(self._items) - 1)
        self.refresh(layout=True)

    def on_blur(self) -> None:
        """Take the keys away."""
        self.refresh(layout=True)

    def on_key(self, event: events.Key) -> None:
        """Do what a key means here; the others go on."""
        items = self._items
        if not items:
            return
        queued_id = items[self._place].id
        match self._keys.get(event.key) or self._keys.get(event.character or ""):
            case "queued_up":
                self._place = max(0, self._place - 1)
            case "queued_down":
                self._place = min(len(items) - 1, self._place + 1)
            case "queued_edit":
                self.post_message(self.EditWanted(queued_id))
            case "queued_delete":
                self.post_message(self.DropWanted(queued_id))
            case "queued_steer":
                self.post_message(self.SteerWanted(queued_id))
            case _:
                return
        event.stop()
        self.refresh()

    def render(self) -> Content:
        """The waiting texts, oldest first."""
        items = self._items
        first = min(max(0, self._place - MOST_ROWS + 1), max(0, len(items) - MOST_ROWS)) if self.has_focus else 0
        rows = [self._row(place) for place in range(first, min(len(items), first + MOST_ROWS))]
        hidden = len(items) - MOST_ROWS
        if hidden > 0 and not self.has_focus:
            rows[-1] = Content.styled(f" … {hidden + 1} more", "$dim")
        if self.has_focus:
            beyond = ("↑" if first else "") + ("↓" if first < hidden else "")
            more = f"   {self._place + 1} of {len(items)} {beyond}" if hidden > 0 else ""
            keys = render_keys(self._hints, self.size.width - 3 - len(more))
            rows.append("   " + keys + Content.styled(more, "$dim"))
        return Content("\n").join(rows)

    def _row(self, place: int) -> Content:
        item = self._items[place]
        is_chosen = self.has_focus and place == self._place
        word = self._word(item, place)
        text = fit(item.text, max(1, self.size.width - len(word) - 5))
        space = max(1, self.size.width - Content(text).cell_length - len(word) - 4)
        mark = (" ▸ ", "bold $accent") if is_chosen else ("   ", "") if self.has_focus else (" ▸ ", "$accent")
        return Content.assemble(mark, (text, "$foreground" if is_chosen else "$dim"), " " * space, (word, "$memory"))

    def _word(self, item: "QueuedText", place: int) -> str:
        """What becomes of a text; after a stop nothing sends it but the user."""
        if self.state is None or self.state.is_busy:
            return " steers" if item.kind == "steer" else " queued"
        return self._idle if place == 0 and not self.has_focus else " waits"
