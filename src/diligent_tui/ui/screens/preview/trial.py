"""A compaction being tried out: cut, pins and exclusions as they are wished now, and what they would come to. Pure."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from diligent_tui.compaction.cut_points import CutPoint, moved
from diligent_tui.compaction.fitting import Refusal
from diligent_tui.compaction.views import BlockFate, CompactionWish, Preview, PreviewBlock

Ask = Callable[[CompactionWish, Collection[str]], Preview | Refusal]
"""What a wish would come to, with entries that would be pinned first; quick."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A compaction to carry out, and what to pin before."""

    wish: CompactionWish
    pins: tuple[str, ...] = ()


class Trial:
    """Asks anew at each change; while the answer is a refusal, the blocks of the last preview are shown at the cut."""

    def __init__(self, ask: Ask, wish: CompactionWish) -> None:
        """Try a wish."""
        self._ask = ask
        self.choice = Choice(wish)
        self.preview: Preview | None = None
        self.refusal: Refusal | None = None
        self._cut: CutPoint | None = None
        answer = ask(wish, ())
        if isinstance(answer, Refusal):
            self.refusal = answer
        else:
            self.preview, self._cut = answer, answer.cut
        first: tuple[PreviewBlock, ...] = self.preview.blocks if self.preview else ()
        self._pinned: frozenset[str] = frozenset(block.entry_id for block in first if block.fate == "pinned")
        """What was pinned before anything was tried."""

    @property
    def cut(self) -> CutPoint | None:
        """Where it would be cut now."""
        return self._cut

    @property
    def blocks(self) -> tuple[PreviewBlock, ...]:
        """All blocks, each with its fate as things stand."""
        if self.preview is None:
            return ()
        if self.refusal is None:
            return self.preview.blocks
        return tuple(replace(block, fate=self._fate(block)) for block in self.preview.blocks)

    def move(self, steps: int) -> bool:
        """Move the cut; False if there is no further one."""
        if self.preview is None or self._cut is None:
            return False
        cut = moved(self.preview.cuts, self._cut, steps)
        if cut == self._cut:
            return False
        self._cut = cut
        self._try(replace(self.choice, wish=replace(self.choice.wish, cut=cut)))
        return True

    def toggle_pin(self, block: PreviewBlock) -> str:
        """Pin a block, or not; a sentence if that cannot be."""
        pins = self.choice.pins
        if block.entry_id in self._pinned:
            return "It was pinned before. /pin in the chat takes a pin away."
        others = tuple(pin for pin in pins if pin != block.entry_id)
        chosen = others if block.entry_id in pins else (*pins, block.entry_id)
        excluded = tuple(known for known in self.choice.wish.excluded if known != block.entry_id)
        self._try(Choice(replace(self.choice.wish, excluded=excluded), chosen))
        return ""

    def toggle_excluded(self, block: PreviewBlock) -> str:
        """Leave a block out, or not; a sentence if that cannot be."""
        excluded = self.choice.wish.excluded
        if block.entry_id in excluded:
            chosen = tuple(known for known in excluded if known != block.entry_id)
        elif block.fate == "pinned":
            return "It is pinned; {preview_pin} takes that back first."
        elif block.answers in excluded:
            return "It is left out with its call; {preview_leave_out} there takes both in again."
        elif block.fate != "summarised":
            return "It stays as it is; only what is above the cut can be left out."
        else:
            chosen = (*excluded, block.entry_id)
        self._try(replace(self.choice, wish=replace(self.choice.wish, excluded=chosen)))
        return ""

    def _try(self, choice: Choice) -> None:
        self.choice = choice
        answer = self._ask(choice.wish, choice.pins)
        if isinstance(answer, Refusal):
            self.refusal = answer
        else:
            self.preview, self.refusal, self._cut = answer, None, answer.cut

    def _fate(self, block: PreviewBlock) -> BlockFate:
        cut = self._cut
        if block.entry_id in self.choice.pins or block.entry_id in self._pinned:
            return "pinned"
        if cut is None or block.position >= cut.position or block.entry_id == cut.prompt_id:
            return "pruned" if block.fate == "pruned" else "kept"
        excluded = self.choice.wish.excluded
        return "excluded" if block.entry_id in excluded or block.answers in excluded else "summarised"
