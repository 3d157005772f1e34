"""A turn of one call that the user made, not the model; what came of it is told to the model as a note."""

from collections.abc import Callable

from diligent_tui.agent.tool_calls import CallRun
from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.events import ToolCallReady, TurnFailed, TurnFinished, TurnStarted
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.domain.usage import Usage
from diligent_tui.tools.base import Outcome
from diligent_tui.tools.output import HeadTail

MOST_TOLD_BYTES = 8_000
"""Of the output, from both its ends: a note cannot be pruned as a tool's result can."""


async def carry_out(run: CallRun, call: ToolCallBlock, title: str, note_of: Callable[[Outcome], str]) -> None:
    """Be the turn of a run: from its title to its end, with the note saved."""
    turn_id = run.turn_id
    run.hub.publish(TurnStarted(turn_id, title))
    run.hub.publish(ToolCallReady(call.id, call.name, call.input))
    outcome, seconds = await run.carry_out(call, turn_id)
    run.tell(call, outcome, seconds)
    took = None if seconds is None else round(seconds, 3)
    try:
        await run.conversation.add(KnowledgeNoteEntry(text=note_of(outcome), duration_seconds=took), turn_id)
    except StorageError as error:
        run.hub.publish(TurnFailed(turn_id, error.problem))
        return
    reason = "interrupted" if run.interruption.is_raised else "done"
    run.hub.publish(TurnFinished(turn_id, reason, 0, Usage(), 0.0))


def both_ends(output: str) -> str:
    """As much of an output as a note has room for."""
    ends = HeadTail(MOST_TOLD_BYTES)
    ends.feed(output.encode("utf-8", "replace"))
    kept = ends.kept()
    middle = f"\n[… {kept.left_out_bytes:,} bytes left out …]\n" if kept.left_out_bytes else ""
    return f"{kept.head}{middle}{kept.tail}"
