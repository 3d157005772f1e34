"""Plans a compaction and puts its entry together: the one place where cut, budgets, ledger and size meet. Pure.

plan = plan_compaction(…)        a Plan, or a Refusal that says why there is none
… a summary is written for plan.span, or truncated …
made = compaction_entry(plan, …)   the entry to save, with the ledger and the size it leads to
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from diligent_tui.compaction.coverage import CoverageReport
from diligent_tui.compaction.cut_points import CutPoint, legal_cuts
from diligent_tui.compaction.facts import Facts, facts_of, joined
from diligent_tui.compaction.fitting import Ground, Refusal, entry_ids
from diligent_tui.compaction.ledgers import facts_in, write_ledger
from diligent_tui.compaction.policy import Budgets, CompactionPolicy
from diligent_tui.compaction.pruning import PrunePlan
from diligent_tui.compaction.sizes import PAIR_FRAME_BYTES, Sizes
from diligent_tui.compaction.span import Span, calls_answered, span_of
from diligent_tui.compaction.truncation import prefix_within
from diligent_tui.domain.entries import CompactionDetails, CompactionEntry, Entry, TurnPrefix
from diligent_tui.session.effective import Item, Lookup


@dataclass(frozen=True, slots=True)
class Plan:
    """A compaction that will fit: where it cuts, what it covers, and what each part may take."""

    cut: CutPoint
    cuts: tuple[CutPoint, ...]
    """All legal cuts, for the preview."""
    span: Span
    squeeze: PrunePlan
    """Outputs of the tail that must go as well; saved as a prune entry before the compaction."""
    budgets: Budgets
    items: tuple[Item, ...]
    """The sequence it was made for."""
    tail_tokens: int
    pins_tokens: int
    overhead_tokens: int
    tokens_before: int
    excluded: tuple[str, ...] = ()


def plan_compaction(
    items: Sequence[Item],
    sizes: Sizes,
    policy: CompactionPolicy,
    window_tokens: int,
    overhead_tokens: int,
    *,
    pinned: Collection[str] = (),
    excluded: Sequence[str] = (),
    cut_at: CutPoint | None = None,
) -> Plan | Refusal:
    """The best compaction of a sequence, or the one that cuts where the user says."""
    cuts = legal_cuts(items, sizes)
    if not cuts:
        return Refusal(
            "nothing_to_compact",
            "There is nothing before the cut: the newest turn is all there is.",
            "Go on; there will be more to compact later.",
        )
    ground = Ground(items, sizes, policy, window_tokens, overhead_tokens, frozenset(pinned))
    fit = ground.at(cut_at) if cut_at else ground.best(cuts)
    if isinstance(fit, Refusal):
        return fit
    covered = items[: fit.cut.position]
    left_out = _left_out(covered, sizes.lookup, excluded, pinned)
    return Plan(
        cut=fit.cut,
        cuts=cuts,
        span=span_of(covered, sizes.lookup, left_out),
        squeeze=fit.squeeze,
        budgets=fit.budgets,
        items=tuple(items),
        tail_tokens=fit.cut.kept_tokens - fit.squeeze.tokens_saved,
        pins_tokens=fit.pins_tokens,
        overhead_tokens=overhead_tokens,
        tokens_before=overhead_tokens + fit.cut.covered_tokens + fit.cut.kept_tokens,
        excluded=left_out,
    )


def facts_for(plan: Plan, sizes: Sizes, policy: CompactionPolicy, earlier: Iterable[Entry] | None = None) -> Facts:
    """The facts of what a plan covers: of whole outputs and not of digests, joined to those of the summary before it.

    `earlier` are the entries that the active summary covers already: with them everything is made from the log itself;
    without, from what the previous ledger says. They are taken one by one, so that they need not all be in memory.
    """
    covered, tail = plan.items[: plan.cut.position], plan.items[plan.cut.position :]
    entries = [sizes.lookup(entry_id) for entry_id in entry_ids(covered)]
    later = [sizes.lookup(entry_id) for entry_id in entry_ids(tail)]
    kept = {plan.cut.prompt_id} if plan.cut.prompt_id else set[str]()
    previous = plan.span.previous
    if previous is None or earlier is not None:
        return joined(Facts(), facts_of(chain(earlier or (), entries), later, kept), policy.most_details)
    files = Facts(read=previous.details.read_files, changed=previous.details.modified_files)
    before = joined(facts_in(previous.ledger), files, policy.most_details)
    return joined(before, facts_of(entries, later, kept), policy.most_details)


def compaction_entry(
    plan: Plan,
    facts: Facts,
    sizes: Sizes,
    policy: CompactionPolicy,
    summary: str,
    turn_prefix: str,
    *,
    strategy: str,
    reason: str,
    focus: str = "",
    coverage: CoverageReport | None = None,
    anchor_id: str = "",
) -> CompactionEntry:
    """The entry to save; its size depends on budgets and figures, never on how much it covers.

    `anchor_id` is the prune entry saved just before it (empty or not), for a cut that keeps only the prompt.
    """
    ledger = write_ledger(facts, plan.budgets.ledger_tokens, sizes.tokens_of)
    told = prefix_within(turn_prefix, plan.budgets.prefix_tokens, sizes.tokens_of)
    prefix = TurnPrefix(prompt_id=plan.cut.prompt_id, summary=told) if plan.cut.prompt_id else None
    return CompactionEntry(
        summary=summary,
        first_kept_entry_id=plan.cut.first_kept_id or anchor_id,
        tokens_before=plan.tokens_before,
        tokens_after=tokens_after(plan, sizes, summary, ledger, told),
        details=CompactionDetails(
            read_files=facts.read[-policy.most_details :],
            modified_files=facts.changed[-policy.most_details :],
        ),
        strategy=strategy,
        reason=reason,
        focus=focus or None,
        ledger=ledger,
        turn_prefix=prefix,
        excluded=plan.excluded[-policy.most_details :],
        coverage=coverage.counts() if coverage else None,
    )


def _left_out(
    covered: Sequence[Item], lookup: Lookup, excluded: Collection[str], pinned: Collection[str]
) -> tuple[str, ...]:
    """What of the covered entries nobody is told of, in order: what the user said, and the results of its calls.

    A pinned result stays, for it is told in any case.
    """
    if not excluded:
        return ()
    ids = list(entry_ids(covered))
    answered = calls_answered(lookup(entry_id) for entry_id in ids)
    return tuple(
        entry_id
        for entry_id in ids
        if entry_id in excluded or (answered.get(entry_id) in excluded and entry_id not in pinned)
    )


def shrinks(plan: Plan, entry: CompactionEntry, policy: CompactionPolicy) -> bool:
    """Whether a compaction is worth saving: smaller than what it replaces, or it frees outputs of the tail."""
    freed = plan.tokens_before - (entry.tokens_after or 0)
    replaced = plan.cut.covered_tokens + plan.squeeze.tokens_saved
    return freed >= replaced * policy.least_shrink_share and freed > 0


def tokens_after(plan: Plan, sizes: Sizes, summary: str, ledger: str, turn_prefix: str = "") -> int:
    """The size of the context that a plan leads to with these texts."""
    texts = sizes.text(summary) + sizes.text(ledger) + (sizes.text(turn_prefix) if plan.cut.prompt_id else 0)
    frame = sizes.tokens_of(PAIR_FRAME_BYTES)
    return plan.overhead_tokens + frame + plan.pins_tokens + texts + plan.tail_tokens
