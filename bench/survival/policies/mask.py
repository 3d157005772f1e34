"""Masking after SWE-agent: of all tool outputs only the newest ten are shown, the others as a line each.

What still does not fit is cut off as in `truncate`, which SWE-agent leaves to the server to refuse.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bench.survival.policies.base import Spent, Talk
from bench.survival.policies.truncate import KEPT_SHARE, TRIGGER_SHARE
from diligent_tui.domain.requests import AssistantTurn, RequestMessage, ToolResult, UserTurn

SHOWN_OUTPUTS = 10
"""`last_n_observations` with n = 10; a count, so it is not scaled."""


@dataclass(slots=True)
class MaskOld:
    """Shows the newest outputs."""

    talk: Talk
    shown_ids: deque[str] = field(default_factory=deque[str])

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        """All turns, old outputs masked."""
        self.talk.turns.append(heard)
        self.shown_ids.extend(part.call_id for part in heard.parts if isinstance(part, ToolResult))
        while len(self.shown_ids) > SHOWN_OUTPUTS:
            self._mask(self.shown_ids.popleft())
        if self.talk.tokens > self.talk.window_tokens * TRIGGER_SHARE:
            self.talk.drop_oldest(int(self.talk.window_tokens * KEPT_SHARE))
            self.talk.spent.compactions += 1
        return tuple(self.talk.turns)


    def _mask(self, call_id: str) -> None:
        for place in range(len(self.talk.turns) - 1, -1, -1):
            turn = self.talk.turns[place]
            if isinstance(turn, UserTurn) and any(_answers(part, call_id) for part in turn.parts):
                self.talk.turns[place] = UserTurn(
                    tuple(
                        _masked(part) if isinstance(part, ToolResult) and part.call_id == call_id else part
                        for part in turn.parts
                    )
                )
                return


def _answers(part: object, call_id: str) -> bool:
    return isinstance(part, ToolResult) and part.call_id == call_id


def _masked(result: ToolResult) -> ToolResult:
    lines = len(result.output.splitlines())
    return replace(result, output=f"Old environment output: ({lines} lines omitted)")
