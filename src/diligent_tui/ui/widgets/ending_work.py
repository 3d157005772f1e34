"""Ends what works for a screen before the screen's parts go.

Textual ends it only when all parts are gone. What comes back from a thread in between looks for a part in vain, and
the program ends with a traceback.
"""

from textual.messages import Prune
from textual.screen import Screen, ScreenResultType


class EndsItsWork(Screen[ScreenResultType]):
    """A screen that has workers of its own, or parts that have."""

    async def on_prune(self, event: Prune) -> None:
        """It is about to go, and its parts are still there."""
        nodes = set(self.walk_children(with_self=True))
        for worker in list(self.workers):
            if worker.node in nodes:
                worker.cancel()
