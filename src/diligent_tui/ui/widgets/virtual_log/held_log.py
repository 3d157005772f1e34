"""A log in a pane that has the focus and the keys itself."""

from rich.style import Style
from textual.widget import Widget

from diligent_tui.ui.widgets.cursor_row import cursor_style
from diligent_tui.ui.widgets.virtual_log.blocks import BlockT
from diligent_tui.ui.widgets.virtual_log.rows import RowStyles
from diligent_tui.ui.widgets.virtual_log.widget import VirtualLog


class HeldLog(VirtualLog[BlockT], can_focus=False):
    """A log whose cursor shows while its holder is worked in."""

    def _look_up_styles(self) -> RowStyles:
        styles = super()._look_up_styles()
        holder = self.parent
        if not isinstance(holder, Widget) or not holder.has_focus_within:
            return styles._replace(cursor=Style(), cursor_bar=None)
        bar = self.get_component_rich_style("virtual-log--cursor-bar")
        cursor = cursor_style(self, "virtual-log--cursor")
        if not cursor.reverse:
            return styles._replace(cursor=cursor, cursor_bar=Style(color=bar.color))
        # An open block is many rows: turned over they could hardly be read, and their bar is long enough to see.
        cursor_id = self.model.cursor_id
        if cursor_id is not None and not self.model.blocks.is_folded(cursor_id):
            return styles._replace(cursor=Style(), cursor_bar=Style(color=bar.color, bold=True))
        return styles._replace(cursor=cursor, cursor_bar=Style())
