"""Believes a server's count of tokens, or does not; the two formats of OpenAI count alike."""

from diligent_tui.domain.usage import Usage
from diligent_tui.providers.wire.values import is_count, is_object

MOST_TOKENS = 1_000_000_000
"""A count above this is a broken report, not an answer."""


def usage_with_cache_inside(sent: object, answered: object, details: object) -> Usage | None:
    """The usage where tokens read from or written to a cache are counted among those sent; here they stand apart."""
    sent_tokens, answered_tokens = count(sent), count(answered)
    # Nobody sends nothing: a server that says so did not count.
    if not sent_tokens or answered_tokens is None:
        return None
    read = written = 0
    if is_object(details):
        read = min(count(details.get("cached_tokens")) or 0, sent_tokens)
        written = min(count(details.get("cache_write_tokens")) or 0, sent_tokens - read)
    return Usage(
        input_tokens=sent_tokens - read - written,
        output_tokens=answered_tokens,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def count(value: object) -> int | None:
    """A number of tokens that can be believed."""
    return value if is_count(value) and 0 <= value <= MOST_TOKENS else None
