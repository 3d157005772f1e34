"""The project's knowledge and the user's stand side by side, and neither acts on the other."""

from pathlib import Path

import pytest

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.ranking import rank
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.store import KnowledgeStore
from tests.knowledge.facts import fact


@pytest.fixture
def project(tmp_path: Path) -> KnowledgeStore:
    return KnowledgeStore(tmp_path / "project" / ".diligent" / "knowledge" / "knowledge.jsonl")


@pytest.fixture
def user(tmp_path: Path) -> KnowledgeStore:
    return KnowledgeStore(tmp_path / "user" / "knowledge" / "knowledge.jsonl", "user")


def test_a_fact_goes_to_the_file_of_its_scope(project: KnowledgeStore, user: KnowledgeStore) -> None:
    shelf = KnowledgeShelf(project, user)
    here = shelf.add(fact())
    everywhere = shelf.add(fact(scope="user"))
    assert project.state.live == (here,)
    assert user.state.live == (everywhere,)
    ranked = rank(shelf.states, KnowledgePolicy())
    assert {scored.entry.id for scored in ranked} == {here.id, everywhere.id}


def test_a_verb_goes_to_the_file_that_holds_the_entry(project: KnowledgeStore, user: KnowledgeStore) -> None:
    saved = KnowledgeStore(user.path, "user").add(fact(scope="user"))
    shelf = KnowledgeShelf(project, user)
    assert shelf.pin(saved.id)
    assert shelf.unpin(saved.id)
    assert shelf.retract(saved.id)
    assert shelf.restore(saved.id)
    # A draft says project unless told otherwise; what it takes the place of decides.
    new = shelf.add(fact(supersedes=saved.id))
    assert new.scope == "user"
    assert user.state.live == (new,)
    assert not project.path.exists()


def test_a_project_does_not_act_on_what_the_user_keeps(project: KnowledgeStore, user: KnowledgeStore) -> None:
    kept = user.add(fact("same", "The user's.", scope="user"))
    project.add(fact("same", "The project's."))
    project.retract("same")
    shelf = KnowledgeShelf(project, user)
    assert [scored.entry for scored in rank(shelf.refresh(), KnowledgePolicy())] == [kept]


def test_without_trust_the_project_is_not_open(user: KnowledgeStore) -> None:
    shelf = KnowledgeShelf(None, user)
    assert len(shelf.refresh()) == 1
    with pytest.raises(StorageError, match="project's knowledge is not open"):
        shelf.add(fact())
    assert shelf.add(fact(scope="user")).scope == "user"


def test_an_id_that_nobody_holds_is_said_so(project: KnowledgeStore, user: KnowledgeStore) -> None:
    with pytest.raises(StorageError, match="no knowledge entry nope"):
        KnowledgeShelf(project, user).retract("nope")


def test_what_did_not_change_is_the_same_object(project: KnowledgeStore, user: KnowledgeStore) -> None:
    shelf = KnowledgeShelf(project, user)
    shelf.add(fact())
    before = shelf.refresh()
    assert all(left is right for left, right in zip(before, shelf.refresh(), strict=True))
    KnowledgeStore(project.path).add(fact())
    after = shelf.refresh()
    assert after[0] is not before[0]
    assert after[1] is before[1]
