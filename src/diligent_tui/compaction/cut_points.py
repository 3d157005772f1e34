"""Where a conversation may be cut in two: never between a call and its result, best between two turns.

Everything before a cut will be covered by the summary; everything from it on stays as it is. A cut inside a turn keeps
that turn's prompt as well, so that the newest prompt stands verbatim whatever is chosen. The last cut of all lies
behind everything and keeps that prompt alone: the way out when a single step is larger than what may stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from diligent_tui.compaction.sizes import Sizes
from diligent_tui.domain.entries import Entry, MessageEntry, SteeringEntry
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage, UserMessage
from diligent_tui.session.effective import CutTurn, Digested, Item, SummaryPair, Verbatim


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A legal cut before the item at `position`; inside a turn if it names that turn's prompt."""

    position: int
    first_kept_id: str
    """Empty for the cut behind everything: the entry saved just before the compaction is the first kept one."""
    prompt_id: str | None
    covered_tokens: int
    """What the summary would replace, an earlier summary included."""
    kept_tokens: int
    """What stays, the prompt of a turn that is cut included."""
    covered_items: int
    """Entries that the summary would newly cover."""

    @property
    def keeps_prompt_only(self) -> bool:
        """True for the cut behind everything."""
        return not self.first_kept_id

    @property
    def is_inside_turn(self) -> bool:
        """True if the turn's beginning is covered and its end is kept."""
        return self.prompt_id is not None


def legal_cuts(items: Sequence[Item], sizes: Sizes) -> tuple[CutPoint, ...]:
    """Every place where the sequence may be cut, oldest first; none that would cover nothing new."""
    entries = [_entry(item, sizes) for item in items]
    unsafe = _inside_pairs(entries)
    before = [0, *accumulate(sizes.items(items))]
    cuts: list[CutPoint] = []
    prompt: str | None = None
    said_since_prompt = 0
    opening = sum(isinstance(item, SummaryPair | CutTurn) for item in items)
    for place, (item, entry) in enumerate(zip(items, entries, strict=True)):
        if isinstance(item, CutTurn):
            prompt = item.prompt_id
        if entry is None:
            continue
        starts_turn = is_prompt_entry(entry)
        # Inside a turn of which only the prompt has been said, a cut would cover nothing: the prompt stays.
        may_cut = starts_turn or (_is_answer(entry) and (said_since_prompt > 0 or prompt is None))
        if place > opening and may_cut and place not in unsafe:
            named = None if starts_turn else prompt
            kept_prompt = sizes.entry(named) if named else 0
            covered, kept = before[place] - kept_prompt, before[-1] - before[place] + kept_prompt
            cuts.append(CutPoint(place, entry.id, named, covered, kept, place - opening))
        prompt, said_since_prompt = (entry.id, 0) if starts_turn else (prompt, said_since_prompt + 1)
    if prompt and said_since_prompt:
        kept = sizes.entry(prompt)
        cuts.append(CutPoint(len(items), "", prompt, before[-1] - kept, kept, len(items) - opening))
    return tuple(cuts)


def choose_cut(cuts: Sequence[CutPoint], keep_tokens: int) -> CutPoint | None:
    """The cut that keeps the longest tail within that size; None if there is nothing before any cut.

    Turns stay whole unless the one that crosses the limit is itself larger than the tail. If nothing fits, the
    shortest tail there is; the cut behind everything only if there is no other.
    """
    between_items = [cut for cut in cuts if not cut.keeps_prompt_only]
    if not between_items:
        return cuts[-1] if cuts else None
    fitting = [cut for cut in between_items if cut.kept_tokens <= keep_tokens]
    if not fitting:
        return min(between_items, key=lambda cut: (cut.kept_tokens, -cut.position))
    between = next((cut for cut in fitting if not cut.is_inside_turn), None)
    inside = fitting[0]
    if between is None or between is inside:
        return inside
    earlier = [cut for cut in cuts if not cut.is_inside_turn and cut.position < between.position]
    turn_start_tokens = earlier[-1].kept_tokens if earlier else cuts[0].covered_tokens + cuts[0].kept_tokens
    is_turn_too_long = turn_start_tokens - between.kept_tokens > keep_tokens
    return inside if is_turn_too_long else between


def moved(cuts: Sequence[CutPoint], chosen: CutPoint, steps: int) -> CutPoint:
    """The cut so many places further down (or up, if negative) in the preview; stops at the ends."""
    place = next((place for place, cut in enumerate(cuts) if cut.position >= chosen.position), len(cuts) - 1)
    return cuts[max(0, min(len(cuts) - 1, place + steps))]


def is_prompt_entry(entry: Entry) -> bool:
    """True for words of the user's, which begin a turn."""
    return isinstance(entry, SteeringEntry) or (
        isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage)
    )


def _entry(item: Item, sizes: Sizes) -> Entry | None:
    return sizes.lookup(item.entry_id) if isinstance(item, Verbatim | Digested) else None


def _is_answer(entry: Entry) -> bool:
    return isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage)


def _is_sent(message: AssistantMessage) -> bool:
    """False for an answer of blanks or of nothing but thinking, which a request leaves out."""
    return bool(message.tool_calls) or bool(message.text.strip())


def _inside_pairs(entries: Sequence[Entry | None]) -> set[int]:
    """Places between a call and its result: a cut there would part them."""
    unsafe: set[int] = set()
    open_calls: dict[str, int] = {}
    for place, entry in enumerate(entries):
        if not isinstance(entry, MessageEntry):
            continue
        match entry.message:
            case AssistantMessage() as message:
                # A request pairs results with the last answer that is sent; calls left open before it stay open.
                open_calls = {call.id: place for call in message.tool_calls} if _is_sent(message) else open_calls
            case ToolResultMessage() as message:
                if (asked := open_calls.get(message.tool_call_id)) is not None:
                    unsafe.update(range(asked + 1, place + 1))
            case _:
                pass
    return unsafe
