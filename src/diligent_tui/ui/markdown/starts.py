"""Tells from a line, or from as much of it as has come, what kind of block it begins.

What is told of the beginning of a line must hold for every line that begins so; until that is sure, the answer is None.
"""

import re
from typing import NamedTuple

from diligent_tui.ui.markdown.leaves import Alignment, split_cells

HEADING = re.compile(r"(#{1,6})(?: +|$)")
FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
SAME_MARKS = re.compile(r"([-*_])(?: *\1)* *")
MARKER = re.compile(r"([-+*]|(\d{1,9})([.)]))( +|$)")
MARKER_START = re.compile(r"[-+*]|\d{1,9}[.)]?")
UNDERLINE = re.compile(r"(?:=+|-+) *")
TABLE_RULE = re.compile(r"[-:| ]+")
TABLE_RULE_CELL = re.compile(r":?-+:?")
TASK = re.compile(r"\[([ xX])\] ")
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?:[ >]|/>|$)")
BLOCK_TAG_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div "
    "dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe "
    "legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table "
    "tbody td tfoot th thead title tr track ul"
)
BLOCK_TAGS = frozenset(BLOCK_TAG_NAMES.split())
LONE_TAG = re.compile(
    r"(?:</[A-Za-z][A-Za-z0-9-]* *>|<[A-Za-z][A-Za-z0-9-]*(?: +[A-Za-z_:][\w.:-]*(?: *= *"
    r"(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)* */?>) *"
)
TAG_SO_FAR = re.compile(r"</?(?:[A-Za-z][A-Za-z0-9-]*(?:[ /][^<>]*)?(?:> *)?)?")
SPANNING_HTML = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?:[ >]|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
)
HTML_PROBE_CHARS = 14  # as long as the longest tag name that must be known to the end


class Before(NamedTuple):
    """What a line comes after."""

    is_paragraph: bool = False
    """A paragraph is open that this line may go on with, be it lazily."""
    is_same_container: bool = False
    """That paragraph stands in the same containers as this line."""
    last_line: str | None = None
    """Its last line, if this line may still make it a heading or a table's head."""
    is_item_start: bool = False
    """The line's list marker came just before."""


class Text:
    """A paragraph's text."""

    __slots__ = ()


class Heading(NamedTuple):
    """A heading; its text begins after `skip` characters."""

    level: int
    skip: int


class Fence(NamedTuple):
    """The first line of fenced code."""

    fence: str
    language: str


class Html(NamedTuple):
    """The first line of HTML."""

    end: re.Pattern[str] | None


class Underline(NamedTuple):
    """A line that makes the paragraph above it a heading."""

    level: int


class TableRule(NamedTuple):
    """A line that makes the line above it a table's head."""

    alignments: tuple[Alignment, ...]


class Rule:
    """A thematic break."""

    __slots__ = ()


class Marker(NamedTuple):
    """A list item's marker; what it holds begins after `skip` characters."""

    list_kind: str
    number: int
    skip: int
    is_empty: bool


Start = Text | Heading | Fence | Html | Underline | TableRule | Rule | Marker
TEXT = Text()
RULE = Rule()


def block_start(body: str, is_whole: bool, before: Before) -> Start | None:
    """What a line begins, its indentation taken off; None when more of the line is needed to tell."""
    match body[0]:
        case "#":
            return _heading(body, is_whole)
        case "`" | "~":
            return _fence(body, is_whole)
        case "<":
            return _html(body, is_whole, before)
        case "[" if before.is_item_start and not is_whole and len(body) < len("[ ] x"):
            return None
        case "=" | "-" | "+" | "*" | "_" | "|" | ":" | "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9":
            return _marks(body, is_whole, before)
        case _:
            return TEXT


def _heading(body: str, is_whole: bool) -> Start | None:
    found = HEADING.match(body)
    if found is None:
        return TEXT
    if found.end() == len(body) and not is_whole:
        return None
    return Heading(len(found.group(1)), found.end())


def _fence(body: str, is_whole: bool) -> Start | None:
    found = FENCE.match(body)
    if found is None:
        return None if not is_whole and not body.strip(body[0]) else TEXT
    marks, label = found.groups()
    if marks[0] == "`" and "`" in label:
        return TEXT
    return Fence(marks, label.strip().partition(" ")[0].strip("{}.,:")) if is_whole else None


def _html(body: str, is_whole: bool, before: Before) -> Start | None:
    if not is_whole and len(body) < HTML_PROBE_CHARS and ">" not in body and " " not in body:
        return None
    for start, end in SPANNING_HTML:
        if start.match(body):
            return Html(end)
    if (tag := TAG.match(body)) and tag[1].lower() in BLOCK_TAGS:
        return Html(None)
    if before.is_paragraph or not TAG_SO_FAR.fullmatch(body):
        return TEXT
    if not is_whole:
        return None
    return Html(None) if LONE_TAG.fullmatch(body) else TEXT


def _marks(body: str, is_whole: bool, before: Before) -> Start | None:
    if before.last_line is not None:
        if UNDERLINE.fullmatch(body):
            return Underline(1 if body[0] == "=" else 2) if is_whole else None
        if "|" in before.last_line and TABLE_RULE.fullmatch(body):
            if not is_whole:
                return None
            alignments = _alignments(body)
            if alignments and len(alignments) == len(split_cells(before.last_line)):
                return TableRule(alignments)
    if SAME_MARKS.fullmatch(body):
        if not is_whole:
            return None
        if body.count(body[0]) >= 3:
            return RULE
    return _marker(body, is_whole, before)


def _marker(body: str, is_whole: bool, before: Before) -> Start | None:
    found = MARKER.match(body)
    if found is None:
        return None if not is_whole and MARKER_START.fullmatch(body) else TEXT
    mark, number, delimiter, blanks = found.groups()
    is_empty = found.end() == len(body)
    if is_empty and not is_whole:
        return None
    if before.is_same_container and (is_empty or (number and int(number) != 1)):
        return TEXT
    skip = found.end() if 1 <= len(blanks) <= 4 and not is_empty else len(mark) + 1
    return Marker(delimiter or mark, int(number) if number else 0, skip, is_empty)


def _alignments(body: str) -> tuple[Alignment, ...]:
    cells = split_cells(body)
    if not all(TABLE_RULE_CELL.fullmatch(cell) for cell in cells):
        return ()
    return tuple(_alignment(cell) for cell in cells)


def _alignment(cell: str) -> Alignment:
    if cell.endswith(":"):
        return "center" if cell.startswith(":") else "right"
    return "left"
