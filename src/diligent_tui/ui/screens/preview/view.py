"""The blocks of a preview on screen: any number of them, drawn when they come into sight."""

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.compaction.cut_points import CutPoint
from diligent_tui.compaction.views import PreviewBlock
from diligent_tui.ui.screens.preview.rows import CutLine, PreviewLook, Row, draw_row, rows_of
from diligent_tui.ui.widgets.cursor_row import cursor_style, lit, standing

PREFIX = "preview--"


class PreviewRows(ScrollView, can_focus=False):
    """A list with a cursor among blocks and a cut between two of them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"{PREFIX}{name}" for name in ("dim", "accent", "memory", "cursor")}
    # Not in the style sheet: a scrollbar that comes and goes would change the width.
    DEFAULT_CSS = """
    PreviewRows {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self) -> None:
        """Nothing to show yet."""
        super().__init__(id="preview-rows")
        self._rows: list[Row] = []
        self._cursor = 0
        self._look: PreviewLook | None = None

    @property
    def block(self) -> PreviewBlock | None:
        """The block under the cursor."""
        row = self._rows[self._cursor] if self._cursor < len(self._rows) else None
        return row if isinstance(row, PreviewBlock) else None

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    def show(self, blocks: Sequence[PreviewBlock], cut: CutPoint | None) -> None:
        """Show the blocks as they stand; the cursor stays on its block."""
        held = self.block.entry_id if self.block else None
        self._rows = rows_of(blocks, cut)
        self.virtual_size = Size(self.size.width, len(self._rows))
        found = (n for n, row in enumerate(self._rows) if isinstance(row, PreviewBlock) and row.entry_id == held)
        self._cursor = next(found, self._cursor)
        self.refresh()

    def go_to_cut(self) -> None:
        """Put the cursor on the last block above the cut, with the cut in the middle of the screen if there is room."""
        place = next((n for n, row in enumerate(self._rows) if isinstance(row, CutLine)), len(self._rows))
        self._cursor = self._standing(place - 1, -1)
        top, height = self.scroll_offset.y, self.page_rows
        if not top + 1 <= place < top + height - 1:
            self.scroll_to(y=max(0, place - height // 2), animate=False, force=True)
        self.refresh()

    def step(self, step: int) -> None:
        """Go by blocks."""
        self._cursor = self._standing(self._cursor + step, 1 if step > 0 else -1)
        top, height = self.scroll_offset.y, self.page_rows
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False)
        elif self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False)
        self.refresh()

    def notify_style_update(self) -> None:
        """Colours are looked up again."""
        super().notify_style_update()
        self._look = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        look = self._look = self._look or self._look_up()
        width = self.scrollable_content_region.width
        place = y + self.scroll_offset.y
        if place >= len(self._rows):
            return Strip.blank(width, look.base)
        is_cursor = place == self._cursor
        strip = Strip(draw_row(self._rows[place], width, look, is_cursor=is_cursor)).crop_extend(0, width, None)
        return lit(strip, look.base, look.cursor) if is_cursor else strip.apply_style(look.base)

    def _standing(self, place: int, direction: int) -> int:
        return standing(place, len(self._rows), direction, lambda n: isinstance(self._rows[n], PreviewBlock))

    def _look_up(self) -> PreviewLook:
        def colour(name: str) -> Style:
            return Style(color=self.get_component_rich_style(f"{PREFIX}{name}").color)

        return PreviewLook(
            base=self.rich_style,
            text=Style(color=self.rich_style.color),
            dim=colour("dim"),
            accent=colour("accent"),
            memory=colour("memory"),
            cursor=cursor_style(self, f"{PREFIX}cursor"),
        )
