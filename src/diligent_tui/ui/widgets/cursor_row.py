"""The row under the cursor in a list that draws its own rows, clear in every theme."""

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget


def cursor_style(widget: Widget, component: str) -> Style:
    """The ground of the cursor's row, or reverse where the style sheet says so for want of a colour."""
    style = widget.get_component_rich_style(component)
    return Style(reverse=True) if style.reverse else Style(bgcolor=style.bgcolor)


def lit(strip: Strip, base: Style, cursor: Style) -> Strip:
    """The strip as the row under the cursor."""
    if not cursor.reverse:
        return strip.apply_style(base + cursor)
    # Each colour of the row would become a ground of its own.
    return Strip(Segment.apply_style(Segment.remove_color(strip), cursor), strip.cell_length)


def lit_content(content: Content, widget: Widget) -> Content:
    """The same for a row that is drawn as content."""
    if widget.has_pseudo_class("ansi"):
        return Content.styled(content.plain, "bold reverse")
    return content.stylize_before("on $cursor")
