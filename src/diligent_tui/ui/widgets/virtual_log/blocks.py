"""The ordered blocks of a log, with heights that are guessed until a block is first drawn."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from diligent_tui.ui.widgets.virtual_log.heights import Heights


class LogBlock(Protocol):
    """What the log must know of a block; what it shows is its renderer's affair."""

    @property
    def id(self) -> str:
        """Which block this is, for as long as the log lives."""
        ...

    @property
    def version(self) -> int:
        """Another number for every other content."""
        ...


BlockT = TypeVar("BlockT", bound=LogBlock)


class Place(NamedTuple):
    """A row of the log: which block, and which line of it."""

    block_index: int
    line: int


class BlockList(Generic[BlockT]):
    """Blocks in order, each findable by id and by row."""

    def __init__(
        self,
        estimate: Callable[[BlockT, int, bool], int],
        measure: Callable[[BlockT, int, bool], int],
        starts_folded: Callable[[BlockT], bool],
    ) -> None:
        """Take how to guess and how to find the rows of a block at a width, open or folded."""
        self.width = 0
        self._estimate = estimate
        self._measure = measure
        self._starts_folded = starts_folded
        self._blocks: list[BlockT] = []
        self._heights = Heights()
        self._measured = bytearray()
        self._folded: set[str] = set()
        # Slots are consecutive in block order and survive appending and prepending, so they serve as index and as a
        # stable name of a row for as long as nothing is put or taken in the middle.
        self._slots: dict[str, int] = {}
        self._first_slot = 0

    def __len__(self) -> int:
        """How many blocks there are."""
        return len(self._blocks)

    def __getitem__(self, index: int) -> BlockT:
        """The block at an index."""
        return self._blocks[index]

    def __contains__(self, block_id: object) -> bool:
        """Whether a block of this id is here."""
        return block_id in self._slots

    @property
    def blocks(self) -> Sequence[BlockT]:
        """All blocks in order, to look at only."""
        return self._blocks

    @property
    def total_rows(self) -> int:
        """All rows, the guessed ones included."""
        return self._heights.total

    def index_of(self, block_id: str) -> int | None:
        """Where the block of this id stands."""
        slot = self._slots.get(block_id)
        return None if slot is None else slot - self._first_slot

    def slot(self, index: int) -> int:
        """A number for the block that appending and prepending do not change."""
        return index + self._first_slot

    def index_of_slot(self, slot: int) -> int | None:
        """Where the block of this slot stands now."""
        index = slot - self._first_slot
        return index if 0 <= index < len(self._blocks) else None

    def start(self, index: int) -> int:
        """The row at which a block begins."""
        return self._heights.start(index)

    def height(self, index: int) -> int:
        """The rows of a block, guessed or measured."""
        return self._heights[index]

    def end(self, index: int) -> int:
        """The row after a block's last."""
        return self._heights.start(index) + self._heights[index]

    def is_measured(self, index: int) -> bool:
        """Whether the height at this width is known."""
        return bool(self._measured[index])

    def is_folded(self, block_id: str) -> bool:
        """Whether the block is folded."""
        return block_id in self._folded

    def at(self, row: int) -> Place:
        """The block and line at a row; rows outside give the nearest."""
        if not self._blocks or self._heights.total == 0:
            return Place(0, 0)
        return Place(*self._heights.find(max(0, min(row, self._heights.total - 1))))

    def measure(self, index: int) -> int:
        """The true height of a block, found when it is first asked for."""
        if not self._measured[index]:
            block = self._blocks[index]
            self._heights.change(index, max(0, self._measure(block, self.width, block.id in self._folded)))
            self._measured[index] = 1
        return self._heights[index]

    def insert(self, index: int, blocks: Iterable[BlockT]) -> Sequence[BlockT]:
        """Put blocks before an index; a known id is replaced where it stands. Returns those that were new."""
        found: dict[str, BlockT] = {}
        for block in blocks:
            if block.id in self._slots:
                self.replace(block)
            else:
                found[block.id] = block
        fresh = list(found.values())
        if not fresh:
            return fresh
        self._folded.update([block.id for block in fresh if self._starts_folded(block)])
        heights = self._guess(fresh)
        if index == len(self._blocks):
            self._add_at_end(fresh, heights)
            return fresh
        self._blocks[index:index] = fresh
        self._measured[index:index] = bytes(len(fresh))
        self._heights.insert(index, heights)
        if index == 0:
            self._first_slot -= len(fresh)
            self._slots.update({block.id: self._first_slot + i for i, block in enumerate(fresh)})
        else:
            self._renumber()
        return fresh

    def replace(self, block: BlockT) -> None:
        """Show another content for a known id."""
        index = self._slots[block.id] - self._first_slot
        self._blocks[index] = block
        self._forget_height(index)

    def set_folded(self, block_id: str, folded: bool) -> bool:
        """Fold or open a block; says whether that changed anything."""
        index = self.index_of(block_id)
        if index is None or (block_id in self._folded) == folded:
            return False
        if folded:
            self._folded.add(block_id)
        else:
            self._folded.discard(block_id)
        self._forget_height(index)
        return True

    def remove(self, block_ids: Collection[str]) -> None:
        """Take blocks away; unknown ids are passed over."""
        gone = {block_id for block_id in block_ids if block_id in self._slots}
        self._folded -= gone
        while gone and self._blocks[-1].id in gone:
            block = self._blocks.pop()
            gone.discard(block.id)
            del self._slots[block.id]
            self._measured.pop()
            self._heights.pop()
        if gone:
            kept = [i for i, block in enumerate(self._blocks) if block.id not in gone]
            self._heights.replace([self._heights[i] for i in kept])
            self._measured = bytearray([self._measured[i] for i in kept])
            self._blocks = [self._blocks[i] for i in kept]
            self._renumber()

    def clear(self) -> None:
        """Take all blocks away."""
        self._blocks.clear()
        self._slots.clear()
        self._folded.clear()
        self._measured.clear()
        self._heights.replace(())

    def rewrap(self, width_cells: int) -> None:
        """Guess all heights anew for another width; it is 0 until first told."""
        self.width = max(1, width_cells)
        self._measured = bytearray(len(self._blocks))
        self._heights.replace(self._guess(self._blocks))

    def _add_at_end(self, fresh: Sequence[BlockT], heights: Sequence[int]) -> None:
        slot = self._first_slot + len(self._blocks)
        self._slots.update({block.id: slot + i for i, block in enumerate(fresh)})
        self._measured.extend(bytes(len(fresh)))
        self._blocks.extend(fresh)
        self._heights.extend(heights)

    def _guess(self, blocks: Sequence[BlockT]) -> Sequence[int]:
        if not self.width:
            # Nothing is shown before there is a width, and then all is guessed anyway.
            return [1] * len(blocks)
        estimate, width, folded = self._estimate, self.width, self._folded
        return [max(0, estimate(block, width, block.id in folded)) for block in blocks]

    def _forget_height(self, index: int) -> None:
        self._measured[index] = 0
        self._heights.change(index, self._guess(self._blocks[index : index + 1])[0])

    def _renumber(self) -> None:
        self._slots = {block.id: self._first_slot + i for i, block in enumerate(self._blocks)}
