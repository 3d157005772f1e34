"""What a run came to, gathered from its events: words, costs, denials, and the exit code."""

from dataclasses import dataclass, field

from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.cli.exit_codes import DONE, PERMISSION_DENIED, code_of_end, code_of_problem
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.events import (
    CompactionFinished,
    Event,
    MessageSaved,
    PermissionResolved,
    StepStarted,
    ToolCallReady,
    ToolFinished,
    TurnFailed,
    TurnFinished,
    UsageRecorded,
)
from diligent_tui.domain.run_report import Denial, RunFinished
from diligent_tui.domain.usage import Usage


@dataclass(slots=True)
class Outcome:
    """Hears every event of a run."""

    stopped_by: str = ""
    """Why we ourselves broke the turn off, which the turn itself calls interrupted."""
    has_lost_output: bool = False
    """True if not all that was said could be written; then the run is not done, whatever the turn says."""
    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    """Of answers and of summaries."""
    cost: float | None = 0.0
    compactions: int = 0
    text: str = ""
    problem: Problem | None = None
    denials: list[Denial] = field(default_factory=list[Denial])
    _ended: str = "failed"
    _names: dict[str, str] = field(default_factory=dict[str, str])
    _has_used_tools: bool = False

    def note(self, event: Event) -> None:
        """Hear an event."""
        match event:
            case StepStarted():
                self.steps += 1
            case UsageRecorded():
                self.usage += event.usage
                self.cost = None if event.cost is None or self.cost is None else self.cost + event.cost
            case MessageSaved(role="assistant") if event.text:
                # An answer that went on after a cut is one answer.
                self.text = event.text if self._has_used_tools else self.text + event.text
                self._has_used_tools = False
            case ToolCallReady():
                self._names[event.call_id] = event.name
            case ToolFinished():
                self._has_used_tools = True
            case PermissionResolved(allowed=False):
                name = self._names.get(event.call_id, "")
                self.denials.append(Denial(call_id=event.call_id, name=name, reason=event.reason))
            case CompactionFinished():
                self.compactions += 1
            case TurnFinished():
                self._ended = event.reason
            case TurnFailed():
                self._ended, self.problem = "failed", event.problem
            case _:
                pass

    def limit_reached(self, policy: AgentPolicy) -> str:
        """The limit that a further request would pass; the loop counts its answers only, here summaries count too."""
        if policy.max_cost is not None and self.cost is not None and self.cost >= policy.max_cost:
            return "cost_limit"
        if policy.max_tokens is not None and self.usage.context_tokens >= policy.max_tokens:
            return "token_limit"
        return ""

    @property
    def stop_reason(self) -> str:
        """How the run ended."""
        if self.stopped_by and (self._ended == "interrupted" or self.has_lost_output):
            return self.stopped_by
        return self._ended

    @property
    def exit_code(self) -> int:
        """What the shell is told."""
        if self.has_lost_output:
            return code_of_end(self.stop_reason)
        code = code_of_problem(self.problem) if self.problem else code_of_end(self.stop_reason)
        return PERMISSION_DENIED if code == DONE and self.denials else code

    def report(self) -> RunFinished:
        """All that the events told."""
        return RunFinished(
            stop_reason=self.stop_reason,
            exit_code=self.exit_code,
            text=self.text,
            problem=self.problem,
            denials=tuple(self.denials),
            steps=self.steps,
            usage=self.usage,
            total_tokens=self.usage.context_tokens,
            cost=self.cost,
            compactions=self.compactions,
        )
