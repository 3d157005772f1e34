"""A trace with all that it shows, at times of our own, and a screen with its pane on it."""

from datetime import UTC, datetime, timedelta

from textual.pilot import Pilot

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.trace import TracePane
from tests.ui.panes.pane_stage import PaneApp

SONNET = "anthropic/sonnet-5-5"
SIZES = (("tools", 10_062), ("system", 4_200), ("messages", 61_000))
BUSY = Problem("overloaded", "The provider is too busy.", "Try again in a minute.")
Timed = tuple[float, ev.Event]


def answer(
    at: float, name: str, cached: int, sent: int, *, broke: str = "", calls: str = "", model: str = SONNET
) -> list[Timed]:
    """A request and its answer."""
    usage = Usage(input_tokens=sent - cached, cache_read_tokens=cached, output_tokens=312)
    events: list[Timed] = [
        (at, ev.StepStarted("t", name, 1, model, SIZES, broke)),
        *((at + 0.8 + number / 50, ev.TextDelta(name, "some words ")) for number in range(40)),
    ]
    if calls:
        events += [
            (at + 1.7, ev.ToolCallStarted(name, calls, "bash")),
            (at + 1.8, ev.ToolCallReady(calls, "bash", {"command": "make test"})),
        ]
    saved = ev.MessageSaved(name, "assistant", "Done.", "tool_use" if calls else "end_turn")
    return [*events, (at + 2, saved), (at + 2, ev.UsageRecorded(name, model, usage, 0.021))]


def tool(at: float, call_id: str, *, is_error: bool = False) -> list[Timed]:
    """A run of a command."""
    output = "3 failed" if is_error else "all passed\n" * 120
    ended = ev.ToolFinished(call_id, "bash", output, is_error, 9.1, exit_code=2 if is_error else 0)
    return [
        (at, ev.ToolStarted(call_id, "bash", {"command": "make test"})),
        (at + 1, ev.ToolOutput(call_id, "collecting …\n")),
        (at + 9.1, ended),
        (at + 9.1, ev.MessageSaved(f"r-{call_id}", "tool_result", output)),
        (at + 9.1, ev.ContextMeasured(84_000, 200_000, False, True, ())),
    ]


def compaction(at: float) -> list[Timed]:
    """A compaction whose first summary was refused."""
    usage = Usage(input_tokens=900, cache_read_tokens=138_000, output_tokens=1_100)
    return [
        (at, ev.CompactionStarted("k", 142_000, 200_000, "auto", "threshold")),
        (at + 0.2, ev.CompactionPruned("k", 12, 31_000, ("read", "bash"))),
        (at + 0.3, ev.CompactionSummarising("k", 46)),
        (at + 2, ev.CompactionSummaryDelta("k", "## Goal\n" * 40)),
        (at + 4.3, ev.CompactionChecking("k")),
        (at + 4.4, ev.CompactionRejected("k", "It names a file that nobody named.")),
        (at + 4.5, ev.CompactionSummarising("k", 46)),
        (at + 9.5, ev.CompactionChecking("k")),
        (at + 10.9, ev.UsageRecorded("k", SONNET, usage, 0.05, "summary")),
        (at + 11, ev.CompactionFinished("k", 142_000, 28_000, 46, 12, 46, "## Goal", "auto", "threshold", 11.0)),
        (at + 11, ev.ContextMeasured(28_000, 200_000, False, True, ())),
    ]


def story() -> list[Timed]:
    """Two turns with a failed tool, a retry, a compaction and a question."""
    asked = ev.PermissionRequested("c2", "bash", "make test", "not allowed yet")
    return [
        (0, ev.SandboxProbed("sandbox full", "Commands are shut in.")),
        (4.2, ev.TurnStarted("p1", "why does the loader read the file twice?")),
        (4.2, ev.MessageSaved("p1", "user", "why does the loader read the file twice?")),
        *answer(4.3, "m1", 0, 71_000, calls="c1"),
        *tool(6.4, "c1", is_error=True),
        *answer(16, "m2", 70_800, 73_000),
        (18.1, ev.TurnFinished("p1", "done", 2, Usage(), 0.042)),
        (31, ev.TurnStarted("p2", "and now the schema, with 你好 in it")),
        (31, ev.MessageSaved("p2", "user", "and now the schema")),
        *compaction(31.2),
        (42.5, ev.StepStarted("t", "m3", 1, SONNET, SIZES, "compaction")),
        (43.5, ev.RetryScheduled("m3", 1, 2.0, BUSY)),
        *answer(46, "m3", 14_000, 29_100, broke="compaction", calls="c2")[1:],
        (48.5, asked),
        (52, ev.PermissionResolved("c2", True, "")),
        *tool(52.1, "c2"),
        *answer(61.5, "m4", 29_000, 31_000),
        (63.6, ev.ModelChanged("openai/gpt-6", "high")),
        *answer(64, "m5", 0, 31_500, broke="model switched", model="openai/gpt-6"),
        (66.2, ev.TurnFinished("p2", "done", 3, Usage(), 0.121)),
        (70, ev.TurnStarted("p3", "go on")),
        (70, ev.StepStarted("p3", "m6", 1, "openai/gpt-6", SIZES)),
    ]


class TraceApp(PaneApp[TracePane]):
    """A screen with the pane, told a story at its own times."""

    def __init__(self, events: list[Timed] | None = None, theme: ThemeName = "dark") -> None:
        super().__init__(theme)
        self.at = datetime(2026, 1, 2, 14, 3, tzinfo=UTC)
        self.pane = TracePane(clock=lambda: self.at)
        self.tell(story() if events is None else events)

    def tell(self, events: list[Timed]) -> None:
        """Let this happen; the clock goes on with it."""
        began = datetime(2026, 1, 2, 14, 3, tzinfo=UTC)
        for seconds, event in events:
            self.at = began + timedelta(seconds=seconds)
            self.pane.recorder(event)
        if self.pane.is_mounted:
            self.pane.take(())

    def on_trace_pane_to_chat(self, message: TracePane.ToChat) -> None:
        self.wishes.append(message)

    def on_trace_pane_export_requested(self, message: TracePane.ExportRequested) -> None:
        self.wishes.append(message)


async def listed(pilot: Pilot[None]) -> TracePane:
    """Wait until the rows are on screen."""
    app = pilot.app
    assert isinstance(app, TraceApp)
    await pilot.pause()
    await pilot.pause()
    return app.pane


def rows(pane: TracePane) -> list[str]:
    """The rows on screen as text."""
    log = pane.log_view
    return [text for strip in log.render_lines(log.size.region) if (text := strip.text.rstrip())]


def told(pane: TracePane, part: str) -> str:
    """What an edge of the pane says."""
    return str(pane.query_one(f"#trace-{part}").render())
