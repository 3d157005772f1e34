"""A summary without a model: extracts under the same headings, within a budget. The last rung of the ladder.

It carries an earlier summary on, so that nothing of it is lost by one compaction without a model.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from diligent_tui.compaction.extractors import FindingKind, findings_of
from diligent_tui.compaction.facts import Facts, Words, facts_of
from diligent_tui.compaction.ledgers import bytes_within, is_made_by_program
from diligent_tui.compaction.sections import (
    BLOCKED,
    CONTEXT,
    DECISIONS,
    DONE,
    GOAL,
    IN_PROGRESS,
    NEXT,
    RULES,
    Sections,
    sections_in,
    write_sections,
)
from diligent_tui.compaction.sizes import TokensOf
from diligent_tui.compaction.touches import deed_of, touches_of
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage

LONGEST_LINE_CHARS = 240
NAMES_IN_ROW = 6
FEWEST_LINES: Mapping[str, int] = MappingProxyType({GOAL: 2, IN_PROGRESS: 1, NEXT: 1, CONTEXT: 1})
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {DONE: 3.0, CONTEXT: 1.5, DECISIONS: 1.0, BLOCKED: 1.5, RULES: 0.6, GOAL: 0.8, NEXT: 0.5, IN_PROGRESS: 0.5}
)
"""How gladly a section gives up a line over length; the ledger has errors and the user's words anyway."""
NO_MODEL_NOTE = "These notes are extracts made without a model; recall(id) shows any entry whole."


def truncated_summary(
    entries: Iterable[Entry],
    previous: str,
    budget_tokens: int,
    tokens_of: TokensOf,
    focus: str = "",
) -> str:
    """A summary of covered entries made of their own words, which goes on from the previous one."""
    entries = tuple(entries)
    return _fitted(_gathered(entries, sections_in(previous), focus), bytes_within(budget_tokens, tokens_of))


def truncated_prefix(entries: Iterable[Entry], budget_tokens: int, tokens_of: TokensOf) -> str:
    """What a turn did before the cut, in extracts, newest first kept."""
    entries = tuple(entries)
    facts = facts_of(entries)
    lines = [f"- {line}" for line in (*_deeds(entries), *(f"Error: {error.text}" for error in facts.errors))]
    return prefix_within("\n".join(line[:LONGEST_LINE_CHARS] for line in lines), budget_tokens, tokens_of)


def prefix_within(text: str, budget_tokens: int, tokens_of: TokensOf) -> str:
    """The newest lines of what is told of a turn, as many as fit."""
    left = bytes_within(budget_tokens, tokens_of)
    kept: list[str] = []
    for line in reversed(text.split("\n")):
        left -= utf8_size(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(reversed(kept)).strip()


def _gathered(entries: Sequence[Entry], before: Sections, focus: str) -> Sections:
    facts = facts_of(entries)
    found: dict[FindingKind, list[str]] = {}
    for finding in reversed(findings_of(entries)):
        # Names and numbers are many and short; an id behind each would double their size.
        is_short = finding.kind in ("identifier", "number")
        found.setdefault(finding.kind, []).append(finding.text if is_short else f"{finding.text} [{finding.entry_id}]")
    prompts = [f"“{_short(words.text)}” [{words.entry_id}]" for words in _spoken(facts)]
    wish = [f"Asked to look above all at: {_short(focus)}"] if focus.strip() else []
    moved = before[IN_PROGRESS] if entries else []
    open_errors = [f"{_short(error.text)} [{error.entry_id}]" for error in facts.errors if error.is_open]
    known = "\n".join(before[CONTEXT])
    names = [name for kind in ("number", "identifier") for name in found.get(kind, []) if name not in known]
    return {
        GOAL: _each(before[GOAL], prompts, wish),
        RULES: _each(before[RULES], found.get("constraint", [])),
        DONE: _each(before[DONE], moved, _deeds(entries)),
        IN_PROGRESS: prompts[-1:] or before[IN_PROGRESS],
        BLOCKED: _each(before[BLOCKED], open_errors),
        DECISIONS: _each(before[DECISIONS], found.get("decision", [])),
        NEXT: _each(before[NEXT] if not prompts else [], facts.todo or (), ["Go on from the user's newest words."]),
        CONTEXT: _each([NO_MODEL_NOTE], before[CONTEXT], _in_rows(names)),
    }


def _spoken(facts: Facts) -> Sequence[Words]:
    return [words for words in facts.words if not is_made_by_program(words.text)] or facts.words


def _deeds(entries: Iterable[Entry]) -> list[str]:
    """What was done and did not fail, in a few words each, oldest first; looking is no deed."""
    calls: dict[str, ToolCallBlock] = {}
    deeds: dict[str, None] = {}
    for entry in entries:
        match entry:
            case MessageEntry(message=AssistantMessage() as message):
                calls.update((call.id, call) for call in message.tool_calls)
            case MessageEntry(message=ToolResultMessage(is_error=False) as message):
                call = calls.pop(message.tool_call_id, None)
                if call and not (touched := touches_of(call.name, call.input)).only_looks:
                    files = ", ".join(touched.changed[:4])
                    deed = _short(f"changed {files}" if files else deed_of(call.name, call.input))
                    deeds.pop(deed, None)
                    deeds[deed] = None
            case _:
                pass
    return list(deeds)


def _in_rows(names: Sequence[str]) -> list[str]:
    return [", ".join(names[place : place + NAMES_IN_ROW]) for place in range(0, len(names), NAMES_IN_ROW)]


def _fitted(sections: Sections, most_bytes: int) -> str:
    """The sections within the budget: line by line the oldest goes, from where there is most to spare."""
    kept = {name: list(lines) for name, lines in sections.items()}
    over = utf8_size(write_sections(kept)) - most_bytes
    while over > 0:
        name = _most_to_spare(kept)
        if name is None:
            break
        # In the goal the first line is what it all began with, in the context our own note: the second goes.
        lines = kept[name]
        over -= utf8_size(lines.pop(1 if name in (GOAL, CONTEXT) and len(lines) > 1 else 0)) + 3
    if over > 0:
        kept = {name: [line[: max(20, LONGEST_LINE_CHARS // 4)] for line in lines[-1:]] for name, lines in kept.items()}
    return write_sections(kept)


def _most_to_spare(sections: Mapping[str, Sequence[str]]) -> str | None:
    spare = {
        name: weight * sum(map(len, sections[name]))
        for name, weight in WEIGHTS.items()
        if len(sections[name]) > FEWEST_LINES.get(name, 0)
    }
    return max(spare, key=lambda name: spare[name], default=None)


def _each(*groups: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(_short(line) for group in groups for line in group))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LINE_CHARS else line[: LONGEST_LINE_CHARS - 1] + "…"
