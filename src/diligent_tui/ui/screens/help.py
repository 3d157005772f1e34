"""The keys of where one is."""

from collections.abc import Mapping
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.ui.commands import Command, Where
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import commands_now, shown_key
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.widgets.fitted import Fitted

CLOSE = (("esc", "closes"),)
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

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "dismiss", "Close", show=False)]

    def __init__(self, where: Where, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Show the keys of this place first; the key that leads here leads back, too."""
        super().__init__()
        self._where: Where = where
        self._keymap = keymap
        keys = [command.keys for command in commands_now(keymap, "everywhere") if command.id == "help" and command.keys]
        for each in Binding.make_bindings([Binding(key, "dismiss", "Close", show=False) for key in keys]):
            self._bindings.bind(each.key, each.action, each.description, show=each.show)

    def compose(self) -> ComposeResult:
        """One box: the place's name and the way out stay in sight above the keys."""
        with Vertical(id="help"):
            yield Fitted(self._draw_title, widget_id="help-title")
            with VerticalScroll(id="help-body"):
                yield KeyList(self._where, self._keymap)

    def _draw_title(self, width: int) -> Content:
        name = Content.styled(PLACES[self._where], "bold $accent")
        close = render_keys(CLOSE)
        return name + Content(" " * max(1, width - name.cell_length - close.cell_length)) + close


class KeyList(Static):
    """The keys of a place and those that hold everywhere, each with what it does beside it."""

    def __init__(self, where: Where, keymap: Mapping[str, str]) -> None:
        """Show the keys of this place first."""
        super().__init__(markup=False)
        places: tuple[Where, ...] = (where, "everywhere")
        self._parts: dict[Where, list[Command]] = {
            place: [command for command in commands_now(keymap, place) if shown_key(command)] for place in places
        }

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the words need at this width."""
        return len(self._rows(width))

    def render(self) -> Content:
        """The rows for the width there is."""
        return Content("\n").join(self._rows(self.content_size.width))

    def _rows(self, width: int) -> list[Content]:
        widest = max(len(shown_key(command)) for commands in self._parts.values() for command in commands)
        rows: list[Content] = []
        for number, (where, commands) in enumerate(self._parts.items()):
            # The first place is the title of the box.
            rows += [Content(""), Content.styled(PLACES[where], "bold $accent"), Content("")] if number else []
            for command in commands:
                key = f"  {shown_key(command):<{widest}}  "
                for line_number, line in enumerate(wrap(command.help, max(1, width - len(key)))):
                    head = key if line_number == 0 else " " * len(key)
                    rows.append(Content.assemble((head, "$accent"), line))
        return rows
