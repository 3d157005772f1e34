"""The row under the cursor in a list that draws its own rows: where it may be, and clear in every theme."""

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget


def standing(place: int, count: int, way: int, may_stand: Callable[[int], bool]) -> int:
    """The row nearest to a place, there or first one way and then the other, on which the cursor may stand."""
    if not count:
        return 0
    place = max(0, min(place, count - 1))
    ways = (range(place, count), range(place, -1, -1))
    return next((found for each in ways[:: 1 if way > 0 else -1] for found in each if may_stand(found)), place)


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
