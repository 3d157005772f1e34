"""Whether an answer may stand as a summary: the table of what is refused, and what the model is told for its retry."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from diligent_tui.compaction.mentions import Mention, invented
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.sections import KEY_SECTIONS, NEXT, has_section, heading_of, says_nothing, sections_in

FaultKind = Literal[
    "tool_call",
    "cut_off",
    "refused",
    "empty",
    "too_short",
    "sections_missing",
    "nothing_said",
    "wrong_language",
    "done_again",
    "not_smaller",
    "too_long",
    "invented",
]
CUT_OFF_REASONS = frozenset({"max_tokens", "context_window", "pause_turn", "error", "interrupted"})
REFUSED_REASONS = frozenset({"refusal", "content_filter"})
FEWEST_SECTIONS = 2
FEWEST_SAID_CHARS = 80
"""Under all headings together; less is a form that was not filled in."""
FEWEST_LETTERS = 60
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a summary."""

    text: str
    stop_reason: str = "end_turn"
    has_tool_call: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What a summary is made from, to hold it against."""

    texts: tuple[str, ...]
    """History, previous summary, ledger and system prompt: nothing may be named that none of them names."""
    user_text: str = ""
    entry_ids: frozenset[str] = frozenset()
    done_items: tuple[str, ...] = ()
    replaced_tokens: int = 0
    """What the summary and its ledger take the place of."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an answer is not taken, said so that the model can do better; `is_fatal` if it is never taken."""

    kind: FaultKind
    complaint: str
    is_fatal: bool = True


def faults_of(
    answer: Answer,
    source: Source,
    policy: CompactionPolicy,
    *,
    summary_tokens: int,
    result_tokens: int,
    most_tokens: int,
) -> tuple[Fault, ...]:
    """All that is wrong with an answer.

    `summary_tokens` is the answer's own size, `most_tokens` what it may take, and `result_tokens` the size of all that
    would stand in place of the covered entries.
    """
    if gross := _gross_fault(answer, policy):
        return (gross,)
    found: list[Fault] = []
    text = answer.text
    if sum(has_section(text, name) for name in KEY_SECTIONS) < FEWEST_SECTIONS:
        found.append(Fault("sections_missing", "Write it under the headings asked for, Goal and Progress among them."))
    elif _said_chars(text) < FEWEST_SAID_CHARS:
        found.append(Fault("nothing_said", "Almost nothing stands under the headings. Say what really happened."))
    if _is_other_script(text, source.user_text):
        found.append(Fault("wrong_language", "Write in the language of the conversation; only headings are English."))
    if again := _done_again(text, source.done_items):
        found.append(Fault("done_again", f"These are done already; do not list them as next steps: {_named(again)}"))
    if result_tokens > source.replaced_tokens * (1 - policy.least_shrink_share):
        found.append(Fault("not_smaller", "It is hardly shorter than what it replaces. Say it in far fewer words."))
    elif summary_tokens > most_tokens:
        found.append(Fault("too_long", f"It has about {summary_tokens:,} tokens; at most {most_tokens:,} fit."))
    if strange := invented_in(text, source):
        names = _named([mention.text for mention in strange])
        complaint = f"These names stand nowhere in the conversation; correct or leave them out: {names}"
        found.append(Fault("invented", complaint, is_fatal=False))
    return tuple(found)


def invented_in(text: str, source: Source) -> tuple[Mention, ...]:
    """Paths, addresses, versions and hashes that the source does not have."""
    return invented(text, source.texts, source.entry_ids)


def may_stand(faults: Iterable[Fault]) -> bool:
    """Whether an answer with these faults may be kept once it cannot be had better."""
    return not any(fault.is_fatal for fault in faults)


def complaint_on(faults: Sequence[Fault]) -> str:
    """What the model is told before its one retry."""
    lines = "\n".join(f"- {fault.complaint}" for fault in faults)
    return f"Your summary cannot be used as it is:\n{lines}\nWrite the whole summary again, without these faults."


def _gross_fault(answer: Answer, policy: CompactionPolicy) -> Fault | None:
    text = answer.text.strip()
    if answer.has_tool_call:
        return Fault("tool_call", "You called a tool. Call none; answer with the summary only.")
    if answer.stop_reason in CUT_OFF_REASONS:
        return Fault("cut_off", "It ended before it was finished. Write a shorter one.")
    if answer.stop_reason in REFUSED_REASONS:
        return Fault("refused", "You declined. These are only notes on what was said; write them.")
    if not text:
        return Fault("empty", "You wrote nothing. Answer with the summary as text.")
    if len(text) < policy.least_summary_chars:
        least = policy.least_summary_chars
        return Fault("too_short", f"It has {len(text)} characters; a summary has at least {least}, with its headings.")
    return None


def _said_chars(text: str) -> int:
    return sum(len(line.strip()) for line in text.splitlines() if heading_of(line) is None and not says_nothing(line))


def _done_again(text: str, done_items: Collection[str]) -> list[str]:
    """Things done that stand among the next steps, word for word."""
    steps = " ".join(" ".join(line.split()).lower() for line in sections_in(text)[NEXT])
    return [item for item in done_items if len(item) >= 8 and item.lower() in steps]


def _is_other_script(text: str, user_text: str) -> bool:
    """True if the user writes in one script and the summary in another; languages of one script are not told apart."""
    theirs, ours = _scripts(user_text), _scripts("\n".join(line for line in text.splitlines() if not heading_of(line)))
    if theirs.total() < FEWEST_LETTERS or ours.total() < FEWEST_LETTERS:
        return False
    script, count = theirs.most_common(1)[0]
    # Talk about code is full of Latin names in any language, so a quarter of another script is the language already.
    if script == "latin":
        foreign = [share for name, share in theirs.items() if name != "latin"]
        is_latin = sum(foreign) < 0.05 * theirs.total()
        return is_latin and ours["latin"] < 0.5 * ours.total()
    return count >= 0.25 * theirs.total() and ours[script] < 0.05 * ours.total()


_SCRIPTS = (
    ("cyrillic", re.compile(r"[\u0400-\u052f]")),
    ("greek", re.compile(r"[\u0370-\u03ff]")),
    ("arabic", re.compile(r"[\u0600-\u06ff]")),
    ("hebrew", re.compile(r"[\u0590-\u05ff]")),
    ("indic", re.compile(r"[\u0900-\u0dff]")),
    ("thai", re.compile(r"[\u0e00-\u0e7f]")),
    ("hangul", re.compile(r"[\uac00-\ud7af]")),
    # Chinese and Japanese share signs, and each is three letters' worth of words.
    ("han", re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")),
    ("latin", re.compile(r"[A-Za-z\u00c0-\u024f]")),
)
LONGEST_LANGUAGE_CHARS = 20_000


def _scripts(text: str) -> Counter[str]:
    sample = text[:LONGEST_LANGUAGE_CHARS]
    weights = {"han": 3}
    return Counter({name: len(script.findall(sample)) * weights.get(name, 1) for name, script in _SCRIPTS})


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(f"`{name[:120]}`" for name in names[:MOST_NAMED]) + more
