"""The leaves of a Markdown text: paragraphs, code, tables and rules, each with the containers it stands in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rich.style import Style

from diligent_tui.ui.markdown.code import LONGEST_LINE_CHARS, CodeStyles, Highlighter
from diligent_tui.ui.markdown.inline import InlineStream, InlineStyles, Span
from diligent_tui.ui.markdown.look import MarkdownLook

MOST_PROMOTED_CHARS = 4000  # a longer paragraph is not turned into a heading or a table's head by the line below it
MOST_HELD_CHARS = 200
HEADING_END = re.compile(r" +#+ *$")
CELL_END = re.compile(r"(?<!\\)\|")
Alignment = Literal["left", "center", "right"]


@dataclass(slots=True, eq=False)
class Quote:
    """A block quote that lines stand in."""

    is_shown: bool = False


@dataclass(slots=True, eq=False)
class Item:
    """A list item that lines stand in; `indent` is what a line must be indented by to belong to it."""

    indent: int
    list_kind: str
    number: int
    task: bool | None = None
    is_shown: bool = False


Container = Quote | Item


class Place(NamedTuple):
    """Where a leaf stands: in which containers, which of them it is the first to show, and what is above it."""

    containers: tuple[Container, ...] = ()
    first_shown: int = 0
    gap_depth: int | None = None
    """How many containers the blank row above goes through; None when there is no blank row."""


class Styles:
    """All that is made once from a look."""

    def __init__(self, look: MarkdownLook) -> None:
        """Prepare the inline parser and the code colours."""
        self.look = look
        self.inline = InlineStyles(look)
        self.code = CodeStyles(look)

    def base(self, place: Place) -> Style:
        """The style of plain text in a place."""
        is_quoted = any(isinstance(container, Quote) for container in place.containers)
        return self.look.text + self.look.quote if is_quoted else self.look.text


class TextLeaf:
    """A paragraph, or a heading if it has a level."""

    def __init__(self, place: Place, styles: Styles, level: int = 0, may_end_in_marks: bool = False) -> None:
        """Start with no text; a heading may end in # marks that are not part of it."""
        self.place = place
        self.level = level
        self.is_closed = False
        base = styles.base(place)
        self._stream = InlineStream(styles.inline, base + styles.look.heading(level) if level else base)
        self._source: list[str] | None = None if level else [""]
        self._may_end_in_marks = may_end_in_marks
        self._held: str = ""

    @property
    def source_lines(self) -> list[str] | None:
        """The lines so far, as long as they may still turn out to be something else."""
        return self._source

    @property
    def spans(self) -> Sequence[Span]:
        """The finished spans, which only grow."""
        return self._stream.spans

    @property
    def tail(self) -> str:
        """The text whose look may still change."""
        return self._stream.tail

    def tail_spans(self) -> list[Span]:
        """How the tail looks for now."""
        return self._stream.tail_spans()

    def next_line(self) -> None:
        """Begin another line of the same paragraph."""
        self._stream.feed("\n")
        if self._source is not None:
            self._source.append("")
            if sum(map(len, self._source)) > MOST_PROMOTED_CHARS:
                self._source = None

    def feed(self, text: str) -> None:
        """Take more of the current line."""
        if self._may_end_in_marks:
            text = self._without_end(text)
        self._stream.feed(text)
        if self._source is not None:
            self._source[-1] += text
            if len(self._source[-1]) > MOST_PROMOTED_CHARS:
                self._source = None

    def close(self) -> None:
        """The text has ended."""
        self._stream.feed(HEADING_END.sub("", self._held))
        self._stream.finish()
        self.is_closed = True

    def _without_end(self, text: str) -> str:
        """Hold back what may turn out to be a heading's closing marks."""
        if not self._held and not self._stream.tail and not self._stream.spans:
            self._held = " "
        text = self._held + text
        kept = text.rstrip(" #")
        if len(text) - len(kept) > MOST_HELD_CHARS:
            self._may_end_in_marks = False
            kept = text
        self._held = text[len(kept) :]
        return kept.removeprefix(" ") if not self._stream.tail and not self._stream.spans else kept


