"""How much room a summary has: its budget, and no more than leaves the compaction worth its while."""

from dataclasses import dataclass, replace

from diligent_tui.compaction.ledgers import write_ledger
from diligent_tui.compaction.planning import Plan
from diligent_tui.compaction.sizes import PAIR_FRAME_BYTES
from diligent_tui.compaction.strategies.base import Job, NotWorthIt

LEAST_SUMMARY_BYTES = 420
"""Eight headings with hardly a word under each."""
LEDGER_SHARE_WHEN_TIGHT = 0.2
PREFIX_SHARE_WHEN_TIGHT = 0.1


@dataclass(frozen=True, slots=True)
class Room:
    """A plan whose budgets leave a gain, and how much of it the summary may take."""

    plan: Plan
    summary_tokens: int
    beside_tokens: int
    """What stands beside the summary at most: frame, pins, ledger and what is told of a cut turn."""
    replaced_tokens: int

    @property
    def prefix_tokens(self) -> int:
        """What may be told of a cut turn."""
        return self.plan.budgets.prefix_tokens if self.plan.cut.prompt_id else 0


def room_for(job: Job) -> Room:
    """The room for a job's summary; where little is replaced the ledger gives way first, then it is refused."""
    least_tokens = job.sizes.tokens_of(LEAST_SUMMARY_BYTES)
    for room in (_room(job, job.plan), _room(job, _tight(job.plan))):
        if room.summary_tokens >= least_tokens:
            return room
    raise NotWorthIt(f"Only about {_replaced(job.plan):,} tokens could be replaced; a summary would hardly be shorter.")


def _room(job: Job, plan: Plan) -> Room:
    replaced = _replaced(plan)
    ledger_tokens = job.sizes.text(write_ledger(job.facts, plan.budgets.ledger_tokens, job.sizes.tokens_of))
    prefix_tokens = plan.budgets.prefix_tokens if plan.cut.prompt_id else 0
    beside = job.sizes.tokens_of(PAIR_FRAME_BYTES) + plan.pins_tokens + ledger_tokens + prefix_tokens
    # One token less, for what is rounded down here is rounded up there.
    left = int(replaced * (1 - job.policy.least_shrink_share)) - beside - 1
    return Room(plan, min(plan.budgets.summary_tokens, left), beside, replaced)


def _tight(plan: Plan) -> Plan:
    replaced = _replaced(plan)
    budgets = replace(
        plan.budgets,
        ledger_tokens=min(plan.budgets.ledger_tokens, int(replaced * LEDGER_SHARE_WHEN_TIGHT)),
        prefix_tokens=min(plan.budgets.prefix_tokens, int(replaced * PREFIX_SHARE_WHEN_TIGHT)),
    )
    return replace(plan, budgets=budgets)


def _replaced(plan: Plan) -> int:
    return plan.cut.covered_tokens + plan.squeeze.tokens_saved
