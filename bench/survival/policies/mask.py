"""Masking after SWE-agent: of all tool outputs only the newest ten are shown, the others as a line each.

What still does not fit is cut off as in `truncate`, which SWE-agent leaves to the server to refuse.
"""

from collections import deque
from dataclasses import dataclass, field, replace

from bench.survival.policies.base import OtherAgent
from bench.survival.policies.truncate import KEPT_SHARE, TRIGGER_SHARE
from diligent_tui.domain.requests import ToolResult, UserPart, UserTurn

SHOWN_OUTPUTS = 10
"""`last_n_observations` with n = 10; a count, so it is not scaled."""


@dataclass(slots=True)
class MaskOld(OtherAgent):
    """Shows the newest outputs."""

    shown_ids: deque[str] = field(default_factory=deque[str])

    async def make_room(self, heard: UserTurn) -> None:
        """Mask what is older than the newest ten."""
        self.shown_ids.extend(part.call_id for part in heard.parts if isinstance(part, ToolResult))
        while len(self.shown_ids) > SHOWN_OUTPUTS:
            self._mask(self.shown_ids.popleft())
        if self.tokens > self.window_tokens * TRIGGER_SHARE:
            self.drop_oldest(int(self.window_tokens * KEPT_SHARE))

    def _mask(self, call_id: str) -> None:
        for place in range(len(self.turns) - 1, -1, -1):
            turn = self.turns[place]
            if isinstance(turn, UserTurn) and any(
                isinstance(part, ToolResult) and part.call_id == call_id for part in turn.parts
            ):
                self.turns[place] = UserTurn(tuple(_masked(part, call_id) for part in turn.parts))
                return


def _masked(part: UserPart, call_id: str) -> UserPart:
    if not isinstance(part, ToolResult) or part.call_id != call_id:
        return part
    return replace(part, output=f"Old environment output: ({len(part.output.splitlines())} lines omitted)")
