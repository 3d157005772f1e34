"""Markdown that is drawn while it is written, for about the price of drawing it once."""

import re
from collections.abc import Sequence
from typing import NamedTuple, assert_never

from rich.segment import Segment

from diligent_tui.ui.markdown.blocks import BlockParser
from diligent_tui.ui.markdown.layout import CodeLayout, FixedLayout, TextLayout, frame_for
from diligent_tui.ui.markdown.leaves import CodeLeaf, EmptyLeaf, HtmlLeaf, Leaf, RuleLeaf, TableLeaf, TextLeaf
from diligent_tui.ui.markdown.look import MarkdownLook
from diligent_tui.ui.markdown.table import TableLayout
from diligent_tui.ui.markdown.wrap import Row

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# One that does not stand between two characters it could join; said by what it cannot join, which compiles sooner.
LONELY_JOINER = re.compile(r"(?<![^\x00-\u02ff\u200d])\u200d|\u200d(?![^\x00-\u02ff\u200d])")
UNDECIDED = ("\r", "\u200d")  # what these mean is told by the character after them
Layout = TextLayout | CodeLayout | TableLayout | FixedLayout


class LiveLines(NamedTuple):
    """The rows as they are now, and the first that differs from the last time they were asked for."""

    rows: Sequence[list[Segment]]
    first_changed: int


class LiveMarkdown:
    """A Markdown text that grows at its end; finished blocks are parsed once and laid out once per width."""

    def __init__(self, look: MarkdownLook) -> None:
        """Start with nothing, to be drawn in a look."""
        self._look = look
        self._parser = BlockParser(look)
        self._source: list[str] = []
        self._waiting: list[str] = []
        self._last_character = ""
        self._is_finished = False
        self._sheet = _Sheet(0, look)

    @property
    def source(self) -> str:
        """The text as it was given."""
        if len(self._source) > 1:
            self._source = ["".join(self._source)]
        return self._source[0] if self._source else ""

    def append(self, delta: str) -> None:
        """Take more text; it is looked at when rows are next asked for."""
        if self._is_finished:
            raise ValueError("This text has been finished; start another one.")
        self._source.append(delta)
        self._waiting.append(delta)

    def finish(self) -> None:
        """The text has ended."""
        if not self._is_finished:
            self._read(is_last=True)
            self._parser.finish()
            self._is_finished = True

    def lines(self, width: int) -> LiveLines:
        """The rows at a width, none of them wider; they stay the same list as long as the width does."""
        self._read(is_last=False)
        width = max(width, 1)
        if self._sheet.width != width:
            self._sheet = _Sheet(width, self._look)
        return LiveLines(self._sheet.rows, self._sheet.refresh(self._parser.leaves))

    def _read(self, is_last: bool) -> None:
        text = "".join(self._waiting)
        self._waiting = []
        if not is_last and text.endswith(UNDECIDED):
            kept = text.rstrip("\r\u200d")
            self._waiting.append(text[len(kept) :])
            text = kept
        if not text:
            return
        last, self._last_character = self._last_character, text[-1]
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if "\u200d" in text:
            text = LONELY_JOINER.sub("", last + text)[len(last) :]
        self._parser.feed(CONTROL.sub("\N{REPLACEMENT CHARACTER}", text))


class _Sheet:
    """The rows of a text at one width."""

    def __init__(self, width: int, look: MarkdownLook) -> None:
        self.width = width
        self.rows: list[Row] = []
        self._look = look
        self._index = 0
        self._start = 0
        self._layout: Layout | None = None

    def refresh(self, leaves: Sequence[Leaf]) -> int:
        """Bring the rows up to date and say which is the first that changed."""
        first = len(self.rows)
        if self._layout is not None and (self._index >= len(leaves) or leaves[self._index] is not self._layout.leaf):
            first = self._start
            del self.rows[first:]
            self._layout = None
        while self._index < len(leaves):
            leaf = leaves[self._index]
            if self._layout is None:
                self._start = len(self.rows)
                first = min(first, self._start)
                self._layout = self._layout_for(leaf)
            first = min(first, self._layout.refresh(self.rows))
            if self._index == len(leaves) - 1 and not leaf.is_closed:
                break
            self._layout = None
            self._index += 1
        return first

    def _layout_for(self, leaf: Leaf) -> Layout:
        frame = frame_for(leaf.place, self.width, self._look)
        if frame.gap is not None:
            self.rows.append(list(frame.gap))
        start = len(self.rows)
        match leaf:
            case TextLeaf() | HtmlLeaf():
                return TextLayout(leaf, frame, start)
            case CodeLeaf():
                return CodeLayout(leaf, frame, start, self._look)
            case TableLeaf():
                return TableLayout(leaf, frame, start, self._look)
            case RuleLeaf() | EmptyLeaf():
                return FixedLayout(leaf, frame, self._look)
            case _:
                assert_never(leaf)


def render(source: str, width: int, look: MarkdownLook) -> list[list[Segment]]:
    """The rows of a whole Markdown text."""
    live = LiveMarkdown(look)
    live.append(source)
    live.finish()
    return list(live.lines(width).rows)
