"""Finds in a stretch of conversation what a summary must not lose, each thing with the entry it stands in.

Only what people and models said is searched for decisions, rules, numbers and names; of outputs only error lines
count, or there would be thousands. Work is bounded: a long text is looked at in its beginning and its end, and of
each kind only the newest (of names the most used) are kept.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from diligent_tui.compaction.error_lines import error_lines
from diligent_tui.compaction.ledgers import is_made_by_program
from diligent_tui.compaction.mentions import URL, paths_in
from diligent_tui.compaction.touches import touches_of
from diligent_tui.domain.entries import Entry, MessageEntry, SteeringEntry
from diligent_tui.domain.messages import AssistantMessage, ToolResultMessage, UserMessage, text_of
from diligent_tui.domain.progress import Tell, tell_nobody

FindingKind = Literal["file", "decision", "constraint", "error", "number", "identifier"]
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
MOST_OF_KIND: Mapping[FindingKind, int] = MappingProxyType(
    {"file": 200, "decision": 60, "constraint": 80, "error": 60, "number": 80, "identifier": 120}
)
LONGEST_TEXT_CHARS = 24_000
LONGEST_SENTENCE_CHARS = 320
SHORTEST_SENTENCE_CHARS = 12

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[:;])\s+(?=[\"'(\[*`A-Z0-9])|(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<=[.!?])\s+|\n+")
_LIST_MARK = re.compile(r"\A\s*(?:[-*•>#]+|\d{1,3}[.)]|\[[ x>]\])\s+")
_RULE = re.compile(
    r"\b(?:always|never|must(?:n't)?|do not|don'?t|only (?:use|when|if|the|one|in|after|for)|prefer|avoid|no longer|"
    r"\w+ should(?:n't| not)? (?:be|not|have|use|only|also|stay|never|always|include)|make sure|ensure|"
    r"instead(?: of)?|rather than|without|forbidden|not allowed|at (?:most|least)|no more than|"
    r"keep (?:it|the|this|that)|leave .{1,30} (?:as|alone)|stop \w+ing|please use|no need)\b"
    r"|\A(?:please )?(?:only )?use\b",
    re.IGNORECASE,
)
_TELLING = re.compile(r"\A(?:I|we) (?:have|had|would|was|am|think)\b|:\Z|\A(?:if|because|as expected)\b", re.IGNORECASE)
"""How sentences begin or end that tell something and lay nothing down."""
_QUESTION = re.compile(r"\?\W*\Z|\A(?:why|what|how|where|when|who|any idea|does|is it|are there)\b", re.IGNORECASE)
_DECISION = re.compile(
    r"\b(?:(?:I|we)(?:'ve| have)? (?:decided|chose|opted|settled|agreed)|decision\b|decided to|opt(?:ed|ing) for|"
    r"settled on|went with|going with|let'?s (?:use|go with|keep|drop|not)|"
    r"(?:I|we)(?:'ll| will) (?:use|go with|keep|drop|switch to|skip|not)|"
    r"the (?:best|right|correct|cleanest|simplest|safest) (?:approach|way|fix|solution|option) (?:is|was)|"
    r"instead of|rather than|root cause|the (?:fix|solution) (?:is|was)|won't work|doesn't work because)\b",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"\A(?:now )?(?:let me|i'll (?:now )?(?:read|look|check|run|start|see|find)|great|good|ok)\b", re.I
)
_NUMBER = re.compile(
    r"(?<![\w.#/'-])(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*(?:\.\d+)?|0\.\d+)"
    r"\s?(?:%|ms|sec(?:onds?)?|min(?:utes?)?|hours?|days?|[kKMGT]i?B|bytes?|tokens?|lines?|tests?|doctests?|failures?|"
    r"errors?|files?|px|times|×|chars?|characters?|rows?|columns?|colors?|tasks?|steps?|items?|issues?)(?!\w)"
    r"|#[0-9a-fA-F]{6}\b|\bport \d{2,5}\b|\b(?:PR|issue) ?#\d+"
)
_TICKED = re.compile(r"`([^`\n]{2,80})`")
_IDENTIFIER = re.compile(
    r"(?<![\w./`-])(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|"
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?=\(|\b))(?:/\d\b|\(\))?(?![\w/-])"
)
_NAME = re.compile(r"[A-Za-z_@:.$][\w:.@$!?-]*(?:/\d)?(?:\(\))?")
_COMMON = re.compile(r"e\.g|i\.e|__\w+__|(?:JavaScript|TypeScript|GitHub|OpenAI|PostgreSQL|MySQL|SQLite)\w*")
_PLAIN_WORD = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+|\d[\w.]*")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a summary should carry, and the entry it stands in."""

    kind: FindingKind
    text: str
    entry_id: str


