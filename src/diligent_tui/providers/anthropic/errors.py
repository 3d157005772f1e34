"""What Anthropic says has gone wrong within a stream, as our errors."""

import re

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.faults import from_error
from diligent_tui.providers.wire.values import is_object

PROVIDER = "anthropic"
_THOUGHTS = re.compile(r"signature|thinking` (?:block|or)", re.IGNORECASE)


def from_event(event: JsonObject) -> ProviderError:
    """The error that an `error` event tells of; it has no status, only a type."""
    error = event.get("error")
    told: JsonObject = error if is_object(error) else {}
    return from_error(PROVIDER, told)


def refuses_thoughts(error: ProviderError) -> bool:
    """Whether a request was refused for the reasoning that it brought back; the server has no code for it."""
    return type(error) is ProviderError and _THOUGHTS.search(error.message) is not None
