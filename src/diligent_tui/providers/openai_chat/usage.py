"""What servers of Chat Completions say an answer cost, in our one shape."""

from diligent_tui.domain.usage import Usage
from diligent_tui.providers.token_counts import count, usage_with_cache_inside
from diligent_tui.providers.wire.values import is_object


def usage_of(value: object) -> Usage | None:
    """The usage; None where the server did not count."""
    if not is_object(value):
        return None
    sent, answered, details = (
        value.get("prompt_tokens"),
        value.get("completion_tokens"),
        value.get("prompt_tokens_details"),
    )
    if not is_object(details):
        # DeepSeek says it in its own words.
        details = {"cached_tokens": value.get("prompt_cache_hit_tokens")}
    return usage_with_cache_inside(sent, _with_thoughts(value, answered), details)


def _with_thoughts(value: dict[str, object], answered: object) -> object:
    """The tokens of the answer with its thinking, which some servers count beside it; the total gives that away."""
    details = value.get("completion_tokens_details")
    thought = count(details.get("reasoning_tokens")) if is_object(details) else None
    sent, told, total = count(value.get("prompt_tokens")), count(answered), count(value.get("total_tokens"))
    if thought and sent is not None and told is not None and total == sent + told + thought:
        return told + thought
    return answered
