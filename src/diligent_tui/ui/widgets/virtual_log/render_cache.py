"""The rendered rows kept for blocks seen lately, bounded in rows rather than in blocks."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

RowT = TypeVar("RowT")


@dataclass(slots=True)
class _Rendering(Generic[RowT]):
    look: Hashable
    rows: Sequence[RowT]
    used_in_pass: int


class RenderCache(Generic[RowT]):
    """The latest rows of each block, longest unused first to go; a screen's own blocks stay whatever their size."""

    def __init__(self, limit_rows: int) -> None:
        """Keep at most this many rows, unless one screen's blocks alone have more."""
        self.rows = 0
        self._limit_rows = limit_rows
        self._pass = 0
        self._renderings: OrderedDict[str, _Rendering[RowT]] = OrderedDict()

    def __len__(self) -> int:
        """How many renderings are kept."""
        return len(self._renderings)

    def begin_pass(self) -> None:
        """Begin another pass over the screen: what earlier ones used may go again."""
        self._pass += 1

    def get(self, block_id: str, look: Hashable) -> Sequence[RowT] | None:
        """The rows of a block if they were rendered for this version, width and whatever else the look depends on."""
        found = self._renderings.get(block_id)
        if found is None or found.look != look:
            return None
        found.used_in_pass = self._pass
        self._renderings.move_to_end(block_id)
        return found.rows

    def put(self, block_id: str, look: Hashable, rows: Sequence[RowT]) -> None:
        """Keep the rows of a block, letting the longest unused of others go."""
        self._discard(block_id)
        self._renderings[block_id] = _Rendering(look, rows, self._pass)
        self.rows += _cost(rows)
        while self.rows > self._limit_rows:
            oldest = next(iter(self._renderings))
            if self._renderings[oldest].used_in_pass == self._pass:
                return
            self._discard(oldest)

    def clear(self) -> None:
        """Forget everything."""
        self._renderings.clear()
        self.rows = 0

    def _discard(self, block_id: str) -> None:
        found = self._renderings.pop(block_id, None)
        if found is not None:
            self.rows -= _cost(found.rows)


def _cost(rows: Sequence[object]) -> int:
    # An empty rendering takes room too.
    return max(1, len(rows))
