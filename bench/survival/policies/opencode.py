"""Compaction after opencode (its sources at d545d8fb): old outputs are pruned, then a summary with a tail.

At 200,000 tokens: it compacts at window − 20,000, and keeps a tail of a quarter of what is usable, between 2,000 and
15,000. Its pruning, off unless it is configured, is on here: it spares the newest 40,000 tokens of tool output and the
last two turns, and is done only if it frees more than 20,000. The summariser sees outputs cut to 2,000 characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.survival.policies.base import SUMMARY_INTRO, Spent, Talk, cut_pieces
from bench.survival.ruler import tokens_of
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, Text, ToolResult, UserPart, UserTurn

RESERVE_TOKENS = 20_000
TAIL_TOKENS = (2_000, 15_000)
TAIL_SHARE = 0.25
SPARED_OUTPUT_TOKENS = 40_000
LEAST_FREED_TOKENS = 20_000
SPARED_PROMPTS = 2
OUTPUT_CHARS = 2_000
CLEARED = "[Old tool result content cleared]"


@dataclass(slots=True)
class OpencodeStyle:
    """Pruning between turns, and a summary with a tail."""

    talk: Talk

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """The turns, pruned and compacted if they are too long."""
        self.talk.turns.append(heard)
        if any(isinstance(part, Text) for part in heard.parts):
            self._prune()
        usable = self.talk.window_tokens - self.talk.scaled(RESERVE_TOKENS)
        if self.talk.tokens >= usable:
            least, most = (self.talk.scaled(tokens) for tokens in TAIL_TOKENS)
            start = self.talk.tail_from(max(least, min(most, int(usable * TAIL_SHARE))))
            summary = await self.talk.summary_of(cut_pieces(self.talk.turns[:start], OUTPUT_CHARS))
            self.talk.begin_with([f"{SUMMARY_INTRO}\n\n{summary}"], start)
        return tuple(self.talk.turns)


    def _prune(self) -> None:
        prompts = seen = freed = 0
        places: dict[int, set[str]] = {}
        for place in range(len(self.talk.turns) - 1, -1, -1):
            turn = self.talk.turns[place]
            if not isinstance(turn, UserTurn):
                continue
            prompts += any(isinstance(part, Text) for part in turn.parts)
            if prompts < SPARED_PROMPTS:
                continue
            for part in turn.parts:
                if isinstance(part, ToolResult) and part.output != CLEARED:
                    seen += tokens_of(part.output)
                    if seen > self.talk.scaled(SPARED_OUTPUT_TOKENS):
                        freed += tokens_of(part.output)
                        places.setdefault(place, set()).add(part.call_id)
        if freed > self.talk.scaled(LEAST_FREED_TOKENS):
            for place, call_ids in places.items():
                turn = self.talk.turns[place]
                if isinstance(turn, UserTurn):
                    self.talk.turns[place] = UserTurn(tuple(_cleared(part, call_ids) for part in turn.parts))


def _cleared(part: UserPart, call_ids: set[str]) -> UserPart:
    if isinstance(part, ToolResult) and part.call_id in call_ids:
        return replace(part, output=CLEARED)
    return part
