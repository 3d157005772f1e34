"""A prompt that holds a long paste: folded it is its first lines, and how much more there is."""

from typing import NamedTuple

from diligent_tui.domain.plain_text import clean
from diligent_tui.ui import format as fmt
from diligent_tui.ui.panes.chat.wrapping import wrapped
from diligent_tui.ui.transcript import ChatBlock

MOST_LINES = 20
MOST_CHARS = 2_000
"""A prompt with more stands folded."""
SHOWN_ROWS = 8
ROWS_OF_OUR_OWN = 1
"""Below its words, a row says how much more there is."""


def is_long_prompt(block: ChatBlock) -> bool:
    """Whether a block is a prompt that would fill the chat."""
    return block.kind == "prompt" and (block.line_count > MOST_LINES or block.size_bytes > MOST_CHARS)


class Head(NamedTuple):
    """What is shown of a folded prompt."""

    rows: list[str]
    whole_lines: int
    """Lines that are all in the rows."""


def head_of(words: str, room: int) -> Head:
    """The first rows of a long text; no more of it is looked at than may be shown."""
    lines = clean(words[:MOST_CHARS]).split("\n")
    rows: list[str] = []
    for whole, line in enumerate(lines[:SHOWN_ROWS]):
        rows += wrapped(line, room)
        is_cut = whole == len(lines) - 1 and len(words) > MOST_CHARS
        if is_cut or len(rows) > SHOWN_ROWS:
            return Head(rows[:SHOWN_ROWS], whole)
    return Head(rows, min(SHOWN_ROWS, len(lines)))


def rest_words(words: str, head: Head, key: str) -> str:
    """How much more there is: in lines, or in characters of a line that is very long."""
    # A paste that ends in a line end has no line behind it.
    lines = 1 + words.rstrip("\n").count("\n") - head.whole_lines
    if lines > 1:
        return f"… {fmt.count(lines, 'more line')}: {key} opens it"
    return f"… {fmt.count(len(words) - sum(map(len, head.rows)), 'more character')}: {key} opens it"
