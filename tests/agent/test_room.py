"""The context stays within the window by itself: before requests, inside long turns, after refusals."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.system_prompt import Briefing, Instructions
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.events import (
    CompactionFailed,
    CompactionFinished,
    CompactionPruned,
    CompactionStarted,
    ContextOverflowed,
    StepStarted,
    TurnFailed,
    TurnFinished,
)
from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgePolicy
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.providers.offline.provider import WINDOW_TOKENS
from diligent_tui.providers.registry import REHEARSAL
from tests.agent.memory_stage import FILES, MemoryStage, Player, given_in, positions, reads, stage_in, tokens_in


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[MemoryStage]:
    stage = stage_in(tmp_path)
    yield stage
    await stage.session.close()


async def test_a_session_goes_on_and_on_without_ever_passing_the_window(stage: MemoryStage) -> None:
    await stage.fill(14)
    assert stage.heard(CompactionFinished)
    assert not stage.heard(ContextOverflowed)
    assert max(tokens_in(request) for request in stage.player.requests) <= WINDOW_TOKENS
    assert {end.reason for end in stage.heard(TurnFinished)} == {"done"}


async def test_one_turn_of_five_windows_is_worked_to_its_end(stage: MemoryStage) -> None:
    await stage.ask(reads(FILES))
    assert sum(request.purpose == "turn" for request in stage.player.requests) > FILES
    assert not stage.heard(ContextOverflowed)
    assert not stage.heard(TurnFailed)
    assert max(tokens_in(request) for request in stage.player.requests) <= WINDOW_TOKENS
    prompt = stage.session.conversation.path[0].id
    assert stage.memory.fates()[prompt] == "verbatim"


async def test_old_outputs_are_pruned_first_and_the_model_is_asked_for_nothing(stage: MemoryStage) -> None:
    asked_before_prune: list[int] = []
    stage.session.hub.subscribe(
        lambda event: (
            asked_before_prune.append(len(stage.player.requests) - len(stage.player.turns))
            if isinstance(event, CompactionPruned)
            else None
        )
    )
    await stage.ask(reads(8))
    assert stage.heard(CompactionPruned)
    assert asked_before_prune[0] == 0
    assert "recall(" in stage.said()


async def test_a_compaction_between_turns_comes_before_the_turns_first_request(stage: MemoryStage) -> None:
    await stage.fill(12)
    starts = positions(stage.events, CompactionStarted)
    steps = [place for place, event in enumerate(stage.events) if isinstance(event, StepStarted) and event.number == 1]
    assert starts
    assert any(start < step for start in starts for step in steps)


async def test_a_refusal_for_length_is_compacted_for_once_and_sent_again(stage: MemoryStage) -> None:
    await stage.fill(3)
    stage.player.refusals = 1
    await stage.ask("hello")
    assert stage.heard(ContextOverflowed)
    assert [start.reason for start in stage.heard(CompactionStarted)] == ["overflow"]
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_a_provider_that_refuses_every_request_ends_the_turn_and_not_the_session(stage: MemoryStage) -> None:
    await stage.fill(3)
    stage.player.refusals = 1_000
    for _ in range(4):
        await stage.ask("hello")
    assert len(stage.heard(TurnFailed)) == 4
    assert len(stage.heard(CompactionStarted)) <= 3
    stage.player.refusals = 0
    await stage.ask("hello")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_with_the_provider_down_for_summaries_a_full_context_is_truncated(stage: MemoryStage) -> None:
    stage.player.summaries_fail = True
    await stage.fill(12)
    assert stage.heard(CompactionFinished)
    assert stage.active.strategy == "truncate"
    assert {end.reason for end in stage.heard(TurnFinished)} == {"done"}


async def test_with_compaction_off_an_overflow_is_an_error_that_offers_it(tmp_path: Path) -> None:
    stage = stage_in(tmp_path, CompactionPolicy(is_automatic=False))
    for number in range(10):
        await stage.ask(f"read long.txt for the {number}. time")
    assert stage.heard(ContextOverflowed)
    assert not stage.heard(CompactionStarted)
    problem = stage.heard(TurnFailed)[0].problem
    assert "/compact" in problem.advice
    assert await stage.memory.compact(CompactionWish(strategy="truncate"))
    await stage.ask("hello")
    assert stage.heard(TurnFinished)[-1].reason == "done"
    await stage.session.close()


async def test_two_compactions_that_did_not_help_latch_it_off_until_it_is_asked_for_again(tmp_path: Path) -> None:
    # A window that instructions nearly fill leaves no room for any summary.
    player = Player()
    base = given_in(tmp_path, player, model=replace(REHEARSAL, window_tokens=16_000))
    given = replace(base, brief=lambda: Briefing("Be good. " * 5_200))
    stage = MemoryStage(AgentSession.begin(tmp_path / ".diligent" / "sessions", given), given, [], player)
    for number in range(6):
        await stage.ask(f"hello {number}, " + "and more words " * 150)
    latched = [failed for failed in stage.heard(CompactionFailed) if failed.problem.kind == "compaction_off"]
    assert len(latched) == 1
    assert latched[0].suggest_new_session
    before = len(stage.heard(CompactionFailed))
    stage.memory.reset()
    await stage.ask("hello once more")
    assert len(stage.heard(CompactionFailed)) > before
    await stage.session.close()


async def test_what_cannot_fit_is_said_before_it_is_sent(tmp_path: Path) -> None:
    stage = stage_in(tmp_path)
    await stage.ask("hello")
    sent = len(stage.player.requests)
    await stage.ask("word " * 40_000)
    problem = stage.heard(TurnFailed)[-1].problem
    assert problem.kind == "context_overflow"
    assert len(stage.player.requests) == sent
    await stage.session.close()


async def test_it_is_never_compacted_a_third_time_without_a_finished_step(stage: MemoryStage) -> None:
    await stage.fill(4)
    assert await stage.memory.compact(CompactionWish(strategy="truncate"))
    preview = stage.memory.preview(CompactionWish(restores=True))
    assert not hasattr(preview, "kind")
    assert await stage.memory.compact(CompactionWish(strategy="truncate", restores=True))
    with pytest.raises(UsageError, match="twice"):
        await stage.memory.compact(CompactionWish(strategy="truncate", restores=True))
    await stage.ask("hello")
    assert await stage.memory.compact(CompactionWish(strategy="truncate", restores=True))


async def test_instructions_knowledge_mode_and_todo_stand_unchanged_over_five_compactions(tmp_path: Path) -> None:
    player = Player()
    rules = (Instructions("AGENTS.md", "Always answer in short sentences.\n"),)
    store = KnowledgeStore(tmp_path / "knowledge.jsonl", "project")
    store.add(KnowledgeEntry(type="pattern", content="Tests run with make test."))
    given = replace(
        given_in(tmp_path, player),
        brief=lambda: Briefing("Be good.", instructions=rules, knowledge=(store.state,)),
        knowledge=KnowledgePolicy(),
    )
    stage = MemoryStage(AgentSession.begin(tmp_path / ".diligent" / "sessions", given), given, [], player)
    await stage.ask("plan first this then that")
    for _ in range(5):
        await stage.fill(3)
        await stage.memory.compact(CompactionWish())
    await stage.ask("hello")
    assert len({request.system for request in player.requests}) == 1
    assert "Always answer in short sentences." in player.requests[-1].system
    assert "Tests run with make test." in player.requests[-1].system
    assert "Still to do" in stage.active.ledger
    assert all(request.tools == player.requests[0].tools for request in player.turns)
    assert stage.session.mode == "full"
    await stage.session.close()


@settings(max_examples=25, deadline=None)
@given(
    deeds=st.lists(
        st.sampled_from(["short", "long", "compact", "undo", "redo", "edit", "pin", "unpin", "back", "truncate"]),
        min_size=4,
        max_size=14,
    )
)
async def test_whatever_is_done_every_entry_has_one_fate_and_the_newest_prompt_stands(
    deeds: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    stage = stage_in(tmp_path_factory.mktemp("memory"))
    await stage.ask("hello")
    for number, deed in enumerate(deeds):
        try:
            await _do(stage, deed, number)
        except UsageError:
            continue
        path = stage.session.conversation.path
        content = {node.id for node in path if node.type == "message"}
        fates = stage.memory.fates()
        assert content <= set(fates)
        prompts = [node.id for node in path if node.is_prompt]
        assert not prompts or fates[prompts[-1]] == "verbatim"
        assert stage.session.next_request().messages
    assert max(tokens_in(request) for request in stage.player.requests) <= WINDOW_TOKENS
    await stage.session.close()


async def _do(stage: MemoryStage, deed: str, number: int) -> None:
    memory, path = stage.memory, stage.session.conversation.path
    match deed:
        case "short":
            await stage.ask(f"hello number {number}")
        case "long":
            await stage.ask(reads(3))
        case "compact":
            await memory.compact(CompactionWish())
        case "truncate":
            await memory.compact(CompactionWish(strategy="truncate"))
        case "undo":
            await memory.undo()
        case "redo":
            await memory.redo()
        case "edit":
            await memory.edit_summary(f"## Goal\n- number {number}")
        case "pin":
            await memory.pin(path[number % len(path)].id)
        case "unpin":
            await memory.unpin(path[number % len(path)].id)
        case _:
            await stage.session.move_to(path[len(path) * 2 // 3].id)
