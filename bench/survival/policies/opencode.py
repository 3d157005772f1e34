"""Compaction after opencode (its sources at d545d8fb): old outputs are pruned, then a summary with a tail.

At 200,000 tokens: it compacts at window − 20,000, and keeps a tail of a quarter of what is usable, between 2,000 and
15,000. Its pruning, off unless it is configured, is on here: it spares the newest 40,000 tokens of tool output and the
last two turns, and is done only if it frees more than 20,000. The summariser sees outputs cut to 2,000 characters.
"""

from dataclasses import dataclass, replace

from bench.survival.policies.base import SUMMARY_INTRO, OtherAgent, told_to_summariser
from bench.survival.ruler import tokens_of
from diligent_tui.domain.requests import Text, ToolResult, UserPart, UserTurn

RESERVE_TOKENS = 20_000
TAIL_TOKENS = (2_000, 15_000)
TAIL_SHARE = 0.25
SPARED_OUTPUT_TOKENS = 40_000
LEAST_FREED_TOKENS = 20_000
SPARED_PROMPTS = 2
OUTPUT_CHARS = 2_000
CLEARED = "[Old tool result content cleared]"


@dataclass(slots=True)
class OpencodeStyle(OtherAgent):
    """Pruning between turns, and a summary with a tail."""

    async def make_room(self, heard: UserTurn) -> None:
        """Prune when a turn begins, compact once the reserve is reached."""
        if any(isinstance(part, Text) for part in heard.parts):
            self._prune()
        usable = self.window_tokens - self.scaled(RESERVE_TOKENS)
        if self.tokens >= usable:
            least, most = (self.scaled(tokens) for tokens in TAIL_TOKENS)
            start = self.tail_from(max(least, min(most, int(usable * TAIL_SHARE))))
            summary = await self.summary_of(told_to_summariser(self.turns[:start], OUTPUT_CHARS))
            self.begin_with([f"{SUMMARY_INTRO}\n\n{summary}"], start)

    def _prune(self) -> None:
        prompts = seen = freed = 0
        cleared: dict[int, set[str]] = {}
        for place in range(len(self.turns) - 1, -1, -1):
            turn = self.turns[place]
            prompts += isinstance(turn, UserTurn) and any(isinstance(part, Text) for part in turn.parts)
            if prompts < SPARED_PROMPTS:
                continue
            for part in turn.parts:
                if isinstance(part, ToolResult) and part.output != CLEARED:
                    seen += tokens_of(part.output)
                    if seen > self.scaled(SPARED_OUTPUT_TOKENS):
                        freed += tokens_of(part.output)
                        cleared.setdefault(place, set()).add(part.call_id)
        if freed > self.scaled(LEAST_FREED_TOKENS):
            for place, call_ids in cleared.items():
                turn = self.turns[place]
                if isinstance(turn, UserTurn):
                    self.turns[place] = UserTurn(tuple(_cleared(part, call_ids) for part in turn.parts))


def _cleared(part: UserPart, call_ids: set[str]) -> UserPart:
    if isinstance(part, ToolResult) and part.call_id in call_ids:
        return replace(part, output=CLEARED)
    return part
