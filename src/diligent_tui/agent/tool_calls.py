"""Runs the calls of one answer: asks where it must, runs readers together and the rest in order, saves each result."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from diligent_tui.agent.admission import Admission, Judged
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.file_history import FileHistory
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interrupted, Interruption
from diligent_tui.agent.permissions import Decision, Questions
from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.repeats import is_repeated
from diligent_tui.domain.errors import DiligentError, StorageError
from diligent_tui.domain.events import (
    MessageSaved,
    PermissionRequested,
    PermissionResolved,
    StorageFailed,
    ToolFinished,
    ToolOutput,
    ToolStarted,
)
from diligent_tui.domain.messages import TextBlock, ToolCallBlock, ToolResultMessage
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Call, KeepsTime, Outcome, Tool, Verdict, Workplace
from diligent_tui.tools.runner import run_call

SKIPPED = "Not run: the user sent a new message first."
INTERRUPTED = "Interrupted by the user."
REPEATED = "Not run: this was just done twice over with the same result. Try something else, or ask the user."
NOBODY_TO_ASK = "nobody is here to be asked; run with --mode full, or allow it in the settings"
MOST_SAID_CHARS = 8_000
"""Of an interrupted tool's output so much is kept, from its end."""


@dataclass(frozen=True, slots=True)
class ToolRoom:
    """What calls need: the tools, where they work, and who decides."""

    tools: Mapping[str, Tool]
    workplace: Workplace
    questions: Questions
    policy: AgentPolicy
    mode: Callable[[], Mode]
    has_steering: Callable[[], bool]
    history: FileHistory
    """Keeps files as they were before a call changed them."""
    admission: Admission = field(default_factory=Admission)


@dataclass(slots=True)
class Progress:
    """How far a call has come: when it began, None before that, and what it said."""

    began: float | None = None
    said: list[str] = field(default_factory=list[str])

    @property
    def seconds(self) -> float | None:
        """How long it has been running; None if it never was, for waiting for an answer is no running."""
        return None if self.began is None else time.monotonic() - self.began


