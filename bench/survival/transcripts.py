"""Real sessions in neutral JSONL, read and made regular: user and assistant take turns, and every call is answered.

A file's first line is its meta data; each other line is an event of a user, an assistant or a tool. Compactions of the
original agent are left out, so that every policy begins with the whole history.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from bench.survival.values import as_bool, as_count, as_text, objects_in
from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.requests import (
    AssistantPart,
    AssistantTurn,
    RequestMessage,
    Text,
    ToolCall,
    ToolResult,
    UserPart,
    UserTurn,
)
from diligent_tui.domain.usage import Usage

INTERRUPTED = "[interrupted]"
NO_OUTPUT = "(no output)"
GO_ON = "Go on."


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the model was told, what it said to that, and what the provider counted, if that is known."""

    heard: UserTurn
    said: AssistantTurn
    usage: Usage | None = None
    model: str = ""
    follows_compaction: bool = False
    """The original agent compacted just before, so that its counts begin anew."""

    @property
    def starts_turn(self) -> bool:
        """True if the user said something."""
        return any(isinstance(part, Text) for part in self.heard.parts)


@dataclass(frozen=True)
class Transcript:
    """One session; the request before the answer of exchange `n` is made of `turns[: 2 * n + 1]`."""

    name: str
    source: str
    agent: str
    system: str
    exchanges: tuple[Exchange, ...]

    @cached_property
    def turns(self) -> tuple[RequestMessage, ...]:
        """All that was said, in turns."""
        return tuple(turn for exchange in self.exchanges for turn in (exchange.heard, exchange.said))


def read_folder(folder: Path) -> tuple[Transcript, ...]:
    """Every session of a folder, by name."""
    return tuple(read_transcript(path) for path in sorted(folder.glob("*.jsonl")))


def read_transcript(path: Path) -> Transcript:
    """One session out of its file."""
    with path.open(encoding="utf-8") as lines:
        values: list[object] = [json.loads(line) for line in lines if line.strip()]
    found = [value for value in values if is_object(value)]
    meta = found[0] if found and "role" not in found[0] else JsonObject()
    events = [value for value in found if "role" in value]
    source = as_text(meta.get("source")) or path.stem
    return made_regular(as_text(meta.get("name")) or path.stem, source, as_text(meta.get("agent")), events)


def made_regular(name: str, source: str, agent: str, events: Iterable[JsonObject]) -> Transcript:
    """A session out of raw events, mended where the original agent left it irregular."""
    mending = _Mending()
    for event in events:
        mending.take(event)
    return Transcript(name, source, agent, mending.system, tuple(mending.exchanges))


@dataclass(slots=True)
class _Mending:
    """Events as they become exchanges; what is heard after the last answer was never answered and is left out."""

    system: str = ""
    exchanges: list[Exchange] = field(default_factory=list[Exchange])
    results: dict[str, ToolResult] = field(default_factory=dict[str, ToolResult])
    """Results since the last answer, by the id of their call."""
    words: list[UserPart] = field(default_factory=list[UserPart])
    names: dict[str, str] = field(default_factory=dict[str, str])
    """The ids of the last answer's calls as they came, and as they are unique."""
    taken: set[str] = field(default_factory=set[str])
    was_compacted: bool = False

    def take(self, event: JsonObject) -> None:
        match event.get("role"):
            case "system":
                self.system = as_text(event.get("text"))
            case "user":
                if (text := as_text(event.get("text"))).strip():
                    self.words.append(Text(text))
            case "tool":
                self._take_result(event)
            case "assistant":
                self._take_answer(event)
            case "compaction":
                self.was_compacted = True
            case _:
                pass

    def _take_result(self, event: JsonObject) -> None:
        own_id = as_text(event.get("call_id"))
        call_id = self.names.get(own_id)
        if call_id is None or call_id in self.results:
            return
        output = as_text(event.get("output"))
        name = self._call_name(call_id)
        self.results[call_id] = ToolResult(
            call_id, name, output if output.strip() else NO_OUTPUT, as_bool(event.get("is_error"))
        )

    def _take_answer(self, event: JsonObject) -> None:
        text, calls = as_text(event.get("text")), list(objects_in(event.get("calls")))
        if not text.strip() and not calls:
            return
        usage = _usage(event.get("usage"))
        if self.exchanges and not self.results and not self.words:
            # Two answers in a row are one.
            last = self.exchanges[-1]
            said = AssistantTurn((*last.said.parts, *self._answer_parts(text, calls)))
            self.exchanges[-1] = replace(last, said=said, usage=usage or last.usage)
            return
        heard = UserTurn(tuple(self._heard()) or (Text(GO_ON),))
        self.names = {}
        said = AssistantTurn(tuple(self._answer_parts(text, calls)))
        self.exchanges.append(Exchange(heard, said, usage, as_text(event.get("model")), self.was_compacted))
        self.was_compacted = False

    def _answer_parts(self, text: str, calls: Iterable[JsonObject]) -> Iterator[AssistantPart]:
        if text.strip():
            yield Text(text)
        for call in calls:
            own_id = as_text(call.get("id")) or f"call_{len(self.taken)}"
            unique = own_id
            while unique in self.taken:
                unique = f"{own_id}_{len(self.taken)}"
            self.taken.add(unique)
            self.names[own_id] = unique
            arguments = call.get("args")
            yield ToolCall(unique, as_text(call.get("name")) or "tool", arguments if is_object(arguments) else {})

    def _heard(self) -> list[UserPart]:
        """Results in the order of the calls, one for each, then words."""
        calls = [part for part in self.exchanges[-1].said.parts if isinstance(part, ToolCall)] if self.exchanges else []
        results: list[UserPart] = [
            self.results.get(call.id) or ToolResult(call.id, call.name, INTERRUPTED, is_error=True) for call in calls
        ]
        parts = [*results, *self.words]
        self.results, self.words = {}, []
        return parts

    def _call_name(self, call_id: str) -> str:
        calls = self.exchanges[-1].said.parts if self.exchanges else ()
        return next((part.name for part in calls if isinstance(part, ToolCall) and part.id == call_id), "tool")


def _usage(value: object) -> Usage | None:
    if not is_object(value):
        return None
    usage = Usage(
        input_tokens=as_count(value.get("input")),
        output_tokens=as_count(value.get("output")),
        cache_read_tokens=as_count(value.get("cacheRead")),
        cache_write_tokens=as_count(value.get("cacheWrite")),
    )
    return usage if usage.prompt_tokens else None
