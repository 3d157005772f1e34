"""The frame of the benchmarks tells a met target from a missed one, and a quiet round from a noisy one."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from bench.__main__ import BENCHES, main
from bench.frame import (
    NOISE_MAX,
    REPEATS_MAX,
    CommandFailed,
    Load,
    Measure,
    at_least,
    at_most,
    cpu_of,
    cpu_of_command,
    least,
    noise,
    ratio,
    read_load,
    table,
)

ROOT = Path(__file__).resolve().parents[2]


def loads(*others_s: float) -> Callable[[], Load]:
    """Counters read before and after each round of one second on two cores, of which others used this much."""

    def moments() -> Iterator[Load]:
        busy_s = wall_s = 0.0
        for used_s in others_s:
            yield Load(busy_s, 0.0, wall_s, 2)
            busy_s, wall_s = busy_s + used_s, wall_s + 1.0
            yield Load(busy_s, 0.0, wall_s, 2)

    return moments().__next__


def scripted(*values: float) -> Callable[[], float]:
    """A probe that gives these figures, one per round, and fails when asked for more."""
    return iter(values).__next__


@pytest.mark.parametrize(
    ("measure", "verdict"),
    [
        (at_most("a", 2.0, "×", 2.0), "ok"),
        (at_most("a", 2.01, "×", 2.0), "missed"),
        (at_least("a", 30.0, "MB/s", 30.0), "ok"),
        (at_least("a", 29.9, "MB/s", 30.0), "missed"),
        (at_most("a", float("nan"), "×", 2.0), "missed"),
        (at_least("a", float("nan"), "×", 2.0), "missed"),
    ],
)
def test_a_verdict_follows_from_value_and_target(measure: Measure, verdict: str) -> None:
    assert measure.verdict == verdict


def test_the_table_has_one_row_per_measure_with_value_target_and_verdict() -> None:
    assert table([at_most("start", 2.0, "×", 2.5), at_least("clean", 12.5, "MB/s", 30)]).splitlines() == [
        "measure  value      target     verdict",
        "start    2 ×        ≤ 2.5 ×    ok",
        "clean    12.5 MB/s  ≥ 30 MB/s  missed",
    ]


def test_the_cpu_of_a_call_holds_all_that_it_used() -> None:
    def work() -> None:
        end_s = time.process_time() + 0.01
        while time.process_time() < end_s:
            pass

    assert cpu_of(work) >= 0.01


def test_the_cpu_of_a_command_holds_all_that_it_used() -> None:
    program = "import time\nwhile time.process_time() < 0.1: pass"
    # The system rounds user and system time to microseconds on its own.
    assert cpu_of_command([sys.executable, "-S", "-c", program]) >= 0.0999


def test_a_command_gets_the_environment_and_folder_it_is_given(tmp_path: Path) -> None:
    program = "import os; open('seen', 'w').write(os.environ['BENCH_WORD'])"
    cpu_of_command([sys.executable, "-c", program], {"BENCH_WORD": "here"}, tmp_path)
    assert (tmp_path / "seen").read_text() == "here"


def test_a_command_that_fails_is_not_measured() -> None:
    with pytest.raises(CommandFailed, match="ended with 3: broken"):
        cpu_of_command([sys.executable, "-c", "import sys; sys.stderr.write('broken'); sys.exit(3)"])


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        (Load(0, 0, 0, 2), Load(2, 2, 1, 2), 0.0),
        (Load(0, 0, 0, 2), Load(2, 1, 1, 2), 0.5),
        (Load(10, 4, 7, 4), Load(14, 5, 9, 4), 0.375),
        (Load(0, 0, 0, 2), Load(0.02, 0, 0.01, 2), 0.0),
        (Load(0, 0, 0, 2), Load(1, 2, 1, 2), 0.0),
        (Load(0, 0, 0, 1), Load(9, 0, 1, 1), 1.0),
        (None, Load(9, 0, 1, 1), 0.0),
        (Load(9, 0, 1, 1), None, 0.0),
    ],
)
def test_noise_is_the_share_of_the_machine_that_others_used(
    before: Load | None, after: Load | None, share: float
) -> None:
    assert noise(before, after) == pytest.approx(share)


def test_the_machine_tells_its_load_and_counters_never_go_back() -> None:
    moments = [read_load() for _ in range(3)]
    for before, after in pairwise(moments):
        if before is not None and after is not None:
            assert after.cores > 0
            assert after.busy_s > 0
            assert after.own_s >= before.own_s
            assert after.wall_s >= before.wall_s


def test_a_ratio_is_the_least_against_the_least_of_all_rounds() -> None:
    assert ratio(scripted(9, 6, 8), scripted(2, 4, 3), 3, loads(0, 0, 0)) == 3.0


def test_probes_take_turns() -> None:
    order: list[str] = []

    def probe(name: str) -> Callable[[], float]:
        def run() -> float:
            order.append(name)
            return 1.0

        return run

    least([probe("a"), probe("b")], 2, loads(0, 0))
    assert order == ["a", "b", "a", "b"]


def test_a_noisy_round_is_taken_again() -> None:
    noisy_s = 2 * NOISE_MAX + 0.1
    assert least([scripted(5, 4, 3)], 2, loads(0, noisy_s, 0)) == [3]


def test_a_good_figure_of_a_noisy_round_counts() -> None:
    assert least([scripted(1, 4)], 1, loads(2, 0)) == [1]


def test_a_machine_that_is_never_quiet_gets_an_answer_all_the_same() -> None:
    rounds = 2 * (1 + REPEATS_MAX)
    values = [float(value) for value in range(rounds, 0, -1)]
    assert least([scripted(*values)], 2, loads(*[2.0] * rounds)) == [1.0]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        pytest.param((5, 1, 1.01, 0.1), 1, id="met twice"),
        pytest.param((1, 1, 9, 0.1), 1, id="never in fewer than three rounds"),
        pytest.param((5, 4, 3, 2.0), 2, id="still falling"),
        pytest.param((5, 3, 3, 3, 2.0), 3, id="met twice, later"),
    ],
)
def test_rounds_end_early_once_the_least_was_met_twice(values: tuple[float, ...], found: float) -> None:
    assert least([scripted(*values)], 4, loads(*[0.0] * len(values)), settled_share=0.02) == [found]


def test_rounds_end_early_only_if_each_probe_has_settled() -> None:
    probes = [scripted(1, 1, 1, 1), scripted(9, 8, 7, 6)]
    assert least(probes, 4, loads(0, 0, 0, 0), settled_share=0.02) == [1, 6]


def test_a_baseline_too_small_to_measure_is_refused() -> None:
    with pytest.raises(ValueError, match="more to do"):
        ratio(scripted(1), scripted(0), 1, loads(0))


def test_no_rounds_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        least([scripted(1)], 0)


@pytest.fixture
def benches(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A benchmark that meets its target only when run quickly, and one that measures nothing."""

    def run(quick: bool) -> list[Measure]:
        return [at_most("start", 1.0 if quick else 3.0, "×", 2.0)]

    def run_nothing(quick: bool) -> list[Measure]:
        return []

    for name, entry in {"fake": run, "empty": run_nothing}.items():
        module = ModuleType(name)
        vars(module)["run"] = entry
        monkeypatch.setitem(sys.modules, f"bench_{name}", module)
    return {"fake": "bench_fake", "empty": "bench_empty"}


