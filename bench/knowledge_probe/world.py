"""A project's knowledge over more than a year, made from a seed: what changes, what stays, what passes, and questions.

Facts that change are chains, each version superseding the one before. Rules are old and never touched again. Trivia
come every day, the more the nearer to now, and share words with both. Some facts are said again in other words; what is
found to be like something known supersedes it, as the tool would have the model do.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.knowledge import DEFAULT_CONFIDENCE, KnowledgeEntry, KnowledgeLine, KnowledgeType
from diligent_tui.domain.times import to_stamp
from diligent_tui.knowledge.duplicates import nearest
from diligent_tui.knowledge.injection import BYTES_PER_TOKEN, entry_text

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAYS = 400
CHAINS = 60
RULES = 50
REPEATED = 30
UNANSWERED = 20
FRESH_DAYS = 30
FRESH_SHARE = 0.25
UNSAID_SHARE = 0.6

PARTS = tuple(
    re.findall(
        r"\w+",
        """
        billing search mail gateway login report upload worker scheduler cache
        parser editor importer exporter profile invoice webhook payment catalog session
        monitor sandbox renderer planner indexer notifier ledger shipping stock admin
        """,
    )
)
CHANGING: tuple[tuple[str, str, Sequence[str]], ...] = (
    ("The tests of the {part} run with {value}.", "how are the tests of {part} run", ("make", "tox", "nox", "pytest")),
    (
        "The {part} service listens on port {value}.",
        "which port does {part} listen on",
        ("8080", "8081", "9000", "7001"),
    ),
    (
        "The {part} data is stored in {value}.",
        "where is the data of {part} stored",
        ("SQLite", "Postgres", "Redis", "S3"),
    ),
    ("The {part} is deployed to {value}.", "where is {part} deployed", ("Frankfurt", "Dublin", "Oregon", "Tokyo")),
    ("The owner of the {part} is {value}.", "who is the owner of {part}", ("Anna", "Bert", "Clara", "Jonas")),
)
RULE_TEXTS: tuple[tuple[str, str], ...] = (
    ("The {part} module must never import the {other} module.", "may the {part} module import the {other} module"),
    ("Amounts in the {part} are integers in cents; {other} rounds them.", "how are amounts kept in {part}"),
    ("Every change of the {part} needs a review by the {other} team.", "who reviews a change of the {part}"),
)
TRIVIA: tuple[str, ...] = (
    "The {part} test took {number} seconds today.",
    "Line {number} of {part}/views.py has a stray comment.",
    "The {part} branch was behind main by {number} commits.",
    "A log of the {part} showed {number} warnings during the run.",
    "The {part} port was busy when the tests of the {other} ran, try {number}.",
    "The {part} data of ticket {number} was looked at for the {other} owner.",
)


@dataclass(frozen=True, slots=True)
class Question:
    """Words somebody asks with, and the entry that answers them."""

    words: str
    answer_id: str


@dataclass(frozen=True, slots=True)
class World:
    """Lines of a knowledge file, and what is asked of them."""

    lines: tuple[KnowledgeLine, ...]
    current: tuple[Question, ...]
    """About facts that changed; the answer is the newest version."""
    rules: tuple[Question, ...]
    """About what was decided long ago and still holds."""
    unanswered: tuple[str, ...]
    stale_ids: frozenset[str]


class _Maker:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.lines: list[KnowledgeLine] = []

    def put(
        self, kind: KnowledgeType, content: str, age_days: float, confidence: float, supersedes: str | None = None
    ) -> KnowledgeEntry:
        entry = KnowledgeEntry(
            id=f"{self.dice.getrandbits(32):08x}",
            timestamp=to_stamp(NOW - timedelta(days=age_days)),
            type=kind,
            content=content,
            confidence=round(confidence, 2),
            supersedes=supersedes,
        )
        self.lines.append(entry)
        return entry


def make_world(seed: int, size_bytes: int) -> World:
    """A world whose live entries, as they are told, take at least so many bytes."""
    maker = _Maker(seed)
    stale: set[str] = set()
    current = [_chain(maker, number, stale) for number in range(CHAINS)]
    rules = [_rule(maker, number) for number in range(RULES)]
    live_bytes = sum(utf8_size(entry_text(line)) for line in maker.lines if isinstance(line, KnowledgeEntry))
    while live_bytes < size_bytes:
        live_bytes += utf8_size(entry_text(_trifle(maker)))
    unanswered = tuple(f"which colour has the flag of embassy number {number}" for number in range(UNANSWERED))
    maker.dice.shuffle(maker.lines)
    return World(tuple(maker.lines), tuple(current), tuple(rules), unanswered, frozenset(stale))


def _chain(maker: _Maker, number: int, stale: set[str]) -> Question:
    """Some versions of one fact, the newest any age; every other one is said once more in other words."""
    dice = maker.dice
    text, question, values = CHANGING[number % len(CHANGING)]
    part = PARTS[number // len(CHANGING)]
    kinds: tuple[KnowledgeType, ...] = ("pattern", "decision", "correction")
    versions = dice.randint(2, len(values))
    ages = sorted((dice.uniform(0, DAYS) for _ in range(versions)), reverse=True)
    entry: KnowledgeEntry | None = None
    for value, age in zip(dice.sample(values, versions), ages, strict=True):
        if entry is not None:
            stale.add(entry.id)
        content = text.format(part=part, value=value)
        kind = "correction" if entry is not None and dice.random() < 0.5 else dice.choice(kinds)
        entry = maker.put(kind, content, age, _confidence(dice, 0.7, 1.0), entry.id if entry else None)
    assert entry is not None
    if number < REPEATED:
        again = f"{part}: {entry.content.removesuffix('.').lower()}, as before"
        if nearest(again, [entry]):
            stale.add(entry.id)
            entry = maker.put(entry.type, again, ages[-1] * dice.random(), entry.confidence, entry.id)
        else:
            maker.put(entry.type, again, ages[-1] * dice.random(), entry.confidence)
    return Question(question.format(part=part), entry.id)


def _rule(maker: _Maker, number: int) -> Question:
    dice = maker.dice
    text, question = RULE_TEXTS[number % len(RULE_TEXTS)]
    part, other = PARTS[number % len(PARTS)], PARTS[(number * 7 + 3) % len(PARTS)]
    kind: KnowledgeType = dice.choice(("decision", "pattern", "preference"))
    entry = maker.put(kind, text.format(part=part, other=other), dice.uniform(60, DAYS), _confidence(dice, 0.7, 1.0))
    return Question(question.format(part=part, other=other), entry.id)


def _trifle(maker: _Maker) -> KnowledgeEntry:
    """Something seen by the way; a quarter of it within the last month."""
    dice = maker.dice
    part, other = dice.sample(PARTS, 2)
    content = dice.choice(TRIVIA).format(part=part, other=other, number=dice.randint(1, 9_999))
    age = dice.uniform(0, FRESH_DAYS) if dice.random() < FRESH_SHARE else dice.uniform(FRESH_DAYS, DAYS)
    return maker.put("discovery", content, age, _confidence(dice, 0.4, 0.8))


def _confidence(dice: random.Random, least: float, most: float) -> float:
    """Models seldom say how sure they are, so most entries have the usual confidence."""
    return DEFAULT_CONFIDENCE if dice.random() < UNSAID_SHARE else dice.uniform(least, most)


def bytes_of_budget(budget_tokens: int, times: float) -> int:
    """So many times what a budget holds."""
    return int(budget_tokens * BYTES_PER_TOKEN * times)
