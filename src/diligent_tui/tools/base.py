"""The contract between the agent and any tool."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ImageBlock
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a tool works and how much it may say."""

    root: Path
    """The workspace: what is inside may be read without a question."""
    cwd: Path
    output_limit_bytes: int
    spill_folder: Path
    """Private folder for outputs too long to keep in a line; made on first use."""
    keep_before: Callable[[Path], None] = lambda _: None
    """Keeps the bytes of a file as they are before it is changed; called in a thread, raises ToolError if it cannot."""


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a tool: `say` shows live output, `entry_id` names the result that will be saved."""

    workplace: Workplace
    entry_id: str
    say: Callable[[str], None]
    approved: bool = False
    """True if the user said yes to this call; else a tool does no more than what needs no question."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool answers; `spill` is the name of the file with the whole of a long output."""

    output: str
    is_error: bool = False
    spill: str | None = None
    diff: str = ""
    """What a write changed, as a unified diff for people; the model is told in `output`."""
    exit_code: int | None = None
    images: tuple[ImageBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of a call before it runs; `reason` is shown to the user, or told to the model on a no."""

    decision: Literal["allow", "ask", "deny"]
    reason: str = ""
    diff: str = ""
    """What a write would change, for the question."""
    rule: str = ""
    """The narrowest rule that would allow this call from now on; empty if none should."""
    needs_network: bool = False
    """True if it is asked because of the network, whatever else there would be to ask."""


@runtime_checkable
class KeepsOutput(Protocol):
    """A tool whose old outputs are never pruned says so by having this."""

    @property
    def keeps_output(self) -> bool:
        """True."""
        ...


@runtime_checkable
class KeepsTime(Protocol):
    """A tool whose calls are ended after some time says so by having this."""

    def timeout_seconds(self, arguments: JsonObject) -> float:
        """After how many seconds a call is ended, for the clock that is shown."""
        ...


class Tool(Protocol):
    """A verb of the model's. Bad arguments raise ToolError with words that help the model to mend them."""

    @property
    def spec(self) -> ToolSpec:
        """Name, description and JSON schema, as the model is told."""
        ...

    @property
    def read_only(self) -> bool:
        """True if calls change nothing, so that several may run at the same time."""
        ...

    def subject(self, arguments: JsonObject) -> str:
        """What the call is about in a few words: a path, a command."""
        ...

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Whether the call may run in this mode, must be asked, or is refused; never touches anything."""
        ...

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Do it. Cancelling the task ends everything that the call started."""
        ...
