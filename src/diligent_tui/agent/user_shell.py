"""A command that the user runs: in the agent's own shell and sandbox, unasked, and told to the model as a note."""

from dataclasses import replace

from diligent_tui.agent.admission import Admission, Judged
from diligent_tui.agent.loop import Desk
from diligent_tui.agent.tool_calls import CallRun
from diligent_tui.agent.user_turn import both_ends, carry_out
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.user_run import OWN_CALL, SIGN, UserRun
from diligent_tui.tools.base import Outcome, Tool, Workplace

SHELL = "bash"


class OwnAct(Admission):
    """Judges what the user does with their own hand: nothing is asked but whether to destroy."""

    def judge(self, tool: Tool, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Judged:
        """As in full mode, whatever mode and rules hold for the model; the network is part of the user's own yes."""
        alone = {name: value for name, value in arguments.items() if name != "network"}
        return replace(super().judge(tool, alone, "full", workplace), needs_yes=True)


async def run_for_user(desk: Desk, command: str) -> None:
    """Run a command in the place of a turn, which has the id of the note that is saved of it."""
    turn_id = desk.conversation.store.new_id()
    await run_command(desk.calls(turn_id), command)


async def run_command(run: CallRun, command: str) -> None:
    """Run a command as the one call of a turn."""
    own = replace(run, room=replace(run.room, admission=OwnAct()))
    call = ToolCallBlock(id=f"{OWN_CALL}{run.turn_id}", name=SHELL, input={"command": command, "network": True})
    await carry_out(own, call, f"{SIGN}{command}", lambda outcome: note_of(command, outcome))


def note_of(command: str, outcome: Outcome) -> str:
    """What the model is told of it."""
    return UserRun(command, both_ends(outcome.output), outcome.is_error).note
