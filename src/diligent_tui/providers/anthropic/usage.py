"""What Anthropic counts, in our one shape; its three kinds of input do not overlap, and ours neither."""

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.token_counts import count
from diligent_tui.providers.wire.values import is_object


def merged_usage(at_start: object, at_end: object) -> Usage | None:
    """The usage of an answer from both places where it is told; None if what was sent is not told.

    The counts only grow, and a gateway may leave out or zero either of the two: the larger one is right.
    """
    told = [usage for usage in (at_start, at_end) if is_object(usage)]
    read = _most(told, "cache_read_input_tokens")
    written = max(_most(told, "cache_creation_input_tokens"), *(_by_lifetime(usage) for usage in told), 0)
    usage = Usage(
        input_tokens=_most(told, "input_tokens"),
        output_tokens=_most(told, "output_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )
    return usage if usage.prompt_tokens else None


def _most(told: list[JsonObject], key: str) -> int:
    return max((count(usage.get(key)) or 0 for usage in told), default=0)


def _by_lifetime(usage: JsonObject) -> int:
    """The tokens written to caches, which are also told apart by how long they are kept."""
    creation = usage.get("cache_creation")
    if not is_object(creation):
        return 0
    return sum(count(creation.get(f"ephemeral_{lifetime}_input_tokens")) or 0 for lifetime in ("5m", "1h"))
