"""How the prompt looks: a text area without frame or line numbers, behind a mark, with pastes shown as tokens."""

from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.content import Content
from textual.document._document import EditResult, Location
from textual.document._edit import Edit
from textual.geometry import Offset
from textual.strip import Strip
from textual.widgets import TextArea

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.widgets.prompt.line_steps import settle
from diligent_tui.ui.widgets.prompt.pasting import TOKEN, show_tokens

MARK = "› "
SHELL_MARK = "$ "
"""For a command of the user's own: what is sent goes to the shell."""
MORE_ABOVE = "⋮ "
NO_MARK = "  "


class PromptView(TextArea, inherit_bindings=False):
    """A text area that grows with its text; its keys are not bindings, which would run behind keys typed after them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--mark", "prompt--paste"}
    # Not in the style sheet: without these it would fill the screen.
    DEFAULT_CSS = """
    PromptView {
        height: auto;
        min-height: 1;
        max-height: 10;
        padding: 0;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, hint: str, *, name: str | None, widget_id: str | None, classes: str | None) -> None:
        """Show a hint while there is no text."""
        super().__init__(
            compact=True,
            highlight_cursor_line=False,
            placeholder=Content(clean_line(hint)),
            name=name,
            id=widget_id,
            classes=classes,
        )
        self.cursor_blink = False
        self._borrowers: set[str] = set()

    def show_hint(self, words: str) -> None:
        """Say something else while there is no text."""
        self.placeholder = Content(clean_line(words))

    def lend_cursor(self, borrower: str) -> None:
        """Draw no cursor while keys are written elsewhere: of two on a screen one is wrong."""
        self._borrowers.add(borrower)
        self._draw_anew()

    def return_cursor(self, borrower: str) -> None:
        """Draw it again, unless it is lent to somebody else too."""
        self._borrowers.discard(borrower)
        self._draw_anew()

    def _draw_anew(self) -> None:
        # Rows that were drawn with the cursor are kept until the style changes.
        self.notify_style_update()
        self.refresh()

    @property
    def _draw_cursor(self) -> bool:
        return super()._draw_cursor and not self._borrowers

    @property
    def gutter_width(self) -> int:
        """The cells of the mark."""
        return len(MARK)

    def render_line(self, y: int) -> Strip:
        """A row behind its mark."""
        row = y + self.scroll_offset.y
        first = SHELL_MARK if self.document.get_line(0).startswith("!") else MARK
        mark = first if row == 0 else MORE_ABOVE if y == 0 else NO_MARK
        style = self.get_component_rich_style("prompt--mark")
        strip = Strip.join([Strip([Segment(mark, style)], len(mark)), super().render_line(y)])
        return strip.crop(0, self.scrollable_content_region.width)

    def get_line(self, line_index: int) -> Text:
        """A line with its tokens set off from what was typed."""
        line = self.document.get_line(line_index)
        text = Text(show_tokens(line), end="", no_wrap=True)
        for token in TOKEN.finditer(line):
            text.stylize(self.get_component_rich_style("prompt--paste"), *token.span())
        return text

    def clamp_visitable(self, location: Location) -> Location:
        """A place where the cursor may stand: never inside a token."""
        row, column = super().clamp_visitable(location)
        return row, settle(self.document[row], column)

    def edit(self, edit: Edit) -> EditResult:
        """Change the text and scroll to the cursor; the text area alone does so before it knows of a new last row."""
        result = super().edit(edit)
        self.scroll_cursor_visible()
        return result

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """Scroll to the cursor, once there is one: within an undo it may stand on a line that is gone already."""
        if self.cursor_location[0] >= self.document.line_count:
            return Offset(0, 0)
        return super().scroll_cursor_visible(center, animate)

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        """None: in a prompt brackets are words, and to look for them in a long text costs time at each key."""
        return None
