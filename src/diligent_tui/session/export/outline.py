"""A session's tree as rows from top to bottom, indented only at forks."""

from collections.abc import Sequence
from dataclasses import dataclass

from diligent_tui.domain.entries import SIDE_TYPES
from diligent_tui.session.tree import Node, Tree


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One entry: how far it is indented, and whether a branch begins with it; side notes have no row."""

    node: Node
    parent_id: str | None
    """The nearest entry above that has a row."""
    depth: int
    begins_branch: bool


def outline(tree: Tree) -> list[OutlineRow]:
    """Every entry but the side notes, each branch whole before the next one begins."""
    children = _children(tree)
    rows: list[OutlineRow] = []
    waiting: list[tuple[str, str | None, int]] = [(child, None, 0) for child in reversed(children.get(None, ()))]
    while waiting:
        node_id, parent_id, depth = waiting.pop()
        rows.append(OutlineRow(tree.nodes[node_id], parent_id, depth, len(children.get(parent_id, ())) > 1))
        below: Sequence[str] = children.get(node_id, ())
        waiting.extend((child, node_id, depth + (len(below) > 1)) for child in reversed(below))
    return rows


def tips(rows: Sequence[OutlineRow]) -> int:
    """The number of branches: entries behind which nothing was said."""
    parents = {row.parent_id for row in rows}
    return sum(row.node.id not in parents for row in rows)


def _children(tree: Tree) -> dict[str | None, list[str]]:
    """The children of each entry that has a row; what hangs on a side note hangs on the note's parent."""
    nearest: dict[str | None, str | None] = {None: None}
    children: dict[str | None, list[str]] = {}
    for node in tree.nodes.values():
        above = nearest[node.parent_id]
        if node.type in SIDE_TYPES:
            nearest[node.id] = above
        else:
            nearest[node.id] = node.id
            children.setdefault(above, []).append(node.id)
    return children
