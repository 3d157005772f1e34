"""A whole diff laid out in full height, for whoever must judge it; it is scrolled by what it lies in."""

from dataclasses import replace
from typing import ClassVar

from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.ui.widgets.diff.layout import DiffLayout
from diligent_tui.ui.widgets.diff.look import DIFF_CLASSES, DiffLook, look_around
from diligent_tui.ui.widgets.diff.model import Diff
from diligent_tui.ui.widgets.diff.parsing import parse_diff

MOST_WIDTHS_KEPT = 2


class DiffSheet(Widget, can_focus=False):
    """Rows of a diff with all that hides in them spelled out; those out of sight are counted, not drawn."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(DIFF_CLASSES)
    DEFAULT_CSS = """
    DiffSheet {
        width: 1fr;
        height: auto;
    }
    """

    class LaidOut(Message):
        """It has its place and size."""

    def __init__(self, widget_id: str | None = None) -> None:
        """Nothing to show yet."""
        super().__init__(id=widget_id)
        self._diff = Diff()
        self._layouts: dict[int, DiffLayout] = {}
        """By width, for while its place is measured it is asked in turn with a scroll bar beside it and without."""
        self._look: DiffLook | None = None
        self._is_styled = False

    @property
    def is_laid_out(self) -> bool:
        """False while the room it has is that of what was shown before."""
        return self.size.width > 0 and self.size.height == self._laid_at(self.size.width).height

    @property
    def row_count(self) -> int:
        """How many rows there are at the width of now."""
        return self._laid_at(self.size.width).height

    @property
    def lexed_lines(self) -> int:
        """How many lines went through a lexer so far."""
        return self._laid_at(self.size.width).lexed_lines

    def show(self, diff_text: str, name: str) -> None:
        """Show another diff, of a file that is to be called so."""
        diff = parse_diff(diff_text)
        if diff.files:
            diff = replace(diff, files=(replace(diff.files[0], name=name), *diff.files[1:]))
        self._diff = diff
        self._layouts.clear()
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as there are at a width."""
        return self._laid_at(width).height

    def notify_style_update(self) -> None:
        """Colours are part of the rows."""
        super().notify_style_update()
        self._is_styled = False

    def on_resize(self) -> None:
        """Tell that it has another size."""
        self.post_message(self.LaidOut())

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        width = self.size.width
        layout = self._laid_at(width)
        if y >= layout.height:
            return Strip.blank(width, self.rich_style)
        return layout.strip(y).crop_extend(0, width, self.rich_style).apply_style(self.rich_style)

    def _laid_at(self, width: int) -> DiffLayout:
        look = self._look_of_now()
        if width not in self._layouts:
            while len(self._layouts) >= MOST_WIDTHS_KEPT:
                del self._layouts[next(iter(self._layouts))]
            self._layouts[width] = DiffLayout(self._diff, width, look, reveals=True)
        return self._layouts[width]

    def _look_of_now(self) -> DiffLook:
        if self._look is None or not self._is_styled:
            look = look_around(self)
            # A change of style that leaves the colours as they were is no reason to wrap all lines anew.
            if look != self._look:
                self._layouts.clear()
            self._look, self._is_styled = look, True
        return self._look
