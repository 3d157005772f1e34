"""What OpenAI says has gone wrong within a stream, as our errors."""

import re

from diligent_tui.domain.errors import ModelUnknown, Passing, ProviderError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.faults import from_error, words
from diligent_tui.providers.wire.values import is_object

PROVIDER = "openai"
BAD_REQUEST = 400
_OURS_TO_MEND = ("invalid_", "image_", "unsupported_", "empty_image", "failed_to_download_image", "data_residency")
"""Codes that begin so tell of the request: sending it again would not help."""
_POLICY = "_policy"
_THOUGHTS = re.compile(
    r"encrypted[_ ]content|of type '?reasoning|required '?reasoning|remove this item from your input", re.IGNORECASE
)


def from_event(error: object) -> ProviderError:
    """The error that an event tells of; the same codes stand in `response.failed` and in both shapes of `error`."""
    told: JsonObject = error if is_object(error) else {}
    code = told.get("code")
    if isinstance(code, str) and _POLICY in code:
        advice = "Say it in other words, or switch the model."
        return ProviderError(f"OpenAI's rules do not allow this: {words(_message(told) or code)}", advice)
    if isinstance(code, str) and code.startswith(_OURS_TO_MEND) and code != "invalid_api_key":
        return from_error(PROVIDER, told, BAD_REQUEST)
    return from_error(PROVIDER, told)


def refuses_thoughts(error: ProviderError) -> bool:
    """Whether a request was refused for the reasoning that it brought back: another account's, or too old a key."""
    return not isinstance(error, Passing | ModelUnknown) and _THOUGHTS.search(error.message) is not None


def reported(text: str) -> str:
    """Words of the server, fit to be shown."""
    return words(text)


def _message(told: JsonObject) -> str:
    message = told.get("message")
    return message if isinstance(message, str) else ""
