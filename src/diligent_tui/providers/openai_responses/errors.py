"""What OpenAI says has gone wrong within a stream, as our errors."""

from diligent_tui.domain.errors import ProviderError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.faults import from_error, words
from diligent_tui.providers.wire.values import is_object

PROVIDER = "openai"
BAD_REQUEST = 400
_OURS_TO_MEND = ("invalid_", "image_", "unsupported_", "empty_image", "failed_to_download_image", "data_residency")
"""Codes that begin so tell of the request: sending it again would not help."""
_POLICY = "_policy"


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


def reported(text: str) -> str:
    """Words of the server, fit to be shown."""
    return words(text)


def _message(told: JsonObject) -> str:
    message = told.get("message")
    return message if isinstance(message, str) else ""
