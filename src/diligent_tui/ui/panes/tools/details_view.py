"""The details of the call under the cursor, to scroll in; a running call is followed unless one scrolled away."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.panes.tools.details import draw_details
from diligent_tui.ui.panes.tools.drawing import Count
from diligent_tui.ui.panes.tools.facts import CallDetails, CallFacts
from diligent_tui.ui.panes.tools.look import ToolsLook
from diligent_tui.ui.widgets.diff import DIFF_CLASSES, DiffLook, DiffStyle, look_around
from diligent_tui.ui.widgets.drawn_rows import Rows


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call with all that its details show."""

    key: str
    facts: CallFacts
    details: CallDetails
    is_pruned: bool = False


class CallDetailsView(ScrollView, can_focus=False):
    """Rows of any number, drawn when they come into sight."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*ToolsLook.CLASSES, *DIFF_CLASSES}
    # Not in the style sheet: a scrollbar that comes and goes would change the width and wrap all lines anew.
    DEFAULT_CSS = """
    CallDetailsView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, count: Callable[[], Count], keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """`count` gives what counts tokens now; `keymap` has the user's own keys."""
        super().__init__(id="tools-details")
        self.diff_style: DiffStyle = "unified"
        self._count = count
        self._keymap = keymap
        self._call: ShownCall | None = None
        self._rows: Rows | None = None
        self._is_following = True
        self._ground: Style | None = None
        self._looks: tuple[ToolsLook, DiffLook] | None = None

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return self._rows.height if self._rows else 0

    def show(self, call: ShownCall | None) -> None:
        """Show a call, or the same one as it is now."""
        is_same = call is not None and self._call is not None and call.key == self._call.key
        if is_same and call == self._call:
            return
        self._call = call
        if not is_same:
            self._is_following = call is not None and call.facts.state == "running"
            self.scroll_to(y=0, animate=False)
        self._lay()

    def toggle_diff(self) -> None:
        """One below the other, or side by side."""
        self.diff_style = "unified" if self.diff_style == "side by side" else "side by side"
        self._lay()

    def move(self, rows: int) -> None:
        """Go by rows; the end of a running call is followed once one is there."""
        top = max(0, min(self.scroll_offset.y + rows, self.row_count - self.page_rows))
        self._is_following = top >= self.row_count - self.page_rows
        self.scroll_to(y=top, animate=False)

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._lay()

    def notify_style_update(self) -> None:
        """Colours are part of the rows."""
        super().notify_style_update()
        self._rows = self._looks = None
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows, with what they share looked up once."""
        self._ground = self.rich_style
        try:
            return super().render_lines(crop)
        finally:
            self._ground = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        ground = self._ground or self.rich_style
        width = self.scrollable_content_region.width
        rows = self._rows or self._laid_out()
        row = y + self.scroll_offset.y
        strip = rows.strip(row) if rows is not None and row < rows.height else Strip([])
        return strip.crop_extend(0, width, ground).apply_style(ground)

    def _laid_out(self) -> Rows | None:
        width = self.scrollable_content_region.width
        call = self._call
        if call is None or not self.is_mounted or width <= 0:
            return None
        look, diff_look = self._looks = self._looks or (ToolsLook.of(self), look_around(self))
        self._rows = draw_details(
            call.facts,
            call.details,
            width,
            look,
            diff_look,
            self.diff_style,
            self._count(),
            is_pruned=call.is_pruned,
            keymap=self._keymap,
        )
        return self._rows

    def _lay(self) -> None:
        self._rows = None
        rows = self._laid_out()
        self.virtual_size = Size(self.scrollable_content_region.width, rows.height if rows else 0)
        is_running = self._call is not None and self._call.facts.state == "running"
        if is_running and self._is_following:
            self.scroll_to(y=max(0, self.row_count - self.page_rows), animate=False)
        self.refresh()
