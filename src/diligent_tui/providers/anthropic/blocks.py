"""The blocks of an answer as they grow, and as they are kept: what its maker must see again stays as it came."""

from dataclasses import dataclass, field

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, OtherBlock, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.providers.call_arguments import read_arguments, unfinished_call
from diligent_tui.providers.wire.values import is_object, is_sendable

_REBUILT = {
    "text": frozenset({"type", "text"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "tool_use": frozenset({"type", "id", "name", "input"}),
}
"""Fields from which the very same block is built again; one with others is kept whole beside ours."""


@dataclass(slots=True)
class GrowingBlock:
    """One block: as it was announced, and the text that came for it."""

    start: JsonObject
    call_id: str = ""
    text: list[str] = field(default_factory=list[str])
    signature: list[str] = field(default_factory=list[str])
    citations: list[object] = field(default_factory=list[object])
    is_done: bool = False

    @property
    def kind(self) -> str:
        """The block's type in Anthropic's words."""
        return said(self.start, "type")

    @property
    def words(self) -> str:
        """All the text that came: of a call, its arguments."""
        return "".join(self.text)

    def arguments(self) -> JsonObject | None:
        """The input of a call if it is whole; a call of a tool that takes nothing may come without a word."""
        if not self.is_done:
            return None
        given = self.start.get("input")
        return read_arguments(self.words) if self.words else (given if is_object(given) else None)

    def kept(self) -> Block | None:
        """The block as it is to be kept; None if it says nothing. Half a call is kept as words that never run."""
        match self.kind:
            case "text":
                return self._text()
            case "thinking":
                return self._thinking()
            case "redacted_thinking":
                return ThinkingBlock(thinking="", raw=self.start) if is_sendable(self.start) else None
            case "tool_use":
                return self._call()
            case _:
                return OtherBlock.model_validate(mend_surrogates({**self.start, "type": self.kind or "unknown"}))

    def _text(self) -> Block | None:
        if not self.words:
            return None
        own = {**self.start, "text": self.words}
        if self.citations:
            own["citations"] = self.citations
        return TextBlock(text=mend_surrogates(self.words), raw=_raw(own))

    def _thinking(self) -> Block | None:
        signature = "".join(self.signature)
        if not self.words and not signature:
            return None
        own = {**self.start, "thinking": self.words, "signature": signature}
        text = mend_surrogates(self.words)
        # What is not exactly as it was signed must not go back.
        is_whole = self.is_done and text == self.words
        return ThinkingBlock(
            thinking=text, signature=signature or None if is_whole else None, raw=_raw(own) if is_whole else None
        )

    def _call(self) -> Block:
        name = said(self.start, "name")
        given = self.arguments()
        if given is None:
            return unfinished_call(name, self.words)
        own = {**self.start, "input": given}
        is_unchanged = self.call_id == self.start.get("id")
        return ToolCallBlock(
            id=mend_surrogates(self.call_id),
            name=mend_surrogates(name),
            input=given,
            raw=_raw(own) if is_unchanged else None,
        )


def said(value: JsonObject, key: str) -> str:
    """The text under a key, or none."""
    text = value.get(key)
    return text if isinstance(text, str) else ""


def _raw(own: JsonObject) -> JsonObject | None:
    return own if own.keys() - _REBUILT[said(own, "type")] and is_sendable(own) else None
