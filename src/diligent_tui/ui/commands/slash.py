"""What a sent text asks for, if it begins with a slash; pure."""

import re
from difflib import get_close_matches

from diligent_tui.ui.commands import slash_words

MOST_NAMED = 3
NEAR = 0.6
"""As `difflib` measures; a word with two letters in each other's place is nearer."""


def is_command(text: str) -> bool:
    """Whether it is a command; a path, with a second slash in its first word, is none."""
    return text.startswith("/") and "/" not in text.split(maxsplit=1)[0][1:]


def split_command(text: str) -> tuple[str, str]:
    """The word of a command, and the words behind it."""
    word, *words = re.split(r"\s+", text[1:], maxsplit=1)
    return word, words[0].strip() if words else ""


def nearest_words(word: str) -> list[str]:
    """The slash words that may have been meant, the likeliest first: those that begin so, or else look so."""
    known = list(slash_words())
    begun = [each for each in known if word and each.startswith(word)]
    return begun[:MOST_NAMED] or get_close_matches(word, known, n=MOST_NAMED, cutoff=NEAR)
