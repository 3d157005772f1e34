"""`diligent -p`: one prompt without a screen; the answer on standard output, all else on standard error."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.cli.arguments import Arguments
from diligent_tui.cli.exit_codes import DONE, FAILED, PERMISSION_DENIED, code_of_end, code_of_problem
from diligent_tui.config.assembly import House, begin, find_session, surroundings
from diligent_tui.config.estimates import save_estimator
from diligent_tui.domain.endings import ENDINGS
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.events import (
    Event,
    PermissionResolved,
    StepStarted,
    TextDelta,
    ToolCallReady,
    ToolFinished,
    TurnFailed,
    TurnFinished,
    event_to_json,
)
from diligent_tui.domain.plain_text import StreamCleaner, clean_line

SUBJECT_CHARS = 100
NEWLINE = "\n"


class Printer(Protocol):
    """Shows events of a headless run."""

    def show(self, event: Event) -> None:
        """Show one event."""
        ...


def print_answer(house: House, arguments: Arguments) -> int:
    """Run one prompt to its end; returns the exit code."""
    goes_on = arguments.go_on or arguments.resume
    session_path = find_session(house, arguments.resume or "") if goes_on else None
    given = surroundings(house, may_ask=False, model_flag=arguments.model)
    printer: Printer = JsonPrinter() if arguments.output_format == "stream-json" else TextPrinter()
    try:
        return asyncio.run(_answer(house, given, arguments.prompt or "", session_path, printer))
    except BrokenPipeError:
        # The reader left. The interpreter flushes once more at its end, which must have somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


async def _answer(house: House, given: Surroundings, prompt: str, session_path: Path | None, printer: Printer) -> int:
    session = await AgentSession.resume(session_path, given) if session_path else begin(house, given)
    outcome = Outcome()
    broken: list[BrokenPipeError] = []

    def listen(event: Event) -> None:
        outcome.note(event)
        try:
            if not broken:
                printer.show(event)
        except BrokenPipeError as error:
            broken.append(error)
            session.interrupt()

    session.hub.subscribe(listen)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, session.interrupt)
    try:
        await session.prompt(prompt)
        await session.wait_idle()
    finally:
        await session.close()
        save_estimator(house.places.user_state, session.estimator)
    if broken:
        raise broken[0]
    return outcome.code


@dataclass(slots=True)
class Outcome:
    """The exit code, from what was heard last."""

    code: int = FAILED
    was_denied: bool = False

    def note(self, event: Event) -> None:
        """Hear an event."""
        match event:
            case TurnFinished():
                self.code = code_of_end(event.reason)
                if self.code == DONE and self.was_denied:
                    self.code = PERMISSION_DENIED
            case TurnFailed():
                self.code = code_of_problem(event.problem)
            case PermissionResolved(allowed=False):
                self.was_denied = True
            case _:
                pass


class JsonPrinter:
    """Every event as one JSON line."""

    def show(self, event: Event) -> None:
        """Print the event; ASCII only, so nothing in it can act on a terminal."""
        sys.stdout.write(json.dumps(event_to_json(event), ensure_ascii=True) + "\n")
        sys.stdout.flush()


@dataclass(slots=True)
class TextPrinter:
    """The answer's words as they come; tools and endings on standard error."""

    _cleaner: StreamCleaner = field(default_factory=StreamCleaner)
    _line_is_open: bool = False
    _subjects: dict[str, str] = field(default_factory=dict[str, str])

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
                self._note(f"{mark} {event.name}  {subject}  {event.duration_seconds:.1f} s{why}")
            case TurnFinished():
                self._close_line()
                if ending := ENDINGS.get(event.reason):
                    self._note(ending)
            case TurnFailed():
                self._close_line()
                self._note(_sentence(event.problem))
            case _:
                pass

    def _say(self, words: str) -> None:
        if words:
            sys.stdout.write(words)
            sys.stdout.flush()
            self._line_is_open = not words.endswith("\n")

    def _close_line(self) -> None:
        self._say(self._cleaner.finish())
        self._cleaner = StreamCleaner()
        if self._line_is_open:
            self._say("\n")

    def _note(self, sentence: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            sys.stderr.write(f"{clean_line(sentence)}\n")
            sys.stderr.flush()


def _subject(event: ToolCallReady) -> str:
    values = [str(value) for value in event.input.values()]
    return clean_line(" ".join(values), SUBJECT_CHARS)


def _sentence(problem: Problem) -> str:
    return f"{problem.message} {problem.advice}"