@dataclass(frozen=True, slots=True)
class CallRun:
    """Runs the calls of one answer."""

    room: ToolRoom
    conversation: Conversation
    hub: Hub
    interruption: Interruption
    turn_id: str

    async def run(self, calls: Sequence[ToolCallBlock]) -> Literal["done", "repeated"]:
        """Run them all; raises Interrupted when the user stops, with every call answered by then."""
        was_repeated = False
        waiting = list(calls)
        while waiting:
            group = self._next_group(waiting)
            del waiting[: len(group)]
            if self.room.has_steering():
                await self._answer_all([*group, *waiting], SKIPPED)
                return "done"
            repeated = [
                call for call in group if is_repeated(call, self.conversation.path, self.conversation.store.entry)
            ]
            was_repeated = was_repeated or bool(repeated)
            await self._answer_all(repeated, REPEATED)
            await self._run_together([call for call in group if call not in repeated])
            if self.interruption.is_raised:
                await self._answer_all(waiting, INTERRUPTED)
                raise Interrupted
        return "repeated" if was_repeated else "done"

    def _next_group(self, calls: Sequence[ToolCallBlock]) -> list[ToolCallBlock]:
        group: list[ToolCallBlock] = []
        for call in calls:
            tool = self.room.tools.get(call.name)
            if group and not (tool and tool.read_only):
                break
            group.append(call)
            if not (tool and tool.read_only):
                break
        return group

    async def _run_together(self, calls: Sequence[ToolCallBlock]) -> None:
        """Run calls at the same time; raises StorageError if what one of them brought cannot be saved."""
        try:
            async with asyncio.TaskGroup() as running:
                for call in calls:
                    running.create_task(self._run_one(call))
        except ExceptionGroup as errors:
            # Whoever ends a turn knows the error by its kind, and a group has none.
            for error in errors.exceptions:
                if isinstance(error, StorageError):
                    raise error from None
            raise

    async def _run_one(self, call: ToolCallBlock) -> None:
        entry_id = self.conversation.store.new_id()
        outcome, seconds = await self.carry_out(call, entry_id)
        await self._finish(call, outcome, seconds, entry_id)

    async def carry_out(self, call: ToolCallBlock, entry_id: str) -> tuple[Outcome, float | None]:
        """Ask where it must be, and run; what came of it, stopped or not, and how many seconds it ran, if it did."""
        progress = Progress()
        try:
            outcome = await self.interruption.guard(self._outcome(call, entry_id, progress))
        except Interrupted:
            so_far = "".join(progress.said)[-MOST_SAID_CHARS:]
            outcome = Outcome(f"{INTERRUPTED} Output so far:\n{so_far}" if so_far else INTERRUPTED, is_error=True)
        seconds = progress.seconds
        # What is not noted here is shown as uncertain when files are to be restored.
        with contextlib.suppress(StorageError):
            await asyncio.to_thread(self.room.history.close_turn, self.turn_id)
        return outcome, seconds

    async def _outcome(self, call: ToolCallBlock, entry_id: str, progress: Progress) -> Outcome:
        tool = self.room.tools.get(call.name)
        if tool is None:
            names = ", ".join(sorted(self.room.tools))
            return Outcome(f"There is no tool named {call.name!r}. There are: {names}.", is_error=True)
        judged = await asyncio.to_thread(self._judge, tool, call)
        decision = await self._decide(tool, call, judged.verdict)
        if not decision.allowed:
            return Outcome(f"Not allowed: {decision.reason.rstrip('.') or 'the user said no'}.", is_error=True)

        def say(text: str) -> None:
            progress.said.append(text)
            self.hub.publish(ToolOutput(call.id, text))

        limit_seconds = tool.timeout_seconds(call.input) if isinstance(tool, KeepsTime) else None
        progress.began = time.monotonic()
        self.hub.publish(ToolStarted(call.id, call.name, call.input, limit_seconds))
        return await run_call(
            tool, call.input, Call(self._workplace(entry_id), entry_id, say, approved=judged.needs_yes)
        )

    def _workplace(self, entry_id: str) -> Workplace:
        return replace(self.room.workplace, keep_before=partial(self.room.history.keep, self.turn_id, entry_id))

    def _judge(self, tool: Tool, call: ToolCallBlock) -> Judged:
        return self.room.admission.judge(tool, call.input, self.room.mode(), self.room.workplace)

    async def _decide(self, tool: Tool, call: ToolCallBlock, verdict: Verdict) -> Decision:
        match verdict.decision:
            case "allow":
                return Decision(allowed=True)
            case "deny":
                decision = Decision(allowed=False, reason=verdict.reason)
            case "ask" if not self.room.policy.may_ask:
                decision = Decision(allowed=False, reason=f"{verdict.reason.rstrip('.')}, and {NOBODY_TO_ASK}")
            case "ask":
                self.hub.publish(
                    PermissionRequested(
                        call.id, call.name, tool.subject(call.input), verdict.reason, verdict.diff, verdict.rule
                    )
                )
                decision = await self._ask(tool, call)
        self.hub.publish(PermissionResolved(call.id, decision.allowed, decision.reason))
        return decision

    async def _ask(self, tool: Tool, call: ToolCallBlock) -> Decision:
        try:
            decision = await self.room.questions.ask(
                call.id, lambda: self._judge(tool, call).verdict.decision == "allow"
            )
        except asyncio.CancelledError:
            # So that nobody goes on asking.
            self.hub.publish(PermissionResolved(call.id, allowed=False, reason=INTERRUPTED))
            raise
        try:
            await asyncio.to_thread(self.room.admission.remember, call.name, call.input, decision)
        except DiligentError as error:
            # It holds for this session, and the user hears why for no longer.
            self.hub.publish(StorageFailed(error.problem, ""))
        if decision.allowed and decision.scope != "once":
            await self.room.questions.settle()
        return decision

    def tell(self, call: ToolCallBlock, outcome: Outcome, duration_seconds: float | None) -> None:
        """Say that a call has ended; one that never ran took no time."""
        self.hub.publish(
            ToolFinished(
                call.id,
                call.name,
                outcome.output,
                outcome.is_error,
                duration_seconds or 0.0,
                outcome.diff,
                outcome.exit_code,
                outcome.spill,
            )
        )

    async def _finish(
        self, call: ToolCallBlock, outcome: Outcome, duration_seconds: float | None, entry_id: str | None = None
    ) -> None:
        self.tell(call, outcome, duration_seconds)
        words = (TextBlock(text=outcome.output), *outcome.images) if outcome.images else outcome.output
        saved = await self.conversation.add_message(
            ToolResultMessage(
                tool_call_id=call.id,
                tool_name=call.name,
                output=words,
                is_error=outcome.is_error,
                spill=outcome.spill,
                diff=outcome.diff or None,
                exit_code=outcome.exit_code,
                duration_seconds=None if duration_seconds is None else round(duration_seconds, 3),
            ),
            entry_id,
        )
        self.hub.publish(MessageSaved(saved.id, "tool_result", outcome.output))

    async def _answer_all(self, calls: Sequence[ToolCallBlock], words: str) -> None:
        for call in calls:
            await self._finish(call, Outcome(words, is_error=True), None)
