"""Words from outside as Markdown that stays in its place: no raw HTML, no headings of ours, no open fence, no image."""

import re
from collections.abc import Iterator

SPECIAL = re.compile(r"([\\`*_\[\]<>#&!|~])")
FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})([^`]*)$")
HEADING = re.compile(r"^( {0,3})(#{1,6})(?=[ \t]|$)")
UNDERLINE = re.compile(r"^( {0,3})([=-]+)[ \t]*$")
HTML_OR_IMAGE = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)")
TICKS = re.compile(r"`+")
LOWEST_HEADING = 6
HEADINGS_DOWN = 3
"""How far headings in an answer are moved down, so that they stay below ours."""


def inline(text: str) -> str:
    """Words in a line of ours, with nothing in them that means anything."""
    return SPECIAL.sub(r"\\\1", text)


def fenced(text: str, language: str = "") -> str:
    """A block of code with a fence longer than any in it."""
    longest = max((len(run) for run in TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def quoted(markdown: str) -> str:
    """Markdown in a quotation, which ends whatever is left open in it; line breaks stay."""
    return "\n".join(f"> {line}  " if line.strip() else ">" for line in markdown.split("\n"))


def tamed(text: str) -> str:
    """Markdown as it was said, without what could act beyond itself."""
    blocks: list[str] = []
    for block, is_code, language in _blocks(text):
        blocks.append(fenced(block, language) if is_code else _tamed_block(block))
    return "\n".join(blocks).strip("\n")


def _blocks(text: str) -> Iterator[tuple[str, bool, str]]:
    """Fenced code, and what stands between blank lines and code.

    Code is written anew with a fence of ours at the margin, so that no reader can see its ends elsewhere than we do.
    """
    held: list[str] = []
    fence, indent, language = "", "", ""
    for line in text.split("\n"):
        found = FENCE.match(line)
        if fence:
            if found and found[2][0] == fence[0] and len(found[2]) >= len(fence) and not found[3].strip():
                yield "\n".join(held), True, language
                held, fence = [], ""
            else:
                held.append(line.removeprefix(indent))
        elif found:
            yield "\n".join(held), False, ""
            held, indent, fence = [], found[1], found[2]
            language = "".join(re.findall(r"^[\w+#.-]{1,30}", found[3].strip()))
        elif not line.strip():
            yield "\n".join(held), False, ""
            yield "", False, ""
            held = []
        else:
            held.append(line)
    yield "\n".join(held), bool(fence), language


def _tamed_block(block: str) -> str:
    first, *others = block.split("\n")
    spans_are_clear = all(map(_has_whole_spans, [first, *others]))
    # Under another line it would make that a heading; alone it is a rule.
    lines = [first, *(UNDERLINE.sub(r"\1\\\2", line) for line in others)]
    return "\n".join(_tamed_line(line, spans_are_clear) for line in lines)


def _tamed_line(line: str, spans_are_clear: bool) -> str:
    line = HEADING.sub(lambda found: found[1] + "#" * min(LOWEST_HEADING, len(found[2]) + HEADINGS_DOWN), line)
    if not spans_are_clear:
        return _spelled(line)
    parts: list[str] = []
    position = 0
    for start, end in _spans(line):
        parts += [_spelled(line[position:start]), line[start:end]]
        position = end
    return "".join([*parts, _spelled(line[position:])])


def _spelled(text: str) -> str:
    # Not by a backslash: one that stands there already would take ours away.
    return HTML_OR_IMAGE.sub(lambda found: "&lt;" if found[0] == "<" else "&#33;", text)


def _has_whole_spans(line: str) -> bool:
    """True if every reader finds the same code in the line, however it joins lines or divides a table."""
    if "`" not in line:
        return True
    if "\\`" in line:
        return False
    spans = list(_spans(line))
    edges = [0, *(edge for span in spans for edge in span), len(line)]
    outside = "".join(line[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2))
    return "`" not in outside and not any("|" in line[start:end] for start, end in spans)


def _spans(line: str) -> Iterator[tuple[int, int]]:
    """The code spans of a line: from a run of backticks to the next of the same length."""
    runs = [(found.start(), found.end()) for found in TICKS.finditer(line)]
    at = 0
    while at < len(runs):
        start, opened = runs[at]
        closing = next((next_ for next_ in range(at + 1, len(runs)) if _size(runs[next_]) == opened - start), None)
        if closing is not None:
            yield start, runs[closing][1]
            at = closing
        at += 1


def _size(run: tuple[int, int]) -> int:
    return run[1] - run[0]
