"""Whether the next request needs pruning or compaction first, looking one turn ahead."""

from collections.abc import Sequence
from statistics import median
from typing import Literal

from diligent_tui.compaction.cut_points import is_prompt_entry
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.sizes import Sizes
from diligent_tui.session.effective import Digested, Item, Verbatim

Need = Literal["nothing", "prune", "compact"]
TURNS_LOOKED_AT = 5


def need_of(
    policy: CompactionPolicy,
    context_tokens: int,
    window_tokens: int,
    output_tokens: int,
    overhead_tokens: int,
    *,
    usual_turn_tokens: int = 0,
    starts_turn: bool = False,
) -> Need:
    """What must be done before a request of that size is sent.

    Between turns a session's usual growth counts as if it were there already, so that compaction does not come in the
    middle of work. A context that is no larger than what a compaction leaves is let be: it would not get smaller.
    """
    if not policy.is_automatic:
        return "nothing"
    limit = policy.compact_over(window_tokens, output_tokens)
    if context_tokens > limit:
        return "compact"
    room = max(0, window_tokens - overhead_tokens)
    is_worth_it = context_tokens > overhead_tokens + room * policy.result_share_of_room
    if starts_turn and is_worth_it and context_tokens + usual_turn_tokens > limit:
        return "compact"
    return "prune" if policy.prunes and context_tokens >= policy.prune_at(window_tokens) else "nothing"


def usual_turn_tokens(items: Sequence[Item], sizes: Sizes) -> int:
    """How much a turn of this session adds: the median of the last few finished ones, none if there are too few."""
    turns: list[int] = []
    tokens = 0
    for item in reversed(items):
        if not isinstance(item, Verbatim | Digested):
            break
        tokens += sizes.entry(item.entry_id)
        if is_prompt_entry(sizes.lookup(item.entry_id)):
            turns.append(tokens)
            tokens = 0
        if len(turns) > TURNS_LOOKED_AT:
            break
    finished = turns[1:]
    return int(median(finished)) if len(finished) > 1 else 0
