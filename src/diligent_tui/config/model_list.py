"""The models one can choose: those we know, those of the user's settings, and whether there is a key for each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from diligent_tui.config.settings import ModelSettings, PriceSettings, Settings
from diligent_tui.domain.models import Model, Prices
from diligent_tui.providers.model_table import MODELS
from diligent_tui.providers.registry import KEY_VARIABLES
from diligent_tui.providers.servers import SERVERS

PROVIDER_IF_NONE = "openai-compatible"
"""Whose a model is that the settings name without a provider: a server of the user's own."""

_VARIABLE_OF = {
    **{model_id.partition("/")[0]: variable for variable, model_id in KEY_VARIABLES},
    **{name: server.key_variable for name, server in SERVERS.items() if server.key_variable},
}


@dataclass(frozen=True, slots=True)
class KeyState:
    """Where a provider's key is; never the key itself."""

    place: Literal["environment", "settings", "command", "not needed", "missing"]
    variable: str = ""

    @property
    def is_there(self) -> bool:
        """True if requests can be sent, as far as the key goes."""
        return self.place != "missing"

    @property
    def words(self) -> str:
        """What to tell the user."""
        match self.place:
            case "environment":
                return f"{self.variable} found"
            case "settings":
                return "key in the settings"
            case "command":
                return "key by a command"
            case "not needed":
                return "needs no key"
            case "missing":
                return f"set {self.variable}"


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be chosen, and its key."""

    model: Model
    key: KeyState


def offers(settings: Settings, environ: Mapping[str, str]) -> tuple[Offer, ...]:
    """Every model that can be named, the user's own first."""
    own = own_models(settings)
    taken = {model.id.lower() for model in own}
    models = (*own, *(model for model in MODELS if model.id.lower() not in taken))
    return tuple(Offer(model, key_of(model.provider, settings, environ)) for model in models)


def is_meant(offer: Offer, words: Iterable[str]) -> bool:
    """Whether each word is in the model's id or in one of its aliases."""
    names = " ".join((offer.model.id, *offer.model.aliases)).casefold()
    return all(word.casefold() in names for word in words)


def key_of(provider: str, settings: Settings, environ: Mapping[str, str]) -> KeyState:
    """Where the key of a provider is; nothing is run and nothing is asked."""
    variable = _VARIABLE_OF.get(provider, "")
    told = settings.provider.get(provider)
    if variable and environ.get(variable, "").strip():
        return KeyState("environment", variable)
    if told and told.api_key:
        return KeyState("settings", variable)
    if told and told.api_key_command:
        return KeyState("command", variable)
    return KeyState("missing", variable) if variable else KeyState("not needed")


def own_models(settings: Settings) -> tuple[Model, ...]:
    """The models of the settings; what is not said of a model that we know is as we know it."""
    return tuple(_own_model(name, told) for name, told in settings.models.items())


def _own_model(name: str, told: ModelSettings) -> Model:
    provider, _, bare = name.partition("/")
    unknown = Model(provider.lower(), bare) if bare else Model(PROVIDER_IF_NONE, name)
    known = next((model for model in MODELS if model.id.lower() == unknown.id.lower()), unknown)
    return Model(
        known.provider,
        known.name,
        known.window_tokens if told.window is None else told.window,
        known.max_output_tokens if told.max_output is None else told.max_output,
        _own_prices(told.prices, known.prices),
        told.thinking or known.thinking_levels,
        told.images if "images" in told.model_fields_set else known.sees_images,
        (*told.aliases, *known.aliases),
    )


def _own_prices(told: PriceSettings, known: Prices | None) -> Prices | None:
    """The told prices before the known ones; without a price for input and output there is none to reckon with."""
    price_in = known.input if told.input is None and known else told.input
    price_out = known.output if told.output is None and known else told.output
    if price_in is None or price_out is None:
        return None
    read = known.cache_read if told.cache_read is None and known else told.cache_read
    write = known.cache_write if told.cache_write is None and known else told.cache_write
    return Prices(price_in, price_out, read, write)
