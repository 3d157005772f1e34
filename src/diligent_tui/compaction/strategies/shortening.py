"""Makes a summary that is a little too long fit, the way a writer would: the oldest of what is done goes first."""

import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from diligent_tui.compaction.ledgers import bytes_within
from diligent_tui.compaction.sections import CONTEXT, DONE, GOAL, NEXT, heading_of
from diligent_tui.compaction.sizes import TokensOf
from diligent_tui.compaction.truncation import WEIGHTS
from diligent_tui.domain.estimator import utf8_size

FEWEST_LINES = 1
KEPT_SECTIONS = frozenset(name.lower() for name in (GOAL, NEXT, CONTEXT))
"""Of these one line stays as long as another section has any to give."""
_WEIGHTS = tuple((name.lower(), weight) for name, weight in WEIGHTS.items())
_INDENTED = re.compile(r"[ \t]+\S")


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, or a line with those that are indented below it, and the section it stands in."""

    section: str
    text: str
    is_heading: bool = False


def shorten_done(summary: str, most_tokens: int, tokens_of: TokensOf) -> str:
    """The summary without as many of its oldest finished things as it takes; unchanged if that is not enough."""
    page = _Page(_blocks(summary))
    page.drop_done(bytes_within(most_tokens, tokens_of))
    return page.text if page.size_bytes <= bytes_within(most_tokens, tokens_of) else summary


def shorten_summary(summary: str, most_tokens: int, tokens_of: TokensOf) -> str:
    """The summary within that size: the oldest things done, then the oldest lines from where there is most to spare."""
    most_bytes = bytes_within(most_tokens, tokens_of)
    page = _Page(_blocks(summary))
    page.drop_done(most_bytes)
    while page.size_bytes > most_bytes and page.drop_least_missed():
        pass
    return page.text if page.size_bytes <= most_bytes else _cut(page.text, most_bytes)


class _Page:
    """The blocks of a summary, from which lines are taken one by one."""

    def __init__(self, blocks: Sequence[_Block]) -> None:
        self._blocks = blocks
        self._dropped: set[int] = set()
        self._lines: dict[str, deque[int]] = {}
        self._chars: Counter[str] = Counter()
        self.size_bytes = utf8_size("\n".join(block.text for block in blocks))
        for place, block in enumerate(blocks):
            if not block.is_heading and block.text.strip():
                self._lines.setdefault(block.section, deque()).append(place)
                self._chars[block.section] += len(block.text)

    @property
    def text(self) -> str:
        """What is left."""
        return "\n".join(block.text for place, block in enumerate(self._blocks) if place not in self._dropped)

    def drop_done(self, most_bytes: int) -> None:
        """Take the oldest things done until it fits, or only one of them is left."""
        while self.size_bytes > most_bytes and len(self._lines.get(DONE.lower(), ())) > FEWEST_LINES:
            self._drop(DONE.lower())

    def drop_least_missed(self) -> bool:
        """Take the oldest line from where there is most to spare; False if there is none to take."""
        spare = {
            section: weight * self._chars[section]
            for section, weight in _WEIGHTS
            if len(self._lines.get(section, ())) > (FEWEST_LINES if section in KEPT_SECTIONS else 0)
        }
        if spare:
            self._drop(max(spare, key=lambda section: spare[section]))
        return bool(spare)

    def _drop(self, section: str) -> None:
        lines = self._lines[section]
        # A goal's first line is what it all began with, so the second is the oldest to go.
        place = lines[1] if section == GOAL.lower() else lines[0]
        lines.remove(place)
        self._dropped.add(place)
        self._chars[section] -= len(self._blocks[place].text)
        self.size_bytes -= utf8_size(self._blocks[place].text) + 1


def _blocks(summary: str) -> list[_Block]:
    blocks: list[_Block] = []
    section = ""
    for line in summary.strip().split("\n"):
        if (heading := heading_of(line)) is not None:
            section = heading.lower()
            blocks.append(_Block(section, line, is_heading=True))
        elif blocks and not blocks[-1].is_heading and _INDENTED.match(line):
            blocks[-1] = _Block(section, f"{blocks[-1].text}\n{line}")
        else:
            blocks.append(_Block(section, line))
    return blocks


def _cut(text: str, most_bytes: int) -> str:
    """The beginning of a text, up to the end of a line if one is near."""
    head = text.encode("utf-8", "replace")[: max(0, most_bytes)].decode("utf-8", "ignore")
    whole, _, rest = head.rpartition("\n")
    return (whole if whole and len(rest) < len(head) // 2 else head).rstrip()
