"""How the sessions screen is laid out: lines at its edges, the list, and the preview beside or below it."""

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import commands_now
from diligent_tui.ui.screens.sessions.modes import (
    Browsing,
    Counts,
    Mode,
    Opening,
    draw_keys,
    draw_search,
    draw_slot,
    draw_teaching,
    draw_top,
)
from diligent_tui.ui.screens.sessions.preview_pane import PreviewPane
from diligent_tui.ui.screens.sessions.session_list import ListHeading, SessionList

NARROW_COLUMNS = 100


class SessionsView(Container):
    """Shows what it is told to; on a narrow screen the preview is below the list."""

    def __init__(self, rows: SessionList, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Lay the rest out around these rows; `keymap` has the user's own keys."""
        super().__init__()
        self._commands = commands_now(keymap, "sessions")
        self._rows = rows
        self._mode: Mode = Browsing()
        self._notice = Content("")
        self._counts = Counts()
        self._opening: Opening = "nothing"
        self._can_undo = False
        self._painted: dict[str, Content] = {}

    def compose(self) -> ComposeResult:
        """Top line, search, list and preview, the line to be told and asked, the keys."""
        yield Static(id="sessions-top", markup=False)
        yield Static(id="sessions-search", markup=False)
        with Container(id="sessions-body"):
            with Vertical(id="sessions-left"):
                yield ListHeading()
                yield self._rows
                yield Static(id="sessions-empty", markup=False)
            yield PreviewPane()
        yield Static(id="sessions-slot", markup=False)
        yield Static(id="sessions-keys", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width."""
        self.set_class(event.size.width < NARROW_COLUMNS, "-narrow")
        self._paint()

    def show(self, mode: Mode, notice: Content, counts: Counts, *, opening: Opening, can_undo: bool) -> None:
        """Show what the keys mean now, what was said last, and how many sessions there are."""
        self._mode, self._notice, self._counts = mode, notice, counts
        self._opening, self._can_undo = opening, can_undo
        self._paint()

    def show_counts(self, counts: Counts) -> None:
        """Show how far the reading is."""
        self._counts = counts
        self._put("top", draw_top(counts, self.size.width))

    def _paint(self) -> None:
        width = self.size.width
        self.show_counts(self._counts)
        self._put("search", draw_search(self._mode, width))
        self._put("slot", draw_slot(self._mode, self._notice, width))
        keys = draw_keys(
            self._mode,
            self._counts,
            width,
            opening=self._opening,
            can_undo=self._can_undo,
            commands=self._commands,
        )
        self._put("keys", keys)
        teaching = draw_teaching(self._counts)
        self._put("empty", teaching)
        self.set_class(bool(teaching), "-empty")

    def _put(self, place: str, content: Content) -> None:
        """Only a line that may become two lays out the screen anew."""
        if not content.is_same(self._painted.get(place, Content(""))):
            self._painted[place] = content
            self.query_one(f"#sessions-{place}", Static).update(content, layout=place in ("slot", "empty"))
