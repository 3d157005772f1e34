"""No policy at all: everything is sent each time, whether it fits or not."""

from dataclasses import dataclass

from bench.survival.policies.base import OtherAgent
from diligent_tui.domain.requests import UserTurn


@dataclass(slots=True)
class KeepAll(OtherAgent):
    """Sends everything."""

    async def make_room(self, heard: UserTurn) -> None:
        """There is always room."""
