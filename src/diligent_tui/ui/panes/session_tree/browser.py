"""The tree as one walks about in it: rows with a cursor, folds and filters, and a preview of the entry under it."""

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size

from diligent_tui.domain.times import Clock, now
from diligent_tui.session.tree import Tree
from diligent_tui.ui.commands.keys_now import pieces_now
from diligent_tui.ui.panes.session_tree.outline import Outline
from diligent_tui.ui.panes.session_tree.preview import preview
from diligent_tui.ui.panes.session_tree.rows_view import TreeRows
from diligent_tui.ui.panes.session_tree.visibility import FILTERS, Filter
from diligent_tui.ui.panes.session_tree.walking import next_branch, others_to_fold, previous_branch, way_left
from diligent_tui.ui.panes.session_tree.words import Lookup, RowTexts
from diligent_tui.ui.widgets.fitted import Fitted

LOW_ROWS = 18
"""Below this height the rows need the room of the preview."""
AGES_EVERY_SECONDS = 30
EMPTY = (
    "All that is said will stand here, every branch of it.\n{tree_go} on an entry goes on from there; nothing is lost."
)
NO_LABELS = "No entry has a label.\n{tree_label} on an entry gives it one, to find it again."
"""The keys have the colour of the widget, which the style sheet makes quiet while they would go elsewhere."""


