"""Five hundred settings files gone wrong: each wrong thing is named, and the start goes on with the rest."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from diligent_tui.agent.session import AgentSession
from diligent_tui.config.assembly import surroundings
from diligent_tui.config.doubts import doubts_about
from diligent_tui.config.house import House, enter
from diligent_tui.config.look import THEMES, read_look
from diligent_tui.config.settings import Settings
from diligent_tui.config.values import values_in_force
from tests.cli.many import Wish, run_many
from tests.config.fuzzed_settings import Fuzzed, fuzzed
from tests.domain.hostile_text import survivors

SEEDS = range(500)
BATCH = 50


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "home" / ".config" / "diligent").mkdir(parents=True)
    return {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "PYTHONUTF8": "1"}


def house_with(case: Fuzzed, tmp_path: Path, environment: Mapping[str, str]) -> House:
    (tmp_path / "home" / ".config" / "diligent" / "diligent.jsonc").write_bytes(case.data)
    return enter(tmp_path / "project", environment, {})


def test_the_cases_are_of_every_kind_and_the_same_in_every_run() -> None:
    cases = [fuzzed(seed) for seed in SEEDS]
    assert cases == [fuzzed(seed) for seed in SEEDS]
    assert len({case.data for case in cases}) > 450
    assert sum(case.whole for case in cases) > 100
    assert sum(case.line > 0 and not case.whole for case in cases) > 150
    assert sum(case.line == 0 for case in cases) > 10


@pytest.mark.parametrize("begin", range(0, len(SEEDS), BATCH))
def test_each_wrong_thing_is_named_and_the_rest_is_used(
    begin: int, tmp_path: Path, environment: dict[str, str]
) -> None:
    for seed in SEEDS[begin : begin + BATCH]:
        case = fuzzed(seed)
        house = house_with(case, tmp_path, environment)
        problems = house.loaded.problems
        told = f"seed {seed}: {case.data!r} {[problem.text for problem in problems]}"
        if case.line:
            assert case.line in [problem.origin.line for problem in problems], told
        else:
            assert problems == (), told
        if case.whole:
            assert house.settings == Settings(), told
        else:
            assert house.settings.tools.timeout_seconds == 77, told
            assert {problem.origin.line for problem in problems} <= {case.line}, told
            assert not case.line or any(case.key in problem.key for problem in problems) or case.is_misnamed, told
        for notice in house.notices:
            assert notice == notice.strip()
            assert survivors(notice) == [], told


@pytest.mark.parametrize("begin", range(0, len(SEEDS), BATCH))
def test_the_application_starts_with_each(begin: int, tmp_path: Path, environment: dict[str, str]) -> None:
    """The first frame's look, a session with all it needs, and what doctor and `config show` would tell."""
    for seed in SEEDS[begin : begin + BATCH]:
        house = house_with(fuzzed(seed), tmp_path, environment)
        assert read_look(house.places, environment, trusted=True).theme in THEMES
        given = surroundings(house, may_ask=False, model_flag="offline/rehearsal")
        assert AgentSession.begin(house.places.sessions, given).model.id == "offline/rehearsal"
        assert len(values_in_force(house.loaded)) > 40
        assert all(doubt.message for doubt in doubts_about(house.loaded))


def test_the_real_program_starts_with_some_of_them(tmp_path: Path, environment: dict[str, str]) -> None:
    file = tmp_path / "home" / ".config" / "diligent" / "diligent.jsonc"
    ask = Wish(["-p", "hello", "--model", "offline/rehearsal"])
    for seed in (0, 1, 2, 3):
        case = fuzzed(seed)
        file.write_bytes(case.data)
        answered, checked = run_many(tmp_path / "project", environment, [ask, Wish(["config", "check"])])
        assert answered.code == 0, answered.err
        assert answered.out.strip()
        assert checked.code == (1 if case.line else 0)
        if case.line:
            assert f"{file}:{case.line}: " in checked.out
