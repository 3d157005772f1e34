"""Asks whether what a folder brings may be used, and shows what that would change; the safe answer is under Enter."""

import time
from collections.abc import Callable, Sequence
from typing import ClassVar, Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from diligent_tui.config.trust_view import TrustItem
from diligent_tui.ui.screens.trust import drawing
from diligent_tui.ui.widgets.cursor_row import lit_content

TrustAnswer = Literal["always", "once", "no"]
SCROLLBAR_COLUMNS = 2
DETAIL_EDGE_COLUMNS = 3
"""Air on both sides and the scrollbar."""
LEAST_COLUMNS = 20
SHORT_ROWS = 24
MIDDLE_ROWS = 30
TALL_ROWS = 40


class TrustScreen(ModalScreen[TrustAnswer]):
    """One box: the things found, and below them the one under the cursor."""

    # The list only shows; the keys are read here, so that Enter is always the no.
    AUTO_FOCUS = ""
    GRACE_SECONDS: ClassVar[float] = 0.3
    """So long keys are passed over: they were meant for what was on the screen before."""

    def __init__(self, findings: Sequence[TrustItem], clock: Callable[[], float] = time.monotonic) -> None:
        """What was found, with what each would do."""
        super().__init__()
        self._items = tuple(findings)
        self._clock = clock
        self._shown_at = 0.0
        self._place = 0

    @property
    def item(self) -> TrustItem:
        """The one that is looked at."""
        return self._items[self._place]

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="trust"):
            yield Static(drawing.render_title(len(self._items)), id="trust-title", markup=False)
            yield Static(drawing.render_facts(), id="trust-facts", markup=False)
            found = OptionList(id="trust-items", markup=False)
            found.can_focus = False
            yield found
            with VerticalScroll(id="trust-body", can_focus=False):
                yield Static(id="trust-detail", markup=False)
            yield Static(id="trust-keys", markup=False)

    def on_mount(self) -> None:
        """Show the first."""
        self._shown_at = self._clock()
        self.watch(self.query_one("#trust-body"), "show_vertical_scrollbar", self._show_keys, init=False)
        self._look_at(0)

    def on_resize(self, event: events.Resize) -> None:
        """Another size has room for other words."""
        rows = event.size.height
        self.set_class(rows < SHORT_ROWS, "-short")
        self.set_class(MIDDLE_ROWS <= rows < TALL_ROWS, "-middle")
        self.set_class(rows >= TALL_ROWS, "-tall")
        self.call_after_refresh(self._fill)
        self.call_after_refresh(self._show_detail)
        self.call_after_refresh(self._show_keys)

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """A click looks at a thing; it answers nothing."""
        message.stop()
        if message.option_index != self._place:
            self._look_at(message.option_index)

    def on_key(self, event: events.Key) -> None:
        """Do what a key means before any later key is looked at."""
        if self._clock() - self._shown_at < self.GRACE_SECONDS:
            event.stop()
            return
        body = self.query_one("#trust-body", VerticalScroll)
        match event.key:
            case "t":
                self.dismiss("always")
            case "o":
                self.dismiss("once")
            case "n" | "enter" | "escape":
                self.dismiss("no")
            case "down" | "j":
                self._look_at(self._place + 1)
            case "up" | "k":
                self._look_at(self._place - 1)
            case "pagedown" | "space":
                body.scroll_page_down(animate=False)
            case "pageup":
                body.scroll_page_up(animate=False)
            case "shift+down":
                body.scroll_down(animate=False)
            case "shift+up":
                body.scroll_up(animate=False)
            case "end":
                body.scroll_end(animate=False)
            case "home":
                body.scroll_home(animate=False)
            case _:
                return
        event.stop()

    def _look_at(self, place: int) -> None:
        self._place = max(0, min(place, len(self._items) - 1))
        self._fill()
        self._show_detail()
        self.query_one("#trust-body", VerticalScroll).scroll_home(animate=False)

    def _fill(self) -> None:
        """Exchange the rows without the cursor's being told to move, which would fill them again."""
        found = self.query_one("#trust-items", OptionList)
        columns = max(LEAST_COLUMNS, self._columns - SCROLLBAR_COLUMNS)
        options = [Option(self._row(number, columns)) for number in range(len(self._items))]
        with found.prevent(OptionList.OptionHighlighted):
            found.set_options(options)
            found.highlighted = self._place

    def _row(self, number: int, columns: int) -> Content:
        is_under_cursor = number == self._place
        row = drawing.render_row(self._items[number], columns, is_under_cursor=is_under_cursor)
        return lit_content(row, self) if is_under_cursor else row

    def _show_detail(self) -> None:
        columns = max(LEAST_COLUMNS, self._columns - DETAIL_EDGE_COLUMNS)
        self.query_one("#trust-detail", Static).update(drawing.render_detail(self.item, columns))

    def _show_keys(self) -> None:
        scrolls = self.query_one("#trust-body").show_vertical_scrollbar
        self.query_one("#trust-keys", Static).update(drawing.render_keys(self._items, self._columns, scrolls=scrolls))

    @property
    def _columns(self) -> int:
        return self.query_one("#trust").content_size.width
