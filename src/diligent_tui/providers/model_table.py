"""What is published of the makers' models, as plain data; a figure that nobody states is not here.

Windows, limits and prices are as they stood in autumn 2026 (standard tier, cache writes of the shortest life); where
one turns out to be wrong, the user's own settings go before it, and an overflow error corrects a window.

A level is one that our requests can ask for: Claude models before 4.6 think only by a budget in tokens, which we never
send, so they have none. A model without `off` cannot stop thinking.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from diligent_tui.domain.models import Model, Prices
from diligent_tui.domain.thinking import ThinkingLevel

REHEARSAL = Model(
    "offline",
    "rehearsal",
    window_tokens=32_000,
    max_output_tokens=4_096,
    prices=Prices(0, 0, 0, 0),
    thinking_levels=("off", "low", "medium", "high", "max"),
    aliases=("offline", "rehearsal"),
)

_ALWAYS: tuple[ThinkingLevel, ...] = ("low", "medium", "high", "max")
_UP_TO_MAX: tuple[ThinkingLevel, ...] = ("off", "low", "medium", "high", "max")
_UP_TO_HIGH: tuple[ThinkingLevel, ...] = ("off", "low", "medium", "high")
_ALWAYS_UP_TO_HIGH: tuple[ThinkingLevel, ...] = ("low", "medium", "high")

_MILLION = 1_000_000
_GPT_MILLION = 1_050_000
_GPT_LONG_PROMPT_TOKENS = 272_000
_HAIKU_LONG_PROMPT_TOKENS = 100_000


def _claude(
    name: str,
    window: int | None = None,
    output: int | None = None,
    prices: Prices | None = None,
    levels: tuple[ThinkingLevel, ...] = (),
    alias: str = "",
) -> Model:
    return Model("anthropic", name, window, output, prices, levels, True, (alias,) if alias else ())


def _gpt(
    name: str,
    window: int | None = None,
    output: int | None = None,
    prices: Prices | None = None,
    levels: tuple[ThinkingLevel, ...] = (),
    alias: str = "",
) -> Model:
    return Model("openai", name, window, output, prices, levels, True, (alias,) if alias else ())


_CLAUDE = (
    _claude("claude-sonnet-5-5", _MILLION, 128_000, Prices(2, 10, 0.10, 2.50), _UP_TO_MAX, "sonnet"),
    _claude("claude-opus-5-5", _MILLION, 128_000, Prices(4, 20, 0.20, 5), _ALWAYS, "opus"),
    _claude("claude-haiku-5-5", _MILLION, 128_000, Prices(0.10, 0.50, 0.01, 0.125), _UP_TO_MAX, "haiku"),
    _claude("claude-fable-5-2", alias="fable"),
    _claude("claude-mythos-5-2", alias="mythos"),
    _claude("claude-fable-5-1", _MILLION, 128_000, Prices(10, 50, 0.25, 12.50), _ALWAYS),
    _claude("claude-mythos-5-1", prices=Prices(10, 50, 0.25, 12.50)),
    _claude("claude-fable-5", _MILLION, 128_000, Prices(10, 50, 1, 12.50), _ALWAYS),
    _claude("claude-mythos-5", _MILLION, 128_000, Prices(10, 50, 1, 12.50), _ALWAYS),
    _claude("claude-mythos-preview"),
    _claude("claude-sonnet-5", _MILLION, 128_000, Prices(2, 10, 0.20, 2.50), _UP_TO_MAX),
    _claude("claude-opus-5", _MILLION, 128_000, Prices(5, 25, 0.50, 6.25), _UP_TO_MAX),
    _claude("claude-opus-4-8", _MILLION, 128_000, Prices(5, 25, 0.50, 6.25), _UP_TO_MAX),
    _claude("claude-opus-4-7", prices=Prices(5, 25, 0.50, 6.25), levels=_UP_TO_MAX),
    _claude("claude-opus-4-6", _MILLION, 128_000, Prices(5, 25, 0.50, 6.25), _UP_TO_MAX),
    _claude("claude-sonnet-4-6", _MILLION, 128_000, Prices(3, 15, 0.30, 3.75), _UP_TO_MAX),
    _claude("claude-opus-4-5", 200_000, 64_000, Prices(5, 25, 0.50, 6.25)),
    _claude("claude-opus-4-5-20251101", 200_000, 64_000, Prices(5, 25, 0.50, 6.25)),
    _claude("claude-sonnet-4-5", 200_000, 64_000, Prices(3, 15, 0.30, 3.75)),
    _claude("claude-sonnet-4-5-20250929", 200_000, 64_000, Prices(3, 15, 0.30, 3.75)),
    _claude("claude-haiku-4-5", 200_000, 64_000, Prices(1, 5, 0.10, 1.25)),
    _claude("claude-haiku-4-5-20251001", 200_000, 64_000, Prices(1, 5, 0.10, 1.25)),
    _claude("claude-sonnet-4-20250514", 200_000, 64_000, Prices(3, 15, 0.30, 3.75)),
    _claude("claude-haiku-3-5-20241022", 200_000, 8_192, Prices(0.80, 4, 0.08, 1)),
)

_OPENAI = (
    _gpt("gpt-6.1-sol", _GPT_MILLION, 128_000, Prices(2, 10, 0.10, 2.50), _ALWAYS),
    _gpt("gpt-6.1-terra", prices=Prices(1, 5, 0.05, 1.25)),
    _gpt("gpt-6-astra", _GPT_MILLION, 128_000, Prices(10, 50, 1, 12.50), _ALWAYS),
    _gpt("gpt-6-sol", _GPT_MILLION, 128_000, Prices(2, 10, 0.20, 2.50), _UP_TO_MAX),
    _gpt("gpt-6-luna", prices=Prices(0.10, 0.50, 0.01, 0.125)),
    _gpt("gpt-6-cyber"),
    _gpt("gpt-5.6-sol", _GPT_MILLION, 128_000, Prices(4, 20, 0.40, 5), _UP_TO_MAX),
    _gpt("gpt-5.6-terra", _GPT_MILLION, 128_000, Prices(2, 12, 0.20, 2.50), _UP_TO_MAX),
    _gpt("gpt-5.6-luna", _GPT_MILLION, 128_000, Prices(0.20, 1.20, 0.02, 0.25), _UP_TO_MAX),
    _gpt("gpt-5.5", _GPT_MILLION, 128_000, Prices(5, 30, 0.50), _UP_TO_HIGH),
    _gpt("gpt-5.5-pro", prices=Prices(30, 180)),
    _gpt("gpt-5.4", _GPT_MILLION, 128_000, Prices(2.50, 15, 0.25), _UP_TO_HIGH),
    _gpt("gpt-5.4-mini", 400_000, 128_000, Prices(0.75, 4.50, 0.075), _UP_TO_HIGH),
    _gpt("gpt-5.4-nano", 400_000, 128_000, Prices(0.20, 1.25, 0.02), _UP_TO_HIGH),
    _gpt("gpt-5.1-codex-max", 400_000, 128_000, Prices(1.25, 10, 0.125), _ALWAYS_UP_TO_HIGH),
    _gpt("gpt-4.1", 1_047_576, 32_768, Prices(2, 8, 0.50)),
    _gpt("gpt-4o", 128_000, 16_384, Prices(2.50, 10, 1.25), alias="4o"),
    _gpt("gpt-4o-mini", 128_000, 16_384, Prices(0.15, 0.60, 0.075), alias="4o-mini"),
    _gpt("o3", 200_000, 100_000, Prices(2, 8, 0.50), _ALWAYS_UP_TO_HIGH),
)

MODELS: tuple[Model, ...] = (REHEARSAL, *_CLAUDE, *_OPENAI)
"""Every model known by name, the newest of a maker first."""


@dataclass(frozen=True, slots=True)
class LongPrompt:
    """From which prompt on a whole request has other prices; None are prices that we do not know."""

    above_tokens: int
    prices: Prices | None


def _gpt_long_prompt(model: Model) -> LongPrompt:
    """Twice the input and the cache, one and a half times the output."""
    short = model.prices
    if short is None or short.cache_read is None or short.cache_write is None:
        return LongPrompt(_GPT_LONG_PROMPT_TOKENS, None)
    dear = Prices(2 * short.input, 1.5 * short.output, 2 * short.cache_read, 2 * short.cache_write)
    return LongPrompt(_GPT_LONG_PROMPT_TOKENS, dear)


LONG_PROMPTS: Mapping[str, LongPrompt] = MappingProxyType(
    {
        "anthropic/claude-haiku-5-5": LongPrompt(_HAIKU_LONG_PROMPT_TOKENS, Prices(0.50, 2.50, 0.05, 0.625)),
        "openai/gpt-5.4": LongPrompt(_GPT_LONG_PROMPT_TOKENS, Prices(5, 22.50, 0.50)),
        **{
            model.id: _gpt_long_prompt(model)
            for model in _OPENAI
            if model.name.startswith(("gpt-6", "gpt-5.6", "gpt-5.5"))
        },
    }
)
"""Models whose price depends on the length of the prompt."""
