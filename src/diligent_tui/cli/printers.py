"""How a run without a screen is told: as text, as one JSON object at its end, or as a line for each event."""

import contextlib
import json
import sys
from dataclasses import dataclass, field
from typing import Protocol, assert_never

from diligent_tui.cli.arguments import OutputFormat
from diligent_tui.cli.exit_codes import OUT_OF_TIME, PERMISSION_DENIED
from diligent_tui.cli.output import Output
from diligent_tui.domain.endings import ENDINGS
from diligent_tui.domain.events import (
    CompactionFinished,
    Event,
    RetryScheduled,
    StepStarted,
    TextDelta,
    ToolCallReady,
    ToolFinished,
    event_to_json,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.plain_text import StreamCleaner, clean_line
from diligent_tui.domain.run_report import RunFinished, RunStarted, report_to_json

SUBJECT_CHARS = 100
NEWLINE = "\n"
TIME_IS_UP = "stopped at the time limit · what was said so far is kept"
NOT_ALLOWED = "Not everything was allowed. Allow it with --allow RULE or --mode, if that is what you want."


class Printer(Protocol):
    """Tells a run as it goes on."""

    def begin(self, report: RunStarted) -> None:
        """Tell that it begins."""
        ...

    def show(self, event: Event) -> None:
        """Tell one event."""
        ...

    def finish(self, report: RunFinished) -> None:
        """Tell how it ended."""
        ...


def make_printer(form: OutputFormat, output: Output) -> Printer:
    """The printer for a format."""
    match form:
        case "text":
            return TextPrinter(output)
        case "json":
            return ResultPrinter(output)
        case "stream-json":
            return EventPrinter(output)
        case _:
            assert_never(form)


def json_line(value: JsonObject) -> str:
    """One line; ASCII only, so nothing in it can act on a terminal."""
    return json.dumps(value, ensure_ascii=True) + "\n"


@dataclass(frozen=True, slots=True)
class ResultPrinter:
    """One JSON object, at the end."""

    output: Output

    def begin(self, report: RunStarted) -> None:
        """Say nothing yet."""

    def show(self, event: Event) -> None:
        """Say nothing yet."""

    def finish(self, report: RunFinished) -> None:
        """Print the result."""
        self.output.write(json_line(report_to_json(report)))


@dataclass(frozen=True, slots=True)
class EventPrinter:
    """Every event as one JSON line, between a first and a last line about the run."""

    output: Output

    def begin(self, report: RunStarted) -> None:
        """Print the first line."""
        self.output.write(json_line(report_to_json(report)))

    def show(self, event: Event) -> None:
        """Print the event."""
        self.output.write(json_line(event_to_json(event)))

    def finish(self, report: RunFinished) -> None:
        """Print the last line."""
        self.output.write(json_line(report_to_json(report)))


@dataclass(slots=True)
class TextPrinter:
    """The answer's words as they come; tools and endings on standard error."""

    output: Output
    _cleaner: StreamCleaner = field(default_factory=StreamCleaner)
    _line_is_open: bool = False
    _subjects: dict[str, str] = field(default_factory=dict[str, str])

    def begin(self, report: RunStarted) -> None:
        """Say nothing: the answer comes first."""

    def show(self, event: Event) -> None:
        """Print what a reader wants of the event."""
        match event:
            case TextDelta():
                self._say(self._cleaner.feed(event.text))
            case StepStarted() if event.number > 1:
                self._close_line()
            case ToolCallReady():
                self._subjects[event.call_id] = _subject(event)
            case ToolFinished():
                self._close_line()
                mark, why = ("✗", f"  {event.output.partition(NEWLINE)[0]}") if event.is_error else ("✓", "")
                subject = self._subjects.pop(event.call_id, "")
                note(f"{mark} {event.name}  {subject}  {event.duration_seconds:.1f} s{why}")
            case RetryScheduled():
                self._close_line()
                note(f"{event.problem.message} Sent again in {event.delay_seconds:.0f} s.")
            case CompactionFinished():
                note(f"⟳ compacted: {event.tokens_before:,} to {event.tokens_after:,} tokens")
            case _:
                pass

    def finish(self, report: RunFinished) -> None:
        """Close the answer's last line, and say how it ended if not by itself."""
        self._close_line()
        if report.problem:
            note(f"{report.problem.message} {report.problem.advice}")
        elif ending := TIME_IS_UP if report.stop_reason == OUT_OF_TIME else ENDINGS.get(report.stop_reason):
            note(ending)
        if report.exit_code == PERMISSION_DENIED:
            note(NOT_ALLOWED)

    def _say(self, words: str) -> None:
        if words:
            self.output.write(words)
            self._line_is_open = not words.endswith("\n")

    def _close_line(self) -> None:
        self._say(self._cleaner.finish())
        self._cleaner = StreamCleaner()
        if self._line_is_open:
            self._say("\n")


def note(sentence: str) -> None:
    """One line on standard error, if anybody reads it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{clean_line(sentence)}\n")
        sys.stderr.flush()


def _subject(event: ToolCallReady) -> str:
    values = [str(value) for value in event.input.values()]
    return clean_line(" ".join(values), SUBJECT_CHARS)
