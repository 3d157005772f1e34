"""The verbs on knowledge save, tell and can be undone; candidates wait for the user's word."""

from pathlib import Path

import pytest

from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.domain.errors import KnowledgeConflict, StorageError, UsageError
from diligent_tui.domain.events import (
    CandidateResolved,
    KnowledgePinned,
    KnowledgeProposed,
    KnowledgeRetracted,
    KnowledgeSaved,
    KnowledgeSuperseded,
)
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.store import KnowledgeStore
from tests.agent.conftest import Stage
from tests.agent.desk_stage import DeskStage, make_desk, make_files

SECRET = "The token is ghp_" + "a1B2" * 9


@pytest.fixture
def at(stage: Stage, tmp_path: Path) -> DeskStage:
    return make_desk(stage, make_files(tmp_path))


async def test_a_fact_is_saved_with_its_origin_and_told(at: DeskStage) -> None:
    await at.stage.ask("hello")
    saved = await at.desk.add("pattern", "Tests run with make test.", tags=["tests"])
    assert (saved.session_id, saved.entry_id, saved.author) == (
        at.stage.session.id,
        at.stage.session.store.tree.leaf_id,
        "user",
    )
    by_model = await at.desk.add("decision", "Dates are in UTC.", origin="0a1b2c3d")
    assert (by_model.entry_id, by_model.author) == ("0a1b2c3d", "model")
    assert at.heard(KnowledgeSaved) == [
        KnowledgeSaved(saved.id, saved.content, "project"),
        KnowledgeSaved(by_model.id, by_model.content, "project"),
    ]
    assert all(known.is_told for known in at.desk.entries())


async def test_before_the_first_prompt_there_is_no_session_to_go_back_to(at: DeskStage) -> None:
    saved = await at.desk.add("pattern", "Tests run with make test.")
    assert (saved.session_id, saved.entry_id) == (None, None)


async def test_a_secret_is_refused_and_nothing_is_told(at: DeskStage) -> None:
    with pytest.raises(StorageError, match="secret"):
        await at.desk.add("discovery", SECRET)
    assert at.events == []
    assert at.desk.entries() == ()


async def test_superseding_keeps_what_is_not_said_and_the_pin(at: DeskStage) -> None:
    old = await at.desk.add("preference", "Be brief.", confidence=0.9, tags=["tone"], scope="user", pinned=True)
    new = await at.desk.supersede(old.id, "Be very brief.")
    assert (new.type, new.confidence, new.tags, new.scope) == ("preference", 0.9, ("tone",), "user")
    assert at.heard(KnowledgeSuperseded) == [KnowledgeSuperseded(new.id, old.id, "Be very brief.")]
    live, past = at.desk.entries()
    assert (live.entry, live.pinned, past.fate, past.superseded_by) == (new, True, "superseded", (new.id,))
    assert at.desk.chain(old.id) == at.desk.chain(new.id) == (old, new)
    assert at.desk.chain("nobody") == ()


async def test_who_comes_second_is_shown_the_newer_one(at: DeskStage, tmp_path: Path) -> None:
    old = await at.desk.add("pattern", "Tests run with make test.")
    elsewhere = KnowledgeStore(tmp_path / ".diligent" / "knowledge" / "knowledge.jsonl")
    newer = elsewhere.supersede(old.id, old.model_copy(update={"id": "", "timestamp": "", "content": "Use tox."}))
    with pytest.raises(KnowledgeConflict) as caught:
        await at.desk.supersede(old.id, "Use nox.")
    assert caught.value.newer == newer
    assert at.live() == ["Use tox."]


async def test_retract_restore_pin_and_unpin_are_told_once(at: DeskStage) -> None:
    saved = await at.desk.add("pattern", "Tests run with make test.")
    assert [await at.desk.pin(saved.id), await at.desk.pin(saved.id), await at.desk.unpin(saved.id)] == [
        True,
        False,
        True,
    ]
    assert [await at.desk.retract(saved.id), await at.desk.retract(saved.id)] == [True, False]
    assert at.live() == []
    assert await at.desk.restore(saved.id)
    assert at.live() == [saved.content]
    assert at.heard(KnowledgePinned) == [KnowledgePinned(saved.id, True), KnowledgePinned(saved.id, False)]
    assert at.heard(KnowledgeRetracted) == [
        KnowledgeRetracted(saved.id),
        KnowledgeRetracted(saved.id, restored=True),
    ]


async def test_a_fact_moves_to_the_other_file_and_back(at: DeskStage) -> None:
    saved = await at.desk.add("preference", "Be brief.", pinned=True)
    moved = await at.desk.change_scope(saved.id)
    (live,) = at.desk.overview().live
    assert (live.entry, live.entry.scope, live.pinned) == (moved, "user", True)
    assert await at.desk.undo_last() == "Moved back: Be brief."
    (live,) = at.desk.overview().live
    assert (live.entry.id, live.entry.scope) == (saved.id, "project")
    with pytest.raises(UsageError, match="does not hold any more"):
        await at.desk.change_scope(moved.id)


