"""Names out of programs that an agent works with: functions, types, settings, addresses, told from words by shape."""

import re
from collections.abc import Iterator
from typing import TypeGuard

from diligent_tui.compaction.mentions import PATH, URL
from diligent_tui.domain.json_objects import is_object

SHORTEST_NAME_CHARS = 4
LONGEST_NAME_CHARS = 80
LONGEST_TEXT_CHARS = 24_000
"""Beginning and end of a longer text are looked at, half of this each."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
_HAS_PARTS = re.compile(r"[A-Za-z0-9]_+[A-Za-z0-9]|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2,}")
_ESCAPED = re.compile(r"\\[nrt]")
"""A line end inside of a quoted script would cling to the word behind it."""


def names_in(text: str) -> Iterator[str]:
    """Each name and address in a text once, in order; parts of paths are no names."""
    if len(text) > LONGEST_TEXT_CHARS:
        half = LONGEST_TEXT_CHARS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    bare = text
    if "://" in text:
        yield from dict.fromkeys(found.rstrip(".,;:!?*/") for found in URL.findall(text))
        bare = URL.sub(" ", text)
    if "/" in bare:
        bare = PATH.sub(" ", bare)
    if "\\" in bare:
        bare = _ESCAPED.sub(" ", bare)
    yield from dict.fromkeys(word for word in _WORD.findall(bare) if is_name(word))


def is_name(word: str) -> bool:
    """Whether a word has a shape that no word of a language has."""
    return SHORTEST_NAME_CHARS <= len(word) <= LONGEST_NAME_CHARS and _HAS_PARTS.search(word) is not None


def texts_in(value: object) -> Iterator[str]:
    """Every text in the arguments of a call, however deep; keys are the tool's own words."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for field in value.values():
            yield from texts_in(field)
    elif is_list(value):
        for item in value:
            yield from texts_in(item)


def is_list(value: object) -> TypeGuard[list[object]]:
    """True for a JSON array."""
    return isinstance(value, list)
