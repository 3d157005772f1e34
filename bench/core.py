"""The core without a screen: that nothing grows faster than what it holds; how quickly it starts is `bench cli`."""

import asyncio
import gc
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bench.frame import Measure, Probe, at_least, at_most, cpu_of, least, ratio
from diligent_tui.domain.entries import (
    CompactionEntry,
    Entry,
    MessageEntry,
    PinEntry,
    PruneEntry,
    PruneItem,
    SessionHeader,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.domain.plain_text import clean
from diligent_tui.session.effective import EffectiveFold, effective
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tail import read_tail
from diligent_tui.session.tree import Node, node_of

STAMP = "2026-01-02T03:04:05.678Z"
BATCH_ENTRIES = 200
"""So many entries share one sync; what is measured is our own work, not the disk's."""
TAIL_ENTRIES = 100
SIZES = (1_000, 10_000, 50_000)
QUICK_SIZES = (500, 2_000, 8_000)


def run(quick: bool) -> list[Measure]:
    """Measure the session file, the effective sequence and the text gate."""
    rounds = 3 if quick else 7
    with tempfile.TemporaryDirectory() as folder:
        return [
            *_session_file(Path(folder), rounds=2 if quick else 3, sizes=QUICK_SIZES if quick else SIZES),
            *_effective(rounds, entries=4_000 if quick else 20_000),
            *_text_gate(rounds),
        ]


@dataclass(frozen=True, slots=True)
class _Sessions:
    """Session files of growing size, made as they are measured."""

    folder: Path
    numbers: Iterator[int]

    def appending(self, size: int, times: int) -> Probe:
        entries = _conversation(size)
        # The collector should walk what the store holds, not what the benchmark does.
        gc.collect()
        gc.freeze()
        return lambda: sum(cpu_of(lambda: asyncio.run(self.write(entries))) for _ in range(times)) / times / size

    def opening(self, size: int, times: int) -> Probe:
        path = asyncio.run(self.write(_conversation(size)))

        def open_and_close() -> None:
            asyncio.run(SessionStore.open(path, for_writing=False).close())

        return lambda: sum(cpu_of(open_and_close) for _ in range(times)) / times / size

    def reading_tail(self, size: int, times: int) -> Probe:
        path = asyncio.run(self.write(_conversation(size)))
        return lambda: sum(cpu_of(lambda: read_tail(path, TAIL_ENTRIES)) for _ in range(times)) / times

    async def write(self, entries: Sequence[Entry]) -> Path:
        header = SessionHeader(id=f"bench-{next(self.numbers)}", timestamp=STAMP)
        store = SessionStore.create(self.folder / ".diligent" / "sessions", header)
        for begin in range(0, len(entries), BATCH_ENTRIES):
            await asyncio.gather(*(store.append(entry) for entry in entries[begin : begin + BATCH_ENTRIES]))
        await store.close()
        return store.path


def _session_file(folder: Path, rounds: int, sizes: tuple[int, int, int]) -> list[Measure]:
    sessions = _Sessions(folder, count())
    small, middle, large = sizes
    measures: list[Measure] = []
    for verb, probe in (("appending", sessions.appending), ("opening", sessions.opening)):
        probes = [probe(small, 10), probe(middle, 1), probe(large, 1)]
        small_s, middle_s, large_s = least(probes, rounds)
        measures += [
            # The small size carries the fixed cost of a start, the middle one hardly does; the rest is the collector.
            at_most(f"{verb} an entry, {large:,} ÷ {small:,}", large_s / small_s, "×", 1.5),
            at_most(f"{verb} an entry, {large:,} ÷ {middle:,}", large_s / middle_s, "×", 1.5),
        ]
    tails = ratio(sessions.reading_tail(large, 20), sessions.reading_tail(500, 20), rounds)
    return [*measures, at_most(f"tail of {large:,} ÷ tail of 500", tails, "×", 2)]


def _effective(rounds: int, entries: int) -> list[Measure]:
    path = _conversation(entries)
    lenses: list[Entry] = [
        CompactionEntry(id="lens-0", summary="so far", first_kept_entry_id=path[entries // 50 * 4].id),
        PruneEntry(id="lens-1", items=tuple(PruneItem(target_id=each.id, digest="…") for each in path[2:400:4])),
        *(PinEntry(id=f"lens-pin-{place}", target_id=path[place].id) for place in range(0, 100, 4)),
    ]
    known = {entry.id: entry for entry in (*path, *lenses)}
    nodes = [node_of(entry) for entry in (*path, *lenses)]
    more = _conversation(2_000, first=entries)
    pins: list[Entry] = [PinEntry(id=f"pin-{place}", target_id=path[-1 - place].id) for place in range(200)]
    known.update((entry.id, entry) for entry in (*more, *pins))

    def recompute() -> float:
        return cpu_of(lambda: effective(nodes, known.__getitem__))

    return [
        at_most(
            f"effective after {what} ÷ recompute of {entries:,}",
            ratio(_pushing(nodes, known.__getitem__, [node_of(entry) for entry in added]), recompute, rounds),
            "×",
            0.02,
        )
        for what, added in (("one more message", more), ("one more pin", pins))
    ]


def _pushing(nodes: Sequence[Node], lookup: Callable[[str], Entry], added: Sequence[Node]) -> Probe:
    """The cost of one push, from many, for a single one is too short to be measured."""

    def cost() -> float:
        fold = EffectiveFold(nodes, lookup)
        return cpu_of(lambda: [fold.push(node) for node in added]) / len(added)

    return cost


def _text_gate(rounds: int) -> list[Measure]:
    plain = "A line of ordinary output, such as a compiler writes it.\n" * 40_000
    coloured = "\x1b[1;32mPASSED\x1b[0m tests/test_one.py::\x1b[36mtest_two\x1b[0m in 0.01s\n" * 30_000
    return [
        at_least(f"clean, {name} text", len(text) / 1e6 / least([_cleaning(text)], rounds)[0], "MB/s", 30)
        for name, text in (("plain", plain), ("coloured", coloured))
    ]


def _cleaning(text: str) -> Probe:
    return lambda: cpu_of(lambda: clean(text))


def _conversation(size: int, first: int = 0) -> list[Entry]:
    """Prompts, calls, results and answers, each hanging on the one before."""
    entries: list[Entry] = []
    for number in range(first, first + size):
        parent = f"{number - 1:08x}" if number else None
        message = _message(number)
        entries.append(MessageEntry(id=f"{number:08x}", parent_id=parent, timestamp=STAMP, message=message))
    return entries


def _message(number: int) -> UserMessage | AssistantMessage | ToolResultMessage:
    match number % 4:
        case 0:
            return UserMessage(content=f"Please look at part {number}, and say what is wrong with it.")
        case 1:
            call = ToolCallBlock(id=f"call_{number}", name="read", input={"path": f"src/part_{number}.py"})
            return AssistantMessage(content=(TextBlock(text="I read it."), call), stop_reason="tool_use")
        case 2:
            output = f"1  import part_{number}\n" * 20
            return ToolResultMessage(tool_call_id=f"call_{number - 1}", tool_name="read", output=output)
        case _:
            words = "Nothing is wrong with it, as far as I can see. " * 6
            return AssistantMessage(content=(TextBlock(text=words),), stop_reason="end_turn")
