"""Plays one session through one policy, request by request, and measures what each request would be."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.survival.policies.base import Policy
from bench.survival.probes import Checkpoint, Kind, Probe
from bench.survival.ruler import Ruler
from bench.survival.stale import stale_tokens
from bench.survival.survival import Held, Tally
from bench.survival.transcripts import Transcript
from bench.survival.validity import flaws_of
from diligent_tui.domain.requests import RequestMessage

HIT_PRICE, MISS_PRICE, SUMMARY_PRICE = 0.1, 1.25, 1.0
"""What a token costs that the cache holds, one that it does not, and one that is fed to a summariser."""


@dataclass(slots=True)
class Played:
    """What one session came to under one policy."""

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
    lost: list[tuple[float, Probe]] = field(default_factory=list[tuple[float, Probe]])
    drift: dict[int, Tally] = field(default_factory=dict[int, Tally])
    """After so many compactions: what is held of what was there at the beginning."""

    @property
    def cost(self) -> float:
        """The cost in tokens at the price of a plain one."""
        missed = self.input_tokens - self.hit_tokens
        return HIT_PRICE * self.hit_tokens + MISS_PRICE * missed + SUMMARY_PRICE * self.fed_tokens


AtCheckpoint = Callable[[Checkpoint, Sequence[RequestMessage]], None]


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
        hit = self.ruler.messages(messages[:same]) + (overhead_tokens if self.before else 0)
        tokens = self.ruler.messages(messages) + overhead_tokens
        played = self.played
        played.requests += 1
        played.input_tokens += tokens
        played.hit_tokens += hit
        played.peak_tokens = max(played.peak_tokens, tokens)
        played.over_window += tokens > self.window_tokens
        self.before = messages
        if flaws := flaws_of(messages):
            played.invalid += 1
            played.flaws += flaws[:3]


async def play(
    transcript: Transcript,
    policy: Policy,
    window_tokens: int,
    ruler: Ruler,
    checkpoints: Sequence[Checkpoint],
    early: Sequence[Probe] = (),
    overhead_tokens: int = 0,
    at_checkpoint: AtCheckpoint = lambda _checkpoint, _messages: None,
) -> Played:
    """Play all of a session."""
    watch = Watch(window_tokens, ruler)
    played = watch.played
    due: Mapping[int, Checkpoint] = {checkpoint.exchange: checkpoint for checkpoint in checkpoints}
    for number, exchange in enumerate(transcript.exchanges):
        messages = await policy.next_list(exchange.heard)
        watch.see(messages, overhead_tokens)
        if early and policy.spent.compactions > played.compactions:
            played.drift[policy.spent.compactions] = Held(messages).tally(early)
        played.compactions = policy.spent.compactions
        if checkpoint := due.get(number):
            _look(played, checkpoint, messages, transcript, ruler)
            at_checkpoint(checkpoint, messages)
        await policy.answered(exchange.said)
    played.calls, played.fed_tokens = policy.spent.calls, policy.spent.fed_tokens
    return played


def _look(
    played: Played, checkpoint: Checkpoint, messages: Sequence[RequestMessage], transcript: Transcript, ruler: Ruler
) -> None:
    held = Held(messages)
    played.context_tokens.append(ruler.messages(messages))
    played.stale_tokens += stale_tokens(messages, transcript.turns[: 2 * checkpoint.exchange + 1])
    played.tally.add(held.tally(checkpoint.probes))
    played.lost += [(checkpoint.share, probe) for probe in checkpoint.probes if not held.has(probe)]


LEDGER_KINDS: tuple[Kind, ...] = ("files_modified", "files_read", "user_rules")
