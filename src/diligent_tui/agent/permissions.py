"""Questions to the user about tool calls, each waiting for its answer."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Scope = Literal["once", "session", "always"]
"""How long a yes holds."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a question; `reason` is told to the model on a no, `rule` is what a yes is to allow from now on."""

    allowed: bool
    reason: str = ""
    scope: Scope = "once"
    rule: str = ""


def _is_never_settled() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class _Question:
    answer: asyncio.Future[Decision]
    is_settled: Callable[[], bool]


class Questions:
    """Open questions by the id of their call."""

    def __init__(self) -> None:
        """Nobody is asked yet."""
        self._open: dict[str, _Question] = {}

    async def ask(self, call_id: str, is_settled: Callable[[], bool] = _is_never_settled) -> Decision:
        """Wait for the answer; `is_settled` tells, after another answer, whether this question has become needless."""
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._open[call_id] = _Question(answer, is_settled)
        try:
            return await answer
        finally:
            self._open.pop(call_id, None)

    def resolve(self, call_id: str, decision: Decision) -> bool:
        """Answer a question; False if it is not open any more."""
        question = self._open.get(call_id)
        if question is None or question.answer.done():
            return False
        question.answer.set_result(decision)
        return True

    async def settle(self) -> None:
        """Answer with yes the questions that a new rule has made needless."""
        for call_id, question in list(self._open.items()):
            if await asyncio.to_thread(question.is_settled):
                self.resolve(call_id, Decision(allowed=True))
