"""Finds the cut after which a context fits: the longest tail that may stay, or a refusal that says why none can."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from diligent_tui.compaction.cut_points import CutPoint, choose_cut
from diligent_tui.compaction.policy import Budgets, CompactionPolicy, budgets
from diligent_tui.compaction.pruning import NOTHING_TO_PRUNE, PrunePlan, plan_squeeze
from diligent_tui.compaction.sizes import PAIR_FRAME_BYTES, Sizes
from diligent_tui.session.effective import CutTurn, Digested, Item, SummaryPair, Verbatim

RefusalKind = Literal["nothing_to_compact", "no_room", "pins_too_large", "tail_too_large"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a context cannot be compacted, and what to do about it."""

    kind: RefusalKind
    message: str
    advice: str
    over_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """A cut that fits, with what each part may take and which outputs of the tail must go."""

    cut: CutPoint
    budgets: Budgets
    pins_tokens: int
    squeeze: PrunePlan = NOTHING_TO_PRUNE


@dataclass(frozen=True, slots=True)
class Ground:
    """All that decides whether a cut fits."""

    items: Sequence[Item]
    sizes: Sizes
    policy: CompactionPolicy
    window_tokens: int
    overhead_tokens: int
    pinned: frozenset[str]

    def best(self, cuts: Sequence[CutPoint]) -> Fit | Refusal:
        """The longest tail within its budget, else a shorter one with its outputs squeezed, else the prompt alone."""
        fit = self._with_pins(cuts)
        over = fit.cut.kept_tokens - fit.budgets.most_keep_tokens
        if over <= 0:
            return fit
        squeeze = plan_squeeze(self.items[fit.cut.position :], self.sizes, self.policy, over, pinned=self.pinned)
        if squeeze.tokens_saved >= over:
            return replace(fit, squeeze=squeeze)
        last = self._fit(cuts[-1])
        over = last.cut.kept_tokens - last.budgets.most_keep_tokens
        return last if over <= 0 else self._refusal(last, over)

    def at(self, cut: CutPoint) -> Fit | Refusal:
        """A cut that the user chose: it may leave more than we would, as long as a request still fits."""
        fit = self._fit(cut)
        most = self.policy.compact_over(self.window_tokens, 0) - self.overhead_tokens
        over = cut.kept_tokens - fit.budgets.most_keep_tokens - max(0, most - fit.budgets.result_tokens)
        return fit if over <= 0 else self._refusal(fit, over)

    def _with_pins(self, cuts: Sequence[CutPoint]) -> Fit:
        """A shorter tail covers more pins, whose quotes shorten it again: it moves on until it stands."""
        # Of a short talk, which would fit whole, half is summarised: who asks for a compaction wants a smaller context.
        most = (cuts[0].covered_tokens + cuts[0].kept_tokens) // 2
        fit = self._fit(choose_cut(cuts, min(most, self._budgets(0).keep_tokens)) or cuts[-1])
        for _ in cuts:
            cut = choose_cut(cuts, min(most, fit.budgets.keep_tokens)) or cuts[-1]
            if cut.position <= fit.cut.position:
                break
            fit = self._fit(cut)
        return fit

    def _fit(self, cut: CutPoint) -> Fit:
        pins_tokens = _pins_under(self.items, cut, self.sizes, self.pinned)
        return Fit(cut, self._budgets(pins_tokens), pins_tokens)

    def _budgets(self, pins_tokens: int) -> Budgets:
        frame_tokens = self.sizes.tokens_of(PAIR_FRAME_BYTES)
        return budgets(self.policy, self.window_tokens, self.overhead_tokens, pins_tokens + frame_tokens)

    def _refusal(self, fit: Fit, over: int) -> Refusal:
        most_pins = self.policy.pins_tokens(self.window_tokens, self.overhead_tokens)
        if fit.pins_tokens > most_pins:
            return Refusal(
                "pins_too_large",
                f"The pinned entries take {fit.pins_tokens:,} tokens of every request; {most_pins:,} fit.",
                "Unpin some of them, then compact again.",
                over,
            )
        if self._budgets(0).most_keep_tokens <= 0:
            return Refusal(
                "no_room",
                f"System prompt and tools take {self.overhead_tokens:,} of {self.window_tokens:,} tokens.",
                "Choose a model with a larger window, or shorten the project's instructions.",
                over,
            )
        most = max(0, fit.cut.kept_tokens - over)
        return Refusal(
            "tail_too_large",
            f"What must stay, the newest prompt above all, is {over:,} tokens over the {most:,} that may stay.",
            "Move the cut down, send a shorter prompt, or choose a model with a larger window.",
            over,
        )


def _pins_under(items: Sequence[Item], cut: CutPoint, sizes: Sizes, pinned: Collection[str]) -> int:
    """Tokens of the pins that will be quoted once everything before the cut is covered."""
    quoted: set[str] = set()
    for item in items[: cut.position]:
        if isinstance(item, SummaryPair):
            quoted.update(item.pinned_ids)
    quoted.update(entry_id for entry_id in entry_ids(items[: cut.position]) if entry_id in pinned)
    return sum(sizes.quote(entry_id) for entry_id in quoted if entry_id != cut.prompt_id)


def entry_ids(items: Sequence[Item]) -> list[str]:
    """The entries that items show, in order."""
    ids: list[str] = []
    for item in items:
        match item:
            case CutTurn():
                ids.append(item.prompt_id)
            case Verbatim() | Digested():
                ids.append(item.entry_id)
            case SummaryPair():
                pass
    return ids
