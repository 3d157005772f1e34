"""The sheet of charts on screen: drawn for the room there is, scrolled where that is little."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.ui.screens.charts.sheet import Figures, draw_sheet
from diligent_tui.ui.widgets.chart import ASCII, BLOCKS, Role, Row

PREFIX = "charts--"
ROLES: tuple[Role, ...] = ("text", "title", "dim", "axis", "bar", "chosen", "memory", "accent")
STEPS = 60
"""So many steps lead from the first turn to the last, however many there are."""


class ChartsBoard(ScrollView, can_focus=False):
    """Shows figures, with one turn pointed at in all charts."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"{PREFIX}{role}" for role in ROLES}
    # Not in the style sheet: a scrollbar that comes and goes would change the width.
    DEFAULT_CSS = """
    ChartsBoard {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    class Drawn(Message):
        """The sheet was drawn, and may be taller or less tall than before."""

    def __init__(self, *, is_plain: bool) -> None:
        """Begin with nothing."""
        super().__init__(id="charts-board")
        self.figures: Figures | None = None
        self.chosen: int | None = None
        self._glyphs = ASCII if is_plain else BLOCKS
        self._rows: list[Row] = []
        self._styles: dict[Role, Style] = {}

    def show(self, figures: Figures) -> None:
        """Show these; the turn that was pointed at stays."""
        self.figures = figures
        if self.chosen is not None and self.chosen >= len(figures.path.turns):
            self.chosen = None
        self._draw()

    def choose(self, turn: int) -> None:
        """Point at a turn; those beyond the ends mean the ends, and -1 the last."""
        count = len(self.figures.path.turns) if self.figures else 0
        if count:
            self.chosen = count - 1 if turn == -1 else max(0, min(turn, count - 1))
            self._draw()

    def step(self, turns: int) -> None:
        """Point at the next turn or the one before; the first step points at the newest."""
        self.choose(-1 if self.chosen is None else max(0, self.chosen + turns))

    def step_columns(self, steps: int) -> None:
        """The same in strides, where turns are many."""
        count = len(self.figures.path.turns) if self.figures else 0
        self.step(steps * max(1, count // STEPS))

    @property
    def is_taller(self) -> bool:
        """Whether there is more than the screen shows."""
        return len(self._rows) > self.scrollable_content_region.height

    def scroll_rows(self, rows: int) -> None:
        """Scroll by rows."""
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False)

    def scroll_pages(self, pages: int) -> None:
        """Scroll by screens."""
        self.scroll_rows(pages * max(1, self.scrollable_content_region.height - 1))

    def on_resize(self) -> None:
        """Draw for the new room."""
        self._draw()

    def notify_style_update(self) -> None:
        """Other colours."""
        super().notify_style_update()
        self._styles = {}

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        width, place = self.scrollable_content_region.width, y + self.scroll_offset.y
        base = self.rich_style
        if place >= len(self._rows):
            return Strip.blank(width, base)
        segments = [Segment(text, self._style(role)) for text, role in self._rows[place]]
        return Strip([Segment(" "), *segments]).crop_extend(0, width, None).apply_style(base)

    def _draw(self) -> None:
        width, height = self.scrollable_content_region.size
        if self.figures is not None and width > 1:
            self._rows = draw_sheet(self.figures, width - 2, height, self.chosen, self._glyphs)
            self.virtual_size = Size(width, len(self._rows))
            self.post_message(self.Drawn())
        self.refresh()

    def _style(self, role: Role) -> Style:
        if not self._styles:
            self._styles = {each: self._look_up(each) for each in ROLES}
        return self._styles[role]

    def _look_up(self, role: Role) -> Style:
        found = self.get_component_rich_style(f"{PREFIX}{role}")
        return Style(color=found.color, bold=found.bold)
