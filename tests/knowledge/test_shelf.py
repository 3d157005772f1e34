"""The project's knowledge and the user's stand side by side, and neither acts on the other."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.importing import plan_import
from diligent_tui.knowledge.ranking import rank
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.state import fold
from diligent_tui.knowledge.store import KnowledgeStore
from tests.knowledge.facts import NOON, fact


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


def test_many_facts_are_taken_in_in_one_turn_whatever_their_number(tmp_path: Path) -> None:
    turns: list[Path] = []

    @contextmanager
    def counted(path: Path) -> Generator[None]:
        turns.append(path)
        yield

    store = KnowledgeStore(tmp_path / ".diligent" / "knowledge" / "knowledge.jsonl", around_write=counted)
    shelf = KnowledgeShelf(store, None)
    source = fold([fact(f"f{number}", f"Fact {number}.") for number in range(300)])
    saved = shelf.take_in(plan_import(source, shelf.states, NOON), "project")
    assert len(saved) == len(KnowledgeStore(store.path).refresh().live) == 300
    assert len(turns) == 1
    assert shelf.retract_all(entry.id for entry in saved) == 300
    assert len(turns) == 2
    assert shelf.retract_all([saved[0].id]) == 0
    assert KnowledgeStore(store.path).refresh().live == ()


def test_what_another_process_wrote_since_the_look_is_not_taken_in_again(project: KnowledgeStore) -> None:
    shelf = KnowledgeShelf(project, None)
    source = fold([fact("a", "Tests run with make test."), fact("b", "Be brief."), fact("c", "It rained.")])
    plan = plan_import(source, shelf.states, NOON)
    other = KnowledgeStore(project.path)
    other.add(fact("", "tests run with `make test`"))
    other.add(fact("b", "Another fact of that id."))
    assert [entry.id for entry in shelf.take_in(plan, "project")] == ["c"]
    assert len(project.refresh().live) == 3


def test_facts_without_an_id_are_given_different_ones(project: KnowledgeStore) -> None:
    saved = project.add_all(lambda _: [fact("", f"Fact {number}.") for number in range(50)])
    assert len({entry.id for entry in saved}) == 50


def test_one_that_is_not_there_keeps_all_others_from_being_taken_back(project: KnowledgeStore) -> None:
    saved = project.add(fact())
    with pytest.raises(StorageError, match="no knowledge entry"):
        project.retract_all([saved.id, "zz"])
    assert project.refresh().live == (saved,)
