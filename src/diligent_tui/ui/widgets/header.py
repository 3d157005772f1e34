"""The top line: what session this is, which model answers, and what it may do."""

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line
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
            beside += Content.styled("  zoomed  ", "$dim") + render_keys((("F9", "back"),))
        parts = [state.model_id.rpartition("/")[2] + (f" · {state.thinking}" if state.thinking != "off" else "")]
        parts += [state.mode, state.sandbox, f"⟳ {state.compactions}" if state.compactions else ""]
        right = Content.styled("    ".join(clean_line(part) for part in parts if part) + " ", "$dim")
        width = self.size.width
        room = width - left.cell_length - beside.cell_length - right.cell_length - LEAST_SPACE
        # What it may do is told before the whole name.
        name_columns = min(NAME_COLUMNS, room) if room >= LEAST_NAME_COLUMNS else NAME_COLUMNS
        left += Content(fit(state.session_name or state.first_prompt, name_columns) or "new session") + beside
        space = width - left.cell_length - right.cell_length
        return left + Content(" " * space) + right if space >= LEAST_SPACE else left.truncate(max(1, width))
