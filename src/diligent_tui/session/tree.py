"""The tree that a session's entries form; nothing here touches a file."""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from diligent_tui.domain.entries import SIDE_TYPES, CompactionEntry, Entry, MessageEntry
from diligent_tui.domain.json_objects import JsonObject, is_object


class Node(NamedTuple):
    """What the tree knows of an entry; `role` is that of a message, `is_orphan` says that its parent was not found."""

    id: str
    parent_id: str | None
    type: str
    role: str | None = None
    is_orphan: bool = False
    is_version: bool = False
    """True for a compaction that is another version of an earlier one."""

    @property
    def is_prompt(self) -> bool:
        """True for words of the user's."""
        return self.role == "user" or self.type == "steering"

    @property
    def is_compaction(self) -> bool:
        """True for a compaction in its first version."""
        return self.type == "compaction" and not self.is_version


class Tree:
    """Entries by id in the order of the file, each hanging on an earlier one, and the leaf where the next will hang."""

    def __init__(self) -> None:
        """An empty tree: the next entry is a root."""
        self.nodes: dict[str, Node] = {}
        self.children: dict[str | None, list[str]] = {}
        self.leaf_id: str | None = None
        self.counts: Counter[str] = Counter()
        """How many entries there are of each type."""
        self.compactions = 0
        """How many compactions there are, each counted once however often its summary was changed."""
        self._newest_on_a_path: str | None = None

    def add(self, node: Node) -> Node:
        """Hang an entry where it belongs; one whose parent is unknown hangs on the nearest earlier survivor, marked."""
        if node.parent_id is not None and node.parent_id not in self.nodes:
            node = node._replace(parent_id=self._newest_on_a_path, is_orphan=True)
        self.nodes[node.id] = node
        self.counts[node.type] += 1
        self.compactions += node.is_compaction
        self.children.setdefault(node.parent_id, []).append(node.id)
        if node.type not in SIDE_TYPES:
            self.leaf_id = self._newest_on_a_path = node.id
        return node

    def move_to(self, node_id: str | None) -> None:
        """Let the next entry hang there; an unknown place is passed over."""
        if node_id is None or node_id in self.nodes:
            self.leaf_id = node_id

    def path(self, node_id: str | None) -> list[Node]:
        """The way from the root to an entry."""
        path = list(self.way_up(node_id))
        path.reverse()
        return path

    def tip(self, node_id: str) -> str:
        """The end of the branch that an entry is on: the leaf, if it lies behind it, else its newest descendant."""
        if any(node.id == node_id for node in self.way_up(self.leaf_id)):
            return self.leaf_id or node_id
        while children := [
            child for child in self.children.get(node_id, ()) if self.nodes[child].type not in SIDE_TYPES
        ]:
            node_id = children[-1]
        return node_id

    def way_up(self, node_id: str | None) -> Iterator[Node]:
        """The way from an entry to its root."""
        while node_id is not None:
            node = self.nodes[node_id]
            yield node
            node_id = node.parent_id


def node_of(entry: Entry) -> Node:
    """An entry as the tree sees it."""
    role = entry.message.role if isinstance(entry, MessageEntry) else None
    is_version = isinstance(entry, CompactionEntry) and bool(entry.supersedes)
    return Node(entry.id, entry.parent_id, entry.type, role, is_version=is_version)


def node_of_line(line: JsonObject) -> Node | None:
    """A parsed line as the tree sees it, without decoding it; None if it has no id or type."""
    entry_id, entry_type, parent_id, message = (
        line.get("id"),
        line.get("type"),
        line.get("parentId"),
        line.get("message"),
    )
    if not isinstance(entry_id, str) or not isinstance(entry_type, str):
        return None
    role = message.get("role") if is_object(message) else None
    # A long session says the same few types and roles over and over.
    return Node(
        entry_id,
        parent_id if isinstance(parent_id, str) else None,
        sys.intern(entry_type),
        sys.intern(role) if isinstance(role, str) else None,
        is_version=bool(line.get("supersedes")),
    )
