"""Stops what is being waited for, and nothing else: the turn itself always comes to its own end."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

Result = TypeVar("Result")


class Interrupted(Exception):
    """The user stopped the work that was being waited for."""


class Interruption:
    """A stop sign for one turn at a time."""

    def __init__(self) -> None:
        """Nothing is stopped."""
        self._is_raised = False
        self._guarded: set[asyncio.Task[object]] = set()

    @property
    def is_raised(self) -> bool:
        """True from the stop until the next turn."""
        return self._is_raised

    def lower(self) -> None:
        """A new turn begins."""
        self._is_raised = False

    def raise_(self) -> None:
        """Stop what is being waited for now, and whatever would be waited for later in this turn."""
        self._is_raised = True
        for task in self._guarded:
            task.cancel()

    async def guard(self, work: Coroutine[object, object, Result]) -> Result:
        """Wait for work that may be stopped; raises Interrupted once the work has cleaned up after itself."""
        if self._is_raised:
            work.close()
            raise Interrupted
        task = asyncio.create_task(work)
        self._guarded.add(task)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            raise
        finally:
            self._guarded.discard(task)
        if task.cancelled():
            raise Interrupted
        return task.result()
