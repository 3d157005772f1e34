"""What the loopback server is to answer, in no format's words: steps, an ending, and what goes wrong on the way."""

import json
from dataclasses import dataclass, field
from typing import Literal

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import StopReason
from diligent_tui.domain.usage import Usage

Ending = Literal["clean", "close", "reset", "stall"]
"""How bytes stop: an orderly end of the body, a closed or a reset connection, or silence."""

USUAL_USAGE = Usage(input_tokens=11, output_tokens=7, cache_read_tokens=5, cache_write_tokens=3)


@dataclass(frozen=True, slots=True)
class Say:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Reasoning, which the server seals for its own model; hidden, only the seal is sent."""

    text: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; its arguments are any text, so that they may be half a JSON object."""

    id: str
    name: str
    arguments: str = "{}"


Step = Say | Think | Call


@dataclass(frozen=True, slots=True)
class Break:
    """The body stops after so many bytes of it, or after so many events."""

    ending: Ending
    after_bytes: int | None = None
    after_events: int | None = None


@dataclass(frozen=True, slots=True)
class Insert:
    """Bytes that do not belong there, before the event of that number; then it goes on, or ends."""

    data: bytes
    at_event: int
    ending: Ending | None = None


@dataclass(frozen=True, slots=True)
class Refuse:
    """An HTTP answer that is no stream; an endless one repeats its body until the client leaves."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    endless: bool = False


@dataclass(frozen=True, slots=True)
class Hang:
    """No HTTP answer at all."""

    ending: Ending


Fault = Break | Insert | Refuse | Hang


@dataclass(frozen=True, slots=True)
class Script:
    """One answer. The ending is what the steps suggest unless it is named; without usage nothing is said of it."""

    steps: tuple[Step, ...] = ()
    stop: StopReason | None = None
    usage: Usage | None = field(default=USUAL_USAGE)
    fault: Fault | None = None
    piece_chars: int = 8
    chunk_bytes: int | None = None
    """Of each HTTP chunk; None is one chunk for each event."""
    newline: bytes = b"\n"
    pause_seconds: float = 0.0

    @property
    def stop_reason(self) -> StopReason:
        """Why the answer ends."""
        return self.stop or ("tool_use" if any(isinstance(step, Call) for step in self.steps) else "end_turn")

    def pieces(self, text: str) -> list[str]:
        """A text as it is streamed."""
        return [text[at : at + self.piece_chars] for at in range(0, len(text), self.piece_chars)]


def call(call_id: str, name: str, **arguments: object) -> Call:
    """A whole call."""
    return Call(call_id, name, json.dumps(arguments))


@dataclass(frozen=True, slots=True)
class Heard:
    """What a request says, in no format's words."""

    words: str
    results: tuple[str, ...]
    tools: tuple[str, ...]


def rehearsed(heard: Heard) -> Script:
    """A little talk that uses a tool when it is offered one and tells of what came back."""
    if heard.results:
        shown = "\n".join(heard.results[-1].splitlines()[:10])
        return Script((Think("The result is here; I tell of it."), Say(f"This came back:\n\n```\n{shown}\n```\n")))
    wanted: tuple[tuple[str, JsonObject], ...] = (("ls", {"path": "."}), ("bash", {"command": "ls"}))
    for name, arguments in wanted:
        if name in heard.tools:
            steps = (Think("I should look first."), Say("I look into the folder."))
            return Script((*steps, call(f"call_{len(heard.words)}", name, **arguments)))
    return Script((Say(f"You said: {heard.words[:200]}"),))
