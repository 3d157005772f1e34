"""No policy at all: everything is sent each time, whether it fits or not."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.survival.policies.base import Spent, Talk
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, UserTurn


@dataclass(slots=True)
class KeepAll:
    """Sends everything."""

    talk: Talk

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """All turns."""
        self.talk.turns.append(heard)
        return tuple(self.talk.turns)

