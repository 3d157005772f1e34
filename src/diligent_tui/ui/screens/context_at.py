"""The exact request at an entry, in the same board as the next request has in its pane."""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.panes.context import ContextBoard, ContextSheet


class ContextScreen(ModalScreen[None]):
    """A board over the main screen; escape closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Close", show=False)]

    def __init__(self, title: str, sheet: ContextSheet, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Show this request."""
        super().__init__()
        self.board = ContextBoard(keymap, title=title, is_next=False)
        self._sheet = sheet

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(classes="dialog"):
            yield self.board

    def on_mount(self) -> None:
        """The request begins at its beginning."""
        self.board.show(self._sheet)
        self.board.focus()
