"""The last row of a turn: what it took, read from its entries, the same while it goes on and years later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import from_stamp
from diligent_tui.domain.usage import Usage
from diligent_tui.ui import format as fmt
from diligent_tui.ui.transcript import TurnSpan

Price = Callable[[str, Usage], float | None]
"""What a request to a model cost in dollars; None if that is not known."""
NOT_READ_YET = "…"
"""Stands for the figures of a turn whose beginning is still to be read."""
LONGEST_MODEL_CHARS = 30


@dataclass(frozen=True, slots=True)
class TurnSpent:
    """What a turn took; what is None is not known."""

    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    seconds: float | None = None
    model: str = ""
    """The model that answered, if the turn before was answered by another."""


def no_price(model_id: str, usage: Usage) -> float | None:
    """For as long as nobody knows the prices."""
    return None


def spent_in(span: TurnSpan, lookup: Callable[[str], Entry], price: Price) -> TurnSpent:
    """Add up what the answers of a turn used."""
    usage, cost, model_id = Usage(), 0.0, ""
    is_priced = True
    for answer in (_answer(lookup(entry_id)) for entry_id in span.answer_ids):
        if answer is None or answer.usage is None:
            continue
        model_id = _model_of(answer)
        usage += answer.usage
        dollars = price(model_id, answer.usage)
        is_priced = is_priced and dollars is not None
        cost += dollars or 0.0
    before = _answer(lookup(span.before_id)) if span.before_id else None
    is_new = before is not None and _model_of(before) != model_id
    return TurnSpent(
        usage, cost if is_priced else None, _seconds(span, lookup), model_id.rpartition("/")[2] if is_new else ""
    )


def footer_words(spent: TurnSpent, room: int) -> str:
    """The row's words; what matters least gives way first."""
    usage = spent.usage
    is_cached = usage.prompt_tokens > 0 and (usage.cache_read_tokens or usage.cache_write_tokens)
    parts = [
        clean_line(spent.model, LONGEST_MODEL_CHARS),
        f"{fmt.tokens(usage.prompt_tokens)} in",
        f"{fmt.tokens(usage.output_tokens)} out",
        f"cache {fmt.percent(100 * usage.cache_read_tokens / usage.prompt_tokens)}" if is_cached else "",
        # What is free is not worth a word.
        "" if spent.cost == 0 else fmt.money(spent.cost),
        "" if spent.seconds is None else fmt.duration(spent.seconds),
    ]
    # Cost and time are said longest.
    for place in (3, 0, 2, 1, 5, 4):
        if cell_len(_joined(parts)) <= room:
            break
        parts[place] = ""
    return clean_line(_joined(parts), max(1, room))


def _joined(parts: Sequence[str]) -> str:
    return " · ".join(filter(None, parts))


def _answer(entry: Entry) -> AssistantMessage | None:
    match entry:
        case MessageEntry(message=AssistantMessage() as message):
            return message
        case _:
            return None


def _model_of(answer: AssistantMessage) -> str:
    return f"{answer.provider}/{answer.model}"


def _seconds(span: TurnSpan, lookup: Callable[[str], Entry]) -> float | None:
    if span.began_id is None:
        return None
    began, ended = (from_stamp(lookup(entry_id).timestamp) for entry_id in (span.began_id, span.ended_id))
    if began is None or ended is None:
        return None
    # A clock may be set back meanwhile.
    return max(0.0, (ended - began).total_seconds())
