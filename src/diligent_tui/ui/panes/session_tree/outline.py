"""The session's tree as a flat list of rows, indented only at forks; nothing is decoded and nothing is quadratic."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from diligent_tui.session.tree import Node, Tree
from diligent_tui.ui.panes.session_tree.visibility import Filter, calls_tools, judge_for

MOST_ADDED_SINGLY = 500
"""Beyond so many new entries at once, building anew is quicker."""


@dataclass(slots=True)
class Branch:
    """A stretch of rows from a fork to the next; the trunk, before the first fork, has depth 0."""

    start_id: str
    parent: "Branch | None"
    depth: int
    is_last: bool
    label: str = ""
    prompt_id: str | None = None
    """The first prompt, which names a branch that has no label."""
    hidden: int = 0
    """How many rows are folded away behind its first."""


class Row(NamedTuple):
    """One entry in its place."""

    id: str
    branch: Branch

    @property
    def starts_branch(self) -> bool:
        """True for the first row after a fork."""
        return self.branch.depth > 0 and self.branch.start_id == self.id


class Outline:
    """Rows of a tree under a filter and with folds; it keeps up with a growing leaf at little cost."""

    def __init__(self, tree: Tree, labels: Mapping[str, str], chosen: Filter = "all") -> None:
        """A tree, unfolded, as the filter shows it."""
        self.tree = tree
        self.labels = labels
        self.filter: Filter = chosen
        self.folded: set[str] = set()
        self.rows: list[Row] = []
        self.leaf_id: str | None = None
        self._children: dict[str | None, list[str]] = {}
        # The row that each entry, shown or not, belongs to; and the row that each row hangs on.
        self._anchors: dict[str, str | None] = {}
        self._above: dict[str, str | None] = {}
        self._positions: dict[str, int] | None = None
        # Where the last row was added: a growing branch asks for that one again and again.
        self._newest = 0
        self._path: set[str] = set()
        self._known = 0
        self.rebuild()

    @property
    def branch_count(self) -> int:
        """How many ends the shown tree has."""
        return len(self._above) - len(self._children) + (None in self._children)

    @property
    def row_count(self) -> int:
        """How many entries pass the filter, the folded ones included."""
        return len(self._above)

    def position(self, entry_id: str | None) -> int | None:
        """Where the row of this entry stands, if it is shown."""
        if self._newest < len(self.rows) and self.rows[self._newest].id == entry_id:
            return self._newest
        if self._positions is None:
            self._positions = {row.id: number for number, row in enumerate(self.rows)}
        return None if entry_id is None else self._positions.get(entry_id)

    def nearest(self, entry_id: str | None) -> int | None:
        """Where the row of this entry stands, or else the row that hides it."""
        row_id = None if entry_id is None else self._anchors.get(entry_id)
        while row_id is not None and self.position(row_id) is None:
            row_id = self._above[row_id]
        return self.position(row_id)

    def above(self, row_id: str) -> str | None:
        """The row that this one hangs on."""
        return self._above.get(row_id)

    def below(self, row_id: str | None) -> Sequence[str]:
        """The rows that hang on this one; those of None are the roots."""
        return self._children.get(row_id, ())

    def is_on_path(self, entry_id: str) -> bool:
        """True on the way from the root to the leaf."""
        return entry_id in self._path

    def order(self) -> list[str]:
        """Every entry that passes the filter, in the order of the rows, folded or not."""
        if not self.folded:
            return [row.id for row in self.rows]
        return [row.id for row in self._laid(frozenset())]

    def rebuild(self) -> None:
        """Lay all rows anew, in one pass over the tree and one over its rows."""
        self._children, self._anchors, self._above = {}, {}, {}
        judge = judge_for(self.filter, self.tree, self.labels)
        anchors, above, children = self._anchors, self._above, self._children
        for node in self.tree.nodes.values():
            anchor = None if node.parent_id is None else anchors[node.parent_id]
            if judge(node, anchor is not None):
                anchors[node.id] = node.id
                above[node.id] = anchor
                children.setdefault(anchor, []).append(node.id)
            else:
                anchors[node.id] = anchor
        self._known = len(self.tree.nodes)
        self._lay()
        self.find_leaf()

    def fold(self, folded: Set[str]) -> None:
        """Hide what hangs on the starts of these branches, and nothing else."""
        self.folded = set(folded)
        self._lay()

    def grow(self) -> None:
        """Take in the entries that came since; at a leaf that costs what they are, elsewhere a rebuild."""
        fresh = len(self.tree.nodes) - self._known
        if fresh > MOST_ADDED_SINGLY or fresh < 0:
            self.rebuild()
            return
        newest = list(islice(reversed(self.tree.nodes.values()), fresh))
        self._known += fresh
        for node in reversed(newest):
            if not self._add(node):
                self.rebuild()
                return
        self.find_leaf()

    def find_leaf(self) -> None:
        """See where the leaf is now."""
        leaf_id = self.tree.leaf_id
        if leaf_id == self.leaf_id and (leaf_id is None or leaf_id in self._path):
            return
        node = self.tree.nodes[leaf_id] if leaf_id is not None else None
        way: list[str] = []
        while node is not None and node.id != self.leaf_id:
            way.append(node.id)
            node = self.tree.nodes[node.parent_id] if node.parent_id is not None else None
        if node is None:
            self._path = set(way)
        else:
            self._path |= set(way)
        self.leaf_id = leaf_id

    def reveal(self, entry_id: str) -> bool:
        """Open every fold that hides an entry; says whether there was one."""
        row_id = self._anchors.get(entry_id)
        is_changed = False
        row_id = self._above.get(row_id) if row_id is not None else None
        while row_id is not None:
            if row_id in self.folded:
                self.folded.discard(row_id)
                is_changed = True
            row_id = self._above[row_id]
        if is_changed:
            self._lay()
        return is_changed

    def _add(self, node: Node) -> bool:
        """Hang one new entry; False if more than one row changes."""
        anchor = None if node.parent_id is None else self._anchors[node.parent_id]
        if self.filter == "no tools" and node.role == "tool_result" and node.parent_id is not None:
            parent = self.tree.nodes[node.parent_id]
            if parent.id in self._above and calls_tools(self.tree, parent):
                return False
        if not judge_for(self.filter, self.tree, self.labels)(node, anchor is not None):
            self._anchors[node.id] = anchor
            return True
        position = self.position(anchor)
        if anchor is None or position is None or self._children.get(anchor):
            return False
        branch = self.rows[position].branch
        if anchor in self.folded and self.rows[position].starts_branch:
            return False
        self._anchors[node.id] = node.id
        self._above[node.id] = anchor
        self._children[anchor] = [node.id]
        self._name(branch, (node.id,))
        if self._positions is not None and position == len(self.rows) - 1:
            self._positions[node.id] = len(self.rows)
        else:
            self._positions = None
        self._newest = position + 1
        self.rows.insert(self._newest, Row(node.id, branch))
        return True

    def _lay(self) -> None:
        self.rows = self._laid(self.folded)
        self._positions = None

    def _laid(self, folded: Set[str]) -> list[Row]:
        rows: list[Row] = []
        children = self._children
        sizes = self._sizes() if folded else {}
        ways = self._fork(None, Branch("", None, 0, is_last=True))
        while ways:
            row_id, branch = ways.pop()
            self._name(branch, self._run(row_id))
            if branch.depth and row_id in folded:
                rows.append(Row(row_id, branch))
                branch.hidden = sizes[row_id] - 1
                continue
            while True:
                rows.append(Row(row_id, branch))
                below = children.get(row_id)
                if not below or len(below) > 1:
                    break
                row_id = below[0]
            ways += self._fork(row_id, branch)
        return rows

    def _fork(self, row_id: str | None, branch: Branch) -> list[tuple[str, Branch]]:
        """The branches that begin at a row, the first of them last."""
        below = self.below(row_id)
        if row_id is None and len(below) == 1:
            branch.start_id = below[0]
            return [(below[0], branch)]
        depth = branch.depth + 1
        return [(child, Branch(child, branch, depth, child == below[-1])) for child in reversed(below)]

    def _run(self, row_id: str) -> Iterator[str]:
        """The rows from here to the next fork."""
        below: Sequence[str] = (row_id,)
        while len(below) == 1:
            yield below[0]
            below = self._children.get(below[0], ())

    def _sizes(self) -> dict[str, int]:
        """How many rows hang on each row, itself included."""
        sizes = dict.fromkeys(self._above, 1)
        for row_id, above in reversed(self._above.items()):
            if above is not None:
                sizes[above] += sizes[row_id]
        return sizes

    def _name(self, branch: Branch, row_ids: Iterable[str]) -> None:
        for row_id in row_ids:
            if branch.prompt_id is None and self.tree.nodes[row_id].is_prompt:
                branch.prompt_id = row_id
            if not branch.label and row_id in self.labels:
                branch.label = self.labels[row_id]
            if branch.prompt_id is not None and (branch.label or not self.labels):
                return