def test_met_targets_exit_0(benches: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fake", "--quick"], benches) == 0
    assert capsys.readouterr().out.splitlines()[1] == "start    1 ×    ≤ 2 ×   ok"


def test_a_missed_target_exits_1(benches: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fake"], benches) == 1
    assert capsys.readouterr().out.splitlines()[1] == "start    3 ×    ≤ 2 ×   missed"


def test_a_bench_that_measures_nothing_exits_1(benches: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["empty"], benches) == 1
    assert "Nothing was measured." in capsys.readouterr().err


def test_the_figures_are_kept_as_json(benches: dict[str, str], tmp_path: Path) -> None:
    main(["fake", "--json", str(tmp_path / "run.json")], benches)
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8")) == {
        "bench": "fake",
        "quick": False,
        "measures": [{"name": "start", "value": 3.0, "unit": "×", "bound": "≤", "target": 2.0, "verdict": "missed"}],
    }


def test_a_bench_may_be_asked_for_kills(
    benches: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_kills(kills: int) -> list[Measure]:
        return [at_most("lost", kills - 7, "", 0)]

    monkeypatch.setattr("bench_fake.run_kills", run_kills, raising=False)
    assert main(["fake", "--kills", "7"], benches) == 0
    assert main(["fake", "--kills", "8"], benches) == 1
    assert "lost" in capsys.readouterr().out


def test_a_bench_that_kills_nothing_says_so(benches: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["empty", "--kills", "7"], benches)
    assert "--kills is for store" in capsys.readouterr().err


def test_without_a_name_the_benches_are_listed(benches: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], benches) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["  fake", "  empty"]


def test_an_unknown_name_is_refused_with_the_known_ones(
    benches: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["other"], benches)
    assert "fake" in capsys.readouterr().err


def test_every_bench_on_disk_is_registered_and_the_other_way_round() -> None:
    folder = ROOT / "bench"
    on_disk = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__", "frame", "wishes"}
    packages = [path for path in folder.glob("*/__init__.py") if "import run" in path.read_text(encoding="utf-8")]
    on_disk |= {path.parent.name for path in packages}
    assert set(BENCHES.values()) == {f"bench.{stem}" for stem in on_disk}
