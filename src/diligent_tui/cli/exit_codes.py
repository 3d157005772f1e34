"""What the exit code of a headless run means."""

from diligent_tui.domain.errors import Problem

DONE = 0
FAILED = 1
USAGE = 2
CAP_REACHED = 3
PERMISSION_DENIED = 4
PROVIDER_FAILED = 5
INTERRUPTED = 130

OUT_OF_TIME = "time_limit"
"""Both how a run ends and the kind of the problem, for it may end before there is a turn."""

PROVIDER_KINDS = frozenset(
    {
        "provider",
        "rate_limited",
        "overloaded",
        "unavailable",
        "auth",
        "model_unknown",
        "context_overflow",
        "bad_response",
        "stream_cut",
    }
)


def code_of_end(reason: str) -> int:
    """The exit code for the way a turn ended."""
    match reason:
        case "done":
            return DONE
        case "interrupted":
            return INTERRUPTED
        case "step_limit" | "cost_limit" | "token_limit" | "time_limit" | "repeated_call" | "max_tokens":
            return CAP_REACHED
        case "refusal" | "content_filter" | "context_window":
            return PROVIDER_FAILED
        case _:
            return FAILED


def code_of_problem(problem: Problem) -> int:
    """The exit code for an error."""
    if problem.kind in PROVIDER_KINDS:
        return PROVIDER_FAILED
    if problem.kind == OUT_OF_TIME:
        return CAP_REACHED
    return USAGE if problem.kind == "usage" else FAILED
