"""The calls with a filter and a search over them, and the foot that tells of both."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker

from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.key_line import BEFORE_FINDING, WHILE_FINDING, WHILE_FOUND, Hint, render_pane_keys
from diligent_tui.ui.panes.tools.browser import ToolsBrowser
from diligent_tui.ui.panes.tools.call_book import Lookup
from diligent_tui.ui.panes.tools.facts import CallFacts
from diligent_tui.ui.panes.tools.keys import WITH_NO_ROWS, WITH_NOTHING, in_the_list
from diligent_tui.ui.panes.tools.listing import Filter, fitting, has_words, matching
from diligent_tui.ui.panes.tools.rows_view import CallRows
from diligent_tui.ui.widgets.foot import Foot
from diligent_tui.ui.widgets.line_input import LineInput

READ_AT_ONCE = 256
"""Calls read in a thread between two looks at the keyboard."""


class ToolsFinder(ToolsBrowser):
    """Finds calls among very many; those on disk are read in a thread, a portion at a time."""

    keymap: Mapping[str, str] = OUR_KEYS
    """The user's own keys."""

    def __init__(self, lookup: Lookup, read: Lookup | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Read entries in sight through `lookup`; `read` is for search and filter, which ask for many in a thread."""
        super().__init__(lookup, clock)
        self._read_many = read or lookup
        self._matches: list[str] = []
        self.search: Worker[None] | None = None
        """The search that runs, or ran last."""
        self.sieve: Worker[None] | None = None
        """The filtering that runs, or ran last."""
        self._is_searching = False
        self._is_asking = False
        self._asked_from: str | None = None
        self._said = ""

    def compose(self) -> ComposeResult:
        """What one walks about in, and a line to type into."""
        yield from super().compose()
        with Horizontal(id="tools-asking"):
            yield Static("/", id="tools-caption", markup=False)
            yield LineInput(widget_id="tools-line", hint="words to find")
        yield Foot(self._foot, "tools")

    @property
    def line(self) -> LineInput:
        """Where words are typed."""
        return self.query_one(LineInput)

    @property
    def facts(self) -> CallFacts | None:
        """The call under the cursor."""
        key = self.rows.cursor_id
        return None if key is None or self._listing.place(key) is None else self.book.facts(key)

    def list_calls(self) -> None:
        """List the calls anew; those on disk are looked through for what the filter wants."""
        self._fitting = []
        self._is_sifting = self.is_ready and self.filter.chosen in ("tool", "errors")
        super().list_calls()
        if self._is_sifting:
            self.sieve = self._sift()

    def show_all(self) -> None:
        """Show the rows and all that is told of them."""
        super().show_all()
        self._show_foot()

    def on_cursor_rows_cursor_moved(self, message: CallRows.CursorMoved) -> None:
        """Show the call under the cursor."""
        super().on_cursor_rows_cursor_moved(message)
        self._say("")

    def go_to(self, entry_id: str) -> None:
        """Put the cursor on the call whose result this entry is, listing all calls if the filter hides it."""
        key = self.book.key_of(entry_id)
        if key is not None and self._listing.place(key) is None:
            self.list_all()
        self._go_to(key)

    def list_all(self) -> None:
        """Take the filter away."""
        self.filter = Filter()
        self.list_calls()

    def next_filter(self) -> None:
        """The next filter; the cursor stays on its call if that is listed."""
        facts = self.facts
        self.filter = self.filter.after(facts.tool if facts else "")
        self.list_calls()

    def ask_for_words(self) -> None:
        """Type words to find."""
        if not self.has_class("-whole"):
            self._is_asking, self._asked_from = True, self.rows.cursor_id
            self.line.show_text("")
            self.add_class("-asking")
            self.screen.set_focus(self.line)
            self._show_foot()

    def go_to_match(self, step: int) -> None:
        """Go to another match."""
        if self._matches:
            known = self.rows.cursor_id
            index = self._matches.index(known) + step if known in self._matches else min(0, step)
            self._go_to(self._matches[index % len(self._matches)])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Words are found as they are typed."""
        event.stop()
        if self._is_asking:
            self._is_searching = bool(event.value)
            self.search = self._find(event.value, self._asked_from)

    def on_line_input_entered(self, message: LineInput.Entered) -> None:
        """Keep the matches."""
        message.stop()
        self._close_line()

    def on_line_input_left(self, message: LineInput.Left) -> None:
        """Nothing was meant; go back to where the search began."""
        message.stop()
        key = self._asked_from
        self._close_line()
        self._leave_search()
        self._go_to(key)

    @work(group="tools-search", exclusive=True)
    async def _find(self, words: str, from_key: str | None) -> None:
        """Look through all listed calls from the cursor on, a portion at a time; a newer search ends this one."""
        self._take_matches([], words)
        order = list(self._listing.keys) if words else []
        place = {key: number for number, key in enumerate(order)}
        first = place.get(from_key or "", 0)
        order = order[first:] + order[:first]
        for start in range(0, len(order), READ_AT_ONCE):
            portion = order[start : start + READ_AT_ONCE]
            new = [key for key in portion if self.book.entry_id(key) is None]
            found = [key for key in new if has_words(self.book.facts(key), self.book.details(key), words)]
            found += await asyncio.to_thread(matching, self.book, portion, words, self._read_many)
            is_first = bool(found) and not self._matches
            self._take_matches(sorted({*self._matches, *found}, key=place.__getitem__), words)
            if is_first:
                self._go_to(min(found, key=lambda key: (place[key] < first, place[key])))
        if not self._matches:
            self._go_to(from_key)

    @work(group="tools-filter", exclusive=True)
    async def _sift(self) -> None:
        """Look through all saved calls, newest first, for what the filter wants; another filter ends this."""
        wanted = self.filter
        saved = self.book.keys[: len(self.book.keys) - len(self.book.new_keys)]
        for end in range(len(saved), 0, -READ_AT_ONCE):
            portion = saved[max(0, end - READ_AT_ONCE) : end]
            found = await asyncio.to_thread(fitting, self.book, portion, wanted, self._read_many)
            if self.filter != wanted:
                return
            if found:
                self._fitting = [*found, *self._fitting]
                super().list_calls()
        self._is_sifting = False
        self.show_all()

    def _go_to(self, key: str | None) -> None:
        place = self._listing.place(key)
        if place is not None:
            self.rows.put_cursor(place)

    def _leave_search(self) -> None:
        if self.search is not None:
            self.search.cancel()
        self._is_searching = False
        self._take_matches([], "")

    def _take_matches(self, matches: list[str], words: str) -> None:
        self._matches = matches
        self.rows.search(words)
        self._show_foot()

    def _close_line(self) -> None:
        self._is_asking, self._asked_from = False, None
        self.remove_class("-asking")
        self.screen.set_focus(self)
        self._show_foot()

    def _say(self, words: str) -> None:
        self._said = words
        self._show_foot()

    def _show_foot(self) -> None:
        self.query_one("#tools-foot").refresh()

    def _foot(self, width: int) -> Content:
        if self._is_searching:
            known = self.rows.cursor_id
            place = self._matches.index(known) + 1 if known in self._matches else 0
            counted = f"{place} of {len(self._matches):,}" if self._matches else "no match"
            keys = WHILE_FINDING if self._is_asking else hints_now(WHILE_FOUND, "tools", self.keymap)
            return Content.assemble((f"{counted}  ", "$dim"), render_pane_keys(keys, width - len(counted) - 2))
        if self._is_asking:
            return render_pane_keys(BEFORE_FINDING, width)
        if self._said:
            return Content.styled(self._said, "$foreground")
        return render_pane_keys(hints_now(self.hints(), "tools", self.keymap), width)

    def hints(self) -> Sequence[Hint]:
        """The keys of the list; what is open over it has its own."""
        is_all = self.filter.chosen == "all"
        if self.has_class("-empty"):
            return WITH_NOTHING if is_all else WITH_NO_ROWS
        return in_the_list(self.facts, is_all=is_all)
