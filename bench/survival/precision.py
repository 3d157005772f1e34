"""How often the product's extractors are right, class by class, by evidence from the rest of the session.

Nobody labelled these sessions, so each class has a witness of its own that does not look at the extractor's pattern: a
file must be touched by a tool or listed in an output as a path; an error must come from a call that failed, or match
the benchmark's own pattern; a name must stand in code (an argument or an output); a number must come back in an output
or in another message; a rule must have a word that obliges, a decision one that chooses. The last two witnesses are
weak, and said to be so.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from bench.survival.deeds import touches_in
from bench.survival.finders import ERROR_CHARS, errors_in, path_key, paths_in, rules_in
from bench.survival.ruler import words_of
from bench.survival.transcripts import Transcript
from diligent_tui.compaction.extractors import FINDING_KINDS, Finding, FindingKind, findings_of
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    Message,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.requests import RequestMessage, Text, ToolCall, ToolResult, UserTurn

STRIDE_EXCHANGES = 60
"""Spans of so many exchanges, as a compaction would cover."""
_CHOOSES = re.compile(
    r"\b(?:decid|chos|choos|opt(?:ed|ing)?\b|prefer|instead|rather|better|best|simpl|clean|correct|because|since|"
    r"so that|avoid|fix|solution|cause|approach|will|going|keep|use|switch|skip|drop|need)",
    re.IGNORECASE,
)
_OBLIGES = re.compile(
    r"\b(?:must|never|always|not|n't|dont|only|should|need|keep|use|make|ensure|avoid|prefer|instead|without|at least|"
    r"at most|no|stop|leave|add|remove|change|write|run|do|put|be)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Precision:
    """Findings of each class, and how many a witness bears out."""

    found: dict[str, int] = field(default_factory=lambda: dict.fromkeys(map(str, FINDING_KINDS), 0))
    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(map(str, FINDING_KINDS), 0))
    wrong: list[Finding] = field(default_factory=list[Finding])

    def add(self, other: "Precision") -> None:
        """Take in another session."""
        for kind in FINDING_KINDS:
            self.found[kind] += other.found[kind]
            self.right[kind] += other.right[kind]
        self.wrong += other.wrong


@dataclass(slots=True)
class _Witnesses:
    """What a session says of itself, ready to be asked."""

    paths: set[str] = field(default_factory=set[str])
    names: set[str] = field(default_factory=set[str])
    """The last parts of all paths that tools touched or showed."""
    errors: set[str] = field(default_factory=set[str])
    failed_lines: set[str] = field(default_factory=set[str])
    code_words: set[str] = field(default_factory=set[str])
    texts: list[str] = field(default_factory=list[str])
    rules: set[str] = field(default_factory=set[str])

    def hear(self, turn: RequestMessage) -> None:
        for part in turn.parts:
            match part:
                case ToolCall():
                    self._see_code(words_of(type(turn)((part,))) if turn.role == "assistant" else "")
                    self.paths.update(touch.key for touch in touches_in(part))
                case ToolResult():
                    self._see_code(part.output)
                    self.errors.update(errors_in(part.output))
                    if part.is_error:
                        self.failed_lines.update(
                            " ".join(line.split())[:ERROR_CHARS] for line in part.output.splitlines()
                        )
                case Text() if isinstance(turn, UserTurn):
                    self.rules.update(rules_in(part.text))
                    self.paths.update(paths_in(part.text))
                case _:
                    pass
        self.texts.append(" ".join(words_of(turn).split()))

    def _see_code(self, text: str) -> None:
        self.paths.update(paths_in(text))
        self.code_words.update(_WORD.findall(text))

    def finish(self) -> None:
        self.names = {path.rpartition("/")[2] for path in self.paths}


Witness = Callable[[_Witnesses, str], bool]


def _is_file(session: _Witnesses, text: str) -> bool:
    return path_key(text) in session.paths or text.rpartition("/")[2] in session.names or _in_outputs(session, text)


def _is_error(session: _Witnesses, text: str) -> bool:
    known = session.errors | session.failed_lines
    return text[:ERROR_CHARS] in known


def _is_name(session: _Witnesses, text: str) -> bool:
    return all(word in session.code_words for word in _WORD.findall(text))


def _is_number(session: _Witnesses, text: str) -> bool:
    number = re.findall(r"[\d.,]+|#\w+", text)
    return bool(number) and sum(number[0].rstrip(".,") in said for said in session.texts) > 1


def _is_rule(session: _Witnesses, text: str) -> bool:
    return text in session.rules or _OBLIGES.search(text) is not None


def _is_decision(_session: _Witnesses, text: str) -> bool:
    return _CHOOSES.search(text) is not None


def _in_outputs(session: _Witnesses, text: str) -> bool:
    return all(word in session.code_words for word in _WORD.findall(text.rpartition("/")[2]))


WITNESSES: Mapping[FindingKind, Witness] = MappingProxyType(
    {
        "file": _is_file,
        "error": _is_error,
        "identifier": _is_name,
        "number": _is_number,
        "constraint": _is_rule,
        "decision": _is_decision,
    }
)


def precision_of(transcript: Transcript) -> Precision:
    """The precision over one session, span by span."""
    session = _Witnesses()
    for turn in transcript.turns:
        session.hear(turn)
    session.finish()
    precision = Precision()
    entries = [entry for turn in transcript.turns for entry in _entries(turn)]
    stride = max(1, STRIDE_EXCHANGES * len(entries) // max(1, len(transcript.exchanges)))
    for start in range(0, len(entries), stride):
        for finding in findings_of(entries[start : start + stride]):
            is_right = WITNESSES[finding.kind](session, finding.text)
            precision.found[finding.kind] += 1
            precision.right[finding.kind] += is_right
            if not is_right:
                precision.wrong.append(finding)
    return precision


def _entries(turn: RequestMessage) -> list[Entry]:
    messages: list[Message] = []
    blocks: list[Block] = []
    for part in turn.parts:
        match part:
            case Text() if turn.role == "user":
                messages.append(UserMessage(content=part.text))
            case Text():
                blocks.append(TextBlock(text=part.text))
            case ToolCall():
                blocks.append(ToolCallBlock(id=part.id, name=part.name, input=part.input))
            case ToolResult():
                messages.append(
                    ToolResultMessage(
                        tool_call_id=part.call_id, tool_name=part.name, output=part.output, is_error=part.is_error
                    )
                )
            case _:
                pass
    if blocks:
        messages.append(AssistantMessage(content=tuple(blocks)))
    return [MessageEntry(id=f"e{id(message)}", message=message) for message in messages]
