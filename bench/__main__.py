"""Run one benchmark: `python -m bench NAME [--json FILE] [--quick]`; exit 1 where a target is missed.

`python -m bench store --kills N` kills a busy session so often instead, and counts what did not hold.
`python -m bench soak --turns N` lives so many turns instead of 500.
`python -m bench survival --data DIR [--window 32000,64000] [--policy ours,pi] [--jobs 2] [--llm MODEL]` plays real
sessions; without data a synthetic set.
"""

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from bench.frame import Measure, table, write_json
from bench.wishes import POLICIES, WINDOWS, Wishes, policies_in, windows_in

# One line per benchmark: its name and the module with its `run`, loaded only when it is asked for.
BENCHES: Mapping[str, str] = MappingProxyType(
    {
        "cli": "bench.cli",
        "commands": "bench.commands",
        "compaction": "bench.compaction",
        "core": "bench.core",
        "interrupt": "bench.interrupt",
        "knowledge": "bench.knowledge",
        "soak": "bench.soak",
        "store": "bench.store",
        "survival": "bench.survival",
        "tui": "bench.tui",
        "wire": "bench.wire",
    }
)

QUICK_WINDOWS = (16_000,)


class Run(Protocol):
    """What a benchmark's module offers under the name `run`."""

    def __call__(self, quick: bool) -> list[Measure]:
        """Measure, with less work where `quick` is asked for."""
        ...


class RunKills(Protocol):
    """What a benchmark's module that can be asked for kills offers under the name `run_kills`."""

    def __call__(self, kills: int) -> list[Measure]:
        """Kill so often and look at what is left."""
        ...


class RunTurns(Protocol):
    """What a benchmark's module that can be asked for turns offers under the name `run_turns`."""

    def __call__(self, turns: int) -> list[Measure]:
        """Go through so many turns and look at what is left over."""
        ...


class RunWishes(Protocol):
    """What a benchmark's module that plays sessions offers under the name `run_wishes`."""

    def __call__(self, wishes: Wishes) -> list[Measure]:
        """Play them, and keep the figures itself if a file is named."""
        ...


def main(argv: Sequence[str] | None = None, benches: Mapping[str, str] = BENCHES) -> int:
    """List the benchmarks, or run one and say whether every target is met."""
    parser = _parser(benches)
    options = parser.parse_args(argv, _Options())
    if options.name is None:
        print("Benchmarks, each run by `python -m bench NAME [--json FILE] [--quick]`:")
        for name in benches:
            print(f"  {name}")
        return 0
    module = importlib.import_module(benches[options.name])
    if hasattr(module, "run_wishes"):
        run_wishes: RunWishes = module.run_wishes
        return _told(run_wishes(options.wishes()))
    if options.kills is None and options.turns is None:
        run: Run = module.run
        measures = run(quick=options.quick)
    elif options.turns is not None and hasattr(module, "run_turns"):
        run_turns: RunTurns = module.run_turns
        measures = run_turns(options.turns)
    elif options.kills is not None and hasattr(module, "run_kills"):
        run_kills: RunKills = module.run_kills
        measures = run_kills(options.kills)
    else:
        parser.error(f"{options.name} takes none of this; --kills is for store, --turns for soak.")
    if options.json is not None:
        write_json(options.json, options.name, measures, quick=options.quick)
    return _told(measures)


def _told(measures: Sequence[Measure]) -> int:
    print(table(measures))
    if not measures:
        print("Nothing was measured.", file=sys.stderr)
    return 0 if measures and all(each.verdict == "ok" for each in measures) else 1


class _Options(argparse.Namespace):
    name: str | None
    json: Path | None
    quick: bool
    kills: int | None
    turns: int | None
    data: Path | None
    window: tuple[int, ...] | None
    policy: tuple[str, ...]
    jobs: int
    llm: str | None

    def wishes(self) -> Wishes:
        windows = self.window or (QUICK_WINDOWS if self.quick else WINDOWS)
        return Wishes(self.data, windows, self.policy, self.jobs, self.llm, self.json, self.quick)


def _parser(benches: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure diligent against its targets.")
    parser.add_argument("name", nargs="?", choices=list(benches), help="which benchmark; without it they are listed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in a file")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller sizes")
    parser.add_argument("--kills", type=int, metavar="N", help="store: kill a busy session so often instead")
    parser.add_argument("--turns", type=int, metavar="N", help="soak: live so many turns")
    playing = parser.add_argument_group("survival")
    playing.add_argument("--data", type=Path, metavar="DIR", help="sessions in neutral JSONL; else a synthetic set")
    playing.add_argument("--window", type=windows_in, metavar="TOKENS,…", help="32000,64000 unless told otherwise")
    playing.add_argument("--policy", type=policies_in, default=POLICIES, metavar="NAME,…", help=",".join(POLICIES))
    playing.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that share the work")
    playing.add_argument("--llm", metavar="MODEL", help="a real model writes the summaries")
    return parser


if __name__ == "__main__":
    sys.exit(main())
