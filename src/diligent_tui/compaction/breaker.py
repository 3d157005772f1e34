"""When compaction must not be tried again: it did not help, it was just done, or no work comes of it. Pure.

A caller asks `judge` before each compaction, and tells what happened: `compacted` once one is saved, `measured` at the
first real count after it, `step_finished` whenever a model has answered and its tools have run.
"""

from dataclasses import dataclass, replace
from typing import Literal

from diligent_tui.compaction.policy import CompactionPolicy

Judgement = Literal["go", "latched", "cooling", "no_step_between"]


@dataclass(frozen=True, slots=True)
class Breaker:
    """What is remembered of the compactions of one session; times are seconds of any steady clock."""

    ineffective_in_a_row: int = 0
    without_step: int = 0
    last_at_seconds: float | None = None
    awaits_count: bool = False
    """A compaction looked as if it helped; the next real count will tell."""

    def judge(
        self, policy: CompactionPolicy, now_seconds: float, *, by_hand: bool = False, would_overflow: bool = False
    ) -> Judgement:
        """Whether to compact now. By hand goes always, but never a third time without a finished step.

        The cooldown gives way where the request would not fit the window.
        """
        if self.without_step >= policy.most_without_step:
            return "no_step_between"
        if by_hand:
            return "go"
        if self.is_latched(policy):
            return "latched"
        if self._is_cooling(policy, now_seconds) and not would_overflow:
            return "cooling"
        return "go"

    def is_latched(self, policy: CompactionPolicy) -> bool:
        """True once automatic compaction is off; a banner says so until it is reset."""
        return self.ineffective_in_a_row >= policy.ineffective_to_latch

    def compacted(self, now_seconds: float, *, was_effective: bool) -> "Breaker":
        """After a compaction is saved; `was_effective` by estimate, see `is_effective`."""
        return Breaker(
            ineffective_in_a_row=self.ineffective_in_a_row + (not was_effective),
            without_step=self.without_step + 1,
            last_at_seconds=now_seconds,
            awaits_count=was_effective,
        )

    def measured(self, tokens: int, limit_tokens: int) -> "Breaker":
        """After a real count; the first one after a compaction says whether it helped."""
        if not self.awaits_count:
            return self
        has_helped = tokens <= limit_tokens
        return replace(
            self, awaits_count=False, ineffective_in_a_row=0 if has_helped else self.ineffective_in_a_row + 1
        )

    def step_finished(self) -> "Breaker":
        """After a model answered and its tools have run."""
        return replace(self, without_step=0)

    def failed(self, now_seconds: float) -> "Breaker":
        """After a compaction that could not be made at all: it changed nothing, so by hand another way may be tried."""
        return replace(self, ineffective_in_a_row=self.ineffective_in_a_row + 1, last_at_seconds=now_seconds)

    def reset(self) -> "Breaker":
        """After the user chose to try again, or took up another strategy or model; a step must still come between."""
        return Breaker(without_step=self.without_step, last_at_seconds=self.last_at_seconds)

    def _is_cooling(self, policy: CompactionPolicy, now_seconds: float) -> bool:
        if self.last_at_seconds is None:
            return False
        return 0 <= now_seconds - self.last_at_seconds < policy.cooldown_seconds


def is_effective(policy: CompactionPolicy, tokens_before: int, tokens_after: int, limit_tokens: int) -> bool:
    """Whether a compaction freed enough and brought the context under the limit."""
    return tokens_after <= limit_tokens and tokens_after <= tokens_before * (1 - policy.least_shrink_share)
