"""Which knowledge counts most: pinned first, then confidence × recency × weight of the type."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from diligent_tui.domain.knowledge import LONG_AGO, KnowledgeEntry, KnowledgePolicy
from diligent_tui.knowledge.state import KnowledgeState

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Score:
    """What makes up an entry's place: the total is the product of the three factors, and pins come before it."""

    confidence: float
    recency: float
    """What age has left: 1 when new, a half after each half-life."""
    type_weight: float
    pinned: bool
    total: float
    half_life_days: float
    age_days: float = 0.0


@dataclass(frozen=True, slots=True)
class Scored:
    """A live entry and the factors of its score."""

    entry: KnowledgeEntry
    pinned: bool
    age_days: float
    half_life_days: float
    type_weight: float

    @property
    def recency(self) -> float:
        """What age has left of it: 1 when new, a half after each half-life."""
        return 0.5 ** min(self.age_days / self.half_life_days, 1_100.0)

    @property
    def score(self) -> float:
        """The product of confidence, recency and weight."""
        return self.entry.confidence * self.recency * self.type_weight

    @property
    def explained(self) -> Score:
        """The score with each of its factors."""
        return Score(
            confidence=self.entry.confidence,
            recency=self.recency,
            type_weight=self.type_weight,
            pinned=self.pinned,
            total=self.score,
            half_life_days=self.half_life_days,
            age_days=self.age_days,
        )

    @property
    def log_score(self) -> float:
        """The score on a scale where the oldest entries still differ; the product is zero after 1,074 half-lives."""
        worth = self.entry.confidence * self.type_weight
        return math.log2(worth) - self.age_days / self.half_life_days if worth > 0 else -math.inf


def newest_moment(states: Sequence[KnowledgeState]) -> datetime:
    """The 'now' of ranking: the newest line of all."""
    return max((state.newest_moment for state in states if state.newest_moment is not None), default=LONG_AGO)


def rank(states: Sequence[KnowledgeState], policy: KnowledgePolicy, now: datetime | None = None) -> tuple[Scored, ...]:
    """All live entries, the most important first; ties are stable: the newer first, then by scope and id."""
    moment = newest_moment(states) if now is None else now
    scored = [_score(entry, entry.id in state.pinned, policy, moment) for state in states for entry in state.live]
    return tuple(sorted(scored, key=_order))


def _score(entry: KnowledgeEntry, pinned: bool, policy: KnowledgePolicy, now: datetime) -> Scored:
    return Scored(
        entry=entry,
        pinned=pinned,
        age_days=max(0.0, (now - entry.moment) / DAY),
        half_life_days=policy.half_life_days[entry.type],
        type_weight=policy.type_weights[entry.type],
    )


def _order(scored: Scored) -> tuple[bool, float, float, str, str]:
    entry = scored.entry
    return not scored.pinned, -scored.log_score, scored.age_days, entry.scope, entry.id
