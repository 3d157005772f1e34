"""The rows of the tree on screen: only what is in sight is decoded and drawn, and none of it is a widget."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import Clock, Stamp, from_stamp
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.session_tree.drawing import RowState, TreeLook, draw_row
from diligent_tui.ui.panes.session_tree.outline import Outline, Row
from diligent_tui.ui.panes.session_tree.words import ROW_CHARS, RowTexts
from diligent_tui.ui.widgets.cursor_row import cursor_style


@dataclass(frozen=True, slots=True)
class _Paint:
    """What all rows of one paint share, looked up once."""

    look: TreeLook
    cursor: int | None
    leaf: int | None


class TreeRows(ScrollView, can_focus=False):
    """A list of any length with a cursor."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "tree--dim",
        "tree--rule",
        "tree--accent",
        "tree--success",
        "tree--error",
        "tree--memory",
        "tree--cursor",
        "tree--match",
    }
    # Not in the style sheet: a scrollbar that comes and goes would change the width.
    DEFAULT_CSS = """
    TreeRows {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    class CursorMoved(Message):
        """The cursor stands on another row."""

        def __init__(self, entry_id: str) -> None:
            """Carry the entry of that row."""
            super().__init__()
            self.entry_id = entry_id

    def __init__(self, clock: Clock) -> None:
        """Nothing to show yet."""
        super().__init__(id="tree-rows")
        self.cursor_id: str | None = None
        self.marked_id: str | None = None
        self.searched = ""
        self._clock = clock
        self._outline: Outline | None = None
        self._texts: RowTexts | None = None
        self._cursor_row = 0
        self._paint: _Paint | None = None

    @property
    def cursor(self) -> int:
        """The number of the row under the cursor."""
        position = self._outline.nearest(self.cursor_id) if self._outline else None
        return 0 if position is None else position

    @property
    def cursor_row(self) -> Row | None:
        """The row under the cursor."""
        return self._outline.rows[self.cursor] if self._outline and self._outline.rows else None

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.scrollable_content_region.height)

    def take(self, outline: Outline, texts: RowTexts) -> None:
        """Show another tree."""
        self._outline, self._texts = outline, texts
        self.cursor_id = self.marked_id = None
        self._cursor_row = 0

    def rows_changed(self) -> None:
        """Show the rows as they are now, with the cursor where it was on the screen."""
        if self._outline is None:
            return
        self.virtual_size = Size(self.size.width, len(self._outline.rows))
        offset = self._cursor_row - self.scroll_offset.y
        self._cursor_row = self.cursor
        row = self.cursor_row
        if row is not None and row.id != self.cursor_id:
            self.cursor_id = row.id
        if 0 <= offset < self.page_rows:
            self.scroll_to(y=self._cursor_row - offset, animate=False)
        self._bring_into_sight()
        self.refresh()

    def put_cursor(self, position: int) -> None:
        """Put the cursor on a row, or the nearest there is, and bring it into sight."""
        if self._outline is None or not self._outline.rows:
            return
        position = max(0, min(position, len(self._outline.rows) - 1))
        entry_id = self._outline.rows[position].id
        is_moved = entry_id != self.cursor_id
        self.refresh_line(self._cursor_row)
        self.cursor_id, self._cursor_row = entry_id, position
        self.refresh_line(position)
        self._bring_into_sight()
        if is_moved:
            self.post_message(self.CursorMoved(entry_id))

    def mark(self, entry_id: str | None) -> None:
        """Mark a row for comparing."""
        self.marked_id = entry_id
        self.refresh()

    def search(self, words: str) -> None:
        """Show where these words stand."""
        self.searched = words
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor under the mouse."""
        offset = event.get_content_offset(self)
        if offset is not None and self._outline and offset.y + self.scroll_offset.y < len(self._outline.rows):
            self.put_cursor(offset.y + self.scroll_offset.y)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._bring_into_sight()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows, with what they share looked up once."""
        self._paint = self._begin_paint()
        try:
            return super().render_lines(crop)
        finally:
            self._paint = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        paint = self._paint or self._begin_paint()
        width = self.scrollable_content_region.width
        position = y + self.scroll_offset.y
        outline, texts = self._outline, self._texts
        if outline is None or texts is None or position >= len(outline.rows):
            return Strip.blank(width, paint.look.base)
        row = outline.rows[position]
        words = texts.row(row.id)
        state = RowState(
            is_cursor=position == paint.cursor,
            is_on_path=outline.is_on_path(row.id),
            is_leaf=position == paint.leaf,
            is_marked=row.id == self.marked_id,
            is_orphan=outline.tree.nodes[row.id].is_orphan,
            label=outline.labels.get(row.id, ""),
            name=self._branch_name(row, texts),
            age=self._age(words.stamp),
            search=self.searched,
        )
        return draw_row(row, words, state, width, paint.look)

    def _begin_paint(self) -> _Paint:
        leaf = self._outline.nearest(self._outline.leaf_id) if self._outline else None
        is_worked_in = isinstance(self.parent, Widget) and self.parent.has_focus_within
        return _Paint(self._look_up(), self.cursor if is_worked_in else None, leaf)

    def _branch_name(self, row: Row, texts: RowTexts) -> str:
        """What a folded branch is called."""
        if not row.starts_branch or not row.branch.hidden:
            return ""
        return clean_line(row.branch.label, ROW_CHARS) or texts.row(row.branch.prompt_id or row.id).text

    def _age(self, stamp: Stamp | None) -> str:
        moment = from_stamp(stamp)
        if moment is None:
            return ""
        age = fmt.age((self._clock() - moment).total_seconds())
        return "now" if age == "just now" else age.removesuffix(" ago")

    def _bring_into_sight(self) -> None:
        top, height = self.scroll_offset.y, self.page_rows
        if self._cursor_row < top:
            self.scroll_to(y=self._cursor_row, animate=False)
        elif self._cursor_row >= top + height:
            self.scroll_to(y=self._cursor_row - height + 1, animate=False)

    def _look_up(self) -> TreeLook:
        def colour(name: str) -> Style:
            return Style(color=self.get_component_rich_style(f"tree--{name}").color)

        match = self.get_component_rich_style("tree--match")
        return TreeLook(
            base=self.rich_style,
            text=Style(color=self.rich_style.color),
            dim=colour("dim"),
            rule=colour("rule"),
            accent=colour("accent"),
            success=colour("success"),
            error=colour("error"),
            memory=colour("memory"),
            cursor=cursor_style(self, "tree--cursor"),
            match=Style(color=self.rich_style.color, bgcolor=match.bgcolor, underline=True),
        )
