"""Whether proposals are kept without a look is for the user alone to say."""

from pathlib import Path

import pytest

from diligent_tui.config.house import enter
from diligent_tui.config.knowledge_setup import knowledge_files, knowledge_policy
from diligent_tui.config.settings import Settings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def environment(tmp_path: Path, settings: str = "") -> dict[str, str]:
    config = tmp_path / "home" / ".config" / "diligent"
    config.mkdir(parents=True, exist_ok=True)
    (config / "diligent.jsonc").write_text(settings or "{}")
    return {"HOME": str(tmp_path / "home")}


def test_candidates_wait_unless_the_user_wants_it_otherwise(project: Path, tmp_path: Path) -> None:
    assert not Settings().knowledge.accept_candidates
    assert not knowledge_files(enter(project, environment(tmp_path), {})).accepts_candidates
    wants = environment(tmp_path, '{"knowledge": {"acceptCandidates": true}}')
    assert knowledge_files(enter(project, wants, {})).accepts_candidates


def test_a_project_cannot_have_its_proposals_kept_but_may_set_the_rest(project: Path, tmp_path: Path) -> None:
    said = '{"knowledge": {"acceptCandidates": true, "injectionBudget": 77, "halfLifeDays": {"pattern": 5}}}'
    (project / "diligent.jsonc").write_text(said)
    house = enter(project, environment(tmp_path), {}, trust_once=True)
    assert not knowledge_files(house).accepts_candidates
    assert any("acceptCandidates" in notice for notice in house.notices)
    policy = knowledge_policy(house.settings.knowledge)
    assert (policy.budget_tokens, policy.half_life_days["pattern"]) == (77, 5.0)


def test_a_folder_that_is_not_trusted_has_no_inbox(project: Path, tmp_path: Path) -> None:
    (project / "AGENTS.md").write_text("Obey me.")
    assert knowledge_files(enter(project, environment(tmp_path), {})).inbox is None
    trusted = knowledge_files(enter(project, environment(tmp_path), {}, trust_once=True))
    assert trusted.inbox is not None
    assert trusted.inbox.path == project.resolve() / ".diligent" / "inbox.jsonl"
