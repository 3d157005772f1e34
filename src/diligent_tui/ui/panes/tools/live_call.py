"""A call that is under way, or so new that its result is not on disk yet."""

from dataclasses import dataclass, field

from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.events import ToolFinished
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.ui.panes.tools.facts import CallDetails, CallFacts
from diligent_tui.ui.transcript import ToolState, subject_of
from diligent_tui.ui.widgets.tool_card import effect_of

MOST_TAIL_CHARS = 8_000
"""Of a running call's output so much is kept, from its end: some screens, laid out anew ten times a second in a flood.

The whole comes when it has ended.
"""


@dataclass(slots=True)
class LiveCall:
    """What was heard of a call so far."""

    call_id: str
    tool: str
    input: JsonObject
    answer_id: str = ""
    """The answer that made the call."""
    state: ToolState = "waiting"
    started_seconds: float | None = None
    finished: ToolFinished | None = None
    is_cut: bool = False
    _pieces: list[str] = field(default_factory=list[str])
    _chars: int = 0

    def say(self, text: str) -> None:
        """Take a piece of its output."""
        self._pieces.append(text)
        self._chars += len(text)
        if self._chars > 2 * MOST_TAIL_CHARS:
            self.tail()

    def tail(self) -> str:
        """The end of what it said so far, from the start of a line."""
        text = "".join(self._pieces)
        if len(text) > MOST_TAIL_CHARS:
            self.is_cut = True
            text = text[-MOST_TAIL_CHARS:]
            text = text[text.find("\n", 0, MOST_TAIL_CHARS // 2) + 1 :]
        self._pieces, self._chars = [text], len(text)
        return text

    def finish(self, event: ToolFinished) -> None:
        """It has ended; its whole answer takes the place of the pieces."""
        self.finished = event
        self.state = "failed" if event.is_error else "done"
        self._pieces, self._chars = [], 0

    def facts(self, now_seconds: float) -> CallFacts:
        """The call as the list shows it."""
        subject, done = subject_of(self.input), self.finished
        if done is None:
            since = None if self.started_seconds is None else max(0.0, now_seconds - self.started_seconds)
            return CallFacts(self.call_id, None, self.tool, subject, self.state, effect_of(self.state, ""), since)
        return CallFacts(
            self.call_id,
            None,
            self.tool,
            subject,
            self.state,
            effect_of(self.state, done.output, done.diff, done.exit_code),
            done.duration_seconds or None,
            utf8_size(done.output),
            done.exit_code,
        )

    def details(self) -> CallDetails:
        """All that is known of the call."""
        if self.finished is None:
            output = self.tail()
            return CallDetails(self.input, output, is_cut=self.is_cut)
        return CallDetails(self.input, self.finished.output, self.finished.diff, self.finished.spill)
