"""Learning asks the model about the session so far; what it names waits in the inbox, and failures are data."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diligent_tui.agent.errands import Errands
from diligent_tui.agent.learning import Learning
from diligent_tui.domain.errors import Overloaded, UsageError
from diligent_tui.domain.events import UsageRecorded
from diligent_tui.domain.messages import TextBlock
from diligent_tui.domain.requests import Request, Text
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Failed, Finished, Piece, Provider
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import REHEARSAL
from tests.agent.conftest import Stage
from tests.agent.desk_stage import DeskStage, make_desk, make_files

ANSWER = """## Knowledge Candidates
- (pattern) Tests run with make test. [0a1b2c3d]
- (preference) Be brief.
- (rumour) Nobody knows.
"""


class Scripted(OfflineProvider):
    """Answers every request in the same way, and remembers it."""

    def __init__(self, *pieces: Piece, waits: bool = False) -> None:
        super().__init__()
        self.pieces = pieces
        self.waits = waits
        self.asked: list[Request] = []
        self.begun = asyncio.Event()

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        self.asked.append(request)
        self.begun.set()
        if self.waits:
            await asyncio.Event().wait()
        for piece in self.pieces:
            yield piece


def answered(text: str) -> Finished:
    return Finished((TextBlock(text=text),), "end_turn", Usage(input_tokens=10, output_tokens=5))


def learning(at: DeskStage, provider: Provider) -> Learning:
    async def provide() -> Provider:
        return provider

    session = at.stage.session
    errands = Errands(session.conversation, session.hub, provide)
    return Learning(session.conversation, at.desk, errands, lambda: REHEARSAL)


@pytest.fixture
async def at(stage: Stage, tmp_path: Path) -> DeskStage:
    at = make_desk(stage, make_files(tmp_path))
    await stage.ask("remember that tests run with make test")
    return at


async def test_what_the_model_names_waits_in_the_inbox(at: DeskStage) -> None:
    await at.desk.add("decision", "Dates are in UTC.")
    provider = Scripted(answered(ANSWER))
    learnt = await learning(at, provider).learn("the tests")
    assert [candidate.content for candidate in learnt.candidates] == ["Tests run with make test.", "Be brief."]
    assert (learnt.proposed, learnt.problem, learnt.is_stopped) == (2, None, False)
    assert learnt.candidates == at.desk.candidates()
    assert {candidate.source for candidate in learnt.candidates} == {"learn"}
    assert learnt.candidates[0].entry_ids == ("0a1b2c3d",)
    (request,) = provider.asked
    words = "".join(part.text for turn in request.messages for part in turn.parts if isinstance(part, Text))
    for said in ("tests run with make test", "Dates are in UTC.", "look above all at this: the tests"):
        assert said in words
    assert (request.purpose, request.tools) == ("summary", ())
    (recorded,) = [event for event in at.heard(UsageRecorded) if event.purpose == "summary"]
    assert recorded.usage == Usage(input_tokens=10, output_tokens=5)


async def test_the_offline_model_learns_from_what_it_was_told(at: DeskStage) -> None:
    learnt = await learning(at, OfflineProvider()).learn()
    assert [candidate.content.lower().rstrip(".") for candidate in learnt.candidates] == ["tests run with make test"]


async def test_nothing_worth_knowing_is_no_problem(at: DeskStage) -> None:
    learnt = await learning(at, Scripted(answered("## Knowledge Candidates\n(none)"))).learn()
    assert (learnt.candidates, learnt.proposed, learnt.problem) == ((), 0, None)


async def test_a_failure_is_told_and_proposes_nothing(at: DeskStage) -> None:
    learnt = await learning(at, Scripted(Failed(Overloaded("Too busy.")))).learn()
    assert learnt.problem is not None
    assert learnt.problem.kind == "overloaded"
    assert at.desk.candidates() == ()


async def test_it_can_be_stopped_and_asked_again(at: DeskStage) -> None:
    provider = Scripted(answered(ANSWER), waits=True)
    learner = learning(at, provider)
    asking = asyncio.create_task(learner.learn())
    await provider.begun.wait()
    with pytest.raises(UsageError, match="asked already"):
        await learner.learn()
    learner.stop()
    assert (await asking).is_stopped
    assert at.desk.candidates() == ()
    provider.waits = False
    assert len((await learner.learn()).candidates) == 2


async def test_a_session_without_words_has_nothing_to_learn_from(stage: Stage, tmp_path: Path) -> None:
    at = make_desk(stage, make_files(tmp_path))
    with pytest.raises(UsageError, match="Nothing was said"):
        await learning(at, Scripted()).learn()
