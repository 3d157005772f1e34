"""How the recall screen is laid out: words on top, hits on the left, the whole text beside or below them."""

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from diligent_tui.domain.times import Clock
from diligent_tui.ui.screens.recall.edges import (
    RecallState,
    draw_keys,
    draw_notice,
    draw_teaching,
    draw_top,
    draw_words,
)
from diligent_tui.ui.screens.recall.hit_list import HitList
from diligent_tui.ui.screens.recall.original_pane import OriginalPane
from diligent_tui.ui.screens.sessions.field import LineField

NARROW_COLUMNS = 100


class RecallView(Container):
    """Shows what it is told to."""

    def __init__(self, clock: Clock, keymap: Mapping[str, str]) -> None:
        """Begin empty; `keymap` has the user's own keys."""
        super().__init__()
        self._keymap = keymap
        self.hits = HitList(clock)
        self.original = OriginalPane()
        self._state = RecallState(LineField())

    def compose(self) -> ComposeResult:
        """Lines at the edges, and what was found between them."""
        yield Static(id="recall-top", markup=False)
        yield Static(id="recall-words", markup=False)
        with Container(id="recall-body"):
            with Vertical(id="recall-left"):
                yield self.hits
                yield Static(id="recall-teaching", markup=False)
            yield self.original
        yield Static(id="recall-notice", markup=False)
        yield Static(id="recall-keys", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width."""
        self.set_class(event.size.width < NARROW_COLUMNS, "-narrow")
        self._paint(event.size.width)

    def show(self, state: RecallState) -> None:
        """Show this state at the edges."""
        self._state = state
        self._paint(self.size.width)

    def _paint(self, width: int) -> None:
        state = self._state
        teaching = draw_teaching(state)
        self.set_class(bool(teaching), "-empty")
        self._put("top", draw_top(state, width))
        self._put("words", draw_words(state, width))
        self._put("teaching", teaching)
        self._put("notice", draw_notice(state, width))
        self._put("keys", draw_keys(state, width, self._keymap))

    def _put(self, place: str, content: Content) -> None:
        self.query_one(f"#recall-{place}", Static).update(content, layout=place == "teaching")
