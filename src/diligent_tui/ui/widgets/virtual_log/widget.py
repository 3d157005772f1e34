"""The log one reads and works in: block cursor, folding, selection, copying and search."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.selection import Selection
from textual.widget import Widget

from diligent_tui.ui.widgets.virtual_log.blocks import BlockT
from diligent_tui.ui.widgets.virtual_log.log_view import LINES_PER_SLOT, LogView, ShownSpan
from diligent_tui.ui.widgets.virtual_log.renderer import BlockRenderer
from diligent_tui.ui.widgets.virtual_log.search import LogSearch, Match, Standing
from diligent_tui.ui.widgets.virtual_log.selection import Position, Stretch, TextSelection, step_columns, step_lines

# Past the end of any line: what is selected there is the line's end.
LINE_END = 1 << 24
# What one wants to see above and below a match.
CONTEXT_ROWS = 2


class VirtualLog(LogView[BlockT]):
    """A log of any length that opens, scrolls and streams at the cost of what is in sight."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,ctrl+down", "cursor_next", "Next", show=False, id="next_block"),
        Binding("k,ctrl+up", "cursor_previous", "Previous", show=False, id="previous_block"),
        Binding("enter", "toggle_fold", "Open or fold", show=False, id="fold"),
        Binding("y", "copy", "Copy", show=False, id="copy"),
        Binding("shift+down", "select_lines(1)", "Select down", show=False, id="select"),
        Binding("shift+up", "select_lines(-1)", "Select up", show=False),
        Binding("shift+right", "select_columns(1)", "Select right", show=False),
        Binding("shift+left", "select_columns(-1)", "Select left", show=False),
    ]

    class LogMessage(Message):
        """A message of one log, which is its control."""

        def __init__(self, log: Widget) -> None:
            """Say which log sends it."""
            super().__init__()
            self.log_widget = log

        @property
        def control(self) -> Widget:
            """The log that sent it."""
            return self.log_widget

    class CopyRequested(LogMessage):
        """Someone wants this text on the clipboard."""

        def __init__(self, log: Widget, text: str) -> None:
            """Carry the text to copy."""
            super().__init__(log)
            self.text = text

    class FoldToggled(LogMessage):
        """A block was folded or opened by its reader."""

        def __init__(self, log: Widget, block_id: str, folded: bool) -> None:
            """Carry the block and whether it is folded now."""
            super().__init__(log)
            self.block_id = block_id
            self.folded = folded

    class BlockSelected(LogMessage):
        """The block cursor went to another block."""

        def __init__(self, log: Widget, block_id: str) -> None:
            """Carry the block."""
            super().__init__(log)
            self.block_id = block_id

    class NewBelowChanged(LogMessage):
        """The log began or ceased to follow its end, or other blocks wait below."""

        def __init__(self, log: Widget, count: int, is_following: bool) -> None:
            """Carry how many blocks wait below, and whether the end is followed."""
            super().__init__(log)
            self.count = count
            self.is_following = is_following

    class SearchMoved(LogMessage):
        """The search came to a match, or found none."""

        def __init__(self, log: Widget, words: str, match: Match | None) -> None:
            """Carry the words and where they stand."""
            super().__init__(log)
            self.words = words
            self.match = match

    def __init__(
        self,
        renderer: BlockRenderer[BlockT],
        *,
        name: str | None = None,
        widget_id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Show blocks drawn by this renderer."""
        super().__init__(renderer, name=name, widget_id=widget_id, classes=classes)
        self._search = LogSearch(self.model.blocks, self.searched_texts)
        self._selection: TextSelection | None = None
        self._selected_at_width = 0
        self._reported = (0, True)

    @property
    def cursor_block(self) -> BlockT | None:
        """The block under the cursor."""
        index = None if self.model.cursor_id is None else self.model.blocks.index_of(self.model.cursor_id)
        return None if index is None else self.model.blocks[index]

    @property
    def select_container(self) -> Widget:
        """A triple click selects in this log, not in all that surrounds it."""
        return self

    def is_stop(self, block: BlockT) -> bool:
        """Whether the cursor may stand on a block, for those who build on this log."""
        return True

    def hold_cursor_in_sight(self) -> None:
        """Take the last block in sight if the cursor is on none there: no key acts on what one cannot see."""
        if self.model.is_cursor_in_sight:
            return
        in_sight = [self.model.blocks[row.block_index] for row in self.model.rows()]
        if last := next(filter(self.is_stop, reversed(in_sight)), None):
            # Without bringing it into sight, for it is there; what one reads stays where it is.
            self.model.cursor_id = last.id
            self.changed()

    def move_cursor(self, step: int, wanted: Callable[[BlockT], bool] | None = None) -> None:
        """Put the cursor on the next (+1) or previous (-1) block, or the next such as an error."""
        self.put_cursor(self.model.move_cursor(step, wanted))

    def put_cursor(self, block_id: str | None) -> None:
        """Put the cursor on a block and bring it into sight; what was selected elsewhere is let go."""
        if block_id is None or block_id not in self.model.blocks:
            return
        if self._selection is not None:
            self._selection = None
            self.screen.clear_selection()
        self._move(lambda: self.model.put_cursor(block_id))
        self.post_message(self.BlockSelected(self, block_id))

    def searched_texts(self, block: BlockT, core: str) -> Iterable[str]:
        """What a search looks at: the first of these texts in which the words stand counts, if it has their core."""
        return (self.renderer.source(block),)

    def told_rows(self, block: BlockT) -> int:
        """How many rows at the end of a folded block say something about it and are none of its words."""
        return 0

    @property
    def searched_words(self) -> str:
        """The words that are to be found; empty if nothing is."""
        return self._search.words

    def standing(self, most_blocks: int) -> Standing:
        """Where the search is among all matches, of which so many blocks more are counted now."""
        return self._search.standing(most_blocks)

    def search(self, words: str) -> None:
        """Find these words at or after the present match; no words end the search."""
        match = self._search.find(words, self._first_shown_id())
        self._go_to(match)

    def action_search_next(self) -> None:
        """Go to the next match."""
        self._go_to(self._search.step(1))

    def action_search_previous(self) -> None:
        """Go to the previous match."""
        self._go_to(self._search.step(-1))

    def action_cursor_next(self) -> None:
        """Put the cursor on the next block."""
        self.move_cursor(1)

    def action_cursor_previous(self) -> None:
        """Put the cursor on the previous block."""
        self.move_cursor(-1)

    def action_toggle_fold(self) -> None:
        """Fold or open the block under the cursor."""
        self.hold_cursor_in_sight()
        block_id = self.model.cursor_id
        if block_id is not None:
            self._fold(block_id, not self.model.blocks.is_folded(block_id))

    def action_copy(self) -> None:
        """Ask for a copy of the selected text, else of the source of the block under the cursor."""
        text = self.selected_text()
        if not text and self.model.cursor_id is not None:
            self.hold_cursor_in_sight()
            block = self.cursor_block
            text = "" if block is None else self.renderer.source(block)
        if text:
            self.post_message(self.CopyRequested(self, text))

    def action_select_lines(self, rows: int) -> None:
        """Extend the selection by rows, from the first line of the block under the cursor."""
        selection = self._selection_to_extend()
        if selection is not None:
            self._select(selection.anchor, step_lines(self.model.blocks, selection.head, rows))

    def action_select_columns(self, columns: int) -> None:
        """Extend the selection by characters."""
        selection = self._selection_to_extend()
        if selection is not None:
            head = selection.head._replace(column=min(selection.head.column, self._line_length(selection.head)))
            self._select(selection.anchor, step_columns(self.model.blocks, head, columns, self._line_length))

    def action_clear_selection(self) -> None:
        """Select nothing."""
        self.screen.clear_selection()

    def text_select_all(self) -> None:
        """Select the block under the cursor: a double click put it there, and the whole log is never meant."""
        block_id = self.model.cursor_id
        index = None if block_id is None else self.model.blocks.index_of(block_id)
        if block_id is not None and index is not None:
            last = Position(block_id, max(0, self.model.blocks.measure(index) - 1), LINE_END)
            self._select(Position(block_id, 0, 0), last, reveal=False)

    def selected_text(self) -> str:
        """The selected text as shown, without gutter."""
        stretch = self.shown_stretch()
        return "" if stretch is None else stretch.text(self.line_texts)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, for Textual's own copying."""
        if selection.start is None and selection.end is None:
            return "\n\n".join([self.renderer.source(block) for block in self.model.blocks.blocks]), "\n"
        return self.selected_text(), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Take over what the mouse selected."""
        if selection is None:
            self._selection = None
        else:
            found = self._selection_of(selection)
            known = self.shown_stretch()
            # The keyboard's selection comes back from Textual in reading order; ours knows which end moves.
            if found is None or known is None or found.stretch(self.model.blocks) != known:
                self._keep_selection(found)
        self.changed()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the block under the mouse, without moving it."""
        offset = event.get_content_offset(self)
        shown = None if offset is None else self.row_at(offset.y)
        if shown is None or self.shown_stretch() is not None:
            return
        self.model.cursor_id = shown.block_id
        self.changed()
        self.post_message(self.BlockSelected(self, shown.block_id))

    def was_shown(self) -> None:
        """Tell when another number of blocks waits below, and let go of a selection of lines that are no more."""
        if self._selection is not None and self._selected_at_width != self.model.blocks.width:
            self._selection = None
            self.screen.clear_selection()
        state = (self.model.new_below, self.model.is_following)
        if state != self._reported:
            self._reported = state
            self.post_message(self.NewBelowChanged(self, *state))

    def shown_stretch(self) -> Stretch | None:
        """The selection in reading order."""
        if self._selection is None or self._selected_at_width != self.model.blocks.width:
            return None
        return self._selection.stretch(self.model.blocks)

    def shown_matches(self, text: str) -> Sequence[tuple[int, int]]:
        """The searched words in a line of text."""
        return self._search.spans(text)

    def shown_current_match(self, block_id: str) -> ShownSpan | None:
        """The match at which the search stands, if it is in this block."""
        match = self._search.match
        return None if match is None or match.block_id != block_id else self._span_of(match)

    def _fold(self, block_id: str, folded: bool) -> None:
        self.model.fold_in_place(block_id, folded)
        self.show_now()
        self.post_message(self.FoldToggled(self, block_id, folded))

    def _go_to(self, match: Match | None) -> None:
        if match is not None:
            if self.model.blocks.is_folded(match.block_id) and self._shown_count(match.block_id) <= match.ordinal:
                self._fold(match.block_id, False)
            self.model.cursor_id = match.block_id
            span = self._span_of(match)
            self._reveal_line(match.block_id, 0 if span is None else span.line, CONTEXT_ROWS)
            self.post_message(self.BlockSelected(self, match.block_id))
        self.changed()
        self.post_message(self.SearchMoved(self, self._search.words, match))

    def _reveal_line(self, block_id: str, line: int, context_rows: int = 0) -> None:
        around = min(context_rows, (self.model.height - 1) // 2)
        first = max(0, line - around)
        self._move(lambda: self.model.reveal(block_id, first, line + around + 1 - first))

    def _span_of(self, match: Match) -> ShownSpan | None:
        """Where a match is shown: the source may show otherwise, so the nearest match before it will do."""
        index = self.model.blocks.index_of(match.block_id)
        found, seen = None, 0
        for number, text in enumerate(self.line_texts(index) if index is not None else ()):
            spans = self._search.spans(text)
            if spans and seen <= match.ordinal:
                found = ShownSpan(number, spans[min(match.ordinal - seen, len(spans) - 1)])
            seen += len(spans)
        return found

    def _shown_count(self, block_id: str) -> int:
        """How many matches of a folded block are shown."""
        index = self.model.blocks.index_of(block_id)
        if index is None:
            return 0
        texts = self.line_texts(index)
        words = texts[: len(texts) - self.told_rows(self.model.blocks[index])]
        return sum(len(self._search.spans(text)) for text in words)

    def _first_shown_id(self) -> str | None:
        shown = self.row_at(0)
        return self.model.cursor_id or (None if shown is None else shown.block_id)

    def _selection_to_extend(self) -> TextSelection | None:
        if self._selection is not None:
            return self._selection
        self.hold_cursor_in_sight()
        if self.model.cursor_id is None:
            return None
        start = Position(self.model.cursor_id, 0, 0)
        return TextSelection(start, start)

    def _select(self, anchor: Position, head: Position, *, reveal: bool = True) -> None:
        self._keep_selection(TextSelection(anchor, head))
        self.screen.selections = {self: Selection.from_offsets(self._offset(anchor), self._offset(head))}
        if reveal:
            self._reveal_line(head.block_id, head.line)
        self.changed()

    def _keep_selection(self, selection: TextSelection | None) -> None:
        self._selection = selection
        self._selected_at_width = self.model.blocks.width

    def _line_length(self, position: Position) -> int:
        index = self.model.blocks.index_of(position.block_id)
        texts = self.line_texts(index) if index is not None else ()
        return len(texts[position.line]) if position.line < len(texts) else 0

    def _offset(self, position: Position) -> Offset:
        index = self.model.blocks.index_of(position.block_id) or 0
        return Offset(position.column, self.model.blocks.slot(index) * LINES_PER_SLOT + position.line)

    def _selection_of(self, selection: Selection) -> TextSelection | None:
        blocks = self.model.blocks
        if not len(blocks):
            return None
        last = len(blocks) - 1
        start = Position(blocks[0].id, 0, 0) if selection.start is None else self._position(selection.start)
        end = Position(blocks[last].id, LINE_END, LINE_END) if selection.end is None else self._position(selection.end)
        return None if start is None or end is None else TextSelection(start, end)

    def _position(self, offset: Offset) -> Position | None:
        slot, line = divmod(offset.y, LINES_PER_SLOT)
        index = self.model.blocks.index_of_slot(slot)
        return None if index is None else Position(self.model.blocks[index].id, line, max(0, offset.x))
