"""Compaction after pi (its sources at 83378aad): a summary in the place of all but the newest, and lists of files.

At 200,000 tokens: it compacts over window − 16,384, keeps 20,000 of the newest, and cuts inside a turn if it must. The
summariser sees tool outputs cut to 2,000 characters. Files read and modified are listed by code, over all compactions.
pi asks a second time for the beginning of a cut turn; here one call writes both, which makes it look cheaper.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.survival.deeds import touches_in
from bench.survival.policies.base import SUMMARY_INTRO, Spent, Talk, cut_pieces
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, Text, ToolCall, UserTurn

RESERVE_TOKENS = 16_384
KEPT_TOKENS = 20_000
OUTPUT_CHARS = 2_000


@dataclass(slots=True)
class PiStyle:
    """Summary, lists of files, and a tail."""

    talk: Talk
    read: dict[str, None] = field(default_factory=dict[str, None])
    modified: dict[str, None] = field(default_factory=dict[str, None])

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """The turns, compacted if they are too long."""
        self.talk.turns.append(heard)
        if self.talk.tokens > self.talk.window_tokens - self.talk.scaled(RESERVE_TOKENS):
            await self._compact()
        return tuple(self.talk.turns)


    async def _compact(self) -> None:
        start = self.talk.tail_from(self.talk.scaled(KEPT_TOKENS))
        covered = self.talk.turns[:start]
        for turn in covered:
            for part in turn.parts:
                if isinstance(part, ToolCall):
                    for touch in touches_in(part):
                        (self.modified if touch.deed == "changed" else self.read)[touch.key] = None
        is_turn_cut = not any(isinstance(part, Text) for part in self.talk.turns[start].parts) or isinstance(
            self.talk.turns[start], AssistantTurn
        )
        summary = await self.talk.summary_of(cut_pieces(covered, OUTPUT_CHARS), is_turn_cut=is_turn_cut)
        only_read = [path for path in self.read if path not in self.modified]
        lists = (
            _list("read-files", only_read),
            _list("modified-files", list(self.modified)),
        )
        self.talk.begin_with(["\n\n".join([SUMMARY_INTRO, summary, *filter(None, lists)])], start)


def _list(name: str, paths: Sequence[str]) -> str:
    return "\n".join([f"<{name}>", *paths, f"</{name}>"]) if paths else ""
