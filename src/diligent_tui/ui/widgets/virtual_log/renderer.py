"""What the log asks of whoever draws its blocks."""

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

from textual.strip import Strip

from diligent_tui.ui.widgets.virtual_log.blocks import LogBlock

DrawnT = TypeVar("DrawnT", bound=LogBlock, contravariant=True)


class BlockRenderer(Protocol[DrawnT]):
    """Draws blocks as strips of segments; the text in them has passed the gate for outside text."""

    @property
    def gutter_columns(self) -> int:
        """How many cells at the left of every line are marks, not text, and are never copied."""
        ...

    def render(self, block: DrawnT, width: int, folded: bool) -> Sequence[Strip]:
        """Draw a block, gutter and blank lines around it included; equal rows should be the same strips."""
        ...

    def estimate(self, block: DrawnT, width: int, folded: bool) -> int:
        """Guess how many rows `render` would give, by arithmetic alone: it is asked for every block on a re-wrap."""
        ...

    def starts_folded(self, block: DrawnT) -> bool:
        """Whether a new block is folded until it is opened."""
        ...

    def state(self, block: DrawnT) -> Hashable:
        """What else the look depends on, such as a mark in the gutter; it must not change the number of rows."""
        ...

    def source(self, block: DrawnT) -> str:
        """The text to copy and to search: as written, without gutter or wrapping."""
        ...
