"""Compaction after codex (its sources at 343074d4): the user's own messages and a summary; nothing else stays.

At 200,000 tokens: it compacts over 90 % of the window and keeps up to 20,000 tokens of user messages, the newest first,
the one that crosses the limit cut. The summariser sees the whole history.
"""

from dataclasses import dataclass, field

from bench.survival.policies.base import SUMMARY_INTRO, OtherAgent, told_to_summariser
from bench.survival.ruler import CHARS_PER_TOKEN, tokens_of
from diligent_tui.domain.requests import Text, UserTurn

TRIGGER_SHARE = 0.90
USER_TOKENS = 20_000


@dataclass(slots=True)
class CodexStyle(OtherAgent):
    """User messages and a summary."""

    prompts: list[str] = field(default_factory=list[str])

    async def make_room(self, heard: UserTurn) -> None:
        """Compact once the limit is reached."""
        self.prompts += [part.text for part in heard.parts if isinstance(part, Text)]
        if self.tokens > self.window_tokens * TRIGGER_SHARE:
            summary = await self.summary_of(told_to_summariser(self.turns))
            self.begin_with([*self._newest_prompts(), f"{SUMMARY_INTRO}\n\n{summary}"], len(self.turns))

    def _newest_prompts(self) -> list[str]:
        left = self.scaled(USER_TOKENS)
        kept: list[str] = []
        for prompt in reversed(self.prompts):
            if left <= 0:
                break
            kept.append(prompt[: left * CHARS_PER_TOKEN])
            left -= tokens_of(prompt) + 1
        return list(reversed(kept))
