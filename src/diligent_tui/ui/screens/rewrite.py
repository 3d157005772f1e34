"""A second summary of the same talk: shown while it is written, then beside the one in force, to choose from.

Keys are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it.
"""

from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.compaction.strategies.base import Written
from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.panes.summary.live import LiveSummary
from diligent_tui.ui.panes.summary.pages import DiffPage, LivePage
from diligent_tui.ui.panes.summary.sheet import SummarySheet
from diligent_tui.ui.widgets.diff import SIDE_BY_SIDE_COLUMNS, DiffStyle, style_hints

RewriteAnswer = Literal["take", "keep", "stop"]
HINTS_WRITING = (("esc", "stop; nothing is changed"),)
CHOICES = (("⏎ esc", "keep the old"), ("t", "take the new"))
SCROLLING = (("j k", "scroll"),)
WRITER_CHARS = 60


class RewriteScreen(ModalScreen[RewriteAnswer]):
    """Stands over the screen while the other summary is written; `compare` then lets the user choose."""

    def __init__(self, writer: str, active: CompactionEntry) -> None:
        """Who or what writes, and the summary in force."""
        super().__init__()
        self._writer = clean_line(writer, WRITER_CHARS)
        self._active = active
        self._written: Written | None = None
        self._live = LiveSummary()
        self._page = LivePage(self._live)
        self._style: DiffStyle = "side by side"
        self._is_due = False
        self._is_closed = False

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="rewrite"):
            yield Static(id="rewrite-title", markup=False)
            yield SummarySheet("rewrite-sheet")
            yield Static(id="rewrite-keys", markup=False)

    @property
    def sheet(self) -> SummarySheet:
        """Where one reads."""
        return self.query_one(SummarySheet)

    @property
    def is_choosing(self) -> bool:
        """True once both summaries are there."""
        return self._written is not None

    def on_mount(self) -> None:
        """Show what there is."""
        self._show()

    def on_resize(self) -> None:
        """Whether two sides have room goes by the width."""
        self.call_after_refresh(self._show)

    def take(self, text: str) -> None:
        """Show more words; many that come at once are painted once."""
        self._live.pieces.append(text)
        if not self._is_due and self.is_mounted:
            self._is_due = True
            self.call_after_refresh(self._show)

    def compare(self, written: Written) -> None:
        """Both are there: let the user choose."""
        self._written = written
        if self.is_mounted:
            self._show()

    def on_key(self, event: events.Key) -> None:
        """Do what a key means, before any later key is looked at."""
        event.stop()
        event.prevent_default()
        match event.key:
            case "escape":
                self._close("keep" if self.is_choosing else "stop")
            case "enter" if self.is_choosing:
                self._close("keep")
            case "t" if self.is_choosing:
                self._close("take")
            case "d" if self.is_choosing and self._has_room:
                self._style = "unified" if self._style == "side by side" else "side by side"
                self._show()
            case "j" | "down":
                self.sheet.move(1)
            case "k" | "up":
                self.sheet.move(-1)
            case "pagedown" | "space":
                self.sheet.move(self.sheet.page_rows - 1)
            case "pageup":
                self.sheet.move(1 - self.sheet.page_rows)
            case _:
                pass

    @property
    def _has_room(self) -> bool:
        return self.sheet.scrollable_content_region.width >= SIDE_BY_SIDE_COLUMNS

    def _close(self, answer: RewriteAnswer) -> None:
        if not self._is_closed:
            self._is_closed = True
            self.dismiss(answer)

    def _show(self) -> None:
        self._is_due = False
        written = self._written
        if written is None:
            title = Content.assemble(
                ("⟳ ", "$memory"), ("A second summary", "bold $accent"), (f"  {self._writer}", "$dim")
            )
            self.sheet.follow(self._page)
        else:
            title = Content.assemble(
                ("Which summary?", "bold $accent"),
                ("   old ", "$dim"),
                f"{fmt.tokens(self._active.tokens_after)} tokens",
                (f"   new, {self._writer}, ", "$dim"),
                (f"{fmt.tokens(written.entry.tokens_after)} tokens", "bold $memory"),
            )
            old, new = self._active.summary.strip(), written.entry.summary.strip()
            page = DiffPage("old → new", f"{old}\n", f"{new}\n", self._style)
            self.sheet.show(page, f"diff {self._style}")
        shown: Content = title
        self.query_one("#rewrite-title", Static).update(shown)
        hints = (*CHOICES, *style_hints(self._style, has_room=self._has_room), *SCROLLING)
        self.query_one("#rewrite-keys", Static).update(render_keys(HINTS_WRITING if written is None else hints))
