"""A summariser that fails in every way: the session must go on, valid and within its window, with its ledgers whole."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.frame import Measure, at_least, at_most
from bench.survival.measuring import play_with_fault
from bench.survival.replay import Played
from bench.survival.transcripts import Transcript
from bench.survival.writers import FAULTS, Fault

LEDGER_KINDS = ("files_modified", "files_read", "user_rules")
SESSIONS = 2
MOST_LEDGER_LOSS_POINTS = 2.0


@dataclass(frozen=True, slots=True)
class Faulted:
    """What a fault came to, over a few sessions, next to the same without a fault."""

    fault: Fault
    compactions: int
    calls: int
    invalid: int
    over_window: int
    ledger_share: float
    whole_share: float


def fault_runs(transcripts: Sequence[Transcript], window_tokens: int) -> list[Faulted]:
    """Each fault on the shortest sessions that do not fit the window."""
    by_length = sorted(transcripts, key=lambda transcript: len(transcript.exchanges))
    whole = _played(by_length, window_tokens, None)
    chosen = [transcript for transcript, played in zip(by_length, whole, strict=True) if played and played.compactions]
    chosen = chosen[:SESSIONS]
    if not chosen:
        return []
    whole_share = _ledger_share([played for played in whole if played and played.compactions][:SESSIONS])
    runs: list[Faulted] = []
    for fault in FAULTS:
        played = [each for each in _played(chosen, window_tokens, fault) if each]
        runs.append(
            Faulted(
                fault,
                sum(each.compactions for each in played),
                sum(each.calls for each in played),
                sum(each.invalid for each in played),
                sum(each.over_window for each in played),
                _ledger_share(played),
                whole_share,
            )
        )
    return runs


def fault_bars(runs: Sequence[Faulted]) -> Iterator[Measure]:
    """What is asked of a session whose summariser fails."""
    for run in runs:
        yield at_most(f"summariser {run.fault}: invalid or over", run.invalid + run.over_window, "", 0)
        yield at_least(f"summariser {run.fault}: compactions", run.compactions, "", 1)
        lost = 100 * (run.whole_share - run.ledger_share)
        yield at_most(f"summariser {run.fault}: ledgers lost", lost, "points", MOST_LEDGER_LOSS_POINTS)


def _played(transcripts: Sequence[Transcript], window_tokens: int, fault: Fault | None) -> list[Played | None]:
    """The sessions one after the other; without a fault no more of them than are needed."""
    played: list[Played | None] = []
    for transcript in transcripts:
        done = sum(1 for each in played if each and each.compactions)
        played.append(asyncio.run(play_with_fault(transcript, window_tokens, fault)) if done < SESSIONS else None)
    return played


def _ledger_share(played: Sequence[Played]) -> float:
    asked = sum(each.tally.asked.get(kind, 0) for each in played for kind in LEDGER_KINDS)
    held = sum(each.tally.held.get(kind, 0) for each in played for kind in LEDGER_KINDS)
    return held / asked if asked else 1.0
