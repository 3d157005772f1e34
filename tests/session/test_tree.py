"""Every entry hangs somewhere, whatever its file says."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.entries import CompactionEntry, Entry, SteeringEntry, encode_entry
from diligent_tui.domain.records import JsonObject
from diligent_tui.session.tree import Node, Tree, node_of, node_of_line
from tests.session.drafts import answered, said


def tree_of(*nodes: tuple[str, str | None, str]) -> Tree:
    tree = Tree()
    for node_id, parent_id, node_type in nodes:
        tree.add(Node(node_id, parent_id, node_type))
    return tree


def ids(tree: Tree, node_id: str | None) -> list[str]:
    return [node.id for node in tree.path(node_id)]


def test_an_empty_tree_has_an_empty_path() -> None:
    assert ids(Tree(), Tree().leaf_id) == []


def test_each_entry_becomes_the_leaf() -> None:
    tree = tree_of(("a", None, "message"), ("b", "a", "message"))
    assert tree.leaf_id == "b"
    assert ids(tree, "b") == ["a", "b"]


def test_side_notes_do_not_move_the_leaf() -> None:
    tree = tree_of(("a", None, "message"), ("l", "a", "label"), ("q", "a", "queued"), ("i", "a", "session_info"))
    assert tree.leaf_id == "a"
    assert tree.children["a"] == ["l", "q", "i"]


def test_entries_are_counted_by_type() -> None:
    tree = tree_of(("a", None, "message"), ("l", "a", "label"), ("b", "nowhere", "message"))
    assert tree.counts == {"message": 2, "label": 1}
    assert tree.counts["compaction"] == 0


def node_of_saved(entry: Entry) -> Node | None:
    return node_of_line(encode_entry(entry))


@pytest.mark.parametrize("as_node", [node_of, node_of_saved])
def test_another_version_of_a_summary_is_no_other_compaction(as_node: Callable[[Entry], Node | None]) -> None:
    first = CompactionEntry(id="c1", parent_id=None, summary="s", first_kept_entry_id="k")
    edited = first.model_copy(update={"id": "c2", "parent_id": "c1", "supersedes": "c1"})
    lost = first.model_copy(update={"id": "c3", "parent_id": "gone", "supersedes": "c1"})
    tree = Tree()
    for entry in (first, edited, lost):
        node = as_node(entry)
        assert node is not None
        tree.add(node)
    assert (tree.counts["compaction"], tree.compactions) == (3, 1)
    assert tree.nodes["c3"].is_orphan


def test_an_entry_may_hang_on_a_side_note() -> None:
    """The first diligent hung entries on any earlier one."""
    tree = tree_of(("a", None, "message"), ("i", "a", "session_info"), ("b", "i", "message"))
    assert ids(tree, "b") == ["a", "i", "b"]
    assert not tree.nodes["b"].is_orphan


def test_branches_share_their_beginning() -> None:
    tree = tree_of(("a", None, "message"), ("b", "a", "message"), ("c", "a", "message"))
    assert ids(tree, "b") == ["a", "b"]
    assert ids(tree, "c") == ["a", "c"]
    assert tree.children["a"] == ["b", "c"]


@pytest.mark.parametrize("parent", ["nowhere", "x", "later"])
def test_an_orphan_hangs_on_the_nearest_earlier_survivor_and_is_marked(parent: str) -> None:
    """Its parent may be missing, itself, or one that comes later: there can be no circle."""
    tree = tree_of(
        ("a", None, "message"),
        ("b", "a", "message"),
        ("l", "b", "label"),
        ("x", parent, "message"),
        ("later", "x", "message"),
    )
    assert tree.nodes["x"].parent_id == "b"
    assert tree.nodes["x"].is_orphan
    assert ids(tree, "later") == ["a", "b", "x", "later"]


def test_an_orphan_without_survivors_is_a_root() -> None:
    tree = tree_of(("x", "nowhere", "message"))
    assert ids(tree, "x") == ["x"]
    assert tree.nodes["x"].is_orphan


def test_an_orphan_does_not_follow_a_moved_leaf() -> None:
    tree = tree_of(("a", None, "message"), ("b", "a", "message"))
    tree.move_to("a")
    tree.add(Node("x", "nowhere", "message"))
    assert tree.nodes["x"].parent_id == "b"


def test_the_leaf_moves_to_known_places_only() -> None:
    tree = tree_of(("a", None, "message"), ("b", "a", "message"))
    tree.move_to("nowhere")
    assert tree.leaf_id == "b"
    tree.move_to("a")
    assert tree.leaf_id == "a"
    tree.move_to(None)
    assert tree.leaf_id is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            {"type": "message", "id": "a", "parentId": "b", "message": {"role": "user"}},
            Node("a", "b", "message", "user"),
        ),
        ({"type": "message", "id": "a", "parentId": None}, Node("a", None, "message")),
        ({"type": "message", "id": "a"}, Node("a", None, "message")),
        ({"type": "message", "id": "a", "parentId": 7, "message": []}, Node("a", None, "message")),
        ({"type": "message", "id": "a", "message": {"role": 7}}, Node("a", None, "message")),
        ({"type": "new thing", "id": "a", "parentId": "b"}, Node("a", "b", "new thing")),
        ({"type": "message"}, None),
        ({"type": "message", "id": 7}, None),
        ({"type": None, "id": "a"}, None),
        ({"id": "a"}, None),
        ({}, None),
    ],
)
def test_a_line_is_placed_without_being_decoded(line: JsonObject, expected: Node | None) -> None:
    assert node_of_line(line) == expected


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (node_of(said("a", None)), True),
        (node_of(answered("a", None)), False),
        (node_of(SteeringEntry(id="a", message="go left")), True),
    ],
)
def test_prompts_are_known(node: Node, expected: bool) -> None:
    assert node.is_prompt == expected


@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from(["message", "label", "other"])), max_size=30))
def test_every_path_ends_at_a_root_and_keeps_the_order_of_the_file(shape: list[tuple[int, str]]) -> None:
    tree = Tree()
    for place, (parent, node_type) in enumerate(shape):
        tree.add(Node(f"{place}", f"{parent}", node_type))
    for node_id in tree.nodes:
        path = [int(each) for each in ids(tree, node_id)]
        assert path == sorted(path)
    assert sum(len(children) for children in tree.children.values()) == len(shape)
