"""What the agent is told to keep to; settings become this, the agent never reads settings."""

from dataclasses import dataclass, field

from diligent_tui.providers.retry import Backoff

DEFAULT_MAX_STEPS = 200
"""Requests in one turn before the agent stops and asks; far above what honest work needs."""


@dataclass(frozen=True, slots=True)
class AgentPolicy:
    """Bounds of a turn; None is no bound. `may_ask` is False where nobody can answer a question."""

    max_steps: int = DEFAULT_MAX_STEPS
    max_cost: float | None = None
    max_tokens: int | None = None
    may_ask: bool = True
    backoff: Backoff = field(default_factory=Backoff)
    """How often and how long a request that failed is sent again."""
    partial_delay_seconds: float = 0.5
    """Streamed words are on disk at most this much, and the disk's own time, behind the screen."""
