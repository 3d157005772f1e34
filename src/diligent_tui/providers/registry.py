"""The one table of models and providers: what a name means, and who can answer for it."""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from diligent_tui.domain.errors import ModelUnknown, ProviderError
from diligent_tui.domain.models import Model, Prices
from diligent_tui.providers.base import Provider

REHEARSAL = Model(
    "offline",
    "rehearsal",
    window_tokens=32_000,
    max_output_tokens=4_096,
    prices=Prices(0, 0, 0, 0),
    thinking_levels=("off", "low", "medium", "high", "max"),
    aliases=("offline", "rehearsal"),
)

_NEWEST_CLAUDE = {
    "sonnet": "claude-sonnet-5-5",
    "haiku": "claude-haiku-5-5",
    "opus": "claude-opus-5-5",
    "fable": "claude-fable-5-2",
    "mythos": "claude-mythos-5-2",
}
_CLAUDE = (
    "claude-fable-5-1",
    "claude-fable-5",
    "claude-mythos-5-1",
    "claude-mythos-5",
    "claude-mythos-preview",
    "claude-sonnet-5",
    "claude-sonnet-4-6",
    "claude-sonnet-4-5",
    "claude-sonnet-4-5-20250929",
    "claude-opus-5",
    "claude-opus-4-8",
    "claude-opus-4-7",
    "claude-opus-4-6",
    "claude-opus-4-5",
    "claude-opus-4-5-20251101",
    "claude-haiku-4-5",
    "claude-haiku-4-5-20251001",
    "claude-haiku-3-5-20241022",
)
_OPENAI = (
    "gpt-6-astra",
    "gpt-6.1-sol",
    "gpt-6.1-terra",
    "gpt-6-sol",
    "gpt-6-luna",
    "gpt-6-cyber",
    "gpt-5.6-sol",
    "gpt-5.6-terra",
    "gpt-5.6-luna",
    "gpt-5.5",
    "gpt-5.5-pro",
    "gpt-5.4",
    "gpt-5.4-mini",
    "gpt-5.4-nano",
    "gpt-5.1-codex-max",
    "gpt-4.1",
)

MODELS: tuple[Model, ...] = (
    REHEARSAL,
    *(Model("anthropic", name, aliases=(alias,)) for alias, name in _NEWEST_CLAUDE.items()),
    *(Model("anthropic", name) for name in _CLAUDE),
    Model("anthropic", "claude-sonnet-4-20250514", window_tokens=200_000, sees_images=True),
    *(Model("openai", name) for name in _OPENAI),
    Model("openai", "gpt-4o", window_tokens=128_000, sees_images=True, aliases=("4o",)),
    Model("openai", "gpt-4o-mini", window_tokens=128_000, sees_images=True, aliases=("4o-mini",)),
    Model("openai", "o3", window_tokens=200_000, sees_images=True),
)
"""Every model known by name; a figure that is not certain is not given."""

KEY_VARIABLES: tuple[tuple[str, str], ...] = (
    ("ANTHROPIC_API_KEY", "anthropic/claude-sonnet-5-5"),
    ("OPENAI_API_KEY", "openai/gpt-6.1-sol"),
)
"""A key in the environment, and the model it makes the default, first that applies."""

_PREFIXES = (
    (re.compile(r"claude-", re.IGNORECASE), "anthropic", 200_000),
    (re.compile(r"gpt-|o\d", re.IGNORECASE), "openai", 128_000),
)
ASSUMED_WINDOW_TOKENS = 16_000
MOST_NEAR_NAMES = 3


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """What a maker may need to know; each takes what concerns it."""

    pace_tokens_per_second: float = 0


def find(name: str, extra_models: Sequence[Model] = ()) -> Model:
    """The model that a name means; the user's own models go before ours."""
    wanted = name.strip().lower()
    models = (*extra_models, *MODELS)
    by_rank: tuple[Callable[[Model], bool], ...] = (
        lambda model: model.id.lower() == wanted,
        lambda model: model.name.lower() == wanted,
        lambda model: wanted in (alias.lower() for alias in model.aliases),
    )
    for fits in by_rank:
        if found := next(filter(fits, models), None):
            return found
    return _named_by_provider(name.strip(), models) or _named_by_prefix(name.strip()) or _refuse(name, models)


def assumed_window(model: Model) -> tuple[int, bool]:
    """The model's window in tokens, and whether that is only assumed."""
    if model.window_tokens is not None:
        return model.window_tokens, False
    assumed = (window_tokens for prefix, _, window_tokens in _PREFIXES if prefix.match(model.name))
    return next(assumed, ASSUMED_WINDOW_TOKENS), True


def choose_default(flag: str | None, setting: str | None, environ: Mapping[str, str]) -> str:
    """The name of the model to begin with: as told, as set, as a key in the environment allows, else offline."""
    with_key = (model_id for variable, model_id in KEY_VARIABLES if environ.get(variable, "").strip())
    return flag or setting or next(with_key, REHEARSAL.id)


def make_provider(name: str, options: ProviderOptions | None = None) -> Provider:
    """A provider by its part of a model id; its code is imported only now."""
    maker = MAKERS.get(name)
    if maker is None:
        raise ProviderError(
            f"There is no provider called {name!r}.", f"Known are {', '.join(MAKERS)}; `offline` always works."
        )
    return maker(options or ProviderOptions())


def _named_by_provider(name: str, models: Sequence[Model]) -> Model | None:
    provider, _, bare = name.partition("/")
    known = {*MAKERS, *(model.provider for model in models)} - {REHEARSAL.provider}
    return Model(provider.lower(), bare) if bare and provider.lower() in known else None


def _named_by_prefix(name: str) -> Model | None:
    provider = next((provider for prefix, provider, _ in _PREFIXES if prefix.match(name)), None)
    return Model(provider, name) if provider and "/" not in name else None


def _refuse(name: str, models: Sequence[Model]) -> Model:
    spoken = [word for model in models for word in (model.id, model.name, *model.aliases)]
    near = difflib.get_close_matches(name.lower(), list(dict.fromkeys(spoken)), n=MOST_NEAR_NAMES, cutoff=0.5)
    hint = f"Did you mean {', '.join(near)}? " if near else ""
    raise ModelUnknown(f"No model is called {name!r}.", f"{hint}{ModelUnknown.advice_by_default}")


def _make_offline(options: ProviderOptions) -> Provider:
    from diligent_tui.providers.offline.provider import OfflineProvider

    return OfflineProvider(options.pace_tokens_per_second)


def _not_yet(name: str) -> Callable[[ProviderOptions], Provider]:
    def refuse(_: ProviderOptions) -> Provider:
        raise ProviderError(f"This build cannot talk to {name} yet.", f"Choose {REHEARSAL.id}, which needs no network.")

    return refuse


MAKERS: Mapping[str, Callable[[ProviderOptions], Provider]] = {
    "offline": _make_offline,
    "anthropic": _not_yet("anthropic"),
    "openai": _not_yet("openai"),
    "openai-compatible": _not_yet("openai-compatible"),
}
"""Who answers for the first part of a model id; a new provider is one line here."""
