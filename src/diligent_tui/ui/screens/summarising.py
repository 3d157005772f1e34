"""Shows a summary as its words come; escape stops it."""

from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.domain.plain_text import StreamCleaner, clean_line
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.state import ScreenState
from diligent_tui.ui.widgets.written import written

WHAT_CHARS = 60


class SummarisingScreen(ModalScreen[Literal["cancel"] | None]):
    """Stands over the screen while the model writes; whoever opened it closes it when the summary is there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, what: str) -> None:
        """What is summarised, in a few words."""
        super().__init__()
        self._what = what
        self._cleaner = StreamCleaner()
        self._pieces: list[str] = []
        self._is_due = False

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="summarising", classes="dialog"):
            yield Static(self._title(""), id="summarising-title", markup=False)
            with VerticalScroll(id="summarising-text", can_focus=False):
                yield Static(Content.styled("Waiting for the first words …", "$dim"), id="summarising-words")
            yield Static(render_keys((("esc", "stop; nothing is moved"),)), markup=False)

    def take(self, text: str) -> None:
        """Show more words; many that come at once are painted once."""
        self._pieces.append(self._cleaner.feed(text))
        if not self._is_due and self.is_mounted:
            self._is_due = True
            self.call_after_refresh(self._show)

    def follow(self, state: ScreenState | None, now: float | None) -> None:
        """Tell how much is written and how long the rest will take; without a clock nothing of that time."""
        writing = state.writing if state else None
        if self.is_mounted and writing is not None:
            title: Content = self._title(written(writing, now, "all"))
            self.query_one("#summarising-title", Static).update(title, layout=False)

    def on_mount(self) -> None:
        """Words may have come before."""
        if self._pieces:
            self._show()

    def action_cancel(self) -> None:
        """Close and say that it is to be stopped."""
        self.dismiss("cancel")

    def _title(self, so_far: str) -> Content:
        what = clean_line(self._what, WHAT_CHARS)
        return Content.assemble(("⟳ ", "$memory"), ("Summarising ", "bold $accent"), what, (so_far, "$dim"))

    def _show(self) -> None:
        self._is_due = False
        self._pieces = ["".join(self._pieces)]
        if self._pieces[0].strip():
            self.query_one("#summarising-words", Static).update(Content(self._pieces[0].strip()))
            self.query_one("#summarising-text").scroll_end(animate=False)
