"""`diligent -p`: one prompt without a screen; the answer on standard output, all else on standard error."""

import asyncio
import gc
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.cli.arguments import Arguments
from diligent_tui.cli.exit_codes import OUT_OF_TIME, code_of_problem
from diligent_tui.cli.headless import Complain
from diligent_tui.cli.input_context import prompt_with
from diligent_tui.cli.outcome import Outcome
from diligent_tui.cli.output import Output
from diligent_tui.cli.permission_flags import with_flags
from diligent_tui.cli.printers import Printer, json_line, make_printer
from diligent_tui.cli.standard_input import read_standard_input
from diligent_tui.config.assembly import begin, surroundings
from diligent_tui.config.estimates import save_estimator
from diligent_tui.config.house import House
from diligent_tui.domain.errors import DiligentError, UsageError
from diligent_tui.domain.events import Event, StepStarted
from diligent_tui.domain.run_report import RunFinished, RunStarted, report_to_json
from diligent_tui.providers.registry import prices_at

READER_SECONDS = 0.5
"""So long a reader may stand still once we are to stop."""
SHORTEST_SECONDS = 0.001
"""A timer of zero would never ring."""


def print_answer(house: House, arguments: Arguments, complain: Complain) -> int:
    """Run one prompt to its end; returns the exit code."""
    began = time.monotonic()
    output = Output()
    try:
        run = _prepare(house, arguments, output, began, complain)
        code = asyncio.run(run.go())
    except DiligentError as error:
        if arguments.output_format != "text":
            report = RunFinished(
                exit_code=code_of_problem(error.problem),
                problem=error.problem,
                duration_seconds=round(time.monotonic() - began, 3),
            )
            output.write(json_line(report_to_json(report)))
        raise
    if output.complaint:
        complain(output.complaint)
    return code


def _prepare(house: House, arguments: Arguments, output: Output, began: float, complain: Complain) -> "HeadlessRun":
    house = replace(house, rules=with_flags(house.rules, arguments.allow, arguments.deny))
    until = None if arguments.max_seconds is None else began + arguments.max_seconds
    words, piped = arguments.prompt or "", read_standard_input(complain, until)
    if not words.strip() and not piped.strip():
        raise UsageError("-p needs a prompt.", 'Try: diligent -p "read README.md"')
    wanted = arguments.resume or ""
    session_path: Path | None = None
    if arguments.fork:
        from diligent_tui.cli.sessions import fork_wanted

        wanted = fork_wanted(house, wanted)
        complain(f"Going on in the fork {wanted}.")
    if arguments.goes_on:
        from diligent_tui.config.session_files import find_session

        session_path = find_session(house, wanted)
    return HeadlessRun(
        house=house,
        given=surroundings(house, may_ask=False, model_flag=arguments.model),
        session_path=session_path,
        words=words,
        piped=piped,
        output=output,
        printer=make_printer(arguments.output_format, output),
        began=began,
        until=until,
        must_know_costs=arguments.max_cost is not None,
    )


@dataclass(slots=True)
class HeadlessRun:
    """One prompt, from the opening of its session to the last line about it."""

    house: House
    given: Surroundings
    session_path: Path | None
    words: str
    piped: str
    output: Output
    printer: Printer
    began: float
    until: float | None
    must_know_costs: bool
    outcome: Outcome = field(default_factory=Outcome)

    async def go(self) -> int:
        """Work until the turn has ended, however it ends; returns the exit code."""
        session = await self._open()
        gc.freeze()
        gc.enable()
        loop = asyncio.get_running_loop()

        def stop(reason: str) -> None:
            self.outcome.stopped_by = self.outcome.stopped_by or reason
            # A signal may come anywhere, and before the turn has begun there is nothing to interrupt.
            loop.call_soon_threadsafe(session.interrupt)

        def lose() -> None:
            self.outcome.has_lost_output = True
            stop("reader_left")

        self.output.lost = lose
        session.hub.subscribe(lambda event: self._hear(event, stop))
        with _signals(stop, self.output, self.until):
            try:
                report = await self._work(session)
            finally:
                await session.close()
                save_estimator(self.house.places.user_state, session.estimator)
            self.printer.finish(report)
        # Not before the last line, which may have found nobody.
        return self.outcome.exit_code

    async def _work(self, session: AgentSession) -> RunFinished:
        self._refuse_unknown_costs(session)
        prompt = prompt_with(self.words, self.piped, session, self.given)
        self.printer.begin(RunStarted(session_id=session.id, model_id=session.model.id, mode=session.mode))
        await session.prompt(prompt)
        await session.wait_idle()
        return self._report(session)

    async def _open(self) -> AgentSession:
        if self.session_path is None:
            return begin(self.house, self.given)
        return await AgentSession.resume(self.session_path, self.given)

    def _refuse_unknown_costs(self, session: AgentSession) -> None:
        if self.must_know_costs and prices_at(session.model, 0) is None:
            raise UsageError(
                f"Nobody here knows what {session.model.id} costs, so --max-cost could not be kept.",
                "Use --max-tokens instead, or set its prices in your settings.",
            )

    def _hear(self, event: Event, stop: Callable[[str], None]) -> None:
        if isinstance(event, StepStarted) and (limit := self.outcome.limit_reached(self.given.policy)):
            stop(limit)
        self.outcome.note(event)
        self.printer.show(event)

    def _report(self, session: AgentSession) -> RunFinished:
        measured = session.measure()
        return self.outcome.report().model_copy(
            update={
                "session_id": session.id,
                "model_id": session.model.id,
                "context_tokens": measured.tokens,
                "context_limit": measured.limit,
                "percent_used": round(measured.percent, 1),
                "near_limit": measured.tokens >= measured.limit * self.given.compaction.warning_share,
                "duration_seconds": round(time.monotonic() - self.began, 3),
            }
        )


@contextmanager
def _signals(stop: Callable[[str], None], output: Output, until: float | None) -> Generator[None]:
    """Let signals and the clock end the turn, also while a write waits for a reader who stands still."""
    is_stopping = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal is_stopping
        if is_stopping and number == signal.SIGALRM:
            output.look()
            return
        is_stopping = True
        stop(OUT_OF_TIME if number == signal.SIGALRM else "interrupted")
        signal.setitimer(signal.ITIMER_REAL, READER_SECONDS, READER_SECONDS)

    caught = [signal.SIGINT, signal.SIGTERM, signal.SIGALRM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        caught.append(signal.SIGHUP)
    before = {number: signal.signal(number, handle) for number in caught}
    if until is not None:
        signal.setitimer(signal.ITIMER_REAL, max(SHORTEST_SECONDS, until - time.monotonic()))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