async def test_duplicates_become_one_and_part_again(at: DeskStage) -> None:
    entries = [
        await at.desk.add("pattern", words) for words in ("Use make test.", "Run make test.", "make test it is.")
    ]
    ids = [entry.id for entry in entries]
    merged = await at.desk.merge([*ids, ids[0]], "Tests run with make test.")
    assert at.live() == ["Tests run with make test."]
    assert merged.supersedes == ids[0]
    await at.desk.undo_last()
    assert sorted(at.live()) == sorted(entry.content for entry in entries)
    with pytest.raises(UsageError, match="alone"):
        await at.desk.merge([ids[1], ids[1]], "x")


async def test_what_is_merged_keeps_the_most_of_each_and_parting_gives_it_back(at: DeskStage) -> None:
    pinned = await at.desk.add("correction", "Use make test.", confidence=0.95, tags=["a", "b"], pinned=True)
    near = await at.desk.add("pattern", "Run make test.", tags=["b", "c"])
    merged = await at.desk.merge([near.id, pinned.id], "Tests run with make test.")
    (known,) = at.desk.overview().live
    assert (merged.type, merged.confidence, merged.tags) == ("correction", 0.95, ("b", "c", "a"))
    assert known.pinned
    await at.desk.undo_last()
    assert {(known.entry.content, known.entry.type, known.pinned) for known in at.desk.overview().live} == {
        ("Use make test.", "correction", True),
        ("Run make test.", "pattern", False),
    }


async def test_verbs_are_undone_one_after_the_other(at: DeskStage) -> None:
    saved = await at.desk.add("pattern", "One.")
    await at.desk.supersede(saved.id, "Two.")
    await at.desk.supersede(at.desk.chain(saved.id)[-1].id, "Three.")
    assert at.live() == ["Three."]
    assert await at.desk.undo_last() == "As it was before: Two."
    assert at.live() == ["Two."]
    assert await at.desk.undo_last() == "As it was before: One."
    assert at.live() == ["One."]
    assert await at.desk.undo_last() == "Took back: One."
    assert at.live() == []
    with pytest.raises(UsageError, match="nothing to undo"):
        await at.desk.undo_last()


async def test_what_a_tool_saved_is_neither_undone_blindly_nor_news_to_the_model(at: DeskStage) -> None:
    await at.desk.add("pattern", "By the model.", origin="0a1b2c3d")
    assert not at.desk.take_news()
    with pytest.raises(UsageError, match="nothing to undo"):
        await at.desk.undo_last()
    await at.desk.add("pattern", "By the user.")
    assert [at.desk.take_news(), at.desk.take_news()] == [True, False]


CANDIDATES = [
    Candidate("pattern", "Tests run with make test.", ("0a1b2c3d",)),
    Candidate("pattern", "tests run with `make test`"),
    Candidate("discovery", SECRET),
    Candidate("preference", "Be brief."),
]


async def test_candidates_wait_and_are_not_told(at: DeskStage) -> None:
    await at.desk.add("preference", "be brief")
    (put,) = await at.desk.propose(CANDIDATES)
    assert (put.content, put.session_id, put.entry_ids, put.source) == (
        "Tests run with make test.",
        at.stage.session.id,
        ("0a1b2c3d",),
        "compaction",
    )
    assert at.desk.candidates() == (put,)
    assert at.heard(KnowledgeProposed) == [KnowledgeProposed(put.id, put.content)]
    assert at.live() == ["be brief"]
    assert await at.desk.propose(CANDIDATES, "learn") == ()


async def test_a_candidate_is_accepted_in_other_words_and_goes_back(at: DeskStage) -> None:
    (first, _) = await at.desk.propose(CANDIDATES)
    saved = await at.desk.accept(first.id, "Tests run with uv run pytest.")
    assert (saved.type, saved.entry_id, saved.author) == ("pattern", "0a1b2c3d", "user")
    assert at.heard(CandidateResolved) == [CandidateResolved(first.id, True, saved.id)]
    assert at.live() == ["Tests run with uv run pytest."]
    await at.desk.undo_last()
    assert at.live() == []
    assert first in at.desk.candidates()


async def test_a_rejected_one_is_not_proposed_again_unless_it_is_undone(at: DeskStage) -> None:
    (first, second) = await at.desk.propose(CANDIDATES)
    await at.desk.reject(first.id)
    assert at.desk.candidates() == (second,)
    assert await at.desk.propose(CANDIDATES) == ()
    await at.desk.undo_last()
    assert at.desk.candidates() == (first, second)


