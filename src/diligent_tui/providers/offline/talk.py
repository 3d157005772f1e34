"""Reads a request as a talk: which words are the order, and what was done since it was given."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.piped_input import Piped, without_input
from diligent_tui.domain.requests import AssistantTurn, Request, RequestMessage, Text, ToolCall, ToolResult, UserTurn

KEY_HEADING = re.compile(r"^#{1,4} +(?:goal|progress|critical context)\b", re.IGNORECASE | re.MULTILINE)
LONGEST_SUBJECT_CHARS = 120

_GO_ON = re.compile(r"\W*(?:please )?(?:continue|go on|carry on|keep going|resume)\b", re.IGNORECASE)
_CUT_OFF = re.compile(r"\bcut off\b|\bwhere (?:you|it) (?:stopped|left off|ended)\b", re.IGNORECASE)
_LONGEST_GO_ON_CHARS = 300
_BRACKETED = re.compile(r"\[(?!\[)[^\n]*\](?:\s*\n|\s*\Z)")
_FROM_NOTES = re.compile(r"What [^\n]{1,80}from your notes[:.]?\s*\n", re.IGNORECASE)
_TAGGED = re.compile(r"<(?P<tag>[A-Za-z][\w-]*)[^<>\n]*>")
_SUBJECTS = ("command", "pattern", "path", "file_path", "content", "query", "id")


@dataclass(frozen=True, slots=True)
class Round:
    """The calls of one answer and what came back; `settled` if the user has said go on since."""

    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]
    settled: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """A request, read: the newest order and what surrounds it."""

    order: str
    """The words alone: what was piped in behind them is nobody's wish."""
    piped: Piped | None
    notes: str
    """What stands beside the order but is nobody's wish, such as a summary of the turn's beginning."""
    rounds: tuple[Round, ...]
    answered: bool
    """Whether any answer was given since the order."""
    earlier: tuple[str, ...]
    summary: str
    """The summary the talk begins with, or nothing."""
    calls_before: int
    mark: str
    """What tells this request from every other, so that ids made from it are new in the whole session."""

    def new_call_id(self, position: int = 1) -> str:
        """The id of the next answer's call of that position."""
        return f"call_{self.calls_before + position}_{self.mark}"


def read_talk(request: Request, mark: str = "0") -> Talk:
    """The talk of a request. The newest words are the order, unless they only say to go on with the one before."""
    messages = request.messages
    summary = opening_summary(messages)
    said = [(index, text) for index, text in _prompts(messages) if not (summary and index == 0)]
    wishes = [(index, text) for index, text in said if not is_go_on(text)] or said
    order_at, order = wishes[-1] if wishes else (-1, "")
    go_on_at = said[-1][0] if said else -1
    since = messages[order_at + 1 :]
    piped = without_input(order)
    return Talk(
        order=piped.words if piped else order,
        piped=piped,
        notes="\n".join(_notes(messages[order_at])) if order_at >= 0 else "",
        rounds=tuple(_rounds(messages, order_at, go_on_at)),
        answered=any(isinstance(turn, AssistantTurn) for turn in since),
        earlier=tuple(text for _, text in said[: said.index((order_at, order))]) if said else (),
        summary=summary,
        calls_before=sum(len(calls_in(turn)) for turn in messages),
        mark=mark,
    )


def opening_summary(messages: tuple[RequestMessage, ...]) -> str:
    """The summary that the first answer holds, if it holds one."""
    first = next((turn for turn in messages if isinstance(turn, AssistantTurn)), None)
    words = "\n".join(texts_in(first)) if first else ""
    return words if is_summary(words) else ""


def is_summary(text: str) -> bool:
    """Whether a text has the headings of a summary."""
    return len({heading.lower() for heading in KEY_HEADING.findall(text)}) >= 2


def is_note(text: str) -> bool:
    """Whether a text is told by the program and not by the user: in brackets, in a tag, or a summary."""
    bare = text.strip()
    if _BRACKETED.match(bare) or _FROM_NOTES.match(bare) or is_summary(bare):
        return True
    tagged = _TAGGED.match(bare)
    return tagged is not None and bare.endswith(f"</{tagged['tag']}>")


def is_go_on(text: str) -> bool:
    """Whether words only ask to go on with what was begun."""
    return len(text) <= _LONGEST_GO_ON_CHARS and bool(_GO_ON.match(text) or _CUT_OFF.search(text))


def texts_in(turn: RequestMessage) -> list[str]:
    """The words of a turn."""
    return [part.text for part in turn.parts if isinstance(part, Text) and part.text.strip()]


def calls_in(turn: RequestMessage) -> list[ToolCall]:
    """The calls of a turn."""
    return [part for part in turn.parts if isinstance(part, ToolCall)]


def results_in(turn: RequestMessage) -> list[ToolResult]:
    """The results of a turn."""
    return [part for part in turn.parts if isinstance(part, ToolResult)]


def call_line(name: str, arguments: JsonObject) -> str:
    """A call in a few words, the same wherever it is named."""
    subjects = [arguments[key] for key in _SUBJECTS if isinstance(arguments.get(key), str)]
    subject = " ".join(str(subjects[0]).split()) if subjects else ""
    return f"`{name}` {shorten(subject, LONGEST_SUBJECT_CHARS)}".strip()


def shorten(text: str, longest_chars: int) -> str:
    """The text, or its whole first words: a word cut in two could read as a path that does not exist."""
    if len(text) <= longest_chars:
        return text
    head, _, _ = text[:longest_chars].rpartition(" ")
    return f"{head} …" if head else "…"


def _prompts(messages: tuple[RequestMessage, ...]) -> Iterator[tuple[int, str]]:
    for index, turn in enumerate(messages):
        if isinstance(turn, UserTurn):
            for text in texts_in(turn):
                if not is_note(text):
                    yield index, text.strip()


def _notes(turn: RequestMessage) -> list[str]:
    return [text for text in texts_in(turn) if is_note(text)]


def _rounds(messages: tuple[RequestMessage, ...], order_at: int, go_on_at: int) -> Iterator[Round]:
    for index in range(order_at + 1, len(messages)):
        calls = calls_in(messages[index])
        if calls and index + 1 < len(messages):
            results = results_in(messages[index + 1])
            yield Round(tuple(calls), tuple(results), settled=index < go_on_at)
