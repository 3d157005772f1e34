"""The knowledge tools: facts are kept, found and replaced, and what is like something known is shown instead."""

from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.modes import MODES, Mode
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.tools.base import Outcome
from diligent_tui.tools.runner import judge_call, run_call
from diligent_tui.tools.toolbox import knowledge_tools
from tests.tools.knowledge_doors import ShutDoor, open_door
from tests.tools.workbench import Bench

SECRET = "The token is ghp_" + "a1B2" * 9


@pytest.fixture
def door(tmp_path: Path) -> ShutDoor:
    return open_door(tmp_path)


@pytest.fixture
def room(bench: Bench, door: ShutDoor) -> Bench:
    return Bench(bench.workplace, tools=knowledge_tools(door))


def known(door: ShutDoor) -> list[KnowledgeEntry]:
    door.shelf.refresh()
    return [entry for state in door.shelf.states for entry in state.live]


async def added(room: Bench, content: str, **more: object) -> Outcome:
    return await room.run("add_knowledge", {"type": "pattern", "content": content, **more})


async def test_a_fact_is_kept_with_its_origin(room: Bench, door: ShutDoor) -> None:
    outcome = await added(room, "Tests run with make test.", confidence="0.9", tags=["tests"])
    (entry,) = known(door)
    assert outcome == Outcome(f"Saved as [{entry.id}].")
    assert (entry.content, entry.confidence, entry.tags) == ("Tests run with make test.", 0.9, ("tests",))
    assert entry.entry_id == room.call().entry_id


async def test_the_very_same_is_known_already(room: Bench, door: ShutDoor) -> None:
    await added(room, "Tests run with make test.")
    outcome = await added(room, "tests run with `make test`")
    assert not outcome.is_error
    assert outcome.output.startswith("Known already, nothing was saved:\n- [")
    assert len(known(door)) == 1


async def test_a_contradiction_shows_the_entry_and_is_superseded_then(room: Bench, door: ShutDoor) -> None:
    await added(room, "Tests run with make test.")
    await added(room, "Dates are in UTC.")
    (old, _) = known(door)
    shown = await added(room, "Tests run with uv run pytest.")
    assert shown.is_error
    assert f"- [{old.id}] pattern: Tests run with make test.\n" in shown.output
    assert "Dates" not in shown.output
    assert "supersede_knowledge" in shown.output
    assert len(known(door)) == 2
    done = await room.run("supersede_knowledge", {"id": f" {old.id} ", "content": "Tests run with uv run pytest."})
    (_, new) = known(door)
    assert done == Outcome(f"Saved as [{new.id}] in place of [{old.id}].")
    assert (new.content, new.type, new.supersedes) == ("Tests run with uv run pytest.", "pattern", old.id)


async def test_another_matter_is_kept_when_the_model_says_so(room: Bench, door: ShutDoor) -> None:
    await added(room, "Avatars are stored in S3 under avatars/.")
    assert (await added(room, "Invoices are stored in S3 under invoices/.")).is_error
    assert not (await added(room, "Invoices are stored in S3 under invoices/.", distinct=True)).is_error
    assert len(known(door)) == 2


async def test_adding_may_name_what_it_supersedes(room: Bench, door: ShutDoor) -> None:
    await added(room, "Tests run with make test.")
    (old,) = known(door)
    outcome = await added(room, "Tests run with tox.", supersedes=old.id)
    assert "in place of" in outcome.output
    assert [entry.content for entry in known(door)] == ["Tests run with tox."]


async def test_who_supersedes_second_is_shown_the_newer_entry(room: Bench, door: ShutDoor, tmp_path: Path) -> None:
    await added(room, "Tests run with make test.")
    (old,) = known(door)
    elsewhere = KnowledgeStore(tmp_path / ".diligent" / "knowledge" / "knowledge.jsonl")
    newer = elsewhere.supersede(old.id, KnowledgeEntry(type="pattern", content="Tests run with tox."))
    for outcome in (
        await room.run("supersede_knowledge", {"id": old.id, "content": "Tests run with nox."}),
        await added(room, "Tests run with nox.", supersedes=old.id),
    ):
        assert outcome.is_error
        assert f"- [{newer.id}] pattern: Tests run with tox." in outcome.output
    assert known(door) == [newer]