async def test_all_are_accepted(at: DeskStage) -> None:
    await at.desk.propose(CANDIDATES)
    assert [entry.content for entry in await at.desk.accept_all()] == ["Tests run with make test.", "Be brief."]
    assert at.desk.candidates() == ()
    assert {known.entry.author for known in at.desk.entries()} == {"model"}


async def test_a_secret_put_into_a_candidate_by_hand_is_refused_and_it_goes_on_waiting(at: DeskStage) -> None:
    (first, _) = await at.desk.propose(CANDIDATES)
    with pytest.raises(StorageError, match="secret"):
        await at.desk.accept(first.id, SECRET)
    assert first in at.desk.candidates()
    assert at.live() == []


async def test_who_wants_no_look_has_candidates_kept_at_once_but_for_those_like_something_known(
    stage: Stage, tmp_path: Path
) -> None:
    at = make_desk(stage, make_files(tmp_path, accepts=True))
    await at.desk.add("pattern", "Tests are run with tox.")
    await at.desk.propose(CANDIDATES)
    assert sorted(at.live()) == ["Be brief.", "Tests are run with tox."]
    assert [candidate.content for candidate in at.desk.candidates()] == ["Tests run with make test."]


async def test_where_the_folder_is_not_trusted_there_is_no_inbox_and_no_project(stage: Stage, tmp_path: Path) -> None:
    shelf = KnowledgeShelf(None, KnowledgeStore(tmp_path / "knowledge.jsonl", "user"))
    at = make_desk(stage, KnowledgeFiles(shelf))
    assert await at.desk.propose(CANDIDATES) == ()
    assert at.desk.candidates() == ()
    with pytest.raises(UsageError, match="not trusted"):
        await at.desk.accept("x")
    with pytest.raises(StorageError, match="not open here"):
        await at.desk.add("pattern", "x")
    await at.desk.add("pattern", "x", scope="user")
    assert at.live() == ["x"]


async def test_what_was_learnt_on_a_branch_that_was_left_is_marked_until_it_is_kept(at: DeskStage) -> None:
    await at.stage.ask("first")
    fork = at.stage.session.store.tree.leaf_id
    await at.stage.ask("second")
    there = at.stage.session.store.tree.leaf_id
    saved = await at.desk.add("pattern", "Learnt on the second.", origin=there or "")
    assert [known.is_left_behind for known in at.desk.entries()] == [False]
    await at.stage.session.move_to(fork)
    assert [known.is_left_behind for known in at.desk.entries()] == [True]
    await at.desk.keep([saved.id])
    assert [known.is_left_behind for known in at.desk.entries()] == [False]


async def test_what_the_user_wrote_down_himself_holds_on_every_branch(at: DeskStage) -> None:
    await at.stage.ask("first")
    fork = at.stage.session.store.tree.leaf_id
    await at.stage.ask("second")
    await at.desk.add("pattern", "My own rule.")
    await at.stage.session.move_to(fork)
    assert [known.is_left_behind for known in at.desk.entries()] == [False]


async def test_others_are_heard_and_damage_is_told_by_file(at: DeskStage, tmp_path: Path) -> None:
    elsewhere = make_files(tmp_path)
    other = make_desk(at.stage, elsewhere)
    await other.desk.add("pattern", "From another window.")
    (waiting,) = await other.desk.propose([Candidate("pattern", "Another matter altogether.")])
    for path in ((tmp_path / ".diligent" / "knowledge" / "knowledge.jsonl"), tmp_path / ".diligent" / "inbox.jsonl"):
        path.write_bytes(path.read_bytes() + b"noise\n")
    assert at.live() == []
    overview = await at.desk.refresh()
    assert [known.entry.content for known in overview.live] == ["From another window."]
    assert at.desk.candidates() == (waiting,)
    damage = at.desk.damage()
    assert (damage.project, damage.user, damage.inbox, damage.total, overview.damaged) == (1, 0, 1, 2, 2)


async def test_facts_are_found_by_words_and_by_likeness(at: DeskStage) -> None:
    saved = await at.desk.add("pattern", "Tests run with make test.")
    await at.desk.add("decision", "Dates are in UTC.")
    assert [known.entry for known in at.desk.search("how to run tests")] == [saved]
    assert [near.entry for near in at.desk.near("Tests run with tox.")] == [saved]


async def test_uses_are_counted_on_the_path(at: DeskStage) -> None:
    saved = await at.desk.add("pattern", "Tests run with make test.")
    await at.stage.ask(f"say {saved.id} aloud")
    await at.stage.session.note(f"- [{saved.id}] pattern: Tests run with make test.")
    uses = at.desk.uses(saved.id)
    assert uses.told == 1
    assert uses.found == 0
    assert at.desk.uses("ffffffff").named == 0
