"""Turns the chunks of Chat Completions into pieces, whatever server sent them.

An answer is whole once a chunk gave a `finish_reason`, or the server said `[DONE]` after some words; many servers leave
one of the two out. Bytes that end before either were cut.
"""

from collections.abc import Mapping
from typing import Literal

from diligent_tui.domain.errors import BadResponse, ProviderError, StreamCut
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, OtherBlock, StopReason, TextBlock, ThinkingBlock
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.domain.requests import Request
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.base import Failed, Finished, Piece, TextPiece, ThinkingPiece
from diligent_tui.providers.openai_chat.calls import Calls
from diligent_tui.providers.openai_chat.errors import from_event, written_as_text
from diligent_tui.providers.openai_chat.thinking_tags import ThinkingTags
from diligent_tui.providers.openai_chat.truncation import sent_bytes, truncation
from diligent_tui.providers.openai_chat.usage import usage_of
from diligent_tui.providers.openai_chat.written_calls import written_call
from diligent_tui.providers.sse import ServerEvent, event_object
from diligent_tui.providers.wire.values import is_array, is_object

DONE = b"[DONE]"
_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")
"""What DeepSeek, vLLM and LM Studio, what OpenRouter and Ollama, and what others call it."""
_STOPS: Mapping[str, StopReason] = {
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "content_filter": "content_filter",
}
_BROKEN_STOPS = ("error", "abort", "cancelled", "canceled")


class ChatDecoder:
    """One answer as it arrives; see `providers.streaming.Decoder`."""

    def __init__(self, request: Request, calls: Calls | None = None) -> None:
        """Begin with nothing heard; the request tells what may be called, and how much was sent."""
        self.last: Finished | Failed | None = None
        self._tools = frozenset(tool.name for tool in request.tools)
        self._sent_bytes = sent_bytes(request)
        self._calls = calls or Calls()
        self._tags = ThinkingTags()
        self._said: list[tuple[Literal["text", "thinking"], list[str]]] = []
        self._finish_reason = ""
        self._refused = False
        self._usage: Usage | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the answer has been said to be over, so that whatever follows changes nothing of it."""
        return bool(self._finish_reason)

    def take(self, event: ServerEvent) -> list[Piece]:
        """The pieces that a chunk brings."""
        if event.data.startswith(DONE):
            return self._done()
        data = event_object(event.data)
        if (error := data.get("error")) is not None:
            return self._fail(from_event(error))
        if usage := data.get("usage"):
            self._usage = usage_of(usage) or self._usage
        choices = data.get("choices")
        if is_array(choices) and choices and is_object(choice := choices[0]):
            return self._take_choice(choice)
        return self._fail(from_event(data)) if data.get("object") == "error" else []

    def cut(self) -> Finished | Failed:
        """The bytes ended without `[DONE]`."""
        if self.is_whole:
            return self._ending()
        return Failed(StreamCut("The server ended the answer without saying that it was finished."))

    def _take_choice(self, choice: JsonObject) -> list[Piece]:
        # A server that does not stream sends the whole message where a fragment is expected.
        delta = choice.get("delta") or choice.get("message")
        pieces = self._take_delta(delta) if is_object(delta) else []
        if usage := choice.get("usage"):
            self._usage = usage_of(usage) or self._usage
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason and not self._finish_reason:
            if reason in _BROKEN_STOPS:
                error = choice.get("error")
                return [*pieces, *self._fail(from_event(error) if error else StreamCut("The server gave up midway."))]
            self._finish_reason = reason
            pieces += self._close()
        return pieces

    def _take_delta(self, delta: JsonObject) -> list[Piece]:
        content = delta.get("content")
        if len(delta) == 1 and isinstance(content, str):
            return self._take_words(content)
        pieces: list[Piece] = []
        for field in _THOUGHT_FIELDS:
            thought = delta.get(field)
            if isinstance(thought, str) and thought:
                pieces.append(self._say("thinking", thought))
                break
        if isinstance(content, str):
            pieces += self._take_words(content)
        elif is_array(content):
            pieces += [self._say("text", text) for part in content if (text := _part_text(part))]
        refusal = delta.get("refusal")
        if isinstance(refusal, str) and refusal:
            self._refused = True
            pieces.append(self._say("text", refusal))
        for fragment in _fragments(delta):
            pieces += self._calls.take(fragment)
        return pieces

    def _take_words(self, content: str) -> list[Piece]:
        if not content:
            return []
        if self._tags.are_over:
            return [self._say("text", content)]
        return [self._say(kind, text) for kind, text in self._tags.take(content)]

    def _say(self, kind: Literal["text", "thinking"], text: str) -> Piece:
        if not self._said or self._said[-1][0] != kind:
            self._said.append((kind, []))
        self._said[-1][1].append(text)
        return TextPiece(text) if kind == "text" else ThinkingPiece(text)

    def _done(self) -> list[Piece]:
        if self._finish_reason:
            self.last = self._ending()
            return []
        if not self._said and not self._calls:
            return self._fail(StreamCut("The server ended the answer without having said anything."))
        self._finish_reason = "stop"
        pieces = self._close()
        self.last = self._ending()
        return pieces

    def _close(self) -> list[Piece]:
        """The words and calls that waited for the answer's end."""
        held = [self._say(kind, text) for kind, text in self._tags.rest()]
        return [*held, *self._calls.ready(is_cut=self._finish_reason in _STOPS)]

    def _ending(self) -> Finished | Failed:
        reason = _STOPS.get(self._finish_reason)
        calls = self._calls.blocks(is_cut=reason is not None)
        if dropped := truncation(self._sent_bytes, self._usage):
            return Failed(dropped)
        if reason is None:
            if calls and all(isinstance(call, OtherBlock) for call in calls):
                return Failed(BadResponse("The model called a tool with arguments that are no JSON object."))
            if not calls and (name := written_call(self._text(), self._tools)):
                return Failed(written_as_text(name))
            # Several servers say "stop" although the answer has calls.
            reason = "tool_use" if calls else "refusal" if self._refused else "end_turn"
        return Finished((*self._words(), *calls), reason, self._usage)

    def _text(self) -> str:
        return "".join(text for kind, texts in self._said if kind == "text" for text in texts)

    def _words(self) -> list[Block]:
        said = [(kind, mend_surrogates("".join(texts))) for kind, texts in self._said]
        return [TextBlock(text=text) if kind == "text" else ThinkingBlock(thinking=text) for kind, text in said]

    def _fail(self, error: ProviderError) -> list[Piece]:
        self.last = Failed(error)
        return []


def _fragments(delta: JsonObject) -> list[JsonObject]:
    """The fragments of calls in a delta, also in the form that came before tools had a name."""
    fragments = delta.get("tool_calls")
    if is_array(fragments):
        return [fragment for fragment in fragments if is_object(fragment)]
    older = delta.get("function_call")
    return [{"index": 0, "function": older}] if is_object(older) else []


def _part_text(part: object) -> str:
    text = part.get("text") if is_object(part) else None
    return text if isinstance(text, str) else ""
