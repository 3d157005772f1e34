"""The details of the row under the cursor, to scroll in."""

from collections.abc import Mapping
from typing import ClassVar

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.domain.times import Clock
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import KnownEntry
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.panes.knowledge.details import Shown, draw_details
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook
from diligent_tui.ui.widgets.diff import DIFF_CLASSES, look_around


class KnowledgeDetails(ScrollView, can_focus=False):
    """Rows about one entry or candidate."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*KnowledgeLook.CLASSES, *DIFF_CLASSES}
    # Not in the style sheet: a scrollbar that comes and goes would change the width and wrap all lines anew.
    DEFAULT_CSS = """
    KnowledgeDetails {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, clock: Clock, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Nothing to show yet; `keymap` has the user's own keys."""
        super().__init__(id="knowledge-details")
        self._clock = clock
        self._keymap = keymap
        self._shown: Shown | None = None
        self._rows: list[Strip] | None = None

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    def show(self, shown: Shown | None) -> None:
        """Show another entry from its beginning, or the same one as it is now."""
        if shown == self._shown:
            return
        is_same = shown is not None and self._shown is not None and _id(shown) == _id(self._shown)
        self._shown = shown
        if not is_same:
            self.scroll_to(y=0, animate=False)
        self._lay()

    def move(self, rows: int) -> None:
        """Scroll by rows."""
        most = max(0, len(self._rows or ()) - self.page_rows)
        self.scroll_to(y=max(0, min(self.scroll_offset.y + rows, most)), animate=False)

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._lay()

    def notify_style_update(self) -> None:
        """Colours are part of the rows."""
        super().notify_style_update()
        self._rows = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        rows = self._laid_out() if self._rows is None else self._rows
        row = y + self.scroll_offset.y
        strip = rows[row] if row < len(rows) else Strip([])
        return strip.crop_extend(0, self.scrollable_content_region.width, self.rich_style).apply_style(self.rich_style)

    def _laid_out(self) -> list[Strip]:
        width = self.scrollable_content_region.width
        if self._shown is None or not self.is_mounted or width <= 0:
            return []
        self._rows = draw_details(
            self._shown, width, KnowledgeLook.of(self), look_around(self), self._clock(), self._keymap
        )
        return self._rows

    def _lay(self) -> None:
        self._rows = None
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._laid_out()))
        self.refresh()


def _id(shown: Shown) -> str:
    match shown.subject:
        case KnownEntry(entry=entry):
            return f"{entry.scope}:{entry.id}"
        case InboxCandidate(id=candidate_id):
            return candidate_id
