"""Splits a growing Markdown text into leaves, reading every line once and never going back to a finished one.

The rules are those of CommonMark with tables and task lists, and four liberties, without which what is on the screen
could change long after it was shown: a list is spaced as its source is, item by item; references are shown as written;
a heading's underline or a table needs a short paragraph above it; a line of markup beyond a kilobyte is plain text.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, assert_never

from diligent_tui.ui.markdown.leaves import (
    CodeLeaf,
    Container,
    EmptyLeaf,
    HtmlLeaf,
    Item,
    Leaf,
    Place,
    Quote,
    RuleLeaf,
    Styles,
    TableLeaf,
    TextLeaf,
)
from diligent_tui.ui.markdown.look import MarkdownLook
from diligent_tui.ui.markdown.starts import (
    TASK,
    TEXT,
    Before,
    Fence,
    Heading,
    Html,
    Marker,
    Rule,
    Start,
    TableRule,
    Text,
    Underline,
    block_start,
)

LONGEST_MARKUP_CHARS = 1000
MOST_INDENT_CHARS = 200
DEEPEST_NESTING = 24
LINE_HEAD = re.compile(r"(?:[ \t]|>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*")


class _Reach(NamedTuple):
    """How much of a line is known: all of it, or at least more than is ever looked at."""

    is_whole: bool
    is_long: bool


class BlockParser:
    """The leaves of one growing text; all but the last are finished."""

    def __init__(self, look: MarkdownLook) -> None:
        """Start with nothing."""
        self.leaves: list[Leaf] = []
        self._styles = Styles(look)
        self._containers: list[Container] = []
        self._had_blank = False
        self._line: list[str] = []
        self._is_settled = False

    def feed(self, text: str) -> None:
        """Take more of the text, in which lines end with a newline and nothing else is a control but tabs."""
        *whole, last = text.split("\n")
        for part in whole:
            self._grow(part, is_whole=True)
        if last:
            self._grow(last, is_whole=False)

    def finish(self) -> None:
        """The text has ended."""
        if self._line or self._is_settled:
            self._grow("", is_whole=True)
        self._close(0)

    def _grow(self, part: str, is_whole: bool) -> None:
        leaf = self._open
        if self._is_settled:
            if part and isinstance(leaf, TextLeaf | HtmlLeaf | CodeLeaf):
                leaf.feed(part.replace("\t", "    "))
            if is_whole:
                self._is_settled = False
                self._end_line()
            return
        self._line.append(part)
        if is_whole or not isinstance(leaf, TableLeaf):  # a table's row is shown when it is whole
            self._try_line(is_whole)

    def _try_line(self, is_whole: bool) -> None:
        line = _indent_bounded("".join(self._line))
        is_settled = is_whole or LINE_HEAD.fullmatch(line) is None or len(line) > LONGEST_MARKUP_CHARS
        if is_settled and self._take(_tabs_expanded(line), is_whole):
            self._line = []
            self._is_settled = not is_whole
            if is_whole:
                self._end_line()
        else:
            self._line = [line]

    @property
    def _open(self) -> Leaf | None:
        return self.leaves[-1] if self.leaves and not self.leaves[-1].is_closed else None

    def _end_line(self) -> None:
        match self._open:
            case TextLeaf(level=level) as leaf if level:
                leaf.close()
            case CodeLeaf(is_in_line=True) as leaf:
                leaf.end_line()
            case HtmlLeaf() as leaf if leaf.is_ended():
                leaf.close()
            case _:
                pass

    def _take(self, line: str, is_whole: bool) -> bool:
        """Read a line or the beginning of one; false when it is too early to tell what it is."""
        head, beyond = line[:LONGEST_MARKUP_CHARS], line[LONGEST_MARKUP_CHARS:]
        reach = _Reach(is_whole and not beyond, bool(beyond))
        depth, rest = self._matched(head)
        is_inside = depth == len(self._containers)
        leaf = self._open
        if not rest.strip(" ") and not beyond:
            if is_whole:
                self._blank_line(depth, rest)
            return is_whole
        if is_inside and isinstance(leaf, CodeLeaf) and leaf.fence:
            return self._fenced_line(leaf, rest, beyond, reach)
        if is_inside and isinstance(leaf, HtmlLeaf):
            leaf.next_line()
            leaf.feed(rest + beyond)
            return True
        return self._new_line(depth, rest, beyond, reach)

    def _matched(self, line: str) -> tuple[int, str]:
        """How many of the open containers a line goes on with, and what is left of it."""
        rest = line
        for depth, container in enumerate(self._containers):
            body = rest.lstrip(" ")
            if isinstance(container, Quote):
                if not body.startswith(">") or len(rest) - len(body) > 3:
                    return depth, rest
                rest = body[1:].removeprefix(" ")
            elif body:
                if len(rest) - len(body) < container.indent:
                    return depth, rest
                rest = rest[container.indent :]
            elif not container.is_shown:
                return depth, rest
            else:
                rest = rest[container.indent :]
        return len(self._containers), rest

    def _fenced_line(self, leaf: CodeLeaf, rest: str, beyond: str, reach: _Reach) -> bool:
        body = rest.lstrip(" ")
        indent = len(rest) - len(body)
        if indent < 4 and not body.rstrip(" ").strip(leaf.fence[0]) and not reach.is_long:
            if not reach.is_whole:
                return False
            if body.count(leaf.fence[0]) >= len(leaf.fence):
                leaf.close()
                return True
        leaf.feed(rest[min(indent, leaf.indent) :] + beyond)
        return True

    def _blank_line(self, depth: int, rest: str) -> None:
        leaf = self._open
        if depth == len(self._containers):
            match leaf:
                case CodeLeaf() if leaf.fence:
                    leaf.feed(rest[leaf.indent :])
                    return
                case CodeLeaf():
                    leaf.blank_line()
                    self._had_blank = True
                    return
                case HtmlLeaf() if leaf.end is not None:
                    leaf.next_line()
                    return
                case None:
                    pass
                case _:
                    leaf.close()
        self._close(depth)
        self._had_blank = True

    def _new_line(self, depth: int, rest: str, beyond: str, reach: _Reach) -> bool:
        """Read what is left of a line after the containers it goes on with."""
        leaf = self._open
        paragraph = leaf if isinstance(leaf, TextLeaf) else None
        opened: list[Container] = []
        start: Start | None = TEXT
        indent = 0
        while body := rest.lstrip(" "):
            indent = len(rest) - len(body)
            if indent >= 4 and (opened or not paragraph):
                self._indented(depth, opened, rest[4:] + beyond)
                return True
            start = TEXT
            if indent >= 4 or depth + len(opened) >= DEEPEST_NESTING:
                break
            if body[0] == ">":
                opened.append(Quote())
                rest = body[1:].removeprefix(" ")
                continue
            before = _before(paragraph, depth == len(self._containers), opened)
            start = block_start(body, reach.is_whole, before)
            if not isinstance(start, Marker):
                break
            opened.append(self._item(start, depth, opened, indent))
            rest = "" if start.is_empty else body[start.skip :]
        if not reach.is_long and (start is None or not body):
            if reach.is_whole:
                self._close(depth)
                self._containers += opened
            return reach.is_whole
        start = TEXT if start is None or isinstance(start, Marker) else start
        self._begin(start, depth, opened, body + beyond, indent)
        return True

    def _item(self, marker: Marker, depth: int, opened: list[Container], indent: int) -> Item:
        sibling = self._containers[depth] if not opened and depth < len(self._containers) else None
        number = marker.number
        if isinstance(sibling, Item) and sibling.list_kind == marker.list_kind:
            number = sibling.number + 1
        return Item(indent + marker.skip, marker.list_kind, number)

    def _indented(self, depth: int, opened: list[Container], text: str) -> None:
        leaf = self._open
        if isinstance(leaf, CodeLeaf) and not leaf.fence and not opened and depth == len(self._containers):
            self._had_blank = False
        else:
            leaf = CodeLeaf(self._place(depth, opened), self._styles)
            self.leaves.append(leaf)
        leaf.feed(text)

    def _begin(self, start: Start, depth: int, opened: list[Container], body: str, indent: int) -> None:
        """Open the leaf that a line begins, or go on with the one above."""
        leaf = self._open
        match start:
            case Text() if isinstance(leaf, TextLeaf) and not opened:
                leaf.next_line()
                leaf.feed(body)
            case Text() if isinstance(leaf, TableLeaf) and not opened and depth == len(self._containers):
                leaf.add_row(body)
            case Text():
                body = _task_taken(opened, body)
                self._add(TextLeaf(self._place(depth, opened), self._styles), body)
            case Heading():
                place = self._place(depth, opened, is_heading=True)
                self._add(TextLeaf(place, self._styles, start.level, may_end_in_marks=True), body[start.skip :])
            case Html():
                self._add(HtmlLeaf(self._place(depth, opened), self._styles, start.end), body)
            case Fence():
                place = self._place(depth, opened)
                self.leaves.append(CodeLeaf(place, self._styles, start.language, start.fence, indent))
            case Rule():
                self.leaves.append(RuleLeaf(self._place(depth, opened)))
            case Underline() | TableRule() if isinstance(leaf, TextLeaf):
                self._promote(leaf, start)
            case Underline() | TableRule() | Marker():
                raise AssertionError(start)
            case _:
                assert_never(start)

    def _add(self, leaf: TextLeaf | HtmlLeaf, text: str) -> None:
        self.leaves.append(leaf)
        leaf.feed(text)

    def _promote(self, paragraph: TextLeaf, start: Underline | TableRule) -> None:
        """Make an open paragraph a heading, or its last line a table's head."""
        lines = paragraph.source_lines or []
        self.leaves.pop()
        place = paragraph.place
        if isinstance(start, Underline):
            heading = TextLeaf(place, self._styles, start.level)
            self._add(heading, "\n".join(lines))
            heading.close()
            return
        if len(lines) > 1:
            above = TextLeaf(place, self._styles)
            self._add(above, "\n".join(lines[:-1]))
            above.close()
            place = Place(place.containers, len(place.containers))
        self.leaves.append(TableLeaf(place, self._styles, start.alignments, lines[-1]))

    def _place(self, depth: int, opened: list[Container], is_heading: bool = False) -> Place:
        """Close what a new leaf ends, open what it stands in, and say where that is."""
        self._close(depth)
        self._containers += opened
        containers = tuple(self._containers)
        first_shown = next((at for at, box in enumerate(containers) if not box.is_shown), len(containers))
        for container in containers[first_shown:]:
            container.is_shown = True
        gap_depth = None
        if self.leaves and (self._had_blank or (is_heading and first_shown == len(containers))):
            gap_depth = _shared_depth(self.leaves[-1].place.containers, containers)
        self._had_blank = False
        return Place(containers, first_shown, gap_depth)

    def _close(self, depth: int) -> None:
        """Close the open leaf and all containers below a depth; one that holds nothing is shown empty."""
        if leaf := self._open:
            leaf.close()
        if any(not container.is_shown for container in self._containers[depth:]):
            self.leaves.append(EmptyLeaf(self._place(len(self._containers), [])))
        del self._containers[depth:]


