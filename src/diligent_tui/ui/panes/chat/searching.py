"""What a search in the chat looks at: the words as one sees them, not the signs that give them their shape."""

import re
from collections.abc import Iterator

from diligent_tui.ui.markdown.bare import LINE_MARK

SIGNS = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)")
"""Of weight, code and what is struck out; an underscore inside a name is none."""
LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
SHAPES = re.compile(r"[*`~_#>\[+-]")
"""Where none of these stands, a text is shown as it is."""


def markdown_texts(words: str, core: str) -> Iterator[str]:
    """A text as it is shown, then as it was written, for in code the signs are words; none without that core."""
    if core not in words.lower():
        return
    if SHAPES.search(words):
        bare = SIGNS.sub("", LINE_MARK.sub("", words))
        yield LINK.sub(r"\1", bare) if "](" in bare else bare
    yield words


def card_text(tool: str, subject: str, effect: str, opened: str) -> str:
    """All that a card says, open or not; each on a line of its own, for nothing runs across them."""
    return f"{tool}\n{subject}\n{effect}\n{opened}"
