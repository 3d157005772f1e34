"""Finds what was said before in much the same words, in any language, so that it is superseded and not piled up."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from diligent_tui.domain.knowledge import KnowledgeEntry

LEAST_SIMILARITY = 0.55
"""From here on two sentences are mostly about one thing; measured on the table in the tests."""
MOST_FOUND = 3
SHORT_WORD_CHARS = 3
_WORD = re.compile(r"\w+")
# Scripts that put no spaces between words, or join them to long ones: Thai to Khmer, then all of CJK.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True)
class Near:
    """An entry that says much the same; 1.0 is the very same words."""

    entry: KnowledgeEntry
    similarity: float


def nearest(
    content: str, entries: Iterable[KnowledgeEntry], least: float = LEAST_SIMILARITY, most: int = MOST_FOUND
) -> tuple[Near, ...]:
    """The entries most like a content, the likest first."""
    pieces = pieces_of(content)
    near = (Near(entry, similarity(pieces, pieces_of(entry.content))) for entry in entries)
    found = [each for each in near if each.similarity >= least]
    return tuple(sorted(found, key=lambda each: (-each.similarity, each.entry.id))[:most])


def similarity(left: frozenset[str], right: frozenset[str]) -> float:
    """How much two texts share, from 0 to 1: the pieces of both over their mean size (Dice)."""
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def pieces_of(text: str) -> frozenset[str]:
    """Words and their three-letter pieces, so that endings matter little; pairs of letters where words have no gaps."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    pieces: set[str] = set()
    for word in _WORD.findall(folded):
        if _UNSPACED.search(word):
            pieces.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            pieces.add(word)
            if len(word) > SHORT_WORD_CHARS:
                pieces.update(f"~{word[at : at + 3]}" for at in range(len(word) - 2))
    return frozenset(pieces)
