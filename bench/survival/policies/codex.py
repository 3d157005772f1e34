"""Compaction after codex (its sources at 343074d4): the user's own messages and a summary; nothing else stays.

At 200,000 tokens: it compacts over 90 % of the window and keeps up to 20,000 tokens of user messages, the newest first,
the one that crosses the limit cut. The summariser sees the whole history.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.survival.policies.base import SUMMARY_INTRO, Spent, Talk, cut_pieces
from bench.survival.ruler import CHARS_PER_TOKEN, tokens_of
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, Text, UserTurn

TRIGGER_SHARE = 0.90
USER_TOKENS = 20_000


@dataclass(slots=True)
class CodexStyle:
    """User messages and a summary."""

    talk: Talk
    prompts: list[str] = field(default_factory=list[str])

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """The turns, compacted if they are too long."""
        self.talk.turns.append(heard)
        self.prompts += [part.text for part in heard.parts if isinstance(part, Text)]
        if self.talk.tokens > self.talk.window_tokens * TRIGGER_SHARE:
            summary = await self.talk.summary_of(cut_pieces(self.talk.turns))
            kept = self._newest_prompts()
            self.talk.begin_with([*kept, f"{SUMMARY_INTRO}\n\n{summary}"], len(self.talk.turns))
        return tuple(self.talk.turns)


    def _newest_prompts(self) -> list[str]:
        left = self.talk.scaled(USER_TOKENS)
        kept: list[str] = []
        for prompt in reversed(self.prompts):
            if left <= 0:
                break
            kept.append(prompt[: left * CHARS_PER_TOKEN])
            left -= tokens_of(prompt) + 1
        return list(reversed(kept))
