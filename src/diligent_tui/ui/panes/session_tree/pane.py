"""The session tree: search, labels, and the wishes that its rows are asked for; the pane itself changes nothing."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker

from diligent_tui.domain.speech import typed_words
from diligent_tui.domain.times import Clock, now
from diligent_tui.session.tree import Tree
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.commands.tree import TREE_COMMANDS
from diligent_tui.ui.key_line import BEFORE_FINDING, WHILE_FINDING, WHILE_FOUND, Hint, render_pane_keys
from diligent_tui.ui.panes.session_tree import keys, wishes
from diligent_tui.ui.panes.session_tree.browser import TreeBrowser
from diligent_tui.ui.panes.session_tree.finding import TreeTexts
from diligent_tui.ui.panes.session_tree.rows_view import TreeRows
from diligent_tui.ui.panes.session_tree.words import Lookup
from diligent_tui.ui.widgets.foot import Foot
from diligent_tui.ui.widgets.line_input import LineInput

SEARCHED_AT_ONCE = 256
"""Entries read in a thread between two looks at the keyboard."""


class SessionTreePane(TreeBrowser):
    """Every branch of a session, worked in by keys; `show` gives it a tree and `grew` says that it grew."""

    BORDER_TITLE = "Tree"

    ContinueFrom = wishes.ContinueFrom
    ForkAt = wishes.ForkAt
    LabelSet = wishes.LabelSet
    Graft = wishes.Graft
    Compare = wishes.Compare
    ContextAt = wishes.ContextAt

    def __init__(
        self, lookup: Lookup, read: Lookup | None = None, keymap: Mapping[str, str] = OUR_KEYS, clock: Clock = now
    ) -> None:
        """Read entries in sight through `lookup`; `read` is for the search, which asks for very many in a thread."""
        super().__init__(lookup, keymap, clock)
        self._keys = by_key(TREE_COMMANDS, keymap)
        self._deeds = self._table()
        self._read = read or lookup
        self._searchable = TreeTexts(self._read)
        self._matches: list[str] = []
        self.search: Worker[None] | None = None
        """The search that runs, or ran last."""
        self._is_searching = False
        self._asks: Literal["nothing", "words", "label"] = "nothing"
        self._asked_from: str | None = None
        self._said = ""
        self._said_keys: Sequence[Hint] = ()
        """What can be done about what is said."""

    def compose(self) -> ComposeResult:
        """What one walks about in, and a line to type into."""
        yield from super().compose()
        with Horizontal(id="tree-asking"):
            yield Static(id="tree-caption", markup=False)
            yield LineInput(widget_id="tree-line")
        yield Foot(self._foot, "tree")

    @property
    def line(self) -> LineInput:
        """Where words and labels are typed."""
        return self.query_one(LineInput)

    def read_through(self, lookup: Lookup, read: Lookup | None = None) -> None:
        """Read another session's entries from now on; `show` follows with its tree."""
        self._lookup, self._read = lookup, read or lookup

    def on_cursor_rows_cursor_moved(self, message: TreeRows.CursorMoved) -> None:
        """Show the entry under the cursor."""
        self._said = ""
        super().on_cursor_rows_cursor_moved(message)

    def ask_for_words(self) -> None:
        """Type words to find."""
        self._ask("words", "")

    def go_to_match(self, step: int) -> None:
        """Go to another match."""
        if not self._matches:
            return
        known = self.rows.cursor_id
        index = self._matches.index(known) + step if known in self._matches else min(0, step)
        self.go_to(self._matches[index % len(self._matches)])

    def leave_search(self) -> None:
        """Show no matches any more."""
        if self.search is not None:
            self.search.cancel()
        self._is_searching = False
        self._take_matches([], "")

    def go_back(self) -> None:
        """Leave the search, then the filter."""
        if self._is_searching:
            self.leave_search()
        else:
            self.list_all()

    def ask_for_label(self) -> None:
        """Type a label for this entry."""
        row = self.rows.cursor_row
        if row is not None:
            self._ask("label", self._outline.labels.get(row.id, ""))

    def mark(self) -> None:
        """Mark this entry, or take the mark away."""
        row = self.rows.cursor_row
        if row is not None:
            self.rows.mark(None if self.rows.marked_id == row.id else row.id)
            if self.rows.marked_id:
                self._say("Marked.", keys.WHILE_MARKED)
            else:
                self._say("The mark is gone.")

    def compare(self) -> None:
        """Ask for a comparison with the marked entry, or with the leaf."""
        row, other_id = self.rows.cursor_row, self.rows.marked_id or self._outline.leaf_id
        if row is None or other_id is None:
            return
        if row.id == other_id:
            self._say("Two are compared.", keys.TO_MARK)
        else:
            self.post_message(self.Compare(other_id, row.id))

    def go_on(self) -> None:
        """Ask to go on from here; a prompt is taken back into the editor."""
        row = self.rows.cursor_row
        if row is None:
            return
        entry = self._texts.entry(row.id)
        text = None if entry is None else typed_words(entry)
        if text is None:
            self.post_message(self.ContinueFrom(row.id, ""))
        else:
            self.post_message(self.ContinueFrom(self._outline.tree.nodes[row.id].parent_id, text))

    def bring_here(self) -> None:
        """Ask to bring this entry into the current branch."""
        row = self.rows.cursor_row
        if row is not None and self._outline.is_on_path(row.id):
            self._say("Already on your branch.")
        elif row is not None:
            self.post_message(self.Graft(row.id))

    def fork_here(self) -> None:
        """Ask for a new session that ends here."""
        if (row := self.rows.cursor_row) is not None:
            self.post_message(self.ForkAt(row.id))

    def show_context(self) -> None:
        """Ask for the request at this entry."""
        if (row := self.rows.cursor_row) is not None:
            self.post_message(self.ContextAt(row.id))

    def on_key(self, event: events.Key) -> None:
        """Do what a key means here, before any later key is looked at."""
        if self.line.has_focus:
            return
        if self._asks != "nothing":
            self.line.take_key(event)
            return
        command_id = self._keys.get(event.key) or self._keys.get(event.character or "")
        # With nothing to leave, escape is somebody else's.
        has_way_back = self._is_searching or self._outline.filter != "all"
        if command_id is None or (command_id == "tree_leave_search" and not has_way_back):
            return
        event.stop()
        self._deeds[command_id]()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Words are found as they are typed."""
        event.stop()
        if self._asks == "words":
            self._is_searching = bool(event.value)
            self.search = self._find(event.value, self._asked_from)

    def on_line_input_entered(self, message: LineInput.Entered) -> None:
        """Keep the matches, or ask for the label."""
        message.stop()
        asks, entry_id = self._asks, self._asked_from
        self._close_line()
        if asks == "label" and entry_id is not None:
            self.post_message(self.LabelSet(entry_id, message.text))

    def on_line_input_left(self, message: LineInput.Left) -> None:
        """Nothing was meant; a search goes back to where it began."""
        message.stop()
        asks, entry_id = self._asks, self._asked_from
        self._close_line()
        if asks == "words":
            self.leave_search()
            if entry_id is not None:
                self.go_to(entry_id)

    @work(group="tree-search", exclusive=True)
    async def _find(self, words: str, from_id: str | None) -> None:
        """Look through all entries from the cursor on, a portion at a time; a newer search ends this one."""
        self._take_matches([], words)
        order = self._outline.order() if words else []
        place = {entry_id: number for number, entry_id in enumerate(order)}
        first = place.get(from_id or "", 0)
        order = order[first:] + order[:first]
        labels = dict(self._outline.labels)
        for start in range(0, len(order), SEARCHED_AT_ONCE):
            portion = order[start : start + SEARCHED_AT_ONCE]
            found = await asyncio.to_thread(self._searchable.matches, portion, labels, words)
            is_first = bool(found) and not self._matches
            self._take_matches(sorted([*self._matches, *found], key=place.__getitem__), words)
            if is_first:
                self.go_to(found[0])
        if not self._matches and from_id is not None:
            self.go_to(from_id)

    def _table(self) -> dict[str, Callable[[], None]]:
        return {
            "tree_go": self.go_on,
            "tree_up": partial(self.step, -1),
            "tree_down": partial(self.step, 1),
            "tree_page_up": partial(self.step_page, -1),
            "tree_page_down": partial(self.step_page, 1),
            "tree_first": self.go_to_first,
            "tree_last": self.go_to_last,
            "tree_here": self.go_to_leaf,
            "tree_left": self.go_left,
            "tree_right": self.go_right,
            "tree_fold": self.toggle_fold,
            "tree_fold_others": self.fold_others,
            "tree_unfold_all": self.unfold_all,
            "tree_previous_branch": partial(self.go_to_branch, -1),
            "tree_next_branch": partial(self.go_to_branch, 1),
            "tree_find": self.ask_for_words,
            "tree_next_match": partial(self.go_to_match, 1),
            "tree_previous_match": partial(self.go_to_match, -1),
            "tree_filter": self.next_filter,
            "tree_label": self.ask_for_label,
            "tree_mark": self.mark,
            "tree_compare": self.compare,
            "tree_bring": self.bring_here,
            "tree_fork": self.fork_here,
            "tree_context": self.show_context,
            "tree_leave_search": self.go_back,
        }

    def _take_matches(self, matches: list[str], words: str) -> None:
        self._matches = matches
        self.rows.search(words)
        self._show_foot()

    def _begin(self, tree: Tree, labels: Mapping[str, str]) -> None:
        super()._begin(tree, labels)
        self._searchable = TreeTexts(self._read)
        if self.is_ready:
            self.leave_search()

    def _ask(self, what: Literal["words", "label"], text: str) -> None:
        self._asks, self._asked_from = what, self.rows.cursor_id
        line = self.line
        caption = self.query_one("#tree-caption", Static)
        if what == "words":
            caption.update("/")
            line.placeholder = "words to find"
        else:
            caption.update("label")
            line.placeholder = "empty takes it away" if text else "for this entry"
        line.show_text(text)
        self.add_class("-asking")
        self.screen.set_focus(line)
        self._show_foot()

    def _close_line(self) -> None:
        self._asks, self._asked_from = "nothing", None
        self.remove_class("-asking")
        self.screen.set_focus(self)
        self._show_foot()

    def _say(self, words: str, hints: Sequence[Hint] = ()) -> None:
        self._said, self._said_keys = words, hints
        self._show_foot()

    def _show_foot(self) -> None:
        self.query_one("#tree-foot").refresh()

    def _foot(self, width: int) -> Content:
        if self._is_searching:
            known = self.rows.cursor_id
            place = self._matches.index(known) + 1 if known in self._matches else 0
            counted = f"{place} of {len(self._matches):,}" if self._matches else "no match"
            hints = WHILE_FINDING if self._asks == "words" else self._now(WHILE_FOUND)
            return Content.assemble((f"{counted}  ", "$dim"), render_pane_keys(hints, width - len(counted) - 2))
        if self._asks == "label":
            return render_pane_keys(keys.WHILE_LABELLING, width)
        if self._asks == "words":
            return render_pane_keys(BEFORE_FINDING, width)
        if self._said:
            said = Content.styled(self._said, "$foreground")
            room = width - len(self._said) - 2
            return (
                Content.assemble(said, "  ", render_pane_keys(self._now(self._said_keys), room))
                if self._said_keys
                else said
            )
        is_all = self._outline.filter == "all"
        if not self._outline.rows:
            return render_pane_keys(self._now(keys.WITH_NOTHING if is_all else keys.WITH_NO_ROWS), width)
        has_branches = self._outline.branch_count > 1
        return render_pane_keys(self._now(keys.in_the_rows(is_all=is_all, has_branches=has_branches)), width)

    def _now(self, hints: Sequence[Hint]) -> Sequence[Hint]:
        return hints_now(hints, "tree", self._keymap)
