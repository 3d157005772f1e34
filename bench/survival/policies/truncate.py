"""Cuts the beginning off, down to half the window, whenever a request would not fit. No model is asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.survival.policies.base import Spent, Talk
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, UserTurn

TRIGGER_SHARE = 0.95
KEPT_SHARE = 0.50


@dataclass(slots=True)
class CutOff:
    """Keeps the newest half."""

    talk: Talk

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """The newest turns."""
        self.talk.turns.append(heard)
        if self.talk.tokens > self.talk.window_tokens * TRIGGER_SHARE:
            self.talk.drop_oldest(int(self.talk.window_tokens * KEPT_SHARE))
            self.talk.spent.compactions += 1
        return tuple(self.talk.turns)