async def test_secrets_are_refused_without_being_said_again(room: Bench, door: ShutDoor) -> None:
    outcome = await added(room, SECRET)
    assert outcome.is_error
    assert "secret" in outcome.output
    assert "ghp_" not in outcome.output
    assert known(door) == []


async def test_facts_are_found_with_their_ids_and_no_more_than_asked_for(room: Bench, door: ShutDoor) -> None:
    for number in range(4):
        await added(room, f"Tests of part {number} run with make test{number}.", distinct=True)
    await added(room, "Dates are in UTC.")
    outcome = await room.run("search_knowledge", {"query": "how do tests run", "limit": 2})
    assert outcome.output.count("- [") == 2
    assert "(2 more fit" in outcome.output
    whole = await room.run("search_knowledge", {"query": "tests"})
    assert whole.output.count("- [") == 4
    assert "more fit" not in whole.output
    assert (await room.run("search_knowledge", {"query": "penguins"})).output == "Nothing is known about that."


async def test_a_search_keeps_to_the_room_there_is(room: Bench, door: ShutDoor) -> None:
    for number in range(8):
        door.shelf.add(KnowledgeEntry(type="pattern", content=f"tests {number} " + "x" * 9_000))
    outcome = await room.run("search_knowledge", {"query": "tests"})
    assert len(outcome.output.encode()) <= room.workplace.output_limit_bytes
    assert "more fit" in outcome.output


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("add_knowledge", {"type": "rumour", "content": "x"}, "`type` is one of"),
        ("add_knowledge", {"content": "x"}, "`type` is missing"),
        ("add_knowledge", {"type": "pattern", "content": " "}, "`content` is missing"),
        ("add_knowledge", {"type": "pattern", "content": "x", "confidence": 7}, "0 (a guess) to 1"),
        ("add_knowledge", {"type": "pattern", "content": "x", "tags": [1]}, "list of texts"),
        ("add_knowledge", {"type": "pattern", "content": "x", "tags": ["t"] * 11}, "at most 10"),
        ("add_knowledge", {"type": "pattern", "content": "x", "scope": "galaxy"}, "project or user"),
        ("add_knowledge", {"type": "pattern", "content": "x", "scope": "user", "supersedes": "a"}, "leave `scope` out"),
        ("supersede_knowledge", {"content": "x"}, "`id` is missing"),
        ("supersede_knowledge", {"id": "x"}, "`content` is missing"),
        ("search_knowledge", {}, "`query` is missing"),
        ("search_knowledge", {"query": "x", "limit": 0}, "whole number from 1"),
    ],
)
async def test_what_is_wrong_is_said_so_that_it_can_be_mended(
    room: Bench, name: str, arguments: JsonObject, words: str
) -> None:
    verdict = room.judge(name, arguments)
    assert verdict.decision == "deny"
    assert words in verdict.reason
    assert words in (await room.run(name, arguments)).output


async def test_an_unknown_id_is_said_to_be_so(room: Bench) -> None:
    outcome = await room.run("supersede_knowledge", {"id": "nobody", "content": "x"})
    assert outcome.is_error
    assert "no knowledge entry nobody" in outcome.output


@pytest.mark.parametrize("mode", MODES)
def test_only_what_is_to_hold_everywhere_is_asked(room: Bench, mode: Mode) -> None:
    fact: JsonObject = {"type": "preference", "content": "Be brief."}
    assert room.judge("add_knowledge", fact, mode).decision == "allow"
    everywhere = room.judge("add_knowledge", {**fact, "scope": "user"}, mode)
    assert everywhere.decision == ("allow" if mode == "full" else "ask")
    assert room.judge("search_knowledge", {"query": "x"}, mode).decision == "allow"
    assert room.judge("supersede_knowledge", {"id": "a", "content": "x"}, mode).decision == "allow"


async def test_where_the_project_is_not_trusted_nothing_is_saved(bench: Bench) -> None:
    (tool, _, _) = knowledge_tools(ShutDoor())
    arguments: JsonObject = {"type": "pattern", "content": "x"}
    assert judge_call(tool, arguments, "ask", bench.workplace).decision == "allow"
    outcome = await run_call(tool, arguments, bench.call())
    assert outcome.is_error
    assert "not open here" in outcome.output
