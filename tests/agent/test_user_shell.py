"""A command of the user's own: run in the same shell, hardly ever asked about, shown, and told to the model."""

import asyncio
from pathlib import Path

import pytest

from diligent_tui.agent.admission import Admission
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interruption
from diligent_tui.agent.permissions import Decision, Questions
from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.tool_calls import CallRun, ToolRoom
from diligent_tui.agent.user_shell import note_of, run_command
from diligent_tui.agent.user_turn import MOST_TOLD_BYTES
from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.events import (
    Event,
    PermissionRequested,
    ToolFinished,
    ToolOutput,
    ToolStarted,
    TurnFinished,
    TurnStarted,
)
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.user_run import UserRun, user_run_in
from diligent_tui.tools.base import Outcome, Workplace
from diligent_tui.tools.toolbox import builtin_tools
from tests.agent.conftest import MakeStage, Stage

TURN_ID = "0b5e11aa"


class Shell:
    """The parts that a command needs, on the conversation of a session."""

    def __init__(self, stage: Stage, folder: Path, mode: Mode) -> None:
        self.session = stage.session
        self.hub = Hub()
        self.events: list[Event] = []
        self.hub.subscribe(self.events.append)
        self.interruption = Interruption()
        self.questions = Questions()
        room = ToolRoom(
            tools={tool.spec.name: tool for tool in builtin_tools()},
            workplace=Workplace(folder, folder, 50_000, folder / "spill"),
            questions=self.questions,
            policy=AgentPolicy(),
            mode=lambda: mode,
            has_steering=lambda: False,
            history=stage.session.history,
            admission=Admission(),
        )
        self.run = CallRun(room, stage.session.conversation, self.hub, self.interruption, TURN_ID)

    async def do(self, command: str) -> None:
        await run_command(self.run, command)

    def heard(self, *kinds: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kinds)]

    async def wait_for(self, kind: type[Event]) -> None:
        async with asyncio.timeout(10):
            while not self.heard(kind):
                await asyncio.sleep(0.005)

    def note(self) -> KnowledgeNoteEntry:
        entry = self.session.store.entry(TURN_ID)
        assert isinstance(entry, KnowledgeNoteEntry)
        return entry


@pytest.fixture(params=["plan", "ask", "full"])
def shell(request: pytest.FixtureRequest, make_stage: MakeStage, tmp_path: Path) -> Shell:
    mode: Mode = request.param
    return Shell(make_stage(), tmp_path, mode)


async def test_it_runs_unasked_in_every_mode_and_is_shown_like_a_call(shell: Shell, tmp_path: Path) -> None:
    await shell.do("echo said; touch made")
    assert (tmp_path / "made").exists()
    assert shell.heard(PermissionRequested) == []
    started, *_ = shell.heard(TurnStarted)
    assert isinstance(started, TurnStarted)
    assert (started.turn_id, started.text) == (TURN_ID, "!echo said; touch made")
    assert [type(event) for event in shell.heard(ToolStarted, ToolFinished)] == [ToolStarted, ToolFinished]
    ended = shell.events[-1]
    assert isinstance(ended, TurnFinished)
    assert ended.reason == "done"


async def test_the_next_request_tells_the_model_of_it(make_stage: MakeStage, tmp_path: Path) -> None:
    stage = make_stage()
    await Shell(stage, tmp_path, "ask").do("echo seven swans")
    await stage.ask("hello")
    told = str(stage.session.next_request().messages)
    assert "The user ran this command, without you" in told
    assert told.index("seven swans") < told.index("hello")


async def test_what_destroys_is_asked_even_of_the_user(shell: Shell, tmp_path: Path) -> None:
    command = "git clean -xdf; touch made"
    running = asyncio.create_task(shell.do(command))
    await shell.wait_for(PermissionRequested)
    asked = shell.heard(PermissionRequested)[0]
    assert isinstance(asked, PermissionRequested)
    shell.questions.resolve(asked.call_id, Decision(allowed=False))
    await running
    assert not (tmp_path / "made").exists()
    assert user_run_in(shell.note()) == UserRun(command, "Not allowed: the user said no.", is_error=True)


async def test_a_rule_against_the_model_is_not_one_against_the_user(make_stage: MakeStage, tmp_path: Path) -> None:
    shell = Shell(make_stage(), tmp_path, "ask")
    await shell.do("python3 -c 'print(6 * 7)'")
    assert user_run_in(shell.note()) == UserRun("python3 -c 'print(6 * 7)'", "42\n", is_error=False)


async def test_a_stop_ends_it_and_keeps_what_it_said(make_stage: MakeStage, tmp_path: Path) -> None:
    shell = Shell(make_stage(), tmp_path, "ask")
    running = asyncio.create_task(shell.do("echo begun; sleep 60"))
    await shell.wait_for(ToolOutput)
    shell.interruption.raise_()
    await asyncio.wait_for(running, 10)
    ended = shell.events[-1]
    assert isinstance(ended, TurnFinished)
    assert ended.reason == "interrupted"
    assert "begun" in shell.note().text


async def test_a_command_that_fails_says_so(make_stage: MakeStage, tmp_path: Path) -> None:
    shell = Shell(make_stage(), tmp_path, "ask")
    await shell.do("exit 3")
    ran = user_run_in(shell.note())
    assert ran is not None
    assert ran.is_error


def test_of_a_long_output_the_note_keeps_both_ends() -> None:
    note = note_of("yes", Outcome("a" * 50_000 + "z" * 50_000))
    assert len(note) < MOST_TOLD_BYTES + 200
    assert "bytes left out" in note
    assert note.endswith("z")
