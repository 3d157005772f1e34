"""The calls as one walks about in them: a list with a cursor, the details of a call, and its whole output."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer

from diligent_tui.domain.estimator import Estimator
from diligent_tui.domain.events import Event, LeafMoved, ToolOutput
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.session.tree import Node
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.panes.tools.call_book import CallBook, Lookup
from diligent_tui.ui.panes.tools.details_view import CallDetailsView, ShownCall
from diligent_tui.ui.panes.tools.drawing import Count
from diligent_tui.ui.panes.tools.listing import Chosen, Filter, Listing
from diligent_tui.ui.panes.tools.rows_view import CallRows
from diligent_tui.ui.panes.tools.whole_output import WholeOutput
from diligent_tui.ui.widgets.fitted import Fitted

EMPTY = "No tool has run yet.\nCalls and their output will stand here."
NONE_FITS: Mapping[Chosen, str] = MappingProxyType(
    {"errors": "No call has failed.", "running": "No call is running.", "tool": "No call of this tool is here."}
)
MOST_TOOL_CHARS = 24
CLOCK_SECONDS = 1.0
"""How often the time of a running call is shown anew."""


class ToolsBrowser(Vertical, can_focus=True):
    """The list and what is told around it; what a call can be asked for is its heir's affair."""

    keymap: Mapping[str, str] = OUR_KEYS
    """The user's own keys."""

    def __init__(self, lookup: Lookup, clock: Callable[[], float] = time.monotonic) -> None:
        """Read entries in sight through `lookup`; the clock is for calls that run."""
        super().__init__(id="tools")
        self.book = CallBook(lookup, clock)
        self.filter = Filter()
        self._listing = Listing()
        self._fitting: list[str] = []
        """Those saved calls that the filter lists."""
        self._is_sifting = False
        """True while saved calls are looked through for what the filter lists."""
        self._spill_folder: Path | None = None
        self._estimate: Count = lambda size_bytes: Estimator().tokens("", size_bytes)
        self._ticking: Timer | None = None
        self.is_ready = False
        """True once there are rows to show calls in."""

    def compose(self) -> ComposeResult:
        """A head, the list, the details, and the whole of an output in their place."""
        yield Fitted(self._head, widget_id="tools-head")
        yield Fitted(self._nothing, widget_id="tools-empty")
        yield CallRows(self.book, self._listing, lambda: self._estimate)
        yield CallDetailsView(lambda: self._estimate, self.keymap)
        yield WholeOutput()

    @property
    def rows(self) -> CallRows:
        """The list itself."""
        return self.query_one(CallRows)

    @property
    def details(self) -> CallDetailsView:
        """The details of the call under the cursor."""
        return self.query_one(CallDetailsView)

    @property
    def whole(self) -> WholeOutput:
        """The whole of an output."""
        return self.query_one(WholeOutput)

    def on_mount(self) -> None:
        """Show what was given before there was a screen."""
        self.is_ready = True
        self._ticking = self.set_interval(CLOCK_SECONDS, self._tick, pause=True)
        self.list_calls()

    def show_saved(self, path: Sequence[Node]) -> None:
        """List the calls of a path; their entries are read when they come into sight."""
        key = self.rows.cursor_id if self.is_ready else None
        entry_id = None if key is None else self.book.entry_id(key)
        self.book.show_saved(path)
        if self.is_ready:
            self.close_whole()
            self.rows.cursor_id = entry_id
        self.list_calls()

    def take(self, events: Iterable[Event]) -> None:
        """Note the calls in these events; what came before a move is in the path that was shown for it."""
        heard = list(events)
        moves = [number for number, event in enumerate(heard) if isinstance(event, LeafMoved)]
        was_at_end, before = self._goes_along(), len(self.book.keys)
        newer = heard[moves[-1] + 1 if moves else 0 :]
        changed = {key for event in newer if (key := self.book.take(event))}
        if not changed or not self.is_ready:
            return
        if all(isinstance(event, ToolOutput) for event in newer):
            # Nothing that the list tells; a flood of output must leave time for keys.
            if self.rows.cursor_id in changed:
                self.show_details()
            return
        if self.filter.chosen == "all":
            for key in self.book.keys[before:]:
                self._listing.add(key)
        else:
            new = [key for key in self.book.new_keys if self.filter.fits(self.book.facts(key))]
            self._listing.replace([*self._fitting, *new])
        self.show_all()
        if was_at_end and len(self._listing):
            self.rows.put_cursor(len(self._listing) - 1)
        if self.rows.cursor_id in changed:
            self.show_details()
        if self._ticking is not None and self.book.running:
            self._ticking.resume()

    def list_calls(self) -> None:
        """List the calls anew, as the filter says; those on disk are found by the heir."""
        new = [key for key in self.book.new_keys if self.filter.fits(self.book.facts(key))]
        self._listing.replace(self.book.keys if self.filter.chosen == "all" else [*self._fitting, *new])
        if self.is_ready:
            self.show_all()
            self.show_details()

    def show_all(self) -> None:
        """Show the rows and all that is told of them."""
        self.set_class(not len(self._listing) and not self._is_sifting, "-empty")
        self.rows.rows_changed()
        self.query_one("#tools-empty").refresh()
        self.show_head()

    def show_details(self) -> None:
        """Show the call under the cursor, if details are open."""
        key = self.rows.cursor_id
        if self.has_class("-open") and not self.has_class("-whole"):
            is_listed = key is not None and len(self._listing)
            self.details.show(self._shown(key) if key is not None and is_listed else None)

    def show_head(self) -> None:
        """Say anew how many calls are listed, and which; or where one reads."""
        self.query_one("#tools-head").refresh()

    def _nothing(self, _: int) -> Content:
        return Content.styled(NONE_FITS.get(self.filter.chosen, EMPTY), "$dim")

    def _head(self, width: int) -> Content:
        if self.has_class("-whole"):
            title, right = "Whole output", self.whole.told()
        else:
            title, right = "Tools", self._counted()
        space = max(1, width - len(title) - len(right))
        return Content.assemble((title, "bold"), " " * space, (right, "$dim"))

    def on_resize(self) -> None:
        """Say as much as there is room for."""
        if self.is_ready:
            self.call_after_refresh(self.show_all)

    def on_focus(self) -> None:
        """The cursor shows."""
        self.rows.refresh()

    def on_blur(self) -> None:
        """The cursor hides."""
        self.rows.refresh()

    def on_descendant_focus(self) -> None:
        """The cursor shows."""
        self.rows.refresh()

    def on_descendant_blur(self) -> None:
        """The cursor hides."""
        self.rows.refresh()

    def on_cursor_rows_cursor_moved(self, message: CallRows.CursorMoved) -> None:
        """Show the call under the cursor."""
        message.stop()
        self.show_details()

    def step(self, step: int) -> None:
        """Go by rows."""
        if self.has_class("-whole"):
            self._read(step)
        else:
            self.rows.step(step)

    def step_page(self, step: int) -> None:
        """Go by screens: in the output, in the details, or in the list."""
        if self.has_class("-whole"):
            self._read(step * max(1, self.whole.page_rows - 1))
        elif self.has_class("-open"):
            self.details.move(step * max(1, self.details.page_rows - 1))
        else:
            self.rows.step(step * max(1, self.rows.page_rows - 1))

    def read_on(self, step: int) -> None:
        """Scroll in the details by rows."""
        if self.has_class("-whole"):
            self._read(step)
        elif self.has_class("-open"):
            self.details.move(step)

    def go_to_first(self) -> None:
        """Go to the first call, or to the beginning of the output."""
        if self.has_class("-whole"):
            self.whole.go_to_first()
            self.show_head()
        else:
            self.rows.put_cursor(0)

    def go_to_last(self) -> None:
        """Go to the newest call, or to the end of the output."""
        if self.has_class("-whole"):
            self.whole.go_to_last()
            self.show_head()
        else:
            self.rows.put_cursor(len(self._listing) - 1)

    def close_whole(self) -> None:
        """Show the list again."""
        self.whole.close()
        self.remove_class("-whole")

    def _read(self, rows: int) -> None:
        self.whole.move(rows)
        self.show_head()

    def _shown(self, key: str) -> ShownCall:
        return ShownCall(key, self.book.facts(key), self.book.details(key), self.book.is_pruned(key))

    def _counted(self) -> str:
        listed = len(self._listing)
        match self.filter.chosen:
            case "all":
                return fmt.count(listed, "call") if listed else ""
            case "tool":
                return f"{clean_line(self.filter.tool, MOST_TOOL_CHARS)} · {listed:,}"
            case "errors" | "running":
                return f"{self.filter.chosen} · {listed:,}"

    def _goes_along(self) -> bool:
        """Whether the cursor goes along with the newest call: it stands there, or nobody walks about in the list."""
        if not self.is_ready or not len(self._listing) or not self.has_focus_within:
            return True
        return self.rows.cursor == len(self._listing) - 1

    def _tick(self) -> None:
        running = self.book.running
        for key in running:
            self.rows.call_changed(key)
        if self.rows.cursor_id in running:
            self.show_details()
        if not running and self._ticking is not None:
            self._ticking.pause()
