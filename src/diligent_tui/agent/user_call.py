"""A call that the user runs again: under the same rules as the model's, and told to the model as a note."""

import json

from diligent_tui.agent.loop import Desk
from diligent_tui.agent.user_turn import both_ends, carry_out
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.tools.base import Outcome


async def run_again(desk: Desk, name: str, arguments: JsonObject) -> None:
    """Run a call anew in the place of a turn, which has the id of the note that is saved of it."""
    turn_id = desk.conversation.store.new_id()
    run = desk.calls(turn_id)
    # An id of its own: questions and live output must not be taken for those of the call that it repeats.
    call = ToolCallBlock(id=f"again-{turn_id}", name=name, input=arguments)
    tool = run.room.tools.get(name)
    subject = tool.subject(arguments) if tool else ""
    title = f"Run again: {name} {subject}".rstrip()
    await carry_out(run, call, title, lambda outcome: f"[note]\n{note_of(call, outcome)}")


def note_of(call: ToolCallBlock, outcome: Outcome) -> str:
    """What the model is told of it."""
    how = "It failed" if outcome.is_error else "It went well"
    arguments = json.dumps(call.input, ensure_ascii=False)
    told = both_ends(outcome.output)
    return f"The user ran this call again, without you: {call.name} {arguments}\n{how}:\n{told}"
