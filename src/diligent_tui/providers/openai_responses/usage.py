"""What OpenAI's Responses count, in our one shape; the tokens of reasoning are among those of the answer."""

from diligent_tui.domain.usage import Usage
from diligent_tui.providers.token_counts import usage_with_cache_inside
from diligent_tui.providers.wire.values import is_object


def usage_of(value: object) -> Usage | None:
    """The usage; None where the server did not count."""
    if not is_object(value):
        return None
    return usage_with_cache_inside(
        value.get("input_tokens"), value.get("output_tokens"), value.get("input_tokens_details")
    )
