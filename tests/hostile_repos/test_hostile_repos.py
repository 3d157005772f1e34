"""Opening a hostile repository runs nothing, sends nothing, touches nothing outside it, and uses nothing of it."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from diligent_tui.config.house import House, enter
from diligent_tui.config.settings import Settings
from diligent_tui.config.trust_view import MOST_SHOWN_CHARS, describe
from diligent_tui.domain.plain_text import clean
from tests.hostile_repos.pieces import EGG, Ground, Repo, lay_out
from tests.hostile_repos.reports import Report, connected, differences, read_reports, started, trespassed
from tests.hostile_repos.repos import REPOS

WITNESS = Path(__file__).with_name("witness.py")
KEPT = ("PATH", "LANG", "TMPDIR")
NO_FILE = ("settings that are a pipe", "settings that are a folder")
NO_SESSION_FOR = (
    "data by a link out",
    "sessions by a link out",
    "data that is a file",
    "data that is a pipe",
    "sessions that are a pipe",
)
"""Where diligent's own folder cannot be made, nothing can be saved, so nothing is asked."""
PROJECT_MAY_SET = frozenset({"model", "thinking", "theme", "compaction", "knowledge", "ui"})


@dataclass(frozen=True, slots=True)
class Opened:
    """A repository that was opened, and what came of it."""

    ground: Ground
    report: Report
    differences: tuple[str, ...]


def environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONUTF8": "1"}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Opened]:
    """Every repository, opened one after the other by one process."""
    base = tmp_path_factory.mktemp("hostile")
    grounds = {repo.name: lay_out(repo, base / str(number)) for number, repo in enumerate(REPOS)}
    before = {name: ground.state() for name, ground in grounds.items()}
    steps = [(repo.name, str(_cwd(repo, grounds[repo.name])), str(grounds[repo.name].home)) for repo in REPOS]
    plan, log = base / "plan.json", base / "log.jsonl"
    plan.write_text(json.dumps(steps))
    run = subprocess.run(
        [sys.executable, str(WITNESS), str(log), "--plan", str(plan)],
        cwd=base,
        env=environment(base / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    reports = read_reports(log)
    return {
        name: Opened(ground, reports[name], tuple(differences(before[name], ground)))
        for name, ground in grounds.items()
    }


def _cwd(repo: Repo, ground: Ground) -> Path:
    return ground.project / os.fsdecode(repo.cwd.encode("utf-8", "surrogateescape"))


def everyone() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("repo", REPOS, ids=lambda repo: repo.name)


def test_there_are_sixty_at_least() -> None:
    assert len({repo.name for repo in REPOS}) == len(REPOS) >= 60


@everyone()
def test_no_process_is_started_and_nothing_is_connected(opened: Mapping[str, Opened], repo: Repo) -> None:
    report = opened[repo.name].report
    assert started([*report.looking, *report.asking]) == []
    assert connected([*report.looking, *report.asking]) == []
    assert not (opened[repo.name].ground.outside / "hatched").exists()


@everyone()
def test_nothing_outside_is_read_and_nothing_strange_is_changed(opened: Mapping[str, Opened], repo: Repo) -> None:
    one = opened[repo.name]
    assert trespassed([*one.report.looking, *one.report.asking], one.ground) == []
    assert one.differences == ()


@everyone()
def test_nothing_of_it_is_used(opened: Mapping[str, Opened], repo: Repo) -> None:
    one = opened[repo.name]
    assert one.report.settings == Settings().model_dump_json()
    # That something stands in the way of a settings file is told; what a settings file says is not.
    assert one.report.problems == (repo.name in NO_FILE)
    assert EGG not in one.report.said + one.report.complained
    saved = [path for path in one.ground.project.rglob("*.jsonl") if stat.S_ISREG(path.lstat().st_mode)]
    ours = [path for path in saved if str(path.relative_to(one.ground.project)) not in repo.pieces]
    assert len(ours) == (repo.name not in NO_SESSION_FOR)
    assert not any(EGG in path.read_text() for path in ours)


@everyone()
def test_a_question_is_answered_or_refused_in_one_clear_line(opened: Mapping[str, Opened], repo: Repo) -> None:
    report = opened[repo.name].report
    assert "Traceback" not in report.complained
    assert clean(report.complained) == report.complained
    assert (report.code == 0) == (repo.name not in NO_SESSION_FOR)
    assert report.said if report.code == 0 else report.complained
    assert ("not trusted" in report.complained) == (report.strangers > 0)


@everyone()
def test_even_a_trusted_one_changes_nothing_but_looks_and_memory(tmp_path: Path, repo: Repo) -> None:
    house = _enter(repo, tmp_path, trust_once=True)
    usual, now = Settings().model_dump(mode="json"), house.settings.model_dump(mode="json")
    assert {name for name in usual if usual[name] != now[name]} <= PROJECT_MAY_SET


@everyone()
def test_the_question_about_it_is_clean_short_and_looks_at_nothing_outside(tmp_path: Path, repo: Repo) -> None:
    house = _enter(repo, tmp_path)
    before = Ground(tmp_path).state()
    items = describe(house)
    assert [item.finding.path for item in items] == [finding.path for finding in house.strangers]
    for item in items:
        for text in (item.name, item.words, item.warning, *(change.words for change in item.changes)):
            assert clean(text) == text
            assert "\n" not in text
        assert clean(item.content) == item.content
        assert len(item.content) < 12 * MOST_SHOWN_CHARS
        assert item.finding.leads_to is None or EGG not in item.content
    assert Ground(tmp_path).state() == before


def _enter(repo: Repo, base: Path, *, trust_once: bool = False) -> House:
    ground = lay_out(repo, base)
    return enter(_cwd(repo, ground), environment(ground.home), {}, trust_once=trust_once)
