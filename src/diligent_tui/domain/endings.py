"""What is said when a turn ends otherwise than by the model's own word; every front end says the same."""

from collections.abc import Mapping
from types import MappingProxyType

ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "interrupted": "stopped · what was said so far is kept",
        "max_tokens": "the answer hit the model's output limit and is not complete",
        "refusal": "the model refused to answer",
        "content_filter": "the provider's filter stopped the answer",
        "context_window": "the answer filled the model's window",
        "repeated_call": "stopped: the model made the same call again and again · say how to go on",
        "step_limit": "stopped at the step limit · say “go on” to continue",
        "cost_limit": "stopped at the cost limit",
        "token_limit": "stopped at the token limit",
        "error": "the answer broke off and is not complete",
    }
)
FAILURES = frozenset({"error"})
"""Those of them that are errors."""
UNANSWERED_CALL = "interrupted\n[No result was saved. It may have run in part, or not at all.]"
"""What is said of a call that has no result, such as after a crash: how it ended, and what that means."""
