"""The branches of a session as lines: where each leaves another, how far it goes, what it is called and how large."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diligent_tui.domain.entries import CONTENT_TYPES, SIDE_TYPES, MessageEntry
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.speech import speech_of
from diligent_tui.domain.usage import Usage
from diligent_tui.session.tree import Node
from diligent_tui.ui import format as fmt
from diligent_tui.ui.screens.charts.history import Read, read_or_none
from diligent_tui.ui.widgets.chart import BranchLine

MOST_BRANCHES = 24
NAME_CHARS = 60


@dataclass(slots=True)
class _Branch:
    """A way from a fork to a tip; `nodes` are its own only."""

    parent: int | None
    start: int
    nodes: list[Node]


def read_branches(
    nodes: Sequence[Node], leaf_id: str | None, labels: Mapping[str, str], read: Read
) -> tuple[list[BranchLine], int]:
    """The lines, that of the leaf first, and how many branches there are in all; meant for a thread."""
    path_nodes = [node for node in nodes if node.type not in SIDE_TYPES]
    branches = _branches(path_nodes, leaf_id)
    turns = _turns(path_nodes)
    lines = [
        BranchLine(
            branch.start,
            max(branch.start, turns[branch.nodes[-1].id]),
            branch.parent,
            _name(branch, labels, read),
            _size(branch, read),
            is_here=any(node.id == leaf_id for node in branch.nodes),
        )
        for branch in branches[:MOST_BRANCHES]
    ]
    return lines, len(branches)


def _turns(nodes: Sequence[Node]) -> dict[str, int]:
    """How many prompts lie on the way to each entry."""
    turns: dict[str, int] = {}
    for node in nodes:
        turns[node.id] = turns.get(node.parent_id or "", 0) + node.is_prompt
    return turns


def _branches(nodes: Sequence[Node], leaf_id: str | None) -> list[_Branch]:
    """The leaf's own way is the trunk; of the others that which leaves last stands nearest, so that no lines cross."""
    by_id = {node.id: node for node in nodes}
    children: dict[str, list[Node]] = {}
    for node in nodes:
        children.setdefault(node.parent_id or "", []).append(node)
    on_path: set[str] = set()
    at = leaf_id
    while at is not None and at in by_id:
        on_path.add(at)
        at = by_id[at].parent_id
    turns = _turns(nodes)
    found: list[_Branch] = []
    waiting: list[tuple[int | None, Node]] = [(None, root) for root in _by_weight(children.get("", ()), on_path)[::-1]]
    while waiting:
        parent, node = waiting.pop()
        branch = _Branch(parent, turns.get(node.parent_id or "", 0) if parent is not None else 0, [])
        leaving: list[Node] = []
        while True:
            branch.nodes.append(node)
            following = _by_weight(children.get(node.id, ()), on_path)
            if not following:
                break
            leaving += following[1:]
            node = following[0]
        if not any(each.type in CONTENT_TYPES for each in branch.nodes):
            continue
        found.append(branch)
        # The last to leave is taken next.
        waiting += [(len(found) - 1, each) for each in leaving]
    return found


def _by_weight(nodes: Sequence[Node], on_path: set[str]) -> list[Node]:
    """The way to the leaf first, then the newest."""
    newest_first = list(nodes)[::-1]
    return sorted(newest_first, key=lambda node: node.id not in on_path)


def _name(branch: _Branch, labels: Mapping[str, str], read: Read) -> str:
    label = next((labels[node.id] for node in reversed(branch.nodes) if node.id in labels), "")
    if label:
        return clean_line(label, NAME_CHARS)
    prompt = next((node for node in branch.nodes if node.is_prompt), None)
    entry = read_or_none(read, prompt.id) if prompt else None
    return clean_line(speech_of(entry).words[: 4 * NAME_CHARS], NAME_CHARS) if entry else ""


def _size(branch: _Branch, read: Read) -> str:
    """What the context was at its last answer."""
    for node in reversed(branch.nodes):
        if node.role == "assistant":
            match read_or_none(read, node.id):
                case MessageEntry(message=AssistantMessage(usage=Usage() as usage)):
                    return fmt.tokens(usage.context_tokens)
                case _:
                    pass
    return "–"
