"""A diff to scroll in; rows out of sight cost nothing."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.ui.widgets.diff.layout import DiffLayout, DiffStyle
from diligent_tui.ui.widgets.diff.look import DIFF_CLASSES, DiffLook, look_around
from diligent_tui.ui.widgets.diff.parsing import parse_diff


def render_diff(
    diff_text: str, width: int, look: DiffLook, style: DiffStyle = "unified", most_rows: int | None = None
) -> list[Strip]:
    """The rows of a unified diff, or only the first of them."""
    layout = DiffLayout(parse_diff(diff_text), width, look, style)
    rows = layout.height if most_rows is None else min(most_rows, layout.height)
    return [layout.strip(row) for row in range(rows)]


class DiffView(ScrollView, can_focus=True):
    """Shows a unified diff in the theme's colours; `d` puts both sides beside each other where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "toggle_style", "Diff style", show=False),
        Binding("j", "scroll_down", "Down", show=False),
        Binding("k", "scroll_up", "Up", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = set(DIFF_CLASSES)
    # Not in the style sheet: a scrollbar that comes and goes would change the width and wrap all lines anew.
    DEFAULT_CSS = """
    DiffView {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, diff_text: str = "", *, style: DiffStyle = "unified", widget_id: str | None = None) -> None:
        """Show a diff."""
        super().__init__(id=widget_id)
        self._diff = parse_diff(diff_text)
        self._style: DiffStyle = style
        self._layout: DiffLayout | None = None
        self._laid_for: tuple[DiffLook, int] | None = None

    @property
    def diff_style(self) -> DiffStyle:
        """How the diff is laid out where there is room."""
        return self._style

    def show(self, diff_text: str) -> None:
        """Show another diff, from its beginning."""
        self._diff = parse_diff(diff_text)
        self._begin_anew()
        self.scroll_to(y=0, animate=False)

    def action_toggle_style(self) -> None:
        """One below the other, or side by side."""
        self._style = "unified" if self._style == "side by side" else "side by side"
        self._begin_anew()

    def laid_out(self) -> DiffLayout:
        """The rows for the width and the theme there are now."""
        wanted = (look_around(self), self.scrollable_content_region.width)
        if self._layout is None or wanted != self._laid_for:
            self._layout, self._laid_for = DiffLayout(self._diff, wanted[1], wanted[0], self._style), wanted
        return self._layout

    def notify_style_update(self) -> None:
        """Colours are part of the rows, so see whether they are others now."""
        super().notify_style_update()
        if self.is_mounted and self._layout is not None and self._laid_for is not None:
            self._laid_for = None
            self.refresh()

    def on_mount(self) -> None:
        """Know how much there is to scroll."""
        self._measure()

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._measure()

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        layout = self.laid_out() if self._laid_for is None or self._layout is None else self._layout
        if row >= layout.height:
            return Strip.blank(width, self.rich_style)
        return layout.strip(row).crop_extend(0, width, self.rich_style).apply_style(self.rich_style)

    def _begin_anew(self) -> None:
        self._layout = None
        self._measure()
        self.refresh()

    def _measure(self) -> None:
        width = self.scrollable_content_region.width
        if self.is_mounted and width > 0:
            self.virtual_size = Size(width, self.laid_out().height)
