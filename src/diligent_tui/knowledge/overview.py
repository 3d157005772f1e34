"""All knowledge at a glance: what is told and what found no room, what made each score, and what became of the rest."""

from collections.abc import Callable, Sequence

from diligent_tui.domain.knowledge import KnowledgeEntry, KnowledgePolicy
from diligent_tui.knowledge.injection import choose
from diligent_tui.knowledge.state import KnowledgeState
from diligent_tui.knowledge.views import KnownEntry, Overview


def overview_of(
    states: Sequence[KnowledgeState],
    policy: KnowledgePolicy,
    window_tokens: int,
    is_left_behind: Callable[[KnowledgeEntry], bool] = lambda _: False,
    damaged_elsewhere: int = 0,
) -> Overview:
    """Every entry as it stands now: live ones by rank, then those of the past, the newest first."""
    chosen = choose(states, policy, window_tokens)
    told = {(each.entry.scope, each.entry.id) for each in chosen.inside}
    live = [
        KnownEntry(
            each.entry,
            "live",
            each.explained,
            is_told=(each.entry.scope, each.entry.id) in told,
            is_left_behind=is_left_behind(each.entry),
        )
        for each in chosen.ranked
    ]
    past = [_past(entry, state) for state in states for entry in state.entries.values() if not state.is_live(entry.id)]
    past.sort(key=lambda known: (-known.entry.moment.timestamp(), known.entry.scope, known.entry.id))
    damaged = damaged_elsewhere + sum(state.damaged for state in states)
    return Overview((*live, *past), chosen.tokens, chosen.budget_tokens, damaged)


def _past(entry: KnowledgeEntry, state: KnowledgeState) -> KnownEntry:
    successors = state.superseded_by.get(entry.id, ())
    return KnownEntry(entry, "superseded" if successors else "retracted", superseded_by=successors)
