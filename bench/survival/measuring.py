"""Measures sessions under policies: one task for each session and window, so that two cores can share the work."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from types import MappingProxyType

from bench.survival.drift import EARLY_SHARE
from bench.survival.ours import MakeProvider, Ours
from bench.survival.policies.base import OtherAgent, SummaryWriter
from bench.survival.policies.codex import CodexStyle
from bench.survival.policies.mask import MaskOld
from bench.survival.policies.none import KeepAll
from bench.survival.policies.opencode import OpencodeStyle
from bench.survival.policies.pi import PiStyle
from bench.survival.policies.truncate import CutOff
from bench.survival.probes import Checkpoint, GroundTruth
from bench.survival.recall import Recalled, RecallWatch
from bench.survival.replay import Played, play
from bench.survival.ruler import Ruler, tokens_of
from bench.survival.survival import held_in
from bench.survival.transcripts import Transcript
from bench.survival.writers import Fault, WritingProvider, write_stub
from diligent_tui.domain.requests import RequestMessage

OURS, EQUAL_CUT = "ours", "trunc-eq"
OTHERS: Mapping[str, Callable[[int, Ruler, SummaryWriter, int], OtherAgent]] = MappingProxyType(
    {
        "none": KeepAll,
        "truncate": CutOff,
        "mask": MaskOld,
        "opencode": OpencodeStyle,
        "pi": PiStyle,
        "codex": CodexStyle,
    }
)


@dataclass(frozen=True, slots=True)
class Writers:
    """Who writes summaries: for the product's own requests, and for the other policies."""

    ours: MakeProvider = lambda spent, ruler: WritingProvider(write_stub, spent, ruler)
    others: SummaryWriter = write_stub


STUB = Writers()


@dataclass(slots=True)
class Measured:
    """One window: what each policy came to, and what can be recalled."""

    window_tokens: int
    sessions: int = 0
    checkpoints: int = 0
    played: dict[str, Played] = field(default_factory=dict[str, Played])
    recalled: Recalled = field(default_factory=Recalled)

    def add(self, other: "Measured") -> None:
        """Take in another session."""
        self.sessions += other.sessions
        self.checkpoints += other.checkpoints
        for name, played in other.played.items():
            self.played.setdefault(name, Played()).add(played)
        self.recalled.add(other.recalled)


def measure_all(
    transcripts: Sequence[Transcript], windows: Sequence[int], policies: Sequence[str], jobs: int = 1
) -> list[Measured]:
    """Every session that does not fit, for every window, with the stub as writer."""
    tasks = [(transcript, window, tuple(policies)) for window in windows for transcript in transcripts]
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            found = list(pool.map(_task, tasks))
    else:
        found = [_task(task) for task in tasks]
    totals = {window: Measured(window) for window in windows}
    for measured in found:
        totals[measured.window_tokens].add(measured)
    return list(totals.values())


async def measure_session(
    transcript: Transcript, window_tokens: int, policies: Sequence[str], writers: Writers = STUB
) -> Measured:
    """One session at one window; nothing is measured if all of it fits."""
    measured = Measured(window_tokens)
    ruler = Ruler()
    truth = GroundTruth(transcript, ruler)
    checkpoints = truth.checkpoints(window_tokens)
    if not checkpoints:
        return measured
    measured.sessions, measured.checkpoints = 1, len(checkpoints)
    early = truth.born_early(EARLY_SHARE)
    # The product has tools of its own, which take room; all policies stand on the same ground.
    overhead_tokens = tokens_of(transcript.system)
    if OURS in policies:
        ours = Ours(window_tokens, ruler, writers.ours, transcript.system)
        watch = RecallWatch(ours, transcript)
        try:
            played = await play(transcript, ours, window_tokens, ruler, checkpoints, early, watch.at_checkpoint)
        finally:
            await watch.close()
            await ours.close()
        overhead_tokens = ours.overhead_tokens
        measured.recalled = watch.recalled
        measured.played[OURS] = played
        measured.played[EQUAL_CUT] = _cut_alike(transcript, ruler, checkpoints, played.context_tokens)
    for name in policies:
        if name != OURS:
            policy = OTHERS[name](window_tokens, ruler, writers.others, overhead_tokens)
            measured.played[name] = await play(transcript, policy, window_tokens, ruler, checkpoints, early)
    return measured


async def play_with_fault(transcript: Transcript, window_tokens: int, fault: Fault | None) -> Played | None:
    """One session under the product's policy with a summariser that fails; None if all of it fits."""
    ruler = Ruler()
    checkpoints = GroundTruth(transcript, ruler).checkpoints(window_tokens)
    if not checkpoints:
        return None
    ours = Ours(
        window_tokens,
        ruler,
        lambda spent, rule: WritingProvider(write_stub, spent, rule, fault),
        transcript.system,
    )
    try:
        return await play(transcript, ours, window_tokens, ruler, checkpoints)
    finally:
        await ours.close()


def _task(task: tuple[Transcript, int, tuple[str, ...]]) -> Measured:
    transcript, window_tokens, policies = task
    return asyncio.run(measure_session(transcript, window_tokens, policies))


def _cut_alike(
    transcript: Transcript, ruler: Ruler, checkpoints: Sequence[Checkpoint], context_tokens: Sequence[int]
) -> Played:
    """The newest of the whole history, cut to the very context that the product has at each checkpoint."""
    played = Played()
    for checkpoint, most_tokens in zip(checkpoints, context_tokens, strict=True):
        kept: list[RequestMessage] = []
        tokens = 0
        for turn in reversed(transcript.turns[: 2 * checkpoint.exchange + 1]):
            tokens += ruler.message(turn)
            if tokens > most_tokens:
                break
            kept.append(turn)
        played.context_tokens.append(ruler.messages(kept))
        played.tally.add(held_in(kept).tally(checkpoint.probes))
    return played
