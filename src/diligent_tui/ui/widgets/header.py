"""The top line: what session this is, which model answers, and what it may do."""

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.fitting import fit

if TYPE_CHECKING:
    from diligent_tui.ui.state import ScreenState

NAME_COLUMNS = 40
BRANCH_COLUMNS = 24


class Header(Widget):
    """One row; narrow screens keep the name and the model."""

    state: "reactive[ScreenState | None]" = reactive(None)
    zoomed: reactive[str] = reactive("")
    """The pane that has all the room; said, because the others are out of sight."""

    def render(self) -> Content:
        """The line for the present state."""
        state = self.state
        left = Content.assemble((" diligent ", "bold $accent"), "  ")
        if state is None:
            return left + Content.styled("starting …", "$dim")
        name = fit(state.session_name or state.first_prompt, NAME_COLUMNS) or "new session"
        left += Content(name)
        if state.branch:
            left += Content.styled(f"  ⎇ {fit(state.branch, BRANCH_COLUMNS)}", "$accent")
        if state.read_only_because:
            left += Content.styled("  read-only", "$memory")
        if self.zoomed:
            left += Content.styled("  zoomed, F9 back", "$accent")
        parts = [state.model_id.rpartition("/")[2] + (f" · {state.thinking}" if state.thinking != "off" else "")]
        parts += [state.mode, state.sandbox, f"⟳ {state.compactions}" if state.compactions else ""]
        right = Content.styled("    ".join(clean_line(part) for part in parts if part) + " ", "$dim")
        space = self.size.width - left.cell_length - right.cell_length
        return left + Content(" " * space) + right if space > 1 else left.truncate(max(1, self.size.width))
