"""Takes entries from elsewhere into a knowledge file: what is known stays as it is, and secrets stay outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.knowledge.admission import admit
from diligent_tui.knowledge.state import KnowledgeState
from diligent_tui.knowledge.words import normalised

PASSING_ID = "item."
"""How the id of an item begins that had none."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do: entries to add, and how many are known, refused or damaged."""

    new: tuple[KnowledgeEntry, ...]
    known: int
    refused: tuple[str, ...]
    """Why entries may not be kept, in sentences that do not repeat them."""
    damaged: int


def plan_import(
    source: KnowledgeState, here: Sequence[KnowledgeState], now: datetime, tell: Tell = tell_nobody
) -> ImportPlan:
    """Choose what of a file is new here; only what holds there is taken, and nothing from the future."""
    said = {normalised(entry.content) for state in here for entry in state.live}
    taken = {entry_id for state in here for entry_id in state.entries}
    new: list[KnowledgeEntry] = []
    refused: list[str] = []
    known = 0
    live = source.live
    for number, entry in enumerate(live):
        tell(number, len(live))
        if normalised(entry.content) in said or entry.id in taken:
            known += 1
            continue
        is_passing = entry.id.startswith(PASSING_ID)
        draft = entry.model_copy(
            update={
                "id": "" if is_passing else entry.id,
                "timestamp": "" if is_passing or entry.moment > now else entry.timestamp,
                "supersedes": None,
                "pinned": entry.id in source.pinned,
            }
        )
        try:
            new.append(admit(draft))
            said.add(normalised(entry.content))
        except StorageError as error:
            refused.append(error.message)
    return ImportPlan(tuple(new), known, tuple(refused), source.damaged)


def still_new(plan: ImportPlan, here: KnowledgeState) -> tuple[KnowledgeEntry, ...]:
    """What of a plan nobody has written meanwhile."""
    said = {normalised(entry.content) for entry in here.live}
    return tuple(entry for entry in plan.new if entry.id not in here.entries and normalised(entry.content) not in said)