@dataclass(slots=True)
class _Search:
    found: dict[FindingKind, dict[str, str]] = field(
        default_factory=lambda: {kind: dict[str, str]() for kind in FINDING_KINDS}
    )
    """By kind and text: the entry where it was said last."""
    uses: Counter[str] = field(default_factory=Counter[str])
    """How often an identifier was used."""
    only_looks: dict[str, bool] = field(default_factory=dict[str, bool])
    """By call: whether it does nothing but read, so that what it says of errors is other people's code."""

    def keep(self, kind: FindingKind, text: str, entry_id: str) -> None:
        self.found[kind].pop(text, None)
        self.found[kind][text] = entry_id

    def take(self, entry: Entry) -> None:
        match entry:
            case MessageEntry(message=UserMessage() as message):
                self._take_prompt(entry.id, text_of(message.content))
            case SteeringEntry():
                self._take_prompt(entry.id, entry.message)
            case MessageEntry(message=AssistantMessage() as message):
                self._take_words(entry.id, message.text)
                for call in message.tool_calls:
                    touched = touches_of(call.name, call.input)
                    self.only_looks[call.id] = touched.only_looks
                    for path in (*touched.read, *touched.changed):
                        self.keep("file", path, entry.id)
            case MessageEntry(message=ToolResultMessage() as message):
                only_looks = self.only_looks.pop(message.tool_call_id, False)
                if message.is_error or not only_looks:
                    is_failure = message.is_error and not only_looks
                    for line in error_lines(text_of(message.output), is_failure=is_failure):
                        self.keep("error", line, entry.id)
            case _:
                pass

    def _take_prompt(self, entry_id: str, text: str) -> None:
        words = _searched(text)
        if not is_made_by_program(words):
            for sentence in sentences_in(words):
                if is_rule(sentence):
                    self.keep("constraint", sentence, entry_id)
        for path in paths_in(words):
            self.keep("file", path, entry_id)
        self._take_words(entry_id, text)

    def _take_words(self, entry_id: str, text: str) -> None:
        words = _searched(text)
        if not words:
            return
        for sentence in sentences_in(words):
            if is_decision(sentence):
                self.keep("decision", sentence, entry_id)
        for number in _NUMBER.finditer(words):
            self.keep("number", " ".join(number[0].split()), entry_id)
        for name in identifiers_in(words):
            self.uses[name] += 1
            self.keep("identifier", name, entry_id)


def findings_of(entries: Sequence[Entry], tell: Tell = tell_nobody) -> tuple[Finding, ...]:
    """What is to be found in these entries, kind by kind, the newest first."""
    search = _Search()
    for number, entry in enumerate(entries):
        tell(number, len(entries))
        search.take(entry)
    return tuple(
        Finding(kind, text, entry_id) for kind in FINDING_KINDS for text, entry_id in _most_telling(search, kind)
    )


def sentences_in(text: str) -> Iterator[str]:
    """The sentences and list lines of a text, without code blocks and list marks."""
    for sentence in _SENTENCE_END.split(_CODE.sub("\n", text)):
        bare = " ".join(_LIST_MARK.sub("", sentence).split())
        if SHORTEST_SENTENCE_CHARS <= len(bare) <= LONGEST_SENTENCE_CHARS:
            yield bare


def is_rule(sentence: str) -> bool:
    """Whether a sentence of the user's says how something is to be, and is no question."""
    return _RULE.search(sentence) is not None and not (_QUESTION.search(sentence) or _TELLING.search(sentence))


def is_decision(sentence: str) -> bool:
    """Whether a sentence says what was chosen, or why."""
    is_other = _CHATTER.match(sentence) or _QUESTION.search(sentence) or _TELLING.search(sentence)
    return _DECISION.search(sentence) is not None and not is_other


def identifiers_in(text: str) -> Iterator[str]:
    """Names out of programs: in backticks, or of a shape that no word of a language has."""
    bare = URL.sub(" ", text)
    for ticked in _TICKED.findall(bare):
        if _NAME.fullmatch(ticked) and not _PLAIN_WORD.fullmatch(ticked):
            yield ticked
    for name in _IDENTIFIER.finditer(_TICKED.sub(" ", bare)):
        if not _COMMON.fullmatch(name[0]):
            yield name[0]


def _most_telling(search: _Search, kind: FindingKind) -> list[tuple[str, str]]:
    newest_first = list(reversed(search.found[kind].items()))
    if kind == "identifier":
        paths = {part for path in search.found["file"] for part in (path, path.rpartition("/")[2])}
        newest_first = [(name, entry_id) for name, entry_id in newest_first if name not in paths]
        # One mention in passing is not what the work was about; a stable sort keeps the newest first.
        newest_first = sorted(
            ((name, entry_id) for name, entry_id in newest_first if search.uses[name] > 1),
            key=lambda item: -search.uses[item[0]],
        )
    return newest_first[: MOST_OF_KIND[kind]]


def _searched(text: str) -> str:
    if len(text) <= LONGEST_TEXT_CHARS:
        return text
    half = LONGEST_TEXT_CHARS // 2
    return f"{text[:half]}\n{text[-half:]}"
