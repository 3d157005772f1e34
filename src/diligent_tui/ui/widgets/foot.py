"""The foot of a pane: its keys, or what was said last; the bottom line is told what it says."""

from textual.content import Content
from textual.message import Message

from diligent_tui.ui.commands import Where
from diligent_tui.ui.widgets.fitted import Fitted, Tell


class Foot(Fitted):
    """One line, made for the room it has."""

    class Told(Message):
        """It says something else now."""

        def __init__(self, where: Where, words: str) -> None:
            """Carry the place it stands in, and what it says."""
            super().__init__()
            self.where: Where = where
            self.words = words

    def __init__(self, tell: Tell, where: Where) -> None:
        """`tell` makes the words for a width; call `refresh` when it would make others."""
        super().__init__(tell, widget_id=f"{where}-foot")
        self._where: Where = where
        self._words = ""

    def render(self) -> Content:
        """The words for the width there is."""
        content = super().render()
        if content.plain != self._words:
            self._words = content.plain
            self.post_message(self.Told(self._where, self._words))
        return content
