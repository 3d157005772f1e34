"""Whether a list may be sent: the product's own checks of what servers accept, for both wire formats."""

from collections.abc import Sequence

from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, RequestMessage
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.openai_responses.conversion import to_responses
from diligent_tui.providers.wire import check_anthropic, check_request, check_responses

MODEL = Model("anthropic", "claude-replay", 200_000, 8_000)


def flaws_of(messages: Sequence[RequestMessage]) -> list[str]:
    """All that servers would refuse in a list, each with its place."""
    request = Request(model=MODEL, system="", tools=(), messages=tuple(messages), max_output_tokens=1_000)
    return [
        *check_request(request),
        *check_anthropic(to_anthropic(request)),
        *check_responses(to_responses(request)),
    ]
