"""A compaction while it goes on, folded from events: which step it is at, and the text that grows."""

from dataclasses import dataclass, field
from typing import Literal

from diligent_tui.domain.events import (
    CompactionChecking,
    CompactionFailed,
    CompactionFinished,
    CompactionPruned,
    CompactionRejected,
    CompactionStarted,
    CompactionSummarising,
    CompactionSummaryDelta,
    Event,
)
from diligent_tui.ui import format as fmt

Step = Literal["pruning", "summarising", "checking"]
STEPS: tuple[Step, ...] = ("pruning", "summarising", "checking")
REASONS = {
    "threshold": "context nearly full",
    "overflow": "context too long",
    "manual": "you asked for it",
    "model_switch": "model changed",
}


@dataclass(slots=True)
class LiveSummary:
    """What is known of the compaction that runs; `draft` counts the texts begun, for a rejected one is written anew."""

    begun: CompactionStarted | None = None
    step: Step = "pruning"
    pruned: CompactionPruned | None = None
    messages: int = 0
    complaint: str = ""
    draft: int = 0
    pieces: list[str] = field(default_factory=list[str])

    @property
    def is_running(self) -> bool:
        """True between the first event of a compaction and its last."""
        return self.begun is not None

    def take(self, event: Event) -> bool:
        """Take in an event; False if it says nothing of a running compaction."""
        if isinstance(event, CompactionStarted):
            self.stop()
            self.begun = event
            return True
        if self.begun is None:
            return False
        match event:
            case CompactionPruned():
                self.pruned = event
            case CompactionSummarising():
                self.step, self.messages = "summarising", event.messages
            case CompactionSummaryDelta():
                self.step = "summarising"
                self.pieces.append(event.text)
            case CompactionChecking():
                self.step = "checking"
            case CompactionRejected():
                self.complaint = event.why
                self.draft += 1
                self.pieces.clear()
            case CompactionFinished() | CompactionFailed():
                self.stop()
            case _:
                return False
        return True

    def stop(self) -> None:
        """Nothing runs any more."""
        self.begun, self.step, self.pruned = None, "pruning", None
        self.messages, self.complaint = 0, ""
        self.draft += 1
        self.pieces.clear()

    def mark(self, step: Step) -> str:
        """The sign of a step: done, passed over, going on, or still to come."""
        mine, current = STEPS.index(step), STEPS.index(self.step)
        if mine > current:
            return "·"
        if mine == current:
            return "▸"
        return "–" if step == "pruning" and self.pruned is None else "✓"

    @property
    def told(self) -> str:
        """What is being done, in a sentence or two; the complaint comes from a checker of ours."""
        if self.begun is None:
            return ""
        reason = REASONS.get(self.begun.reason, self.begun.reason)
        words = [f"{fmt.tokens(self.begun.tokens_before)} tokens, strategy {self.begun.strategy}, {reason}."]
        if self.pruned is not None:
            saved = fmt.tokens(self.pruned.tokens_saved)
            words.append(f"{fmt.count(self.pruned.outputs, 'output')} pruned, {saved} tokens freed.")
        if self.messages:
            words.append(f"{fmt.count(self.messages, 'message')} to summarise.")
        if self.complaint:
            words.append(f"Written again: {self.complaint}")
        return " ".join(words)
