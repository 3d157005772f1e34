"""Where the cursor may stand on a line and where a step takes it: over characters as people see them, words, tokens."""

import re
import unicodedata
from functools import cache

from diligent_tui.domain.plain_text.marks import COMBINING_MARKS
from diligent_tui.ui.widgets.prompt.pasting import CLOSING, OPENING, TOKEN

JOINERS = "\u200c\u200d"
# No character as people see it is longer, and no token.
REACH_CHARS = 256


def is_typed(character: str) -> bool:
    """Whether a key types this; unlike `isprintable`, with the wide space and the joiners inside emoji."""
    return character.isprintable() or character in JOINERS or unicodedata.category(character[-1:] or "\n") == "Zs"


def step_left(line: str, column: int) -> int:
    """The column before the character or token that ends here."""
    if column <= 1 or line.isascii():
        return max(0, column - 1)
    begin = max(0, column - REACH_CHARS)
    last = begin
    for stop in _stops().finditer(line, begin, column):
        last = stop.start()
    return last


def step_right(line: str, column: int) -> int:
    """The column behind the character or token that begins here."""
    if column >= len(line) or line.isascii():
        return min(len(line), column + 1)
    stop = _stops().match(line, column)
    return stop.end() if stop else column + 1


def settle(line: str, column: int) -> int:
    """The nearest column that is neither inside a token nor inside a character as people see it."""
    if not 0 < column < len(line) or line.isascii():
        return column
    begin = max(line.rfind(OPENING, max(0, column - REACH_CHARS), column), 0)
    token = TOKEN.match(line, begin)
    if token and token.start() < column < token.end():
        return token.start() if column - token.start() < token.end() - column else token.end()
    for stop in _stops().finditer(line, max(0, column - REACH_CHARS)):
        if stop.end() >= column:
            return column if stop.start() == column else stop.end()
    return column


def word_left(line: str, column: int) -> int:
    """The start of the word or token at or before the column."""
    start = 0
    for word in _words().finditer(line, 0, column):
        start = word.start()
    return start


def word_right(line: str, column: int) -> int:
    """The end of the word or token at or behind the column."""
    word = _words().search(line, column)
    return word.end() if word else len(line)


def space_left(line: str, column: int) -> int:
    """The start of the run of non-spaces, or the token, at or before the column."""
    before = line[:column].rstrip()
    if before.endswith(CLOSING):
        return max(0, before.rfind(OPENING))
    return len(before) - len(re.split(rf"[\s{CLOSING}]", before)[-1])


# Compiled on first need: most lines are plain ASCII and start-up is short.


@cache
def _stops() -> re.Pattern[str]:
    pair_of_flags = "[\U0001f1e6-\U0001f1ff]{2}"
    joined = "\u200d[\u2190-\u2bff\U0001f000-\U0001faff]"
    upon_it = f"[{COMBINING_MARKS}{JOINERS}\ufe0f\U0001f3fb-\U0001f3ff]"
    return re.compile(f"{TOKEN.pattern}|(?:{pair_of_flags}|.)(?:{joined}|{upon_it})*", re.DOTALL)


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"{TOKEN.pattern}|\w+")
