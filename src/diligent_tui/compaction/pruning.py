"""Layer 1: which old tool outputs to show as digests. Calls, answers and the user's words are never touched.

A batch breaks the prompt cache once, so it is made only when it frees enough for that. The rule that the last two
turns are spared unless they alone pass the protected size needs no code: turns within that size lie in the tail.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.sizes import Sizes
from diligent_tui.domain.digest import digest
from diligent_tui.domain.entries import MessageEntry, PinEntry, PruneItem, UnpinEntry
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, ImageBlock, TextBlock, ToolResultMessage
from diligent_tui.session.effective import Digested, Item, Lookup, Verbatim
from diligent_tui.session.tree import Node

DIGEST_MARK = "[pruned: "
LEAST_DIGEST_TOKENS = 12
"""No digest is shorter, so what is hardly longer need not be looked at."""


@dataclass(frozen=True, slots=True)
class PrunePlan:
    """What a prune entry would hold, how many tokens it would free, and of which tools; nothing to do if empty."""

    items: tuple[PruneItem, ...] = ()
    tokens_saved: int = 0
    tools: tuple[str, ...] = ()


NOTHING_TO_PRUNE = PrunePlan()


@dataclass(frozen=True, slots=True)
class _Result:
    """A tool result that may be pruned, as the model sees it now."""

    entry_id: str
    message: ToolResultMessage
    arguments: JsonObject
    shown_tokens: int


@dataclass(frozen=True, slots=True)
class _Shortening:
    """A result, what would stand in its place, and the tokens that this frees."""

    result: _Result
    digest: str
    freed_tokens: int


def plan_pruning(
    items: Sequence[Item],
    sizes: Sizes,
    policy: CompactionPolicy,
    window_tokens: int,
    context_tokens: int,
    *,
    pinned: Collection[str] = (),
    exempt_tools: Collection[str] = (),
    is_forced: bool = False,
) -> PrunePlan:
    """One batch of pruning for a context of that size; forced, it asks neither how full it is nor what is freed."""
    if not is_forced and (not policy.prunes or context_tokens < policy.prune_at(window_tokens)):
        return NOTHING_TO_PRUNE
    protected_from = _protected_from(items, sizes, policy, window_tokens)
    results = list(_results(items[:protected_from], sizes, pinned, exempt_tools))
    least_freed = 1 if is_forced else policy.least_freed_tokens(window_tokens)
    # Asked before every request of a nearly full context: mostly there is too little to free, and that is told at once.
    if sum(result.shown_tokens for result in results) < least_freed:
        return NOTHING_TO_PRUNE
    newest = max(0, len(results) - policy.trimmed_results)
    cuts: list[_Shortening] = []
    for place, result in enumerate(results):
        if result.shown_tokens < policy.least_saved_tokens + LEAST_DIGEST_TOKENS:
            continue
        short = _digest(result) if place < newest else _trimmed(result, policy)
        freed = result.shown_tokens - sizes.text(short)
        if freed >= policy.least_saved_tokens:
            cuts.append(_Shortening(result, short, freed))
    if not is_forced:
        cuts = _worth_it(cuts, items, sizes, policy)
    saved = sum(cut.freed_tokens for cut in cuts)
    if saved < least_freed:
        return NOTHING_TO_PRUNE
    tools = dict.fromkeys(cut.result.message.tool_name for cut in cuts)
    pruned = tuple(PruneItem(target_id=cut.result.entry_id, digest=cut.digest) for cut in cuts)
    return PrunePlan(pruned, saved, tuple(tools))


def _worth_it(
    cuts: Sequence[_Shortening], items: Sequence[Item], sizes: Sizes, policy: CompactionPolicy
) -> list[_Shortening]:
    """Those of a batch from which on it frees most for what is sent anew; none if that is never worth it.

    Everything behind the first output that changes leaves the prompt cache, so a small gain far back costs more than
    it brings.
    """
    by_id = {cut.result.entry_id: cut for cut in cuts}
    freed = behind = 0
    best, start = 0.0, len(cuts)
    place = len(cuts)
    for item in reversed(items):
        behind += sizes.item(item)
        if isinstance(item, Verbatim | Digested) and (cut := by_id.get(item.entry_id)):
            place -= 1
            freed += cut.freed_tokens
            if (worth := policy.freed_worth * freed - (behind - freed)) > best:
                best, start = worth, place
    return list(cuts[start:])


def plan_squeeze(
    items: Sequence[Item],
    sizes: Sizes,
    policy: CompactionPolicy,
    must_free_tokens: int,
    *,
    pinned: Collection[str] = (),
) -> PrunePlan:
    """The last resort when even the shortest tail is too long: outputs go whatever protects them, oldest first."""
    results = list(_results(items, sizes, pinned, ()))
    chosen: dict[str, PruneItem] = {}
    tools: dict[str, None] = {}
    left = {result.entry_id: result.shown_tokens for result in results}
    saved = 0
    for is_last_pass in (False, True):
        for result in results:
            if saved >= must_free_tokens:
                return PrunePlan(tuple(chosen.values()), saved, tuple(tools))
            short = _digest(result) if is_last_pass else _trimmed(result, policy)
            tokens = sizes.text(short)
            if tokens < left[result.entry_id]:
                saved += left[result.entry_id] - tokens
                left[result.entry_id] = tokens
                chosen[result.entry_id] = PruneItem(target_id=result.entry_id, digest=short)
                tools[result.message.tool_name] = None
    return PrunePlan(tuple(chosen.values()), saved, tuple(tools))


def with_pruned(items: Sequence[Item], plan: PrunePlan) -> list[Item]:
    """The sequence as it would be with that plan."""
    digests = {item.target_id: item.digest for item in plan.items}
    return [
        Digested(item.entry_id, digests[item.entry_id])
        if isinstance(item, Verbatim | Digested) and item.entry_id in digests
        else item
        for item in items
    ]


def pins_on(path: Sequence[Node], lookup: Lookup) -> frozenset[str]:
    """The entries that are pinned at the end of a path."""
    pins: set[str] = set()
    for node in path:
        if node.type in ("pin", "unpin"):
            match lookup(node.id):
                case PinEntry(target_id=target_id):
                    pins.add(target_id)
                case UnpinEntry(target_id=target_id):
                    pins.discard(target_id)
                case _:
                    pass
    return frozenset(pins)


def _protected_from(items: Sequence[Item], sizes: Sizes, policy: CompactionPolicy, window_tokens: int) -> int:
    """The first item of the tail that is spared: what lies wholly in the newest tokens, and the last results."""
    tokens_left = policy.protected_tokens(window_tokens)
    results_left = policy.protected_results
    is_in_tail = True
    protected_from = len(items)
    for place in range(len(items) - 1, -1, -1):
        item = items[place]
        tokens_left -= sizes.item(item)
        is_in_tail = is_in_tail and tokens_left >= 0
        if is_in_tail:
            protected_from = place
        if isinstance(item, Verbatim | Digested) and _is_result(item, sizes):
            if results_left > 0:
                protected_from = place
            results_left -= 1
        if not is_in_tail and results_left <= 0:
            break
    return protected_from


def _is_result(item: Verbatim | Digested, sizes: Sizes) -> bool:
    entry = sizes.lookup(item.entry_id)
    return isinstance(entry, MessageEntry) and isinstance(entry.message, ToolResultMessage)


def _results(
    items: Sequence[Item], sizes: Sizes, pinned: Collection[str], exempt_tools: Collection[str]
) -> Iterator[_Result]:
    """The results among these items that may become shorter, oldest first, each with the arguments of its call."""
    arguments: dict[str, JsonObject] = {}
    for item in items:
        if not isinstance(item, Verbatim | Digested):
            continue
        entry = sizes.lookup(item.entry_id)
        if not isinstance(entry, MessageEntry):
            continue
        match entry.message:
            case AssistantMessage() as message:
                arguments.update((call.id, call.input) for call in message.tool_calls)
            case ToolResultMessage() as message:
                is_final = isinstance(item, Digested) and item.digest.startswith(DIGEST_MARK)
                if not is_final and entry.id not in pinned and message.tool_name not in exempt_tools:
                    call = arguments.get(message.tool_call_id, {})
                    yield _Result(entry.id, message, call, sizes.item(item))
            case _:
                pass


def _digest(result: _Result) -> str:
    words, images = _output(result.message)
    short = digest(result.entry_id, result.message.tool_name, result.arguments, words)
    return "\n".join([short, *_placeholders(result.entry_id, images)])


def _trimmed(result: _Result, policy: CompactionPolicy) -> str:
    words, images = _output(result.message)
    if len(words) > policy.trim_over_chars:
        head, tail = words[: policy.trim_head_chars], words[-policy.trim_tail_chars :]
        left_out = len(words) - len(head) - len(tail)
        words = f'{head}\n[… {left_out:,} characters left out; recall("{result.entry_id}") shows them …]\n{tail}'
    return "\n".join([part for part in (words,) if part] + _placeholders(result.entry_id, images))


def _output(message: ToolResultMessage) -> tuple[str, int]:
    if isinstance(message.output, str):
        return message.output, 0
    words = "\n".join(block.text for block in message.output if isinstance(block, TextBlock))
    return words, sum(isinstance(block, ImageBlock) for block in message.output)


def _placeholders(entry_id: str, images: int) -> list[str]:
    return [f'[an image stood here; recall("{entry_id}") shows it]'] * images
