"""Questions to the user about tool calls, each waiting for its answer."""

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a question; `reason` is told to the model on a no."""

    allowed: bool
    reason: str = ""


class Questions:
    """Open questions by the id of their call."""

    def __init__(self) -> None:
        """Nobody is asked yet."""
        self._open: dict[str, asyncio.Future[Decision]] = {}

    async def ask(self, call_id: str) -> Decision:
        """Wait for the answer."""
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._open[call_id] = answer
        try:
            return await answer
        finally:
            self._open.pop(call_id, None)

    def resolve(self, call_id: str, decision: Decision) -> bool:
        """Answer a question; False if it is not open any more."""
        answer = self._open.get(call_id)
        if answer is None or answer.done():
            return False
        answer.set_result(decision)
        return True