def _before(paragraph: TextLeaf | None, is_inside: bool, opened: list[Container]) -> Before:
    if opened:
        return Before(is_item_start=isinstance(opened[-1], Item))
    if paragraph is None:
        return Before()
    lines = paragraph.source_lines
    return Before(True, is_inside, lines[-1] if lines and is_inside else None)


def _shared_depth(above: Sequence[Container], here: Sequence[Container]) -> int:
    for depth, (one, two) in enumerate(zip(above, here, strict=False)):
        if one is not two:
            return depth
    return min(len(above), len(here))


def _task_taken(opened: list[Container], body: str) -> str:
    """A task's text without its box, which becomes the item's marker."""
    item = opened[-1] if opened else None
    found = TASK.match(body)
    if not isinstance(item, Item) or found is None:
        return body
    item.task = found.group(1) != " "
    return body[found.end() :].lstrip(" ")


def _indent_bounded(line: str) -> str:
    """A line whose indentation is not longer than anyone could mean."""
    body = line.lstrip(" \t")
    return line[:MOST_INDENT_CHARS] + body if len(line) - len(body) > MOST_INDENT_CHARS else line


def _tabs_expanded(line: str) -> str:
    """A line without tabs: those that indent go to the next fourth column, others are four blanks."""
    if "\t" in line:
        head = LINE_HEAD.match(line)
        end = head.end() if head else 0
        line = line[:end].expandtabs(4) + line[end:].replace("\t", "    ")
    return line
