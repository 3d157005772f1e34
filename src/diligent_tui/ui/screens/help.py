"""The keys of where one is."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.ui.commands import Where, commands_at

PLACES: dict[Where, str] = {
    "prompt": "In the prompt",
    "queue": "Where texts wait to be sent",
    "log": "In the chat",
    "tree": "In the tree",
    "tools": "In the tool calls",
    "knowledge": "In the knowledge",
    "summary": "In the summary",
    "context": "In the context",
    "trace": "In the trace",
    "preview": "In the preview of a compaction",
    "recall": "In the search over the session",
    "charts": "In the charts",
    "sessions": "In the list of sessions",
    "everywhere": "Everywhere",
}


class HelpScreen(ModalScreen[None]):
    """A list of keys; any of the usual keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q,enter", "dismiss", "Close", show=False)]

    def __init__(self, where: Where) -> None:
        """Show the keys of this place first."""
        super().__init__()
        self._where: Where = where

    def compose(self) -> ComposeResult:
        """One box."""
        with VerticalScroll(id="help"):
            yield Static(self._content(), markup=False)

    def _content(self) -> Content:
        rows: list[Content] = []
        for where in (self._where, "everywhere"):
            commands = [command for command in commands_at(where) if command.where == where]
            rows.append(Content.styled(PLACES[where], "bold $accent"))
            rows += [
                Content.assemble((f"  {(command.first_key or '/' + command.slash):<12}", "$accent"), command.help)
                for command in commands
            ]
            rows.append(Content(""))
        rows.append(Content.styled("esc closes", "$dim"))
        return Content("\n").join(rows)
