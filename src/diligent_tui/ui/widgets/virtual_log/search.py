"""Finding text in the blocks of a log, forwards and backwards, as the words are typed."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple

from diligent_tui.ui.widgets.virtual_log.blocks import BlockList, BlockT

WORD = re.compile(r"\w+")


class Match(NamedTuple):
    """One place where the words stand, in a text of a block."""

    block_id: str
    start: int
    end: int
    ordinal: int
    """How many matches stand before it in the same block."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a search is among all matches; `number` is 0 where the words stand nowhere."""

    number: int = 0
    count: int = 0
    is_counted: bool = True
    """False while the rest of a long log is still looked through."""
    went_round: bool = False
    """True if the last step went on from the other end."""


class LogSearch(Generic[BlockT]):
    """A search that remembers where it is; capitals count only when some are typed."""

    def __init__(self, blocks: BlockList[BlockT], texts: Callable[[BlockT, str], Iterable[str]]) -> None:
        """Search these blocks, whose texts this gives: the first in which the words stand counts.

        It is told the core of the words: a text without that need not be given.
        """
        self.words = ""
        self.match: Match | None = None
        self._blocks = blocks
        self._texts = texts
        self._core = ""
        self._went_round = False
        self._counts: dict[str, tuple[int, int]] = {}
        """Of each block its version and how many matches that has."""

    def find(self, words: str, from_id: str | None = None) -> Match | None:
        """Take other words and find the first match at or after the present one, else after a given block."""
        origin = self.match.block_id if self.match is not None else from_id
        start = self.match.start if self.match is not None else 0
        if words != self.words:
            self._counts.clear()
        self.words = words
        self._core = max(WORD.findall(words.lower()), key=len, default="")
        self.match = None
        self._went_round = False
        if words and len(self._blocks):
            index = None if origin is None else self._blocks.index_of(origin)
            self.match = self._scan(index or 0, 1, lambda match: match.start >= start)
        return self.match

    def step(self, direction: int) -> Match | None:
        """Go to the next (+1) or previous (-1) match, round the end; None when the words stand nowhere."""
        current = self.match
        index = None if current is None else self._blocks.index_of(current.block_id)
        if current is None or index is None:
            return self.find(self.words)
        found = self._scan(index, direction, lambda match: (match.start - current.start) * direction > 0)
        self.match = found
        if found is not None:
            there = self._blocks.index_of(found.block_id) or 0
            self._went_round = ((there, found.start) > (index, current.start)) != (direction > 0)
        return found

    def standing(self, most_blocks: int) -> Standing:
        """Where the search is; so many blocks are counted at a time, so of a long log it is asked again and again."""
        match = self.match
        if match is None:
            return Standing()
        is_counted = self._count(most_blocks)
        number, count = 0, 0
        for block in self._blocks.blocks:
            if block.id == match.block_id:
                number = count + match.ordinal + 1
            count += self._counts.get(block.id, (0, 0))[1]
        return Standing(number, count, is_counted, self._went_round)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the words stand in some text."""
        return [found.span() for found in self._pattern().finditer(text)] if self._may_hold(text) else []

    def _scan(self, index: int, direction: int, is_ahead: Callable[[Match], bool]) -> Match | None:
        """Look at the rest of this block, then at all others round the end, then at the whole of it."""
        ahead = [match for match in self._matches(index) if is_ahead(match)]
        if ahead:
            return ahead[0] if direction > 0 else ahead[-1]
        count = len(self._blocks)
        for distance in range(1, count + 1):
            matches = self._matches((index + direction * distance) % count)
            if matches:
                return matches[0] if direction > 0 else matches[-1]
        return None

    def _count(self, most_blocks: int) -> bool:
        for block in self._blocks.blocks:
            known = self._counts.get(block.id)
            if known is not None and known[0] == block.version:
                continue
            if most_blocks == 0:
                return False
            most_blocks -= 1
            self._counts[block.id] = (block.version, len(self._found(block)))
        return True

    def _matches(self, index: int) -> list[Match]:
        block = self._blocks[index]
        return [Match(block.id, start, end, ordinal) for ordinal, (start, end) in enumerate(self._found(block))]

    def _found(self, block: BlockT) -> list[tuple[int, int]]:
        for text in self._texts(block, self._core):
            if spans := self.spans(text):
                return spans
        return []

    def _may_hold(self, text: str) -> bool:
        # A plain `in` over the whole log is some ten times quicker than a regular expression that ignores case.
        if not self.words:
            return False
        return self.words in text if self._minds_case() else self.words in text.lower()

    def _minds_case(self) -> bool:
        return self.words != self.words.lower()

    def _pattern(self) -> re.Pattern[str]:
        return re.compile(re.escape(self.words), re.NOFLAG if self._minds_case() else re.IGNORECASE)