class HtmlLeaf:
    """HTML, shown as it is written."""

    level = 0
    tail = ""

    def __init__(self, place: Place, styles: Styles, end: re.Pattern[str] | None) -> None:
        """Start a block that goes on to a line in which `end` is found, or without one to a blank line."""
        self.place = place
        self.is_closed = False
        self.end = end
        self.spans: list[Span] = []
        self._style = styles.base(place) + styles.look.html
        self._line: list[str] = []

    def tail_spans(self) -> list[Span]:
        """Nothing: literal text is final at once."""
        return []

    def feed(self, text: str) -> None:
        """Take more of the current line."""
        self._line.append(text)
        self.spans.append(Span(text, self._style))

    def next_line(self) -> None:
        """Begin another line."""
        self._line = []
        self.spans.append(Span("\n", self._style))

    def is_ended(self) -> bool:
        """Whether the line just finished was the last."""
        return self.end is not None and self.end.search("".join(self._line)) is not None

    def close(self) -> None:
        """The block has ended."""
        self.is_closed = True


class CodeLeaf:
    """Code, in a fence or indented."""

    def __init__(self, place: Place, styles: Styles, language: str = "", fence: str = "", indent: int = 0) -> None:
        """Start a block; without a fence it is one by indentation."""
        self.place = place
        self.language = language
        self.fence = fence
        self.indent = indent
        self.is_closed = False
        self.base = styles.code.base
        self.partial = ""
        self.continued: set[int] = set()
        self.is_in_line = False
        self._blank_lines = 0
        self._count = 0
        self._highlighter = Highlighter(styles.code, language)

    @property
    def lines(self) -> list[list[Span]]:
        """The lines coloured for good, which only grow."""
        return self._highlighter.lines

    def drafts(self) -> list[list[Span]]:
        """The finished lines after those, coloured for now."""
        return self._highlighter.drafts()

    def feed(self, text: str) -> None:
        """Take more of the current line."""
        if not self.is_in_line:
            self.is_in_line = True
            for _ in range(self._blank_lines):
                self._add("")
            self._blank_lines = 0
        self.partial += text
        while len(self.partial) > LONGEST_LINE_CHARS:
            self._add(self.partial[:LONGEST_LINE_CHARS], is_part=True)
            self.partial = self.partial[LONGEST_LINE_CHARS:]
            self.continued.add(self._count)

    def end_line(self) -> None:
        """The current line is finished."""
        self._add(self.partial, is_part=self._count in self.continued)
        self.partial = ""
        self.is_in_line = False

    def blank_line(self) -> None:
        """Hold a blank line back until code follows it."""
        self._blank_lines += 1

    def close(self) -> None:
        """The block has ended."""
        self._highlighter.close()
        self.is_closed = True

    def _add(self, line: str, is_part: bool = False) -> None:
        self._highlighter.add(line, is_part)
        self._count += 1


class TableLeaf:
    """A table: its cells as spans, row by row."""

    def __init__(self, place: Place, styles: Styles, alignments: Sequence[Alignment], header: str) -> None:
        """Start a table from its first two lines."""
        self.place = place
        self.alignments = tuple(alignments)
        self.is_closed = False
        self.rows: list[list[list[Span]]] = []
        self._styles = styles
        self._base = styles.base(place)
        self.header = self._cells(header, self._base + styles.look.table_header)

    def add_row(self, line: str) -> None:
        """Take a finished row; cells too many are dropped into the last one, cells too few are empty."""
        self.rows.append(self._cells(line, self._base))

    def close(self) -> None:
        """The table has ended."""
        self.is_closed = True

    def _cells(self, line: str, base: Style) -> list[list[Span]]:
        texts = split_cells(line)
        count = len(self.alignments)
        if len(texts) > count:
            texts[count - 1 :] = [" | ".join(texts[count - 1 :])]
        cells = [self._parse(text, base) for text in texts]
        return cells + [[] for _ in range(count - len(cells))]

    def _parse(self, text: str, base: Style) -> list[Span]:
        stream = InlineStream(self._styles.inline, base)
        stream.feed(text)
        stream.finish()
        return stream.spans


@dataclass(eq=False, slots=True)
class RuleLeaf:
    """A thematic break."""

    place: Place
    is_closed: bool = field(default=True, init=False)

    def close(self) -> None:
        """It has been whole from the start."""


@dataclass(eq=False, slots=True)
class EmptyLeaf:
    """A container with nothing in it, which is shown all the same."""

    place: Place
    is_closed: bool = field(default=True, init=False)

    def close(self) -> None:
        """It has been whole from the start."""


Leaf = TextLeaf | HtmlLeaf | CodeLeaf | TableLeaf | RuleLeaf | EmptyLeaf


def split_cells(line: str) -> list[str]:
    """The cells of a table's row, without the bars around them."""
    cells = [cell.strip().replace("\\|", "|") for cell in CELL_END.split(line.strip())]
    if cells and not cells[0]:
        cells.pop(0)
    if cells and not cells[-1]:
        cells.pop()
    return cells
