"""Plays one session through one policy, request by request, and measures what each request would be."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.survival.policies.base import Policy
from bench.survival.probes import Checkpoint, Probe
from bench.survival.ruler import Ruler
from bench.survival.stale import stale_tokens
from bench.survival.survival import Tally, held_in
from bench.survival.transcripts import Transcript
from bench.survival.validity import flaws_of
from diligent_tui.domain.requests import RequestMessage

HIT_PRICE, MISS_PRICE, SUMMARY_PRICE = 0.1, 1.25, 1.0
"""What a token costs that the cache holds, one that it does not, and one that is fed to a summariser."""
FLAWS_KEPT = 5


@dataclass(slots=True)
class Played:
    """What one session came to under one policy, or several of them added up."""

    requests: int = 0
    input_tokens: int = 0
    hit_tokens: int = 0
    peak_tokens: int = 0
    over_window: int = 0
    invalid: int = 0
    flaws: list[str] = field(default_factory=list[str])
    compactions: int = 0
    calls: int = 0
    fed_tokens: int = 0
    context_tokens: list[int] = field(default_factory=list[int])
    """At each checkpoint."""
    stale_tokens: int = 0
    tally: Tally = field(default_factory=Tally)
    lost: list[tuple[str, float, Probe]] = field(default_factory=list[tuple[str, float, Probe]])
    """What is not held: session, checkpoint and probe."""
    drift: list[dict[int, Tally]] = field(default_factory=list[dict[int, Tally]])
    """For each session, after so many compactions: what is held of what was there at the beginning."""

    @property
    def cost(self) -> float:
        """The cost in tokens at the price of a plain one."""
        missed = self.input_tokens - self.hit_tokens
        return HIT_PRICE * self.hit_tokens + MISS_PRICE * missed + SUMMARY_PRICE * self.fed_tokens

    def add(self, other: "Played") -> None:
        """Take in another session."""
        self.requests += other.requests
        self.input_tokens += other.input_tokens
        self.hit_tokens += other.hit_tokens
        self.peak_tokens = max(self.peak_tokens, other.peak_tokens)
        self.over_window += other.over_window
        self.invalid += other.invalid
        self.flaws = (self.flaws + other.flaws)[:FLAWS_KEPT]
        self.compactions += other.compactions
        self.calls += other.calls
        self.fed_tokens += other.fed_tokens
        self.context_tokens += other.context_tokens
        self.stale_tokens += other.stale_tokens
        self.tally.add(other.tally)
        self.lost += other.lost
        self.drift += other.drift


AtCheckpoint = Callable[[Checkpoint, Sequence[RequestMessage]], Awaitable[None]]


@dataclass(slots=True)
class Watch:
    """Measures the requests of one replay one after the other."""

    window_tokens: int
    ruler: Ruler
    played: Played = field(default_factory=Played)
    before: Sequence[RequestMessage] = ()

    def see(self, messages: Sequence[RequestMessage], overhead_tokens: int) -> None:
        """Take the next request."""
        same = 0
        for mine, earlier in zip(messages, self.before, strict=False):
            if mine is not earlier and mine != earlier:
                break
            same += 1
        sizes = [self.ruler.message(message) for message in messages]
        tokens = sum(sizes) + overhead_tokens
        played = self.played
        played.requests += 1
        played.input_tokens += tokens
        played.hit_tokens += sum(sizes[:same]) + (overhead_tokens if self.before else 0)
        played.peak_tokens = max(played.peak_tokens, tokens)
        played.over_window += tokens > self.window_tokens
        self.before = messages
        if flaws := flaws_of(messages):
            played.invalid += 1
            played.flaws = (played.flaws + flaws)[:FLAWS_KEPT]


async def _nothing_more(_checkpoint: Checkpoint, _messages: Sequence[RequestMessage]) -> None:
    """For a replay without questions of its own."""


async def play(
    transcript: Transcript,
    policy: Policy,
    window_tokens: int,
    ruler: Ruler,
    checkpoints: Sequence[Checkpoint],
    early: Sequence[Probe] = (),
    at_checkpoint: AtCheckpoint = _nothing_more,
) -> Played:
    """Play all of a session; `early` is what is followed over repeated compactions."""
    watch = Watch(window_tokens, ruler)
    played = watch.played
    drift: dict[int, Tally] = {}
    due: Mapping[int, Checkpoint] = {checkpoint.exchange: checkpoint for checkpoint in checkpoints}
    for number, exchange in enumerate(transcript.exchanges):
        messages = await policy.next_list(exchange.heard)
        watch.see(messages, policy.overhead_tokens)
        if early and policy.spent.compactions > played.compactions:
            drift[policy.spent.compactions] = held_in(messages).tally(early)
        played.compactions = policy.spent.compactions
        if checkpoint := due.get(number):
            _look(played, checkpoint, messages, transcript, ruler)
            await at_checkpoint(checkpoint, messages)
        await policy.answered(exchange.said)
    played.calls, played.fed_tokens = policy.spent.calls, policy.spent.fed_tokens
    played.drift = [drift] if drift else []
    return played


def _look(
    played: Played, checkpoint: Checkpoint, messages: Sequence[RequestMessage], transcript: Transcript, ruler: Ruler
) -> None:
    held = held_in(messages)
    played.context_tokens.append(ruler.messages(messages))
    played.stale_tokens += stale_tokens(messages, transcript.turns[: 2 * checkpoint.exchange + 1])
    played.tally.add(held.tally(checkpoint.probes))
    played.lost += [(transcript.name, checkpoint.share, probe) for probe in checkpoint.probes if not held.has(probe)]
