"""With `compaction.preview` a compaction that would happen by itself is shown first, and goes as the user says."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.agent.session import AgentSession
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.views import CompactionWish, Preview
from diligent_tui.domain.events import (
    CompactionFailed,
    CompactionFinished,
    CompactionPlanned,
    CompactionPruned,
    CompactionStarted,
    Event,
    TurnFailed,
    TurnFinished,
)
from tests.agent.memory_stage import MemoryStage, Player, given_in, reads, stage_in

SHOWS = CompactionPolicy(always_preview=True)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[MemoryStage]:
    stage = stage_in(tmp_path, SHOWS)
    yield stage
    await stage.session.close()


def answer(stage: MemoryStage, choose: Callable[[CompactionWish], CompactionWish | None]) -> None:
    """Answer each question at once."""

    def hear(event: Event) -> None:
        if isinstance(event, CompactionPlanned):
            assert stage.memory.question is not None
            assert stage.memory.decide(choose(stage.memory.question.wish))

    stage.session.hub.subscribe(hear)


async def test_it_is_told_what_would_happen_and_happens_once_the_user_has_seen_it(stage: MemoryStage) -> None:
    await stage.fill(3)
    answer(stage, lambda wish: wish)
    stage.player.refusals = 1
    await stage.ask("hello")
    planned, started = stage.heard(CompactionPlanned)[0], stage.heard(CompactionStarted)[0]
    assert stage.events.index(planned) < stage.events.index(started)
    assert started.reason == "overflow"
    assert planned.tokens_after < planned.tokens_before
    assert planned.messages > 0
    assert stage.heard(TurnFinished)[-1].reason == "done"
    assert stage.memory.question is None


async def test_it_is_cut_where_the_user_moved_the_cut(stage: MemoryStage) -> None:
    await stage.fill(4)
    cuts: list[str | None] = []

    def earlier(wish: CompactionWish) -> CompactionWish:
        preview = stage.memory.preview(wish)
        assert isinstance(preview, Preview)
        cut = preview.cuts[0]
        assert cut != preview.cut
        cuts.append(cut.first_kept_id)
        return replace(wish, cut=cut)

    answer(stage, earlier)
    stage.player.refusals = 1
    await stage.ask("hello")
    assert [stage.active.first_kept_entry_id] == cuts


async def test_declined_nothing_is_compacted_and_the_session_stays_usable(stage: MemoryStage) -> None:
    await stage.fill(3)
    answer(stage, lambda _: None)
    stage.player.refusals = 1
    await stage.ask("hello")
    assert not stage.heard(CompactionStarted)
    assert [failed.problem.kind for failed in stage.heard(CompactionFailed)] == ["interrupted"]
    assert stage.heard(TurnFailed)
    await stage.ask("hello again")
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_one_who_declined_is_not_asked_again_in_the_same_turn(tmp_path: Path) -> None:
    stage = stage_in(tmp_path, replace(SHOWS, prunes=False))
    answer(stage, lambda _: None)
    await stage.ask(reads(12))
    assert len(stage.heard(CompactionPlanned)) == 1
    assert not stage.heard(CompactionFinished)
    await stage.ask("hello")
    assert len(stage.heard(CompactionPlanned)) == 2
    await stage.session.close()


async def test_nobody_is_asked_about_what_pruning_alone_spares(stage: MemoryStage) -> None:
    await stage.ask(reads(6))
    assert stage.heard(CompactionPruned)
    assert not stage.heard(CompactionPlanned)
    assert stage.heard(TurnFinished)[-1].reason == "done"


async def test_where_nobody_can_be_asked_it_simply_happens(tmp_path: Path) -> None:
    player = Player()
    given = given_in(tmp_path, player, SHOWS)
    given = replace(given, policy=replace(given.policy, may_ask=False))
    session = AgentSession.begin(tmp_path / ".diligent" / "sessions", given)
    stage = MemoryStage(session, given, [], player)
    await stage.fill(3)
    player.refusals = 1
    await stage.ask("hello")
    assert not stage.heard(CompactionPlanned)
    assert stage.heard(CompactionFinished)
    await session.close()


async def test_what_the_user_asks_for_is_not_asked_about(stage: MemoryStage) -> None:
    await stage.fill(3)
    assert await stage.memory.compact(CompactionWish())
    assert not stage.heard(CompactionPlanned)


async def test_an_interrupted_turn_does_not_wait_for_the_answer(stage: MemoryStage) -> None:
    await stage.fill(3)
    stage.session.hub.subscribe(
        lambda event: stage.session.interrupt() if isinstance(event, CompactionPlanned) else None
    )
    stage.player.refusals = 1
    await stage.ask("hello")
    assert not stage.heard(CompactionStarted)
    assert not stage.memory.decide(CompactionWish())
    assert not stage.memory.is_compacting
