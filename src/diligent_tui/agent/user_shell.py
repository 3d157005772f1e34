"""A command that the user runs: in the agent's own shell and sandbox, unasked, and told to the model as a note."""

from dataclasses import replace

from diligent_tui.agent.admission import Admission, Judged
from diligent_tui.agent.loop import Desk
from diligent_tui.agent.tool_calls import CallRun
from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.events import ToolCallReady, TurnFailed, TurnFinished, TurnStarted
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.usage import Usage
from diligent_tui.domain.user_run import OWN_CALL, SIGN, UserRun
from diligent_tui.tools.base import Outcome, Tool, Workplace
from diligent_tui.tools.output import HeadTail

SHELL = "bash"
MOST_TOLD_BYTES = 8_000
"""Of the output, from both its ends: a note cannot be pruned as a tool's result can."""


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
    turn_id = run.turn_id
    own = replace(run, room=replace(run.room, admission=OwnAct()))
    call = ToolCallBlock(id=f"{OWN_CALL}{turn_id}", name=SHELL, input={"command": command, "network": True})
    run.hub.publish(TurnStarted(turn_id, f"{SIGN}{command}"))
    run.hub.publish(ToolCallReady(call.id, call.name, call.input))
    outcome, seconds = await own.carry_out(call, turn_id)
    run.tell(call, outcome, seconds)
    try:
        await run.conversation.add(KnowledgeNoteEntry(text=note_of(command, outcome)), turn_id)
    except StorageError as error:
        run.hub.publish(TurnFailed(turn_id, error.problem))
        return
    reason = "interrupted" if run.interruption.is_raised else "done"
    run.hub.publish(TurnFinished(turn_id, reason, 0, Usage(), 0.0))


def note_of(command: str, outcome: Outcome) -> str:
    """What the model is told of it."""
    ends = HeadTail(MOST_TOLD_BYTES)
    ends.feed(outcome.output.encode("utf-8", "replace"))
    kept = ends.kept()
    middle = f"\n[… {kept.left_out_bytes:,} bytes left out …]\n" if kept.left_out_bytes else ""
    return UserRun(command, f"{kept.head}{middle}{kept.tail}", outcome.is_error).note
