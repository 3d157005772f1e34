"""The top line: what session this is, which model answers, and what it may do."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import key_now
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.key_line import render_keys

if TYPE_CHECKING:
    from diligent_tui.ui.state import ScreenState

NAME_COLUMNS = 40
LEAST_NAME_COLUMNS = 12
BRANCH_COLUMNS = 24
LEAST_SPACE = 2


class Header(Widget):
    """One row; where it is narrow the name gives way first, and what it may do last."""

    state: "reactive[ScreenState | None]" = reactive(None)
    zoomed: reactive[str] = reactive("")
    """The pane that has all the room; said, because the others are out of sight."""

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Name the key of now that leads back; `keymap` has the user's own."""
        super().__init__()
        self._zoom_key = key_now("zoom", keymap)

    def render(self) -> Content:
        """The line for the present state."""
        state = self.state
        left = Content.assemble((" diligent ", "bold $accent"), "  ")
        if state is None:
            return left + Content.styled("starting …", "$dim")
        beside = Content("")
        if state.branch:
            beside += Content.styled(f"  ⎇ {fit(state.branch, BRANCH_COLUMNS)}", "$accent")
        if state.read_only_because:
            beside += Content.styled("  read-only", "$memory")
        if self.zoomed:
            beside += Content.styled("  zoomed  ", "$dim") + render_keys(((self._zoom_key, "back"),))
        name = state.session_name or state.first_prompt or "new session"
        width = self.size.width
        for right in _rights(state):
            room = width - left.cell_length - beside.cell_length - right.cell_length - LEAST_SPACE
            if room >= min(LEAST_NAME_COLUMNS, cell_len(name)):
                shown = left + Content(fit(name, min(NAME_COLUMNS, room))) + beside
                return shown + Content(" " * (width - shown.cell_length - right.cell_length)) + right
        return (left + Content(fit(name, NAME_COLUMNS)) + beside).truncate(max(1, width))


def _rights(state: "ScreenState") -> Iterator[Content]:
    """What stands at the right, from all of it to what must not go: what it may do."""
    model = state.model_id.rpartition("/")[2] + (f" · {state.thinking}" if state.thinking != "off" else "")
    compactions = f"⟳ {state.compactions}" if state.compactions else ""
    may = (state.mode, state.sandbox)
    for parts in ((model, *may, compactions), (model, *may), may, (state.mode,)):
        yield Content.styled("    ".join(clean_line(part) for part in parts if part) + " ", "$dim")
