"""Row heights with fast sums: which block holds a row, and at which row a block begins."""

from collections.abc import Iterable, Sequence


class Heights:
    """A growing list of heights in rows, kept as a Fenwick tree."""

    __slots__ = ("_tree", "_values", "total")

    def __init__(self, values: Iterable[int] = ()) -> None:
        """Build the tree in one pass over the values."""
        self._values = list(values)
        self._tree: list[int] = []
        self.total = 0
        self._build()

    def __len__(self) -> int:
        """How many heights there are."""
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        """The height at an index."""
        return self._values[index]

    def start(self, index: int) -> int:
        """The sum of all heights before an index."""
        rows = 0
        while index > 0:
            rows += self._tree[index]
            index &= index - 1
        return rows

    def find(self, row: int) -> tuple[int, int]:
        """The index whose rows include this one, and how far into it the row is; heights of 0 are passed over."""
        index, rest = 0, row
        step = 1 << len(self._values).bit_length()
        while step:
            after = index + step
            if after <= len(self._values) and self._tree[after] <= rest:
                index = after
                rest -= self._tree[after]
            step >>= 1
        return index, rest

    def change(self, index: int, rows: int) -> None:
        """Correct one height."""
        difference = rows - self._values[index]
        if not difference:
            return
        self._values[index] = rows
        self.total += difference
        node = index + 1
        while node < len(self._tree):
            self._tree[node] += difference
            node += node & -node

    def append(self, rows: int) -> None:
        """Add one height at the end."""
        self._values.append(rows)
        self.total += rows
        node = len(self._values)
        summed, child = rows, 1
        while child < node & -node:
            summed += self._tree[node - child]
            child <<= 1
        self._tree.append(summed)

    def extend(self, values: Sequence[int]) -> None:
        """Add heights at the end, one by one or, when they are many, by building anew."""
        if len(values) * 8 < len(self._values):
            for rows in values:
                self.append(rows)
        else:
            self._values.extend(values)
            self._build()

    def pop(self) -> None:
        """Take the last height away."""
        self.total -= self._values.pop()
        self._tree.pop()

    def replace(self, values: Iterable[int]) -> None:
        """Begin again with other heights."""
        self._values = list(values)
        self._build()

    def insert(self, index: int, values: Iterable[int]) -> None:
        """Put heights before an index, rebuilding the tree."""
        self._values[index:index] = values
        self._build()

    def _build(self) -> None:
        values = self._values
        self.total = sum(values)
        tree = [0, *values]
        size = len(tree)
        for node in range(1, size):
            parent = node + (node & -node)
            if parent < size:
                tree[parent] += tree[node]
        self._tree = tree
