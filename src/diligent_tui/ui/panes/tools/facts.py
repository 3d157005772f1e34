"""What is told of one call: a line's worth for the list, and all of it for the details."""

from dataclasses import dataclass, field

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage, text_of
from diligent_tui.domain.times import Stamp
from diligent_tui.ui.transcript import ToolState, subject_of
from diligent_tui.ui.widgets.tool_card import effect_of


@dataclass(frozen=True, slots=True)
class CallFacts:
    """A call as the list shows it; small, for many are kept."""

    call_id: str
    entry_id: str | None
    tool: str
    subject: str
    state: ToolState
    effect: str
    duration_seconds: float | None = None
    size_bytes: int = 0
    exit_code: int | None = None

    @property
    def has_ended(self) -> bool:
        """False while it waits or runs."""
        return self.state not in ("waiting", "running")


@dataclass(frozen=True, slots=True)
class CallDetails:
    """A call as the details show it; made for the one under the cursor only."""

    arguments: JsonObject = field(default_factory=dict[str, object])
    output: str = ""
    diff: str = ""
    spill: str | None = None
    stamp: Stamp | None = None
    is_cut: bool = False
    """True if only the end of a running call's output is here."""


UNREADABLE = CallFacts("", None, "?", "cannot be read", "failed", "")


def facts_of(entry: Entry, call: ToolCallBlock | None) -> CallFacts:
    """The facts of a saved result."""
    match entry:
        case MessageEntry(message=ToolResultMessage() as message):
            output = text_of(message.output)
            state: ToolState = "failed" if message.is_error else "done"
            return CallFacts(
                message.tool_call_id,
                entry.id,
                message.tool_name or (call.name if call else ""),
                subject_of(call.input) if call else "",
                state,
                effect_of(state, output, message.diff or "", message.exit_code),
                message.duration_seconds,
                utf8_size(output),
                message.exit_code,
            )
        case _:
            return UNREADABLE


def details_of(entry: Entry, call: ToolCallBlock | None) -> CallDetails:
    """All of a saved result."""
    match entry:
        case MessageEntry(message=ToolResultMessage() as message):
            arguments = call.input if call else {}
            stamp = message.timestamp or entry.timestamp or None
            return CallDetails(arguments, text_of(message.output), message.diff or "", message.spill, stamp)
        case _:
            return CallDetails(output="This entry cannot be read.")


def call_in(answer: Entry | None, call_id: str) -> ToolCallBlock | None:
    """The call of that id in an answer."""
    match answer:
        case MessageEntry(message=AssistantMessage() as message):
            return next((call for call in message.tool_calls if call.id == call_id), None)
        case _:
            return None
