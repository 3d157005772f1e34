"""What a server's refusal means, in one family of errors; its body is hostile text and may hold a key."""

import json
import re
from collections.abc import Mapping, Sequence

from diligent_tui.domain.errors import (
    AuthFailed,
    BadResponse,
    ModelUnknown,
    Overloaded,
    ProviderError,
    RateLimited,
    Unavailable,
)
from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.providers.overflow import overflow, overflow_by_code, overflow_in
from diligent_tui.providers.retry_after import limit_passes_in, retry_after_in
from diligent_tui.providers.vendors import Vendor, vendor
from diligent_tui.providers.wire.values import is_array

LONGEST_WORDS_CHARS = 300
MOST_BODY_BYTES = 64 * 1024

_KEY = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|key|AIza|ghp)[-_][\w*.-]{6,}|\bBearer\s+\S+", re.IGNORECASE)
_LONG_SECRET = re.compile(r"(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])[\w+/=-]{32,}", re.IGNORECASE)
_NO_MONEY = re.compile(
    r"insufficient[_ ](?:quota|credit|balance)|credit balance|billing|exceeded your current quota|payment required",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model[^\n]{0,120}(?:not[ _]found|does not exist|not exist|not supported|not available)|^model: ", re.IGNORECASE
)
_TOO_BUSY = re.compile(r"overloaded|slow_down|slow down|server is busy|at capacity|engine_overloaded", re.IGNORECASE)
_WAIT_AND_RETRY = "Try again in a minute, or switch the model."


def from_status(
    provider: str, status: int, body: bytes, headers: Mapping[str, str], secrets: Sequence[str] = ()
) -> ProviderError:
    """The error that an HTTP answer means; `secrets` are texts that must never be shown, whoever repeats them."""
    maker = vendor(provider)
    if 300 <= status < 400:
        return _redirected(maker, headers, secrets)
    text = body[:MOST_BODY_BYTES].decode("utf-8", "replace")
    prose: JsonObject = {"message": text if _is_prose(text) else ""}
    return from_error(provider, _error_object(text) or prose, status, headers, secrets)


def no_stream(provider: str, body: bytes, secrets: Sequence[str] = ()) -> ProviderError:
    """The error that a success without a stream means: one that calls itself a success, or somebody else's page."""
    error = _error_object(body.decode("utf-8", "replace"))
    if error and _message_in(error):
        return from_error(provider, error, secrets=secrets)
    return BadResponse(
        f"{vendor(provider).title} answered with something that is no stream of events.",
        "Check the base URL; a proxy or a login page may also stand between.",
    )


def from_error(
    provider: str,
    error: JsonObject,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
    secrets: Sequence[str] = (),
) -> ProviderError:
    """The error that a server's error object means; one that arrives within a stream has no status."""
    maker = vendor(provider)
    message, kinds = _message_in(error), _kinds_in(error)
    if found := overflow_by_code(error) or overflow_in(message):
        return found
    status = _STATUS_BY_KIND.get(kinds[0] if kinds else "", 0) if status is None else status
    said = words(message, secrets)
    about = " ".join((*kinds, message))
    if status in (402, 429, 400, 403) and _NO_MONEY.search(about):
        advice = "Add credit to the account, use another key, or switch the model."
        return ProviderError(_sentence(f"{maker.title} refuses to go on without payment", said), advice)
    if status in (401, 403):
        what = "does not accept the key" if status == 401 else "does not allow this"
        return AuthFailed(_sentence(f"{maker.title} {what}", said), maker.key_advice)
    if status in (400, 404) and _NO_MODEL.search(message):
        return ModelUnknown(_sentence(f"{maker.title} does not offer this model", said))
    if status == 429:
        passes_seconds = limit_passes_in(headers or {}, message)
        return RateLimited(_sentence(f"{maker.title} gets too many requests", said), retry_after_seconds=passes_seconds)
    wait_seconds = retry_after_in(headers or {}, message)
    if status == 529 or (status in (0, 500, 503) and _TOO_BUSY.search(about)):
        return Overloaded(_sentence(f"{maker.title} is too busy", said), retry_after_seconds=wait_seconds)
    return _by_range(maker, status, said, wait_seconds)


def words(text: str, secrets: Sequence[str] = ()) -> str:
    """Outside words on one short line, harmless and without anything that looks like a key."""
    for secret in secrets:
        if len(secret) > 3:
            text = text.replace(secret, "…")
    line = clean_line(text, 4 * LONGEST_WORDS_CHARS)
    line = _LONG_SECRET.sub("…", _KEY.sub("…", line))
    return clean_line(line, LONGEST_WORDS_CHARS)


_STATUS_BY_KIND: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Makers name within a stream what they number elsewhere."""


def _by_range(maker: Vendor, status: int, said: str, wait_seconds: float | None) -> ProviderError:
    if status == 413:
        return overflow()
    if status in (404, 405):
        return BadResponse(_sentence(f"{maker.title} has nothing at this address", said), "Check the base URL.")
    if status in (408, 409, 425):
        what = f"{maker.title} did not take the request in time"
        return Unavailable(_sentence(what, said), _WAIT_AND_RETRY, wait_seconds)
    if 400 <= status < 500:
        return ProviderError(_sentence(f"{maker.title} refused the request (HTTP {status})", said))
    if status >= 500:
        what = f"{maker.title} has a fault of its own (HTTP {status})"
        return Unavailable(_sentence(what, said), _WAIT_AND_RETRY, wait_seconds)
    return Unavailable(_sentence(f"{maker.title} broke off with an error", said), _WAIT_AND_RETRY, wait_seconds)


def _redirected(maker: Vendor, headers: Mapping[str, str], secrets: Sequence[str]) -> ProviderError:
    """Following would carry the prompt, and maybe the key, to where nobody chose to send them."""
    place = words(headers.get("location", "").partition("?")[0], secrets)
    where = f" to {place}" if place else ""
    return BadResponse(
        f"{maker.title} sends the request on{where}, and diligent does not follow.",
        "Set the base URL to the address that answers itself.",
    )


def _sentence(what: str, said: str) -> str:
    return f"{what}: {said}" if said else f"{what}."


def _error_object(text: str) -> JsonObject | None:
    """The object that tells of the error, out of the shapes that servers wrap it in."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if is_array(value) and value:
        value = value[0]
    if not is_object(value):
        return {"message": value} if isinstance(value, str) else None
    inner = value.get("error")
    if is_object(inner):
        return inner
    return {**value, "message": inner} if isinstance(inner, str) else value


def _message_in(error: JsonObject) -> str:
    """The words of an error object; a gateway may put its upstream's words in a text of JSON or a detail."""
    texts = [error.get(key) for key in ("message", "detail", "error_description")]
    metadata = error.get("metadata")
    if is_object(metadata):
        texts.append(metadata.get("raw"))
    return " ".join(text for text in texts if isinstance(text, str))


def _kinds_in(error: JsonObject) -> list[str]:
    details = error.get("details")
    found = [error.get("type"), error.get("code"), details.get("error_code") if is_object(details) else None]
    return [kind for kind in found if isinstance(kind, str) and kind != "error"]


def _is_prose(text: str) -> bool:
    head = text.lstrip()[:200].lower()
    return not head.startswith(("<", "{", "[")) and "\x00" not in head
