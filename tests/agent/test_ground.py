"""The system prompt stays the same to the byte; what changes is told at the tail, and each branch knows its own."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from diligent_tui.agent.ground import Ground
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.system_prompt import Briefing, Instructions, describe_changes, write_system_prompt
from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgePolicy
from diligent_tui.domain.requests import Text
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.providers.registry import find
from tests.agent.conftest import Stage

POLICY = KnowledgePolicy()
BRIEF = Briefing("Be good.", "Working folder: /w", date(2026, 1, 2), (Instructions("AGENTS.md", "Use tabs."),))


class Facts:
    """Facts that a test changes."""

    def __init__(self, briefing: Briefing) -> None:
        self.now = briefing

    def __call__(self) -> Briefing:
        return self.now


@pytest.fixture
def facts() -> Facts:
    return Facts(BRIEF)


@pytest.fixture
async def told(stage: Stage, facts: Facts, tmp_path: Path) -> Stage:
    given = replace(stage.given, brief=facts, find_model=find)
    return Stage(AgentSession.begin(tmp_path / ".diligent" / "sessions", given), given)


def notes(stage: Stage) -> list[str]:
    entries = (stage.session.store.entry(node.id) for node in stage.session.conversation.path)
    return [entry.text for entry in entries if isinstance(entry, KnowledgeNoteEntry)]


def test_equal_facts_give_equal_bytes_and_no_knowledge_no_section() -> None:
    text = write_system_prompt(BRIEF, POLICY, 32_000)
    assert text == write_system_prompt(BRIEF, POLICY, 200_000)
    assert "Use tabs." in text
    assert "2026-01-02" in text
    assert "Project Knowledge" not in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"today": date(2026, 1, 3)}, "2026-01-03"),
        ({"instructions": (Instructions("AGENTS.md", "Use spaces."),)}, "Use spaces."),
        ({"instructions": ()}, "AGENTS.md is gone"),
        ({"instructions": (*BRIEF.instructions, Instructions("sub/AGENTS.md", "More."))}, "sub/AGENTS.md was changed"),
        ({"place": "Working folder: /elsewhere"}, "/elsewhere"),
    ],
)
def test_each_change_is_told_in_words(change: dict[str, object], words: str) -> None:
    note = describe_changes(BRIEF, replace(BRIEF, **change), POLICY, 32_000)
    assert note.startswith("[")
    assert words in note


def test_no_change_is_no_note() -> None:
    assert describe_changes(BRIEF, BRIEF, POLICY, 32_000) == ""


async def test_a_change_is_told_once_at_the_tail_and_the_prefix_stays(
    told: Stage, facts: Facts, tmp_path: Path
) -> None:
    await told.ask("first")
    before = told.session.next_request()
    store = KnowledgeStore(tmp_path / "knowledge.jsonl")
    store.add(KnowledgeEntry(type="correction", content="Tests run with make test."))
    facts.now = replace(BRIEF, today=date(2026, 1, 3), knowledge=(store.state,))
    await told.ask("second")
    await told.ask("third")
    request = told.session.next_request()
    assert request.system == before.system
    assert request.messages[: len(before.messages) - 1] == before.messages[:-1]
    (note,) = notes(told)
    assert "2026-01-03" in note
    assert "Tests run with make test." in note
    words = [part.text for turn in request.messages for part in turn.parts if isinstance(part, Text)]
    assert words.count(note) == 1


async def test_a_resumed_session_and_a_new_model_get_a_fresh_prompt(told: Stage, facts: Facts) -> None:
    await told.ask("first")
    facts.now = replace(BRIEF, today=date(2026, 1, 3))
    again = await told.reopen()
    await again.ask("second")
    assert "2026-01-03" in again.session.next_request().system
    assert not notes(again)
    facts.now = replace(BRIEF, today=date(2026, 1, 4))
    await again.session.set_model(again.session.model, "high")
    await again.ask("third")
    assert "2026-01-04" in again.session.next_request().system
    await again.session.close()


async def test_another_branch_is_told_what_it_has_not_heard(told: Stage, facts: Facts) -> None:
    await told.ask("first")
    fork = told.session.store.tree.leaf_id
    facts.now = replace(BRIEF, today=date(2026, 1, 3))
    await told.ask("second")
    assert len(notes(told)) == 1
    await told.session.move_to(fork)
    assert not notes(told)
    await told.ask("another second")
    assert len(notes(told)) == 1
    await told.session.close()


async def test_what_the_user_changes_in_mid_turn_is_told_with_the_next_request(
    told: Stage, facts: Facts, tmp_path: Path
) -> None:
    await told.ask("first")
    ground = Ground(told.session.conversation, facts, POLICY)
    await ground.tell_news(told.session.model)
    assert notes(told) == []
    await ground.lay(told.session.model, "off")
    before = told.session.next_request()
    store = KnowledgeStore(tmp_path / "knowledge.jsonl")
    store.add(KnowledgeEntry(type="correction", content="Tests run with make test."))
    facts.now = replace(BRIEF, knowledge=(store.state,))
    await ground.tell_news(told.session.model)
    await ground.tell_news(told.session.model)
    await ground.lay(told.session.model, "off")
    (note,) = notes(told)
    assert "Tests run with make test." in note
    after = told.session.next_request()
    assert after.system == before.system
    assert after.messages[: len(before.messages) - 1] == before.messages[:-1]
    await told.session.close()
