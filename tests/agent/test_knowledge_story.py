"""Over some sessions: what is to be remembered is kept, told in the next one, and changed at the tail alone."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.events import Event, KnowledgeSaved, PermissionRequested, StepStarted
from diligent_tui.domain.knowledge import KnowledgePolicy
from tests.agent.conftest import Stage
from tests.agent.desk_stage import make_files

FACT = "tests run with make test"


def knowing(given: Surroundings, folder: Path) -> Surroundings:
    """The same surroundings with knowledge, read anew as by another run of the program."""
    files = make_files(folder)
    return replace(given, knowledge_files=files, brief=lambda: Briefing("Be good.", knowledge=files.shelf.refresh()))


@pytest.fixture
def begin(stage: Stage, tmp_path: Path) -> "Begin":
    return Begin(stage.given, tmp_path)


class Begin:
    """Begins one session after the other in the same project."""

    def __init__(self, given: Surroundings, folder: Path) -> None:
        self.given = given
        self.folder = folder

    def __call__(self) -> Stage:
        given = knowing(self.given, self.folder)
        return Stage(AgentSession.begin(self.folder / ".diligent" / "sessions", given), given)


def notes(stage: Stage) -> list[str]:
    entries = (stage.session.store.entry(node.id) for node in stage.session.conversation.path)
    return [entry.text for entry in entries if isinstance(entry, KnowledgeNoteEntry)]


async def test_what_the_user_asks_to_remember_is_told_in_the_next_session(begin: Begin) -> None:
    first = begin()
    await first.ask(f"remember that {FACT}")
    (saved,) = first.heard(KnowledgeSaved)
    (row,) = first.session.knowledge.entries()
    assert (row.entry.id, row.entry.author, row.is_told) == (saved.knowledge_id, "model", True)
    assert row.entry.session_id == first.session.id
    assert row.entry.entry_id in first.session.store.tree.nodes
    assert saved.knowledge_id not in first.session.next_request().system
    await first.session.close()

    second = begin()
    await second.ask("hello")
    before = second.session.next_request()
    assert f"- [{saved.knowledge_id}]" in before.system
    assert second.session.knowledge.uses(saved.knowledge_id).told == 1
    new = await second.session.knowledge.supersede(saved.knowledge_id, "Tests run with uv run pytest.")
    assert [entry.id for entry in second.session.knowledge.chain(new.id)] == [saved.knowledge_id, new.id]
    await second.ask("and now?")
    after = second.session.next_request()
    assert (after.system, after.tools) == (before.system, before.tools)
    assert after.messages[: len(before.messages) - 1] == before.messages[:-1]
    (note,) = notes(second)
    assert f"- [{saved.knowledge_id}] no longer holds." in note
    assert "Tests run with uv run pytest." in note
    await second.session.close()

    third = begin()
    await third.ask("hello")
    system = third.session.next_request().system
    assert "Tests run with uv run pytest." in system
    assert FACT not in system.lower()
    await third.session.close()


async def test_what_the_user_changes_while_a_turn_goes_on_is_told_with_its_next_request(begin: Begin) -> None:
    stage = begin()
    session = stage.session
    await session.set_mode("ask")
    await stage.ask("hello")
    steps = len(stage.heard(StepStarted))
    tasks: list[asyncio.Task[None]] = []

    async def change_and_allow(call_id: str) -> None:
        await session.knowledge.add("correction", "Never push to main.")
        session.resolve_permission(call_id, allowed=True)

    def listen(event: Event) -> None:
        if isinstance(event, PermissionRequested):
            tasks.append(asyncio.create_task(change_and_allow(event.call_id)))

    session.hub.subscribe(listen)
    await stage.ask("write hello to hello.txt")
    assert len(tasks) == 1
    assert len(stage.heard(StepStarted)) == steps + 2
    (note,) = notes(stage)
    assert "Never push to main." in note
    assert [event.prefix_break for event in stage.heard(StepStarted)[1:]] == ["", ""]
    await session.close()


async def test_learning_fills_the_inbox_and_nothing_is_told(begin: Begin) -> None:
    stage = begin()
    await stage.ask("Say hello. Never use tabs in this project.")
    learnt = await stage.session.learning.learn()
    assert learnt.problem is None
    assert learnt.candidates
    assert stage.session.knowledge.candidates() == learnt.candidates
    assert stage.session.knowledge.entries() == ()
    await stage.session.close()


async def test_switched_off_there_are_no_tools(stage: Stage, tmp_path: Path) -> None:
    given = replace(knowing(stage.given, tmp_path), knowledge=KnowledgePolicy(enabled=False))
    session = AgentSession.begin(tmp_path / ".diligent" / "sessions", given)
    assert not [tool.name for tool in session.next_request().tools if "knowledge" in tool.name]
    await session.close()