class TreeBrowser(Vertical, can_focus=True):
    """Rows and what is told around them; what a row can be asked for is its heir's affair."""

    def __init__(self, lookup: Lookup, keymap: Mapping[str, str], clock: Clock = now) -> None:
        """Read entries in sight through `lookup`; `keymap` has the user's own keys."""
        super().__init__(id="tree")
        self._keymap = keymap
        self._lookup = lookup
        self._clock = clock
        self._outline = Outline(Tree(), {})
        self._texts = RowTexts(self._outline.tree, lookup)
        self.is_ready = False
        """True once there are rows to show a tree in; one given before waits for them."""

    def compose(self) -> ComposeResult:
        """A head, the rows, and what is told of the row under the cursor."""
        yield Fitted(self._head, widget_id="tree-head")
        yield Fitted(self._nothing, widget_id="tree-empty")
        yield TreeRows(self._outline, self._texts, self._clock)
        yield Fitted(self._preview, widget_id="tree-preview")

    @property
    def rows(self) -> TreeRows:
        """The list itself."""
        return self.query_one(TreeRows)

    @property
    def outline(self) -> Outline:
        """The rows as they stand."""
        return self._outline

    def on_mount(self) -> None:
        """Show what was given before there was a screen."""
        self.is_ready = True
        self.rows.take(self._outline, self._texts)
        self._follow(True)
        self.set_interval(AGES_EVERY_SECONDS, self.rows.refresh)

    def show(self, tree: Tree, labels: Mapping[str, str]) -> None:
        """Show a tree; the same one as before keeps cursor, folds and filter."""
        is_same, is_at_leaf, old_leaf = tree is self._outline.tree, self._is_at_leaf(), self._outline.leaf_id
        if is_same:
            self._outline.labels = labels
            self._outline.rebuild()
        else:
            self._begin(tree, labels)
        self._follow(not is_same or (is_at_leaf and self._outline.leaf_id != old_leaf))

    def grew(self) -> None:
        """Take in what came since; cheap where the leaf grew."""
        is_at_leaf, old_leaf = self._is_at_leaf(), self._outline.leaf_id
        self._outline.grow()
        self._follow(is_at_leaf and self._outline.leaf_id != old_leaf)

    def go_to(self, entry_id: str) -> None:
        """Put the cursor on an entry, unfolding what hides it."""
        if self._outline.reveal(entry_id):
            self.rows.rows_changed()
        position = self._outline.nearest(entry_id)
        if position is not None:
            self.rows.put_cursor(position)

    def show_all(self) -> None:
        """Show the rows and all that is told of them."""
        if self.is_ready:
            self.set_class(not self._outline.rows, "-empty")
            self.rows.rows_changed()
            self.refresh_words()

    def refresh_words(self) -> None:
        """Tell anew what is told around the rows."""
        for words in self.query(Fitted):
            words.refresh()

    def on_resize(self) -> None:
        """A low pane has no preview."""
        self.set_class(self.size.height < LOW_ROWS, "-low")
        self.call_after_refresh(self.show_all)

    def on_descendant_focus(self) -> None:
        """The cursor shows."""
        self.rows.refresh()

    def on_descendant_blur(self) -> None:
        """The cursor hides."""
        self.rows.refresh()

    def on_focus(self) -> None:
        """The cursor shows."""
        self.rows.refresh()

    def on_blur(self) -> None:
        """The cursor hides."""
        self.rows.refresh()

    def on_cursor_rows_cursor_moved(self, message: TreeRows.CursorMoved) -> None:
        """Show the entry under the cursor."""
        message.stop()
        self.refresh_words()

    def step(self, step: int) -> None:
        """Go by rows."""
        self.rows.step(step)

    def step_page(self, step: int) -> None:
        """Go by screens."""
        self.rows.step(step * max(1, self.rows.page_rows - 1))

    def go_to_first(self) -> None:
        """Go to the first row."""
        self.rows.put_cursor(0)

    def go_to_last(self) -> None:
        """Go to the last row."""
        self.rows.put_cursor(len(self._outline.rows) - 1)

    def go_to_leaf(self) -> None:
        """Go to the leaf."""
        if self._outline.leaf_id is not None:
            self.go_to(self._outline.leaf_id)

    def go_left(self) -> None:
        """Fold, or go towards the root."""
        row = self.rows.cursor_row
        if row is None:
            return
        if row.starts_branch and not row.branch.hidden and self._outline.below(row.id):
            self._fold({*self._outline.folded, row.id})
        else:
            self.rows.put_cursor(way_left(self._outline, self.rows.cursor))

    def go_right(self) -> None:
        """Unfold, or go away from the root."""
        row = self.rows.cursor_row
        if row is not None and row.starts_branch and row.branch.hidden:
            self._fold(self._outline.folded - {row.id})
        else:
            self.step(1)

    def toggle_fold(self) -> None:
        """Fold or unfold the branch around the cursor."""
        row = self.rows.cursor_row
        if row is not None and row.branch.depth:
            self._fold(self._outline.folded ^ {row.branch.start_id})

    def fold_others(self) -> None:
        """Fold what is off the path."""
        self._fold(self._outline.folded | others_to_fold(self._outline))

    def unfold_all(self) -> None:
        """Unfold everything."""
        self._fold(set())

    def go_to_branch(self, step: int) -> None:
        """Go to a branch beside."""
        if not self._outline.rows:
            return
        find = next_branch if step > 0 else previous_branch
        position = find(self._outline, self.rows.cursor)
        if position is not None:
            self.rows.put_cursor(position)

    def next_filter(self) -> None:
        """The next filter."""
        self._sift(FILTERS[(FILTERS.index(self._outline.filter) + 1) % len(FILTERS)])

    def list_all(self) -> None:
        """Take the filter away."""
        self._sift("all")

    def _sift(self, chosen: Filter) -> None:
        self._outline.filter = chosen
        self._outline.rebuild()
        self.show_all()

    def _begin(self, tree: Tree, labels: Mapping[str, str]) -> None:
        chosen = self._outline.filter
        self._outline = Outline(tree, labels, chosen)
        self._texts = RowTexts(tree, self._lookup)
        if self.is_ready:
            self.rows.take(self._outline, self._texts)

    def _fold(self, folded: set[str]) -> None:
        self._outline.fold(folded)
        self.show_all()

    def _is_at_leaf(self) -> bool:
        """Whether the cursor should go along with the leaf: it stands there, or nobody walks about in the tree."""
        if not self.is_ready or not self.has_focus_within or not self._outline.rows:
            return True
        return self._outline.nearest(self._outline.leaf_id) in (None, self.rows.cursor)

    def _follow(self, goes_along: bool) -> None:
        if not self.is_ready:
            return
        self.show_all()
        position = self._outline.nearest(self._outline.leaf_id)
        if goes_along and position is not None:
            self.rows.put_cursor(position)

    def _head(self, width: int) -> Content:
        outline = self._outline
        if not outline.tree.nodes:
            right = ""
        elif outline.filter != "all":
            right = f"{outline.filter} · {outline.row_count:,}"
        else:
            right = "1 branch" if outline.branch_count == 1 else f"{outline.branch_count:,} branches"
        space = max(1, width - len("Tree") - len(right))
        return Content.assemble(("Tree", "bold"), " " * space, (right, "$dim"))

    def _nothing(self, _: int) -> Content:
        sentence = NO_LABELS if self._outline.filter == "labelled" else EMPTY
        pieces = pieces_now(sentence, self._keymap)
        return Content.assemble(*((piece, "" if is_key else "$dim") for piece, is_key in pieces))

    def _preview(self, width: int) -> Content:
        row = self.rows.cursor_row
        if row is None:
            return Content("")
        note = "parent missing" if self._outline.tree.nodes[row.id].is_orphan else ""
        room = Size(width, self.query_one("#tree-preview").content_size.height)
        return preview(self._texts.entry(row.id), self._texts.row(row.id), row.id, note, room)
