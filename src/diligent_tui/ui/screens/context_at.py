"""The exact request at an entry: system prompt, tools and every message, with about how many tokens each takes."""

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, assert_never

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Static

from diligent_tui.agent.measure import message_bytes, request_bytes, tools_bytes
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.domain.requests import Image, Request, RequestMessage, Text, Thinking, ToolCall, ToolResult
from diligent_tui.ui import format as fmt
from diligent_tui.ui.markdown.wrap import break_text
from diligent_tui.ui.widgets.virtual_log import TextExtent, VirtualLog

TokensOf = Callable[[int], int]
"""About how many tokens so many bytes are."""
TITLE_CHARS = 60
FOLDED_ROWS = 6
FOLDED_CHARS = 600


@dataclass(frozen=True, slots=True)
class Part:
    """One message of the request, or what stands before the messages."""

    id: str
    title: str
    text: str
    tokens: int
    extent: TextExtent
    version: int = 0


def parts_of(request: Request, tokens: TokensOf) -> list[Part]:
    """The request in the order in which it is sent."""
    tools = "\n\n".join(f"{tool.name}\n{tool.description}\n{_json(tool.input_schema)}" for tool in request.tools)
    parts = [_part("system", "system prompt", request.system, tokens(utf8_size(request.system)))]
    if request.tools:
        title = fmt.count(len(request.tools), "tool")
        parts.append(_part("tools", title, tools, tokens(tools_bytes(request.tools))))
    for number, message in enumerate(request.messages, start=1):
        title = f"{number}  {message.role}"
        parts.append(_part(f"message-{number}", title, _message_text(message), tokens(message_bytes(message))))
    return parts


def _part(part_id: str, title: str, text: str, tokens: int) -> Part:
    cleaned = clean(text)
    return Part(part_id, title, cleaned, tokens, TextExtent.of(cleaned))


def _message_text(message: RequestMessage) -> str:
    words: list[str] = []
    for part in message.parts:
        match part:
            case Text():
                words.append(part.text)
            case Thinking():
                words.append(f"[thinking]\n{part.text}")
            case ToolCall():
                words.append(f"[call {part.name} {part.id}]\n{_json(part.input)}")
            case ToolResult():
                state = "error" if part.is_error else "result"
                pictures = "\n[image]" * len(part.images)
                words.append(f"[{state} {part.name} {part.call_id}]\n{part.output}{pictures}")
            case Image():
                words.append("[image]")
            case _:
                assert_never(part)
    return "\n\n".join(words)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class PartRenderer:
    """Draws a part: a line with its name and size, then its text; a long one is folded at first."""

    gutter_columns = 2

    def render(self, block: Part, width: int, folded: bool) -> Sequence[Strip]:
        """The rows of a part, and a blank one."""
        room = max(1, width - self.gutter_columns)
        lines = _wrapped(block.text, room)
        size = f"≈ {fmt.tokens(block.tokens)}"
        title = Segment(f"{block.title}{' ' * max(2, room - len(block.title) - len(size))}{size}", Style(bold=True))
        shown = lines[:FOLDED_ROWS] if folded else lines
        rows = [Strip([Segment("  "), title]), *(Strip([Segment("  "), Segment(line)]) for line in shown)]
        if len(lines) > len(shown):
            rest = fmt.count(len(lines) - len(shown), "more line")
            rows.append(Strip([Segment("  "), Segment(f"… {rest}  ⏎ open", Style(italic=True))]))
        return [*rows, Strip.blank(0)]

    def estimate(self, block: Part, width: int, folded: bool) -> int:
        """A guess from the extent of the text."""
        rows = block.extent.rows(max(1, width - self.gutter_columns))
        return min(rows, FOLDED_ROWS + 1) + 2 if folded else rows + 2

    def starts_folded(self, block: Part) -> bool:
        """Long parts do."""
        return block.extent.lines > FOLDED_ROWS or block.extent.cells > FOLDED_CHARS

    def state(self, block: Part) -> Hashable:
        """Nothing else."""
        return None

    def source(self, block: Part) -> str:
        """The text itself."""
        return block.text


class ContextScreen(ModalScreen[None]):
    """A log of the request's parts; escape closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Close", show=False)]

    def __init__(self, title: str, request: Request, tokens: TokensOf) -> None:
        """Show this request; `tokens` tells about how many tokens so many bytes are."""
        super().__init__()
        self._heading = title
        self._request = request
        self._tokens = tokens
        self.parts: VirtualLog[Part] = VirtualLog(PartRenderer(), widget_id="context-log")

    def compose(self) -> ComposeResult:
        """One box with a log."""
        request = self._request
        total = self._tokens(request_bytes(request))
        facts = f"{request.model.id} · {fmt.count(len(request.messages), 'message')} · ≈ {fmt.tokens(total)} tokens"
        with Vertical(id="context", classes="dialog"):
            title = Content.assemble(("Context  ", "bold $accent"), clean_line(self._heading, TITLE_CHARS))
            yield Static(title, markup=False)
            yield Static(Content.styled(clean_line(facts), "$dim"), markup=False)
            yield self.parts
            yield Static(Content.styled("j k part    ⏎ open    y copy    esc close", "$dim"), markup=False)

    def on_mount(self) -> None:
        """The request begins at its beginning."""
        parts = parts_of(self._request, self._tokens)
        self.parts.extend(parts)
        self.parts.focus()
        self.parts.put_cursor(parts[0].id)


def _wrapped(text: str, room: int) -> list[str]:
    rows: list[str] = []
    for line in text.split("\n"):
        rows += [line[found.begin : found.end] for found in break_text(line, room)] or [""]
    return rows
