"""Which entries are rows of the tree under each filter; told from the tree alone, without decoding an entry."""

from collections.abc import Callable, Mapping
from typing import Literal

from diligent_tui.domain.entries import SIDE_TYPES
from diligent_tui.session.tree import Node, Tree

Filter = Literal["all", "no tools", "prompts", "labelled"]
FILTERS: tuple[Filter, ...] = ("all", "no tools", "prompts", "labelled")
QUIET_TYPES = frozenset({"system_prompt", "pin", "unpin", "prune", "mode_change"})
"""Settings and lenses that would say nothing in a tree; a label makes one a row all the same."""

Judge = Callable[[Node, bool], bool]
"""Whether a node is a row; the second word says whether any row stands above it."""


def judge_for(chosen: Filter, tree: Tree, labels: Mapping[str, str]) -> Judge:
    """The rule of a filter."""

    def tells_something(node: Node, has_row_above: bool) -> bool:
        if node.type in SIDE_TYPES:
            return False
        if node.type in QUIET_TYPES:
            return node.id in labels
        # The model that a session begins with is no change.
        return node.type != "model_change" or has_row_above or node.id in labels

    def is_no_tool(node: Node, has_row_above: bool) -> bool:
        return tells_something(node, has_row_above) and node.role != "tool_result" and not calls_tools(tree, node)

    def is_prompt(node: Node, _: bool) -> bool:
        return node.is_prompt

    def is_labelled(node: Node, _: bool) -> bool:
        return node.id in labels and node.type not in SIDE_TYPES

    match chosen:
        case "all":
            return tells_something
        case "no tools":
            return is_no_tool
        case "prompts":
            return is_prompt
        case "labelled":
            return is_labelled


def calls_tools(tree: Tree, node: Node) -> bool:
    """True for a step whose calls were answered: it is on the way to an answer, not the answer."""
    if node.role != "assistant":
        return False
    return any(tree.nodes[child].role == "tool_result" for child in tree.children.get(node.id, ()))
