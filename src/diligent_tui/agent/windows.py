"""The windows of a session's models: asked of the server once when a model is used, corrected by an overflow."""

from dataclasses import replace

from diligent_tui.agent.asking import Provide
from diligent_tui.domain.errors import ContextOverflow, ProviderError
from diligent_tui.domain.models import Model
from diligent_tui.providers.registry import assumed_window

LEAST_WINDOW_TOKENS = 1_000
"""A smaller limit is one of something else."""


class Windows:
    """What servers have told of windows, by the model's id; what the user or our table says is asked of nobody."""

    def __init__(self) -> None:
        """Nothing is told yet."""
        self._told: dict[str, tuple[int, bool]] = {}
        self._asked: set[str] = set()

    def of(self, model: Model) -> tuple[int, bool]:
        """The model's window in tokens, and whether that is only assumed."""
        return self._told.get(model.id) or assumed_window(model)

    def fitted(self, model: Model) -> Model:
        """The model with the window that was told."""
        told = self._told.get(model.id)
        return replace(model, window_tokens=told[0]) if told else model

    async def ask(self, model: Model, provide: Provide) -> bool:
        """Ask the server for a window that nobody knows; True if it told one. What fails is told by the request."""
        if model.window_tokens is not None or model.id in self._told or model.id in self._asked:
            return False
        self._asked.add(model.id)
        try:
            told = await (await provide()).window_of(model.name)
        except ProviderError:
            return False
        if told is None or told.tokens < LEAST_WINDOW_TOKENS:
            return False
        self._told[model.id] = (told.tokens, not told.is_sure)
        return True

    def may_ask_again(self) -> None:
        """A request failed: a server that was away when it was asked may tell the next time."""
        self._asked.clear()

    def correct(self, model: Model, overflow: ContextOverflow) -> None:
        """Believe a limit that a server names while it refuses; it may be below what is said of the model."""
        limit = overflow.limit
        window, is_assumed = self.of(model)
        if limit is not None and limit >= LEAST_WINDOW_TOKENS and (is_assumed or limit < window):
            self._told[model.id] = (limit, False)
