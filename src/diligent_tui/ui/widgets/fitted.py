"""Words that are made for the room they have, when they are painted.

A pane that writes them beforehand writes for the width of that moment, which is none while it, or the line itself, is
not laid out yet; and nobody writes them again when the room comes.
"""

from collections.abc import Callable

from textual.content import Content
from textual.widget import Widget

Tell = Callable[[int], Content]


class Fitted(Widget, can_focus=False):
    """A line or a few, of a height that its style sheet gives."""

    def __init__(self, tell: Tell, *, widget_id: str) -> None:
        """`tell` makes the words for a width; call `refresh` when it would make others."""
        super().__init__(id=widget_id, markup=False)
        self._tell = tell

    def render(self) -> Content:
        """The words for the width there is."""
        return self._tell(self.content_size.width)
