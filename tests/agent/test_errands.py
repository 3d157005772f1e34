"""Whatever the model is asked beside the talk is told from its beginning to its end, and stops at every moment."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.agent.branching import BranchSummaryWish
from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.entries import BranchSummaryEntry
from diligent_tui.domain.errors import DiligentError, StorageError, StreamCut
from diligent_tui.domain.events import (
    ErrandAsked,
    ErrandDelta,
    ErrandFailed,
    ErrandFinished,
    ErrandKind,
    ErrandStarted,
    Event,
    LeafMoved,
    UsageRecorded,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Failed, Finished, Piece
from diligent_tui.providers.offline.provider import OfflineProvider
from tests.agent.conftest import Stage
from tests.agent.desk_stage import make_files

KINDS: tuple[ErrandKind, ...] = ("learn", "branch_summary")
ERRAND = ErrandStarted | ErrandAsked | ErrandDelta | ErrandFinished | ErrandFailed


class Interfering(OfflineProvider):
    """Answers as ever, and does something before the end of a summary is told."""

    def __init__(self) -> None:
        super().__init__()
        self.session: AgentSession | None = None
        self.cuts = False

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        async for piece in super().stream(request):
            if isinstance(piece, Finished) and request.purpose == "summary":
                if self.cuts:
                    yield Failed(StreamCut("The line went dead."))
                    return
                if self.session:
                    self.session.interrupt()
            yield piece


class Errander:
    """A session with two branches' worth of talk, from which either errand can be sent."""

    def __init__(self, stage: Stage, tmp_path: Path) -> None:
        self.provider = Interfering()

        def provide(_: Model) -> Interfering:
            return self.provider

        self.files = make_files(tmp_path)
        given = replace(stage.given, provider_for=provide, knowledge_files=self.files)
        self.stage = Stage(AgentSession.begin(tmp_path / ".diligent" / "sessions", given), given)
        self.session = self.stage.session
        self.target: str | None = None

    async def talk(self) -> None:
        await self.stage.ask("hello")
        self.target = self.session.store.tree.leaf_id
        await self.stage.ask("hello again. In this project we always test with make test.")

    async def send(self, kind: ErrandKind) -> bool:
        """True if it was carried out."""
        if kind == "branch_summary":
            return await self.session.move_to(self.target, BranchSummaryWish())
        learnt = await self.session.learning.learn()
        if learnt.problem:
            raise DiligentError(learnt.problem.message, learnt.problem.advice)
        return not learnt.is_stopped

    @property
    def told(self) -> list[Event]:
        return [event for event in self.stage.events if isinstance(event, ERRAND)]

    def kept(self) -> tuple[object, ...]:
        """All that an errand could have changed."""
        tree = self.session.store.tree
        summaries = [node.id for node in tree.nodes.values() if node.type == "branch_summary"]
        return summaries, self.session.knowledge.candidates(), self.stage.heard(LeafMoved)


@pytest.fixture
async def at(stage: Stage, tmp_path: Path) -> AsyncIterator[Errander]:
    at = Errander(stage, tmp_path)
    await at.talk()
    yield at
    await at.session.close()


@pytest.mark.parametrize("kind", KINDS)
async def test_an_errand_is_told_from_its_beginning_to_its_end(at: Errander, kind: ErrandKind) -> None:
    assert await at.send(kind)
    started, asked, *deltas, finished = at.told
    assert isinstance(started, ErrandStarted)
    assert isinstance(asked, ErrandAsked)
    assert isinstance(finished, ErrandFinished)
    assert (started.kind, finished.kind) == (kind, kind)
    assert started.messages > 0
    assert asked.expected_words > 0
    assert asked.model_id == at.session.model.id
    words = "".join(delta.text for delta in deltas if isinstance(delta, ErrandDelta))
    assert len(deltas) > 1
    assert words.strip() == finished.text
    assert {event.errand_id for event in at.told if isinstance(event, ERRAND)} == {started.errand_id}
    (paid,) = [event for event in at.stage.heard(UsageRecorded) if event.purpose == "summary"]
    assert paid.message_id == started.errand_id
    assert not at.session.is_on_errand
    if kind == "learn":
        assert finished.candidates == len(at.session.knowledge.candidates()) > 0
    else:
        assert isinstance(at.session.store.entry(started.errand_id), BranchSummaryEntry)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("moment", [ErrandStarted, ErrandAsked, ErrandDelta, Finished])
async def test_esc_stops_an_errand_at_every_moment_and_keeps_nothing(
    at: Errander, kind: ErrandKind, moment: type[ErrandStarted | ErrandAsked | ErrandDelta | Finished]
) -> None:
    before = at.kept()
    if moment is Finished:
        at.provider.session = at.session

    def listen(event: Event) -> None:
        if isinstance(event, moment):
            assert at.session.is_on_errand
            at.session.interrupt()

    stop_listening = at.session.hub.subscribe(listen)
    assert not await at.send(kind)
    stop_listening()
    assert at.kept() == before
    failed = at.told[-1]
    assert isinstance(failed, ErrandFailed)
    assert failed.problem.kind == "interrupted"
    assert not at.session.is_on_errand
    at.provider.session = None
    assert await at.send(kind)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_line_that_goes_dead_keeps_nothing_and_says_what_to_do(at: Errander, kind: ErrandKind) -> None:
    before = at.kept()
    at.provider.cuts = True
    with pytest.raises(DiligentError, match="went dead") as caught:
        await at.send(kind)
    assert "again" in caught.value.advice
    assert "is kept" not in caught.value.advice
    assert at.kept() == before
    failed = at.told[-1]
    assert isinstance(failed, ErrandFailed)
    assert failed.problem.advice == caught.value.advice


async def test_closing_a_session_waits_for_its_errand(at: Errander) -> None:
    asked = asyncio.Event()
    at.session.hub.subscribe(lambda event: asked.set() if isinstance(event, ErrandAsked) else None)
    learning = asyncio.create_task(at.session.learning.learn())
    await asked.wait()
    await at.session.close()
    assert isinstance(at.told[-1], ErrandFailed)
    assert (await learning).is_stopped


async def test_a_sum_that_cannot_be_saved_does_not_undo_a_move_that_was(
    at: Errander, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr("diligent_tui.agent.errands.save_totals", refuse)
    assert await at.send("branch_summary")
    assert at.stage.heard(LeafMoved)
    assert isinstance(at.told[-1], ErrandFinished)
