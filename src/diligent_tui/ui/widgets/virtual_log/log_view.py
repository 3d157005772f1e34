"""The log on screen: scrolling, and painting only the rows that changed."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import ClassVar, Generic, NamedTuple

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp
from textual.strip import Strip

from diligent_tui.ui.widgets.virtual_log.blocks import BlockT
from diligent_tui.ui.widgets.virtual_log.model import LogModel
from diligent_tui.ui.widgets.virtual_log.render_cache import RenderCache
from diligent_tui.ui.widgets.virtual_log.renderer import BlockRenderer
from diligent_tui.ui.widgets.virtual_log.rows import RowLook, RowStyles, paint, text_of
from diligent_tui.ui.widgets.virtual_log.selection import Stretch

# Some 40 screens of 100 rows; a strip with its caches weighs 2 to 3 KB.
RENDERED_ROWS_KEPT = 4_000
# As much as Textual scrolls by default.
WHEEL_ROWS = 2
# Textual names a point of text by two whole numbers; the second is slot × this + line.
LINES_PER_SLOT = 1 << 24

# Whatever the words were: a match and a selection are read in their own look.
PLAIN, TURNED = Style(dim=False, reverse=False), Style(reverse=True)


class ShownRow(NamedTuple):
    """What stands in a row of the screen."""

    block_id: str
    slot: int
    line: int


class ShownSpan(NamedTuple):
    """Some characters of a line of a block."""

    line: int
    columns: tuple[int, int]


class LogView(ScrollView, Generic[BlockT], can_focus=True):
    """Blocks as one scrollable column of rows, none of them a widget."""

    ALLOW_SELECT = True
    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)
    """The size of all rows; unlike Textual's own, a streamed row does not lay out the whole screen."""
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "virtual-log--cursor",
        "virtual-log--cursor-bar",
        "virtual-log--match",
        "virtual-log--current-match",
    }
    # Not in the style sheet: a scrollbar that comes and goes would change the width and wrap all text anew.
    DEFAULT_CSS = """
    LogView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(
        self,
        renderer: BlockRenderer[BlockT],
        *,
        name: str | None = None,
        widget_id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Show blocks drawn by this renderer."""
        super().__init__(name=name, id=widget_id, classes=classes)
        self.renderer = renderer
        self.model: LogModel[BlockT] = LogModel(renderer.estimate, self._count_rows, renderer.starts_folded)
        self._rendered: RenderCache[Strip] = RenderCache(RENDERED_ROWS_KEPT)
        self._shown: list[ShownRow] = []
        self._looks: list[RowLook] = []
        self._row_styles: RowStyles | None = None
        self._styles_rendered_for: RowStyles | None = None
        self._is_stale = False
        self._is_restyled = False

    @property
    def rendered_rows(self) -> int:
        """How many rendered rows are kept, in sight or not."""
        return self._rendered.rows

    def extend(self, blocks: Iterable[BlockT]) -> None:
        """Add blocks at the end, or show another content for those already here."""
        self.model.extend(blocks)
        self.changed()

    def insert(self, index: int, blocks: Iterable[BlockT]) -> None:
        """Put blocks before an index; what is on screen stays where it is."""
        self.model.insert(index, blocks)
        self.changed()

    def remove_blocks(self, block_ids: Collection[str]) -> None:
        """Take blocks away."""
        self.model.remove(block_ids)
        self.changed()

    def clear(self) -> None:
        """Take all blocks away."""
        self.model.clear()
        self._rendered.clear()
        self.changed()

    def set_folded(self, block_id: str, folded: bool) -> None:
        """Fold or open a block without moving what is read."""
        if self.model.set_folded(block_id, folded):
            self.changed()

    def changed(self) -> None:
        """Say that the screen may differ from the model, such as when a renderer's state changed."""
        if not self._is_stale:
            self._is_stale = True
            if self.is_mounted:
                self.call_next(self._show_if_stale)

    def redraw(self) -> None:
        """Render everything anew, such as for other colours."""
        self._rendered.clear()
        self.changed()

    def show_now(self) -> None:
        """Bring scrollbar and rows up to date with the model."""
        if not self.size or not self.is_mounted:
            return
        size = self._screen_size()
        self._is_stale = False
        self._check_styles()
        self._rendered.begin_pass()
        self.model.resize(size.width, size.height)
        self.model.settle()
        self._place_scrollbar()
        self._show_rows(size)
        self.was_shown()

    def was_shown(self) -> None:
        """For those who build on this view: the screen has come up to date."""

    def line_texts(self, index: int) -> Sequence[str]:
        """The shown lines of a block as one would copy them."""
        block = self.model.blocks[index]
        strips = self._strips(block, self.model.blocks.width, self.model.blocks.is_folded(block.id))
        return [text_of(strip, self.renderer.gutter_columns) for strip in strips]

    def shown_stretch(self) -> Stretch | None:
        """The selected text, for those who build on this view."""
        return None

    def shown_matches(self, text: str) -> Sequence[tuple[int, int]]:
        """The searched words in a line of text, for those who build on this view."""
        return ()

    def shown_current_match(self, block_id: str) -> ShownSpan | None:
        """Where in a block the search stands, for those who build on this view."""
        return None

    def row_at(self, y: int) -> ShownRow | None:
        """What stands in a row of the screen."""
        return self._shown[y] if 0 <= y < len(self._shown) else None

    def scroll_rows(self, rows: int) -> None:
        """Move by rows."""
        self._move(lambda: self.model.scroll_by(rows))

    def _show_if_stale(self) -> None:
        if self._is_stale:
            self.show_now()

    def _move(self, move: Callable[[], None]) -> None:
        self._rendered.begin_pass()
        move()
        self.show_now()

    def action_scroll_up(self) -> None:
        """Move one row up."""
        self.scroll_rows(-1)

    def action_scroll_down(self) -> None:
        """Move one row down."""
        self.scroll_rows(1)

    def action_page_up(self) -> None:
        """Move one screen up, with one row of it left to read on from."""
        self.scroll_rows(-max(1, self.model.height - 1))

    def action_page_down(self) -> None:
        """Move one screen down, with one row of it left to read on from."""
        self.scroll_rows(max(1, self.model.height - 1))

    def action_scroll_home(self) -> None:
        """Go to the first row."""
        self._move(lambda: self.model.scroll_to(0))

    def action_scroll_end(self) -> None:
        """Go to the end and follow it."""
        self._move(self.model.follow)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move by the wheel."""
        event.stop().prevent_default()
        self.scroll_rows(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move by the wheel."""
        event.stop().prevent_default()
        self.scroll_rows(WHEEL_ROWS)

    def on_scroll_up(self, event: ScrollUp) -> None:
        """Move by a click above the scrollbar's thumb."""
        event.stop().prevent_default()
        self.action_page_up()

    def on_scroll_down(self, event: ScrollDown) -> None:
        """Move by a click below the scrollbar's thumb."""
        event.stop().prevent_default()
        self.action_page_down()

    def on_scroll_to(self, event: ScrollTo) -> None:
        """Move by a drag of the scrollbar's thumb."""
        event.stop().prevent_default()
        if event.y is not None:
            row = round(event.y)
            self._move(lambda: self.model.scroll_to(row))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Take over a scroll that Textual made by itself, such as while a selection is dragged past the edge."""
        rows = round(new_value) - round(old_value)
        if rows:
            self.scroll_rows(rows)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows, with the styles looked up once."""
        if self._is_stale or self._screen_size() != (self.model.blocks.width, self.model.height):
            self.show_now()
        self._row_styles = self._look_up_styles()
        try:
            return super().render_lines(crop)
        finally:
            self._row_styles = None

    def render_line(self, y: int) -> Strip:
        """Paint one row; outside a paint, with the offsets by which Textual finds the text under the mouse."""
        styles = self._row_styles
        width = self.scrollable_content_region.width
        if not 0 <= y < len(self._looks):
            return Strip.blank(width, (styles or self._look_up_styles()).base)
        gutter = self.renderer.gutter_columns
        if styles is not None:
            return paint(self._looks[y], width, gutter, styles)
        shown = self._shown[y]
        strip = self._looks[y].strip.crop_extend(0, width, None)
        return strip.apply_offsets(-gutter, shown.slot * LINES_PER_SLOT + shown.line)

    def notify_style_update(self) -> None:
        """Colours may be part of rendered rows, so see whether they are others now."""
        super().notify_style_update()
        self._is_restyled = True
        self.changed()

    def _screen_size(self) -> Size:
        # The scrollbar may leave no column at all; text is then wrapped at one.
        width, height = self.scrollable_content_region.size
        return Size(max(1, width), max(1, height))

    def _scroll_update(self, virtual_size: Size) -> None:
        # Textual would clamp the scroll position to the new size here; the model alone decides where the screen stands.
        self._refresh_scrollbars()
        self.changed()

    def _place_scrollbar(self) -> None:
        model = self.model
        self.virtual_size = Size(model.blocks.width, model.total_rows)
        # Past its watcher, which would repaint the whole widget and take this for a wish to scroll.
        self.set_scroll(None, model.top)
        self.scroll_target_y = model.top
        if self.show_vertical_scrollbar:
            bar = self.vertical_scrollbar
            bar.window_virtual_size = model.total_rows
            bar.window_size = model.height
            bar.position = model.top

    def _show_rows(self, size: Size) -> None:
        shown, looks = self._lay_rows()
        old = self._looks
        self._shown, self._looks = shown, looks
        first: int | None = None
        for y in range(size.height + 1):
            new_look = looks[y] if y < len(looks) else None
            old_look = old[y] if y < len(old) else None
            is_changed = y < size.height and new_look != old_look
            if is_changed and first is None:
                first = y
            elif not is_changed and first is not None:
                self.refresh(Region(0, first, size.width, y - first))
                first = None

    def _lay_rows(self) -> tuple[list[ShownRow], list[RowLook]]:
        shown: list[ShownRow] = []
        looks: list[RowLook] = []
        blocks = self.model.blocks
        stretch = self.shown_stretch()
        strips: Sequence[Strip] = ()
        current: ShownSpan | None = None
        laid = -1
        for index, line in self.model.rows():
            block = blocks[index]
            if index != laid:
                strips, laid = self._strips(block, blocks.width, blocks.is_folded(block.id)), index
                current = self.shown_current_match(block.id)
            strip = strips[line] if line < len(strips) else Strip([])
            selected = None if stretch is None else stretch.span(index, line)
            matches = self.shown_matches(text_of(strip, self.renderer.gutter_columns))
            shown.append(ShownRow(block.id, blocks.slot(index), line))
            sought = current.columns if current is not None and current.line == line else None
            looks.append(RowLook(strip, block.id == self.model.cursor_id, matches, selected, sought))
        return shown, looks

    def _count_rows(self, block: BlockT, width: int, folded: bool) -> int:
        return len(self._strips(block, width, folded))

    def _strips(self, block: BlockT, width: int, folded: bool) -> Sequence[Strip]:
        look = (block.version, width, folded, self.renderer.state(block))
        strips = self._rendered.get(block.id, look)
        if strips is None:
            strips = tuple(self.renderer.render(block, width, folded))
            self._rendered.put(block.id, look, strips)
        return strips

    def _check_styles(self) -> None:
        # Textual tells of every hover and focus too; only other colours, such as a theme's, are worth a rendering.
        if self._is_restyled:
            self._is_restyled = False
            styles = self._look_up_styles()
            known = self._styles_rendered_for
            if known is not None and (styles.base, styles.match) != (known.base, known.match):
                self._rendered.clear()
            self._styles_rendered_for = styles

    def _look_up_styles(self) -> RowStyles:
        base = self.rich_style
        bar = self.get_component_rich_style("virtual-log--cursor-bar")
        ground = self.screen.get_component_rich_style("screen--selection").bgcolor
        # Its colour is transparent by default, which as a plain colour would hide the text; dim words could not be read
        # on its ground. What stands out on a ground of the terminal's own nobody knows, so that is turned over.
        is_own = ground is None or ground.triplet is None
        selection = base + TURNED if is_own else Style(color=base.color, bgcolor=ground)
        return RowStyles(
            base=base,
            cursor=self.get_component_rich_style("virtual-log--cursor"),
            cursor_bar=Style(color=bar.color, bold=bar.bold) if self.has_focus else None,
            match=PLAIN + self.get_component_rich_style("virtual-log--match"),
            current_match=PLAIN + self.get_component_rich_style("virtual-log--current-match"),
            selection=PLAIN + selection,
        )
