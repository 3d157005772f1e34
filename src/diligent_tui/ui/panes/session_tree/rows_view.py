"""The rows of the tree on screen, decoded when they come into sight."""

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import Clock, Stamp, from_stamp
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.session_tree.drawing import RowState, TreeLook, draw_row
from diligent_tui.ui.panes.session_tree.outline import Outline, Row
from diligent_tui.ui.panes.session_tree.words import ROW_CHARS, RowTexts
from diligent_tui.ui.widgets.cursor_row import cursor_style
from diligent_tui.ui.widgets.cursor_rows import CursorRows


@dataclass(frozen=True, slots=True)
class _Paint:
    """What all rows of one paint share, looked up once."""

    look: TreeLook
    cursor: int | None
    leaf: int | None


class TreeRows(CursorRows[_Paint]):
    """The rows of an outline; the cursor goes to the row that hides its own."""

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

    def __init__(self, outline: Outline, texts: RowTexts, clock: Clock) -> None:
        """Show a tree, whose ages go by the clock."""
        super().__init__("tree-rows")
        self.marked_id: str | None = None
        self.searched = ""
        self._clock = clock
        self._outline = outline
        self._texts = texts

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._outline.rows)

    @property
    def cursor_row(self) -> Row | None:
        """The row under the cursor."""
        return self._outline.rows[self.cursor] if self._outline.rows else None

    def id_at(self, place: int) -> str:
        """The entry's id."""
        return self._outline.rows[place].id

    def take(self, outline: Outline, texts: RowTexts) -> None:
        """Show another tree."""
        self._outline, self._texts = outline, texts
        self.cursor_id = self.marked_id = None
        self.cursor = 0

    def rows_changed(self) -> None:
        """Show the rows as they are now, with the cursor where it was on the screen."""
        self.virtual_size = Size(self.size.width, self.row_count)
        offset = self.cursor - self.scroll_offset.y
        self.cursor = self._outline.nearest(self.cursor_id) or 0
        if self.row_count:
            self.cursor_id = self.id_at(self.cursor)
        if 0 <= offset < self.page_rows:
            self.scroll_to(y=self.cursor - offset, animate=False)
        self.bring_into_sight()
        self.refresh()

    def mark(self, entry_id: str | None) -> None:
        """Mark a row for comparing."""
        self.marked_id = entry_id
        self.refresh()

    def search(self, words: str) -> None:
        """Show where these words stand."""
        self.searched = words
        self.refresh()

    def begin_paint(self) -> _Paint:
        """The styles, and where cursor and leaf stand."""
        leaf = self._outline.nearest(self._outline.leaf_id)
        return _Paint(self._look_up(), self.cursor if self.is_worked_in else None, leaf)

    def draw(self, place: int, paint: _Paint) -> Strip:
        """One row."""
        outline = self._outline
        row = outline.rows[place]
        words = self._texts.row(row.id)
        state = RowState(
            is_cursor=place == paint.cursor,
            is_on_path=outline.is_on_path(row.id),
            is_leaf=place == paint.leaf,
            is_marked=row.id == self.marked_id,
            is_orphan=outline.tree.nodes[row.id].is_orphan,
            label=outline.labels.get(row.id, ""),
            name=self._branch_name(row),
            age=self._age(words.stamp),
            search=self.searched,
        )
        return draw_row(row, words, state, self.scrollable_content_region.width, paint.look)

    def _branch_name(self, row: Row) -> str:
        """What a folded branch is called."""
        if not row.starts_branch or not row.branch.hidden:
            return ""
        return clean_line(row.branch.label, ROW_CHARS) or self._texts.row(row.branch.prompt_id or row.id).text

    def _age(self, stamp: Stamp | None) -> str:
        moment = from_stamp(stamp)
        if moment is None:
            return ""
        age = fmt.age((self._clock() - moment).total_seconds())
        return "now" if age == "just now" else age.removesuffix(" ago")

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
