"""The form on screen: its fields below each other, the cursor in one of them, and what stands against saving."""

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.panes.knowledge.details import wrapped
from diligent_tui.ui.panes.knowledge.form import TITLES, FieldName, Form
from diligent_tui.ui.panes.knowledge.look import KnowledgeLook
from diligent_tui.ui.panes.knowledge.text_field import TextField
from diligent_tui.ui.widgets.prompt.line_steps import step_right

LABEL_CELLS = 12
MOST_RIVAL_CHARS = 400
LABELS: dict[FieldName, str] = {
    "type": "type",
    "text": "text",
    "confidence": "confidence",
    "tags": "tags",
    "scope": "holds in",
}
SCOPE_WORDS = {"project": "this project", "user": "all your projects"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """The rows of a form, and where its cursor stands among them."""

    rows: list[Strip]
    cursor_row: int = 0
    cursor_cell: int = 0


class FormView(ScrollView, can_focus=False):
    """Shows a form; its keys come through the pane."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(KnowledgeLook.CLASSES)
    DEFAULT_CSS = """
    FormView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    class CursorAt(Message):
        """The cursor stands there on the screen: input methods open their box beside the terminal's own."""

        def __init__(self, offset: Offset) -> None:
            """Carry the place."""
            super().__init__()
            self.offset = offset

    def __init__(self) -> None:
        """No form yet."""
        super().__init__(id="knowledge-form")
        self._form: Form | None = None
        self._drawn: Drawn | None = None

    @property
    def text_cells(self) -> int:
        """How wide the fields of text are; one cell is the cursor's at the end of a row."""
        return max(8, self.scrollable_content_region.width - LABEL_CELLS - 1)

    def show(self, form: Form | None) -> None:
        """Show a form as it stands now, with its cursor in sight."""
        self._form = form
        self._lay()

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._lay()

    def notify_style_update(self) -> None:
        """Colours are part of the rows; those of their parts are known only after this, when they are painted."""
        super().notify_style_update()
        self._drawn = None

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        rows = (self._drawn or self._draw()).rows
        row = y + self.scroll_offset.y
        strip = rows[row] if row < len(rows) else Strip([])
        return strip.crop_extend(0, self.scrollable_content_region.width, self.rich_style).apply_style(self.rich_style)

    def _draw(self) -> Drawn:
        width = self.scrollable_content_region.width
        if self._form is None or width <= 0:
            self._drawn = Drawn([])
        else:
            self._drawn = draw_form(self._form, width, self.text_cells, KnowledgeLook.of(self))
        return self._drawn

    def _lay(self) -> None:
        drawn = self._draw()
        self.virtual_size = Size(self.scrollable_content_region.width, len(drawn.rows))
        self._follow_cursor(drawn)
        self.refresh()

    def _follow_cursor(self, drawn: Drawn) -> None:
        """Keep the cursor in sight, and tell where it is."""
        if self._form is None or self._form.typed is None:
            return
        top, height, row = self.scroll_offset.y, max(1, self.scrollable_content_region.height), drawn.cursor_row
        if not top <= row < top + height:
            top = row if row < top else row - height + 1
            self.scroll_to(y=top, animate=False)
        region = self.content_region
        self.post_message(self.CursorAt(Offset(region.x + drawn.cursor_cell, region.y + row - top)))


def draw_form(form: Form, width: int, text_cells: int, look: KnowledgeLook) -> Drawn:
    """The form as rows of a width."""
    rows = [*wrapped(TITLES[form.purpose], width, look.accent), Strip([])]
    cursor_row = cursor_cell = 0
    for name in form.fields:
        is_here = name == form.at
        begin = len(rows)
        match name:
            case "type":
                rows += _choice(name, form.draft.type, look, is_here=is_here)
            case "scope":
                rows += _choice(name, SCOPE_WORDS[form.draft.scope], look, is_here=is_here)
            case "text" | "confidence" | "tags":
                field = form.text if name == "text" else form.tags if name == "tags" else form.confidence
                rows += _text(name, field, text_cells, look, is_here=is_here)
                if is_here:
                    row, cell = field.cursor(text_cells)
                    cursor_row, cursor_cell = begin + row, LABEL_CELLS + cell
    rows.append(Strip([]))
    if form.is_sent:
        rows += wrapped("Saving …", width, look.dim)
    if form.problem:
        rows += wrapped(form.problem, width, look.memory if form.rival else look.error)
    if form.rival is not None:
        rows += wrapped(f"[{form.rival.id}] {clean_line(form.rival.content, MOST_RIVAL_CHARS)}", width, look.text)
    return Drawn(rows, cursor_row, cursor_cell)


def _label(name: FieldName, look: KnowledgeLook, *, is_here: bool) -> Segment:
    mark = "▎" if is_here else " "
    return Segment(f"{mark}{LABELS[name]:<{LABEL_CELLS - 1}}", look.accent if is_here else look.dim)


def _choice(name: FieldName, value: str, look: KnowledgeLook, *, is_here: bool) -> list[Strip]:
    label = _label(name, look, is_here=is_here)
    if not is_here:
        return [Strip([label, Segment(value, look.text)])]
    return [
        Strip(
            [
                label,
                Segment(f"‹ {value} ›", look.strong + look.cursor),
                Segment("  ", look.rule),
                Segment("← →", look.accent),
                Segment(" change", look.dim),
            ]
        )
    ]


def _text(name: FieldName, field: TextField, cells: int, look: KnowledgeLook, *, is_here: bool) -> list[Strip]:
    strips: list[Strip] = []
    cursor_row, _ = field.cursor(cells)
    ground = look.field if is_here else look.base
    for number, (begin, end) in enumerate(field.rows(cells)):
        label = _label(name, look, is_here=is_here) if number == 0 else Segment(" " * LABEL_CELLS)
        text = field.text[begin:end]
        if is_here and number == cursor_row:
            at = min(field.position, end)
            after = step_right(field.text[:end], at)
            pieces = [
                Segment(field.text[begin:at], look.text + ground),
                Segment(field.text[at:after] or " ", look.text + ground + look.reverse),
                Segment(field.text[after:end], look.text + ground),
            ]
        else:
            pieces = [Segment(text, look.text + ground)]
        used = sum(cell_len(piece.text) for piece in pieces)
        pieces.append(Segment(" " * max(0, cells + 1 - used), ground if is_here else look.base))
        strips.append(Strip([label, *(piece for piece in pieces if piece.text)]))
    return strips
