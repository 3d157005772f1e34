"""What a compaction would do, block by block, before it is done. Pure."""

from collections.abc import Collection, Sequence

from diligent_tui.compaction.fitting import Refusal, entry_ids
from diligent_tui.compaction.planning import Plan, plan_compaction
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.sizes import PAIR_FRAME_BYTES, Sizes
from diligent_tui.compaction.span import calls_answered
from diligent_tui.compaction.views import BlockFate, CompactionWish, Preview, PreviewBlock
from diligent_tui.domain.speech import speech_of
from diligent_tui.session.effective import CutTurn, Digested, Item, SummaryPair

WORDS_CHARS = 400
"""So much of a block is shown; its whole text is in the chat."""
USUAL_SHRINK = 4
"""Summary and ledger of a short span are about a fourth of it; those of a long one fill their budget."""


def preview_of(
    items: Sequence[Item],
    sizes: Sizes,
    policy: CompactionPolicy,
    window_tokens: int,
    overhead_tokens: int,
    wish: CompactionWish,
    pinned: Collection[str],
) -> Preview | Refusal:
    """The compaction that this wish would lead to; how long its summary will be is a guess."""
    plan = plan_compaction(
        items,
        sizes,
        policy,
        window_tokens,
        overhead_tokens,
        pinned=pinned,
        excluded=wish.excluded,
        cut_at=wish.cut,
    )
    if isinstance(plan, Refusal):
        return plan
    return Preview(
        blocks=tuple(_blocks(plan, sizes, frozenset(pinned))),
        cuts=plan.cuts,
        cut=plan.cut,
        overhead_tokens=overhead_tokens,
        tokens_before=plan.tokens_before,
        tokens_after=guessed_after(plan, sizes),
        limit_tokens=window_tokens,
        has_summary=any(isinstance(item, SummaryPair) for item in items),
    )


def guessed_after(plan: Plan, sizes: Sizes) -> int:
    """About what a compaction would come to: nobody knows yet how long its summary will be."""
    room = plan.budgets
    texts = room.summary_tokens + room.ledger_tokens + (room.prefix_tokens if plan.cut.prompt_id else 0)
    written = min(texts, plan.cut.covered_tokens // USUAL_SHRINK)
    return plan.overhead_tokens + sizes.tokens_of(PAIR_FRAME_BYTES) + plan.pins_tokens + written + plan.tail_tokens


def _blocks(plan: Plan, sizes: Sizes, pinned: frozenset[str]) -> list[PreviewBlock]:
    squeezed = {item.target_id for item in plan.squeeze.items}
    answered = calls_answered(sizes.lookup(entry_id) for entry_id in entry_ids(plan.items))
    excluded = frozenset(plan.excluded)
    blocks: list[PreviewBlock] = []
    for position, item in enumerate(plan.items):
        if isinstance(item, SummaryPair):
            continue
        entry_id = item.prompt_id if isinstance(item, CutTurn) else item.entry_id
        speech = speech_of(sizes.lookup(entry_id))
        is_kept = position >= plan.cut.position or entry_id == plan.cut.prompt_id
        fate: BlockFate = "kept"
        if entry_id in pinned:
            fate = "pinned"
        elif not is_kept:
            fate = "excluded" if entry_id in excluded else "summarised"
        elif isinstance(item, Digested) or entry_id in squeezed:
            fate = "pruned"
        words = speech.words[:WORDS_CHARS]
        answers = answered.get(entry_id, "")
        blocks.append(PreviewBlock(entry_id, speech.who, words, sizes.item(item), fate, position, answers))
    return blocks
