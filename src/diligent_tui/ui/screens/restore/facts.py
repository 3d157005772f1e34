"""Facts with dots between them, set in lines for the width there is when it is laid out."""

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

BETWEEN_FACTS = Content.styled("  ·  ", "$dim")


def in_lines(facts: Sequence[Content], columns: int) -> Content:
    """Each line as full as may be, without a dot at its end."""
    lines: list[Content] = []
    for fact in facts:
        joined = BETWEEN_FACTS.join([lines[-1], fact]) if lines else fact
        if lines and joined.cell_length <= columns:
            lines[-1] = joined
        else:
            lines.append(fact)
    return Content("\n").join(lines)


class FactLines(Widget, can_focus=False):
    """As high as its lines are; a resize needs no second layout."""

    def __init__(self, *, widget_id: str) -> None:
        """Nothing to tell yet."""
        super().__init__(id=widget_id, markup=False)
        self._facts: Sequence[Content] = ()

    def tell(self, *facts: Content) -> None:
        """Tell these."""
        self._facts = facts
        self.refresh(layout=True)

    def render(self) -> Content:
        """The facts for the width there is."""
        return in_lines(self._facts, self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The rows they need at a width."""
        return in_lines(self._facts, width).get_height({}, width)
