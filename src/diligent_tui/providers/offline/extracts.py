"""Gathers from a history what a summary must not lose: the user's words, the calls, the errors, the names of things."""

import re
from collections import deque
from dataclasses import dataclass, field

from diligent_tui.domain.knowledge import KnowledgeType
from diligent_tui.domain.requests import Request, RequestMessage, ToolCall, ToolResult, UserTurn
from diligent_tui.providers.offline.directives import without_directives
from diligent_tui.providers.offline.talk import (
    call_line,
    calls_in,
    is_go_on,
    is_note,
    opening_summary,
    results_in,
    shorten,
    texts_in,
)
from diligent_tui.providers.offline.transcripts import FAILED, Framed, call_in, framed, spoken_in

LONGEST_LINE_CHARS = 240
MOST_ERROR_LINES = 3

_ERROR = re.compile(r"(?:error|exception)\b|\b(?:traceback|failed|failure|fatal|panic|cannot|denied)\b", re.IGNORECASE)
_ROLE = re.compile(
    r"[\[<(#*\s]{0,6}(?P<role>user|human|assistant|tool[_ -]?call|call|tool[_ -]?result|tool|result)\b"
    r"(?P<about>[^\n:>\]]{0,80})[:>\]][*]{0,2}[ \t]*(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_PREVIOUS = re.compile(r"<(?P<tag>previous[-_ ]?summary)>(?P<text>.*?)</(?P=tag)>", re.IGNORECASE | re.DOTALL)
_PATH = re.compile(
    r"(?<![\w./:~-])(?:~?/|\.{1,2}/)?(?:[\w.-]+/)+[\w-][\w.-]*"
    r"|(?<![\w./:~-])[\w-]+\.(?:py|md|toml|json|jsonl|js|ts|tsx|rs|go|c|h|sh|yml|yaml|txt|cfg|ini|html|css|tcss|sql|lock)\b"
)
_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")
_TICKED = re.compile(r"`([^`\n]{2,80})`")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_RULE = re.compile(
    r"\b(?:always|never|must|do not|don't|prefer|only|should|without|avoid|instead|rather|please use|no longer|keep)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decided?|decision|chose|choose|agreed|we will|we use|we'll use|let's use|go with|because|settled on)\b",
    re.IGNORECASE,
)
_REMEMBERED = re.compile(
    r"(?:please |also |and )*(?:remember|note that|keep in mind|don't forget)(?: that)?[:,]? +(?P<fact>.+)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:always|never|from now on|in this project|i (?:prefer|like|want you to)|we prefer)\b", re.IGNORECASE
)
_CORRECTING = re.compile(r"\A(?:no|wrong|actually|that is not|that's not)\b", re.IGNORECASE)


def _no_lines() -> dict[str, None]:
    return {}


@dataclass(slots=True)
class Extracts:
    """What was found, each line once and oldest first."""

    previous: str = ""
    prompts: dict[str, None] = field(default_factory=_no_lines)
    rules: dict[str, None] = field(default_factory=_no_lines)
    decisions: dict[str, None] = field(default_factory=_no_lines)
    done: dict[str, None] = field(default_factory=_no_lines)
    blocked: dict[str, str] = field(default_factory=dict[str, str])
    running: dict[str, None] = field(default_factory=_no_lines)
    errors: dict[str, None] = field(default_factory=_no_lines)
    names: dict[str, None] = field(default_factory=_no_lines)
    turn: dict[str, None] = field(default_factory=_no_lines)
    """What was done since the newest prompt."""
    candidates: dict[str, KnowledgeType] = field(default_factory=dict[str, KnowledgeType])
    """What may still be true in other sessions."""
    instruction: str = ""
    """What whoever asks says about the summary."""
    source_words: int = 0


def extract(request: Request) -> Extracts:
    """What a summary request has to tell of, be its history turns or one written transcript."""
    found = Extracts()
    if len(request.messages) > 1:
        _from_turns(request.messages, found)
    else:
        _from_transcript("\n".join(text for turn in request.messages for text in texts_in(turn)), found)
    return found


def _from_turns(messages: tuple[RequestMessage, ...], found: Extracts) -> None:
    found.previous = opening_summary(messages)
    history = messages[2:] if found.previous and len(messages) > 2 else messages
    calls: dict[str, ToolCall] = {}
    for index, turn in enumerate(history, start=1):
        words = texts_in(turn)
        if index == len(history) and words:
            # The last words of the request are the summariser's instructions, not the user's.
            found.instruction = words.pop()
        for result in results_in(turn):
            _take_result(calls.pop(result.call_id, None), result, found)
        for text in words:
            if isinstance(turn, UserTurn) and not is_note(text):
                _take_prompt(text, found)
            else:
                _take_words(text, found)
        for call in calls_in(turn):
            calls[call.id] = call
            _take_names(" ".join(str(value) for value in call.input.values()), found)
    found.running |= {call_line(call.name, call.input): None for call in calls.values()}


def _from_transcript(text: str, found: Extracts) -> None:
    if parts := framed(text):
        _from_frame(parts, found)
        return
    if previous := _PREVIOUS.search(text):
        found.previous = previous["text"].strip()
        text = text[: previous.start()] + text[previous.end() :]
    role, lines = "", list[str]()
    for line in [*text.splitlines(), "user:"]:
        if begun := _ROLE.match(line):
            _take_speech(role, "\n".join(lines).strip(), found)
            role = begun["role"].lower()
            lines = [f"{begun['about'].strip()} {begun['rest']}".strip() if "call" in role else begun["rest"]]
        else:
            lines.append(line)


def _from_frame(parts: Framed, found: Extracts) -> None:
    """Take a transcript of our own making, in which results come in the order of their calls."""
    found.instruction = parts.instruction
    if previous := _PREVIOUS.search(parts.before):
        found.previous = previous["text"].strip()
    calls: deque[ToolCall] = deque()
    for spoken in spoken_in(parts.transcript):
        match spoken.role:
            case "user":
                _take_prompt(spoken.words, found, spoken.entry_id)
            case "tool_call":
                name, arguments = call_in(spoken.words)
                calls.append(ToolCall(spoken.entry_id, name, arguments))
                _take_names(spoken.words, found)
            case "tool_result":
                call = calls.popleft() if calls else None
                is_error = spoken.words.startswith(FAILED)
                output = spoken.words.removeprefix(FAILED)
                name = call.name if call else "tool"
                _take_result(call, ToolResult(spoken.entry_id, name, output, is_error), found)
            case _:
                _take_words(spoken.words, found)
    found.running |= {call_line(call.name, call.input): None for call in calls}


def _take_speech(role: str, text: str, found: Extracts) -> None:
    if not role or not text:
        return
    if role in ("user", "human"):
        _take_prompt(text, found)
    elif "call" in role:
        found.done[shorten(" ".join(text.split()), LONGEST_LINE_CHARS)] = None
        _take_names(text, found)
        found.source_words += len(text.split())
    else:
        _take_words(text, found)
        if "result" in role or role == "tool":
            _take_errors(text, found)


def _take_prompt(text: str, found: Extracts, entry_id: str = "") -> None:
    words = without_directives(text)
    found.source_words += len(words.split())
    if not words or is_go_on(words):
        return
    found.prompts[one_line(words)] = None
    found.turn.clear()
    for sentence in _SENTENCE_END.split(words):
        if _RULE.search(sentence):
            found.rules[one_line(sentence)] = None
        if _DECISION.search(sentence):
            found.decisions[one_line(sentence)] = None
        _take_candidate(sentence, entry_id, found)
    found.names |= {f"`{name}`": None for name in _TICKED.findall(words)}
    _take_names(words, found)


def _take_candidate(sentence: str, entry_id: str, found: Extracts) -> None:
    remembered = _REMEMBERED.match(sentence.strip())
    if sentence.rstrip().endswith("?") or not (remembered or _LASTING.search(sentence)):
        return
    fact = remembered["fact"] if remembered else sentence
    kind: KnowledgeType = "preference" if _LASTING.search(fact) else "pattern"
    mark = f" [{entry_id}]" if entry_id else ""
    found.candidates[f"{one_line(fact)}{mark}"] = "correction" if _CORRECTING.match(sentence.strip()) else kind


def _take_words(text: str, found: Extracts) -> None:
    found.source_words += len(text.split())
    for sentence in _SENTENCE_END.split(text):
        if _DECISION.search(sentence) and not sentence.startswith(("#", "|", "`")):
            found.decisions[one_line(sentence)] = None
    _take_names(text, found)


def _take_result(call: ToolCall | None, result: ToolResult, found: Extracts) -> None:
    found.source_words += len(result.output.split())
    line = call_line(call.name, call.input) if call else f"`{result.name}`"
    if result.is_error:
        said = [text for text in result.output.splitlines() if text.strip()]
        reason = next((text for text in said if _ERROR.search(text)), said[-1] if said else "no words")
        found.blocked[line] = one_line(reason)
    else:
        found.done[line] = None
        found.turn[line] = None
        found.blocked.pop(line, None)
    _take_errors(result.output, found)


def _take_errors(output: str, found: Extracts) -> None:
    lines = [line for line in output.splitlines() if _ERROR.search(line)]
    found.errors |= {one_line(line): None for line in lines[-MOST_ERROR_LINES:]}


def _take_names(text: str, found: Extracts) -> None:
    for url in _URL.findall(text):
        found.names[url.rstrip(".,;:")] = None
    for path in _PATH.findall(_URL.sub(" ", text)):
        found.names[path.rstrip(".")] = None


def one_line(text: str) -> str:
    """A text on one line, short, with whole words only."""
    return shorten(" ".join(text.split()), LONGEST_LINE_CHARS)
