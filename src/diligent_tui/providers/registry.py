"""The one table of models and providers: what a name means, and who can answer for it."""

import difflib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from diligent_tui.domain.errors import ModelUnknown, ProviderError
from diligent_tui.domain.models import Model, Prices
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.providers.base import Provider
from diligent_tui.providers.model_table import LONG_PROMPTS, MODELS, REHEARSAL
from diligent_tui.providers.servers import SERVERS

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
MOST_NAME_CHARS = 80


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """What a maker may need to know; each takes what concerns it."""

    pace_tokens_per_second: float = 0
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    stall_seconds: float = 60
    """So long without a byte is a lost connection."""
    connect_seconds: float = 20


def find(name: str, extra_models: Sequence[Model] = (), providers: Collection[str] = ()) -> Model:
    """The model that a name means; the user's own models go before ours, and `providers` are the user's own too."""
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
    name = name.strip()
    return _named_by_provider(name, models, providers) or _named_by_prefix(name) or _refuse(name, models)


def assumed_window(model: Model) -> tuple[int, bool]:
    """The model's window in tokens, and whether that is only assumed."""
    if model.window_tokens is not None:
        return model.window_tokens, False
    assumed = (window_tokens for prefix, _, window_tokens in _PREFIXES if prefix.match(model.name))
    return next(assumed, ASSUMED_WINDOW_TOKENS), True


def prices_at(model: Model, prompt_tokens: int) -> Prices | None:
    """The prices of a request with so long a prompt; the user's own prices hold for any length."""
    long_prompt = LONG_PROMPTS.get(model.id)
    if long_prompt is None or prompt_tokens <= long_prompt.above_tokens:
        return model.prices
    ours = next((known.prices for known in MODELS if known.id == model.id), None)
    return long_prompt.prices if model.prices == ours else model.prices


def choose_default(flag: str | None, setting: str | None, environ: Mapping[str, str]) -> str:
    """The name of the model to begin with: as told, as set, as a key in the environment allows, else offline."""
    with_key = (model_id for variable, model_id in KEY_VARIABLES if environ.get(variable, "").strip())
    return flag or setting or next(with_key, REHEARSAL.id)


def make_provider(name: str, options: ProviderOptions | None = None) -> Provider:
    """A provider by its part of a model id; its code is imported only now."""
    options = options or ProviderOptions()
    if maker := MAKERS.get(name):
        return maker(options)
    server = SERVERS.get(name)
    if not (server or options.base_url):
        raise ProviderError(
            f"There is no provider called {clean_line(name, MOST_NAME_CHARS)!r}.",
            f"Known are {', '.join((*MAKERS, *SERVERS))}; any other needs provider.NAME.baseUrl in your settings.",
        )
    return _make_compatible(name, replace(options, base_url=options.base_url or (server and server.base_url)))


def _named_by_provider(name: str, models: Sequence[Model], providers: Collection[str]) -> Model | None:
    provider, _, bare = name.partition("/")
    of_provider = [model for model in models if model.provider == provider.lower()]
    if by_alias := next((model for model in of_provider if bare.lower() in map(str.lower, model.aliases)), None):
        return by_alias
    known = {*MAKERS, *SERVERS, *providers, *(model.provider for model in models)} - {REHEARSAL.provider}
    return Model(provider.lower(), bare) if bare and provider.lower() in known else None


def _named_by_prefix(name: str) -> Model | None:
    provider = next((provider for prefix, provider, _ in _PREFIXES if prefix.match(name)), None)
    return Model(provider, name) if provider and "/" not in name else None


def _refuse(name: str, models: Sequence[Model]) -> Model:
    spoken = [word for model in models for word in (model.id, model.name, *model.aliases)]
    near = difflib.get_close_matches(
        name.lower()[:MOST_NAME_CHARS], list(dict.fromkeys(spoken)), n=MOST_NEAR_NAMES, cutoff=0.5
    )
    hint = f"Did you mean {', '.join(near)}? " if near else ""
    said = clean_line(name, MOST_NAME_CHARS)
    raise ModelUnknown(f"No model is called {said!r}.", f"{hint}{ModelUnknown.advice_by_default}")


def _make_offline(options: ProviderOptions) -> Provider:
    from diligent_tui.providers.offline.provider import OfflineProvider

    return OfflineProvider(options.pace_tokens_per_second)


def _make_anthropic(options: ProviderOptions) -> Provider:
    from diligent_tui.providers.anthropic.client import AnthropicProvider

    return AnthropicProvider(options)


def _make_openai(options: ProviderOptions) -> Provider:
    from diligent_tui.providers.openai_responses.client import OpenAIResponsesProvider

    return OpenAIResponsesProvider(options)


def _make_compatible(name: str, options: ProviderOptions) -> Provider:
    from diligent_tui.providers.openai_chat.client import OpenAIChatProvider

    return OpenAIChatProvider(options, name)


MAKERS: Mapping[str, Callable[[ProviderOptions], Provider]] = {
    "offline": _make_offline,
    "anthropic": _make_anthropic,
    "openai": _make_openai,
    "openai-compatible": partial(_make_compatible, "openai-compatible"),
}
"""Who answers for the first part of a model id; a new provider is one line here."""
