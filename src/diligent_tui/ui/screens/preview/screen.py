"""Shows a compaction before it happens; Enter carries it out, Esc leaves everything as it is.

Keys are no bindings: Textual runs a binding only after the key has gone up to the app, behind keys typed after it, so
that an Enter typed quickly would compact before the cut has moved. The screen looks them up itself, in order.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.compaction.views import CompactionWish, PreviewBlock
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import hints_now, sentence_now
from diligent_tui.ui.commands.preview import PREVIEW_COMMANDS
from diligent_tui.ui.key_line import Hint, render_keys
from diligent_tui.ui.screens.preview.rows import render_sizes, render_totals
from diligent_tui.ui.screens.preview.trial import Ask, Choice, Trial
from diligent_tui.ui.screens.preview.view import PreviewRows

FOCUS_CHARS = 300
LOW_ROWS = 30
GO: Hint = ("⏎", "compact")
HINTS: Sequence[Hint] = (
    ("↑ ↓", "move cut"),
    GO,
    ("j k", "block"),
    ("p", "pin"),
    ("x", "leave out"),
    ("esc", "cancel"),
)


class PreviewScreen(ModalScreen[Choice | None]):
    """One box with all blocks; closes with what to do, or with nothing."""

    def __init__(
        self,
        ask: Ask,
        wish: CompactionWish,
        strategy: str,
        keymap: Mapping[str, str] = OUR_KEYS,
        grace_seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Try out a wish; `strategy` is the name of what would write the summary.

        For `grace_seconds` keys are passed over, where the screen comes by itself.
        """
        super().__init__()
        self._grace_seconds = grace_seconds
        self._clock = clock
        self._shown_at = clock()
        self.trial = Trial(ask, wish)
        self._strategy = strategy
        self._said = ""
        self._keymap = keymap
        self._keys = by_key(PREVIEW_COMMANDS, keymap)
        self._deeds = self._table()

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="preview"):
            yield Static(id="preview-title", markup=False)
            yield Static(id="preview-sizes", markup=False)
            yield Static(id="preview-focus", markup=False)
            yield PreviewRows()
            yield Static(id="preview-totals", markup=False)
            yield Static(id="preview-said", markup=False)
            yield Static(id="preview-keys", markup=False)

    @property
    def rows(self) -> PreviewRows:
        """The blocks."""
        return self.query_one(PreviewRows)

    def on_mount(self) -> None:
        """Begin at the cut."""
        self._shown_at = self._clock()
        self._show()
        self.call_after_refresh(self.rows.go_to_cut)

    def on_resize(self) -> None:
        """A low screen has no blank rows."""
        self.set_class(self.size.height < LOW_ROWS, "-low")
        self.call_after_refresh(self._show_edges)

    def on_key(self, event: events.Key) -> None:
        """Every key is looked at here, in the order they were typed."""
        if self._clock() - self._shown_at < self._grace_seconds:
            event.stop()
            return
        command_id = self._keys.get(event.key) or self._keys.get(event.character or "")
        if command_id is not None:
            event.stop()
            event.prevent_default()
            self._said = ""
            self._deeds[command_id]()

    def _table(self) -> dict[str, Callable[[], None]]:
        return {
            "preview_cut_up": partial(self._move, -1),
            "preview_cut_down": partial(self._move, 1),
            "preview_block_up": partial(self._step, -1),
            "preview_block_down": partial(self._step, 1),
            "preview_page_up": lambda: self._step(-self.rows.page_rows + 1),
            "preview_page_down": lambda: self._step(self.rows.page_rows - 1),
            "preview_first": lambda: self._step(-len(self.trial.blocks)),
            "preview_last": lambda: self._step(len(self.trial.blocks)),
            "preview_to_cut": self._go_to_cut,
            "preview_pin": lambda: self._toggle(self.trial.toggle_pin),
            "preview_leave_out": lambda: self._toggle(self.trial.toggle_excluded),
            "preview_go": self._go,
            "preview_close": lambda: self._close(None),
        }

    def _move(self, steps: int) -> None:
        if not self.trial.move(steps):
            self._said = "There is no further place to cut."
        self._show()
        self.rows.go_to_cut()

    def _go_to_cut(self) -> None:
        self.rows.go_to_cut()
        self._show_edges()

    def _step(self, steps: int) -> None:
        self.rows.step(steps)
        self._show_edges()

    def _toggle(self, toggle: Callable[[PreviewBlock], str]) -> None:
        if block := self.rows.block:
            self._said = sentence_now(toggle(block), self._keymap)
        self._show()

    def _go(self) -> None:
        if self.trial.refusal is not None or self.trial.preview is None:
            self._said = "It cannot be compacted like this."
            self._show_edges()
        else:
            self._close(self.trial.choice)

    def _close(self, choice: Choice | None) -> None:
        # Keys typed behind the one that closes it are nobody's here.
        self._keys = {}
        self.dismiss(choice)

    def _show(self) -> None:
        self.rows.show(self.trial.blocks, self.trial.cut)
        self._show_edges()

    def _show_edges(self) -> None:
        trial = self.trial
        wish, refusal = trial.choice.wish, trial.refusal
        is_refused = refusal is not None
        told = f"{refusal.message} {refusal.advice}" if refusal else ""
        said = Content.styled(clean_line(f"✗ {told}"), "$error") if told else Content(clean_line(self._said))
        if told and self._said:
            said = Content.assemble(said, " ", clean_line(self._said))
        self.set_class(bool(said), "-saying")
        self.set_class(bool(wish.focus), "-focused")
        self.set_class(trial.preview is None, "-nothing")
        model = f" by {clean_line(wish.model_id, 60)}" if wish.model_id else ""
        title: Content = Content.assemble(
            ("Preview of a compaction", "bold $accent"),
            (f"   strategy {clean_line(self._strategy, 40)}{model}", "$dim"),
        )
        self.query_one("#preview-title", Static).update(title)
        sizes = self.query_one("#preview-sizes", Static)
        sizes.update(render_sizes(trial.preview, sizes.content_size.width, is_refused=is_refused))
        focus = Content.assemble(("focus  ", "$dim"), clean_line(wish.focus, FOCUS_CHARS))
        self.query_one("#preview-focus", Static).update(Content.assemble(focus))
        totals, keys = self.query_one("#preview-totals", Static), self.query_one("#preview-keys", Static)
        totals.update(render_totals(trial.preview, trial.blocks, totals.content_size.width))
        self.query_one("#preview-said", Static).update(Content.assemble(said))
        hints = [hint for hint in HINTS if hint is not GO or not is_refused] if trial.preview else [("esc", "close")]
        keys.update(render_keys(hints_now(hints, "preview", self._keymap), keys.content_size.width))
