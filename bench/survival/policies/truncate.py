"""Cuts the beginning off, down to half the window, whenever a request would hardly fit. No model is asked."""

from dataclasses import dataclass

from bench.survival.policies.base import OtherAgent
from diligent_tui.domain.requests import UserTurn

TRIGGER_SHARE = 0.95
KEPT_SHARE = 0.50


@dataclass(slots=True)
class CutOff(OtherAgent):
    """Keeps the newest half."""

    async def make_room(self, heard: UserTurn) -> None:
        """Drop the oldest."""
        if self.tokens > self.window_tokens * TRIGGER_SHARE:
            self.drop_oldest(int(self.window_tokens * KEPT_SHARE))
