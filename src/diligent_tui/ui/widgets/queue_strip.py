"""What waits to be sent, above the prompt."""

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line

if TYPE_CHECKING:
    from diligent_tui.ui.state import ScreenState

MOST_ROWS = 4


class QueueStrip(Widget):
    """One row for each waiting text; gone when nothing waits."""

    state: "reactive[ScreenState | None]" = reactive(None, layout=True)

    def watch_state(self, state: "ScreenState | None") -> None:
        """Show only while something waits."""
        self.display = bool(state and state.queue)

    def render(self) -> Content:
        """The waiting texts, oldest first."""
        items = self.state.queue if self.state else ()
        rows: list[Content] = []
        for item in items[:MOST_ROWS]:
            word = " steers" if item.kind == "steer" else " queued"
            text = clean_line(item.text, max(1, self.size.width - len(word) - 4))
            space = max(1, self.size.width - Content(text).cell_length - len(word) - 4)
            rows.append(Content.assemble((" ▸ ", "$accent"), (text, "$dim"), " " * space, (word, "$memory")))
        if len(items) > MOST_ROWS:
            rows[-1] = Content.styled(f" … {len(items) - MOST_ROWS + 1} more", "$dim")
        return Content("\n").join(rows)
