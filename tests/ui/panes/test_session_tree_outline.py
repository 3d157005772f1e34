"""The rows of a tree: what is a row, where it stands, and that nothing is ever out of reach."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.entries import SIDE_TYPES
from diligent_tui.session.tree import Node, Tree
from diligent_tui.ui.panes.session_tree.outline import Outline
from diligent_tui.ui.panes.session_tree.visibility import FILTERS, Filter, judge_for
from diligent_tui.ui.panes.session_tree.walking import next_branch, others_to_fold, previous_branch, way_left

KINDS: tuple[tuple[str, str | None], ...] = (
    ("message", "user"),
    ("message", "assistant"),
    ("message", "tool_result"),
    ("compaction", None),
    ("model_change", None),
    ("system_prompt", None),
    ("pin", None),
    ("label", None),
    ("session_info", None),
    ("steering", None),
    ("hologram", None),
)


def tree_of(*lines: tuple[str, str | None, str] | tuple[str, str | None, str, str | None]) -> Tree:
    """A tree from lines of id, parent, type and role."""
    tree = Tree()
    for line in lines:
        tree.add(Node(line[0], line[1], line[2], line[3] if len(line) == 4 else None))
    return tree


def talk(*hangs: tuple[str, str | None]) -> Tree:
    """A tree of prompts from pairs of id and parent."""
    return tree_of(*((entry_id, parent, "message", "user") for entry_id, parent in hangs))


def drawn(outline: Outline) -> list[str]:
    """The rows as depth, sign of a branch, and id."""
    return [
        f"{'  ' * row.branch.depth}{'⎇' if row.starts_branch else ''}{row.id}"
        + (f"+{row.branch.hidden}" if row.starts_branch and row.branch.hidden else "")
        for row in outline.rows
    ]


FORKED = (("a", None), ("b", "a"), ("c", "b"), ("d", "c"), ("e", "b"), ("f", "e"), ("g", "e"))


def test_rows_are_indented_only_where_a_branch_begins() -> None:
    outline = Outline(talk(*FORKED), {})
    assert drawn(outline) == ["a", "b", "  ⎇c", "  d", "  ⎇e", "    ⎇f", "    ⎇g"]
    assert outline.branch_count == 3


def test_two_roots_are_branches() -> None:
    assert drawn(Outline(talk(("a", None), ("b", None)), {})) == ["  ⎇a", "  ⎇b"]


def test_an_empty_tree_has_no_rows_and_no_branches() -> None:
    outline = Outline(Tree(), {})
    assert (outline.rows, outline.branch_count, outline.nearest(None)) == ([], 0, None)


def test_a_folded_branch_tells_how_much_it_hides() -> None:
    outline = Outline(talk(*FORKED), {})
    outline.fold({"e"})
    assert drawn(outline) == ["a", "b", "  ⎇c", "  d", "  ⎇e+2"]
    assert outline.nearest("g") == outline.position("e")


def test_an_entry_in_a_fold_is_revealed_by_opening_all_around_it() -> None:
    outline = Outline(talk(*FORKED, ("h", "g"), ("i", "h")), {})
    outline.fold({"e", "g", "c"})
    assert outline.reveal("i")
    assert outline.position("i") is not None
    assert outline.folded == {"c"}
    assert not outline.reveal("i")


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("all", ["p", "s", "r", "w", "c", "m", "n", "k", "x"]),
        ("no tools", ["p", "w", "c", "m", "n", "k", "x"]),
        ("prompts", ["p", "n"]),
        ("labelled", ["w"]),
    ],
)
def test_each_filter_shows_its_kinds_of_entry(chosen: Filter, expected: Sequence[str]) -> None:
    tree = tree_of(
        ("0", None, "system_prompt"),
        ("1", "0", "model_change"),
        ("p", "1", "message", "user"),
        ("s", "p", "message", "assistant"),
        ("r", "s", "message", "tool_result"),
        ("w", "r", "message", "assistant"),
        ("l", "w", "label"),
        ("c", "w", "compaction"),
        ("m", "c", "model_change"),
        ("i", "m", "pin"),
        ("n", "i", "steering"),
        ("k", "n", "knowledge_note"),
        ("x", "k", "hologram"),
    )
    assert [row.id for row in Outline(tree, {"w": "words"}, chosen).rows] == expected


def test_a_label_makes_a_quiet_entry_a_row() -> None:
    tree = tree_of(("p", None, "message", "user"), ("i", "p", "pin"))
    assert [row.id for row in Outline(tree, {"i": "kept"}).rows] == ["p", "i"]


def test_what_a_filter_hides_leaves_its_descendants_on_the_nearest_row() -> None:
    tree = tree_of(
        ("p", None, "message", "user"),
        ("s", "p", "message", "assistant"),
        ("q", "s", "message", "user"),
        ("t", "p", "message", "assistant"),
        ("r", "t", "message", "user"),
    )
    assert drawn(Outline(tree, {}, "prompts")) == ["p", "  ⎇q", "  ⎇r"]


def test_a_branch_is_named_by_its_label_and_else_by_its_first_prompt() -> None:
    tree = tree_of(
        ("p", None, "message", "user"),
        ("b", "p", "branch_summary"),
        ("q", "b", "message", "user"),
        ("w", "q", "message", "assistant"),
        ("r", "p", "message", "user"),
    )
    outline = Outline(tree, {"w": "tried"})
    outline.fold({"b"})
    first, second = [row.branch for row in outline.rows if row.starts_branch]
    assert (first.label, first.prompt_id) == ("tried", "q")
    assert (second.label, second.prompt_id) == ("", "r")


def test_the_path_follows_the_leaf_wherever_it_goes() -> None:
    tree = talk(*FORKED)
    outline = Outline(tree, {})
    on_path = [row.id for row in outline.rows if outline.is_on_path(row.id)]
    tree.move_to("d")
    outline.find_leaf()
    assert on_path == ["a", "b", "e", "g"]
    assert [row.id for row in outline.rows if outline.is_on_path(row.id)] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("start", "left", "following", "before"),
    [
        ("a", "a", "c", None),
        ("d", "c", "e", "c"),
        ("c", "b", "e", "a"),
        ("f", "e", "g", "e"),
        ("g", "e", None, "f"),
        ("e", "b", None, "c"),
    ],
)
def test_keys_lead_to_the_parent_and_to_the_branch_beside(
    start: str, left: str, following: str | None, before: str | None
) -> None:
    outline = Outline(talk(*FORKED), {})

    def name(position: int | None) -> str | None:
        return None if position is None else outline.rows[position].id

    position = outline.position(start)
    assert position is not None
    assert name(way_left(outline, position)) == left
    assert name(next_branch(outline, position)) == following
    assert name(previous_branch(outline, position)) == before


def test_left_goes_to_the_prompt_of_the_turn_first() -> None:
    tree = tree_of(
        ("p", None, "message", "user"),
        ("w", "p", "message", "assistant"),
        ("q", "w", "message", "user"),
        ("x", "q", "message", "assistant"),
        ("y", "x", "message", "tool_result"),
    )
    outline = Outline(tree, {})
    assert [way_left(outline, position) for position in range(5)] == [0, 0, 0, 2, 2]


def test_other_branches_are_those_the_leaf_is_not_on() -> None:
    tree = talk(*FORKED)
    assert others_to_fold(Outline(tree, {})) == {"c", "f"}


@dataclass(frozen=True, slots=True)
class Case:
    """A tree, and how it is looked at."""

    tree: Tree
    labels: dict[str, str]
    chosen: Filter
    folded: frozenset[str]


@st.composite
def trees(draw: st.DrawFn, most: int = 30) -> Tree:
    tree = Tree()
    for number in range(draw(st.integers(0, most))):
        parents = [None, *tree.nodes]
        # Mostly at the end, so that there are runs and not only forks.
        parent = draw(st.sampled_from([*parents[-3:], *parents[:1], draw(st.sampled_from(parents))]))
        kind, role = draw(st.one_of(st.sampled_from(KINDS[:3]), st.sampled_from(KINDS)))
        tree.add(Node(f"n{number}", parent, kind, role))
    tree.move_to(draw(st.sampled_from([None, *tree.nodes])))
    return tree


@st.composite
def cases(draw: st.DrawFn) -> Case:
    tree = draw(trees())
    ids = list(tree.nodes)
    some = st.frozensets(st.sampled_from(ids)) if ids else st.just(frozenset[str]())
    labels = dict.fromkeys(sorted(draw(some)), "named")
    return Case(tree, labels, draw(st.sampled_from(FILTERS)), draw(some))


def visible(case: Case) -> set[str]:
    """What the filter shows, judged by walking up from each entry."""
    judge = judge_for(case.chosen, case.tree, case.labels)
    shown: set[str] = set()
    for node in case.tree.nodes.values():
        has_row_above = any(other.id in shown for other in case.tree.way_up(node.parent_id))
        if judge(node, has_row_above):
            shown.add(node.id)
    return shown


def row_above(case: Case, entry_id: str, shown: set[str]) -> str | None:
    parent_id = case.tree.nodes[entry_id].parent_id
    return next((node.id for node in case.tree.way_up(parent_id) if node.id in shown), None)


def looked_at(case: Case) -> Outline:
    outline = Outline(case.tree, case.labels, case.chosen)
    outline.fold(case.folded)
    return outline


@given(cases())
def test_every_entry_that_passes_the_filter_is_one_row_after_its_parent_or_counted_in_a_fold(case: Case) -> None:
    outline = looked_at(case)
    expected = visible(case)
    rows = [row.id for row in outline.rows]
    assert len(rows) == len(set(rows))
    assert not any(case.tree.nodes[row_id].type in SIDE_TYPES for row_id in rows)
    assert len(rows) + sum(row.branch.hidden for row in outline.rows if row.starts_branch) == len(expected)
    assert sorted(outline.order()) == sorted(expected)
    place = {row_id: number for number, row_id in enumerate(rows)}
    for row_id in rows:
        above = row_above(case, row_id, expected)
        assert outline.above(row_id) == above
        assert above is None or place[above] < place[row_id]


@given(cases())
def test_every_entry_can_be_reached_and_revealed(case: Case) -> None:
    for entry_id in visible(case):
        outline = looked_at(case)
        hiding = outline.nearest(entry_id)
        assert hiding is not None
        assert entry_id == outline.rows[hiding].id or outline.rows[hiding].branch.hidden
        outline.reveal(entry_id)
        assert outline.position(entry_id) is not None


@given(cases())
def test_only_a_fork_begins_branches_and_all_its_children_do(case: Case) -> None:
    outline = looked_at(case)
    for row in outline.rows:
        siblings = outline.below(outline.above(row.id))
        assert row.starts_branch == (len(siblings) > 1)
        if row.starts_branch:
            assert row.branch.is_last == (siblings[-1] == row.id)


@given(cases(), trees())
def test_growing_by_and_by_gives_the_same_rows_as_building_anew(case: Case, more: Tree) -> None:
    outline = looked_at(case)
    ids = list(case.tree.nodes)
    for number, node in enumerate(more.nodes.values()):
        parent_id = case.tree.leaf_id if number % 3 else (ids[len(node.id) % len(ids)] if ids else None)
        case.tree.add(Node(f"more-{node.id}", parent_id, node.type, node.role))
        outline.grow()
        fresh = looked_at(case)
        assert drawn(outline) == drawn(fresh)
        assert [outline.position(row.id) for row in outline.rows] == list(range(len(outline.rows)))
        assert {name for name in case.tree.nodes if outline.is_on_path(name)} == {
            node.id for node in case.tree.path(case.tree.leaf_id)
        }


def test_a_step_is_hidden_once_its_calls_are_answered() -> None:
    tree = tree_of(("p", None, "message", "user"), ("s", "p", "message", "assistant"))
    outline = Outline(tree, {}, "no tools")
    assert drawn(outline) == ["p", "s"]
    tree.add(Node("r", "s", "message", "tool_result"))
    outline.grow()
    assert drawn(outline) == ["p"]
    tree.add(Node("w", "r", "message", "assistant"))
    outline.grow()
    assert drawn(outline) == ["p", "w"]


def test_a_growing_leaf_is_added_to_without_laying_all_rows_anew() -> None:
    tree = talk(*((f"n{number}", f"n{number - 1}" if number else None) for number in range(1_000)))
    outline = Outline(tree, {})
    rows = outline.rows
    for number in range(1_000, 1_100):
        tree.add(Node(f"n{number}", f"n{number - 1}", "message", "assistant"))
        outline.grow()
    assert outline.rows is rows
    assert len(rows) == 1_100
