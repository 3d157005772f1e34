"""Asks whether a tool may do what it wants; the safe answer is under Enter."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.domain.plain_text import clean_line, reveal


class PermissionScreen(ModalScreen[bool]):
    """Shows the whole of what would run; y allows it this once, anything else does not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Allow once", show=False),
        Binding("n,enter,escape", "answer(False)", "Deny", show=False),
    ]

    def __init__(self, tool_name: str, subject: str, reason: str) -> None:
        """What is asked about, and why it is asked."""
        super().__init__()
        self._tool_name = tool_name
        self._subject = subject
        self._reason = reason

    def compose(self) -> ComposeResult:
        """One box."""
        title = f"May {clean_line(self._tool_name, 30)} do this?"
        with Vertical(id="permission"):
            yield Static(Content.styled(title, "bold $accent"), markup=False)
            with VerticalScroll(id="permission-subject"):
                yield Static(Content(reveal(self._subject)), markup=False)
            yield Static(Content.styled(clean_line(self._reason), "$dim"), markup=False)
            keys = Content.assemble(("y", "$accent"), " allow once    ", ("n, enter, esc", "$accent"), " deny")
            yield Static(keys, markup=False)

    def action_answer(self, allowed: bool) -> None:
        """Close with the answer."""
        self.dismiss(allowed)
