"""What is known of a model; what is not known is None, never invented."""

from dataclasses import dataclass

from diligent_tui.domain.thinking import ThinkingLevel


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be chosen; `name` is the provider's own id of it."""

    provider: str
    name: str
    window_tokens: int | None = None
    max_output_tokens: int | None = None
    prices: Prices | None = None
    thinking_levels: tuple[ThinkingLevel, ...] = ()
    sees_images: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The full name, `provider/name`."""
        return f"{self.provider}/{self.name}"
