"""Two branches side by side: where they part, and what each of them did since."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from diligent_tui.agent.costs import cost_of
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.speech import speech_of
from diligent_tui.session.effective import Lookup
from diligent_tui.session.touched_files import touched_files
from diligent_tui.session.tree import Node, Tree

FindModel = Callable[[str], Model | None]


@dataclass(frozen=True, slots=True)
class BranchSide:
    """What one branch did after the common ancestor; `cost` is None where a price is unknown."""

    leaf_id: str | None
    entries: int
    prompts: tuple[str, ...]
    files_read: tuple[str, ...]
    files_changed: tuple[str, ...]
    tokens: int
    cost: float | None
    name: str = ""
    """Its label nearest the leaf, or else the words it begins with, first of all those of a prompt."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two branches and the last entry they share; None is before the first."""

    ancestor_id: str | None
    ancestor_text: str
    shared_entries: int
    left: BranchSide
    right: BranchSide


def common_ancestor(tree: Tree, left_id: str | None, right_id: str | None) -> str | None:
    """The last entry that both ways from the root have."""
    left = {node.id for node in tree.way_up(left_id)}
    return next((node.id for node in tree.way_up(right_id) if node.id in left), None)


def compare(
    tree: Tree, labels: Mapping[str, str], lookup: Lookup, find_model: FindModel, left_id: str, right_id: str
) -> Comparison:
    """What differs between the ways to two entries."""
    ancestor_id = common_ancestor(tree, left_id, right_id)
    shared = len(tree.path(ancestor_id))
    return Comparison(
        ancestor_id,
        speech_of(lookup(ancestor_id)).words if ancestor_id else "",
        shared,
        _side(left_id, tree.path(left_id)[shared:], labels, lookup, find_model),
        _side(right_id, tree.path(right_id)[shared:], labels, lookup, find_model),
    )


def _side(
    leaf_id: str, path: Sequence[Node], labels: Mapping[str, str], lookup: Lookup, find_model: FindModel
) -> BranchSide:
    entries = [lookup(node.id) for node in path]
    prompts = tuple(speech_of(entry).words for node, entry in zip(path, entries, strict=True) if node.is_prompt)
    label = next((labels[node.id] for node in reversed(path) if node.id in labels), "")
    files = touched_files(entries)
    tokens, cost = 0, 0.0
    cost_is_known = True
    for entry in entries:
        if not isinstance(entry, MessageEntry) or not isinstance(entry.message, AssistantMessage):
            continue
        message = entry.message
        if message.usage is None:
            continue
        tokens += message.usage.context_tokens
        model = find_model(f"{message.provider}/{message.model}")
        price = cost_of(message.usage, model) if model else None
        cost_is_known = cost_is_known and price is not None
        cost += price or 0.0
    return BranchSide(
        leaf_id,
        len(path),
        prompts,
        files.read,
        files.changed,
        tokens,
        cost if cost_is_known else None,
        label or next(filter(None, (*prompts, *(speech_of(entry).words for entry in entries))), ""),
    )
