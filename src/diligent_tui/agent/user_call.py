"""A call that the user runs again: under the same rules as the model's, and told to the model as a note."""

import json

from diligent_tui.agent.loop import Desk
from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.events import ToolCallReady, TurnFailed, TurnFinished, TurnStarted
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.domain.usage import Usage
from diligent_tui.tools.base import Outcome
from diligent_tui.tools.output import HeadTail

MOST_TOLD_BYTES = 8_000
"""Of the output, from both its ends: a note cannot be pruned as a tool's result can."""


async def run_again(desk: Desk, name: str, arguments: JsonObject) -> None:
    """Run a call anew in the place of a turn, which has the id of the note that is saved of it."""
    turn_id = desk.conversation.store.new_id()
    run = desk.calls(turn_id)
    # An id of its own: questions and live output must not be taken for those of the call that it repeats.
    call = ToolCallBlock(id=f"again-{turn_id}", name=name, input=arguments)
    tool = run.room.tools.get(name)
    subject = tool.subject(arguments) if tool else ""
    run.hub.publish(TurnStarted(turn_id, f"Run again: {name} {subject}".rstrip()))
    run.hub.publish(ToolCallReady(call.id, name, arguments))
    outcome, seconds = await run.carry_out(call, turn_id)
    run.tell(call, outcome, seconds)
    try:
        await run.conversation.add(KnowledgeNoteEntry(text=f"[note]\n{note_of(call, outcome)}"), turn_id)
    except StorageError as error:
        run.hub.publish(TurnFailed(turn_id, error.problem))
        return
    reason = "interrupted" if run.interruption.is_raised else "done"
    run.hub.publish(TurnFinished(turn_id, reason, 0, Usage(), 0.0))


def note_of(call: ToolCallBlock, outcome: Outcome) -> str:
    """What the model is told of it."""
    ends = HeadTail(MOST_TOLD_BYTES)
    ends.feed(outcome.output.encode("utf-8", "replace"))
    kept = ends.kept()
    middle = f"\n[… {kept.left_out_bytes:,} bytes left out …]\n" if kept.left_out_bytes else ""
    how = "It failed" if outcome.is_error else "It went well"
    arguments = json.dumps(call.input, ensure_ascii=False)
    return f"The user ran this call again, without you: {call.name} {arguments}\n{how}:\n{kept.head}{middle}{kept.tail}"
