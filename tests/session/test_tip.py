"""Where a branch ends."""

import pytest

from diligent_tui.session.tree import Node, Tree


@pytest.mark.parametrize(("start", "tip"), [("a", "e"), ("b", "e"), ("c", "d"), ("d", "d"), ("e", "e")])
def test_the_tip_is_the_leaf_if_one_is_on_its_way_else_the_newest_descendant(start: str, tip: str) -> None:
    tree = Tree()
    for node_id, parent in (("a", None), ("b", "a"), ("c", "a"), ("d", "c"), ("e", "b")):
        tree.add(Node(node_id, parent, "message", "user"))
    tree.add(Node("x", "d", "label"))
    assert tree.leaf_id == "e"
    assert tree.tip(start) == tip
