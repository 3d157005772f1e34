"""Guesses tokens from bytes, and learns each model's ratio from what its provider really counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

BYTES_PER_TOKEN_AT_FIRST = 3.0
SLOWEST_WEIGHT = 0.1
"""A sample never weighs less than this, so that the ratio follows a change within some twenty requests."""
PLAUSIBLE_RATIOS = (0.5, 20.0)
"""Bytes per token outside of this are a broken report, not a language."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Bytes per token of one model, and how many samples it rests on."""

    bytes_per_token: float = BYTES_PER_TOKEN_AT_FIRST
    samples: int = 0

    def after(self, size_bytes: int, tokens: int) -> "Ratio":
        """The ratio once one more real request is known."""
        if size_bytes <= 0 or tokens <= 0:
            return self
        seen = size_bytes / tokens
        if not PLAUSIBLE_RATIOS[0] <= seen <= PLAUSIBLE_RATIOS[1]:
            return self
        samples = self.samples + 1
        weight = max(SLOWEST_WEIGHT, 1 / samples)
        return Ratio(self.bytes_per_token + weight * (seen - self.bytes_per_token), samples)


_NO_RATIOS: Mapping[str, Ratio] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Estimator:
    """One ratio for each model id; a model not seen yet has the ratio to begin with."""

    ratios: Mapping[str, Ratio] = field(default_factory=lambda: _NO_RATIOS)

    def tokens(self, model_id: str, size_bytes: int) -> int:
        """How many tokens so many bytes are for this model, rounded up."""
        ratio = self.ratios.get(model_id, Ratio())
        return -int(-size_bytes // ratio.bytes_per_token)

    def after(self, model_id: str, size_bytes: int, tokens: int) -> "Estimator":
        """The estimator once a real request of this model is known."""
        learnt = self.ratios.get(model_id, Ratio()).after(size_bytes, tokens)
        return Estimator(MappingProxyType({**self.ratios, model_id: learnt}))


def utf8_size(text: str) -> int:
    """Bytes of a text in UTF-8; a lone surrogate counts as the mark that will replace it."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
