"""One turn: ask the model, run its calls, ask again, until it is done or must stop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from diligent_tui.agent.answer import Answer, PieceSaver, take_answer
from diligent_tui.agent.asking import Provide, ask
from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.costs import cost_of
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.interruption import Interrupted, Interruption
from diligent_tui.agent.policy import AgentPolicy
from diligent_tui.agent.prefix import PrefixWatch, sizes_bytes
from diligent_tui.domain.errors import BadResponse, ContextOverflow, Problem, ProviderError
from diligent_tui.domain.events import ContextOverflowed, MessageSaved, RetryScheduled, StepStarted, UsageRecorded
from diligent_tui.domain.messages import AssistantMessage
from diligent_tui.domain.requests import Request
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.retry import Retries, with_retries

if TYPE_CHECKING:
    from diligent_tui.agent.tool_calls import CallRun

EndReason = Literal[
    "done",
    "interrupted",
    "max_tokens",
    "refusal",
    "content_filter",
    "context_window",
    "repeated_call",
    "step_limit",
    "cost_limit",
    "token_limit",
    "failed",
]
"""How a turn ended. Only `done` is the model's own end; every other one is said to the user."""

ANSWER_ENDS: dict[str, EndReason] = {
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "content_filter": "content_filter",
    "context_window": "context_window",
}
MOST_CONTINUATIONS = 1
"""How often in a turn an answer that hit the output limit is asked to go on."""


@dataclass(frozen=True, slots=True)
class Desk:
    """All that a turn works with; the façade lays it out."""

    conversation: Conversation
    hub: Hub
    interruption: Interruption
    policy: AgentPolicy
    calls: "Callable[[str], CallRun]"
    """Runs the calls of one answer in the turn of an id; loaded with the first of them."""
    provider: Provide
    request: Callable[[], Request]
    counted: Callable[[Request, Usage], None]
    """Told of every real count, so that the estimator learns."""
    overflowed: Callable[[Request, ContextOverflow], None]
    """Told of every refusal for length, so that the window is known next time."""
    make_room: Callable[[bool], Awaitable[Problem | None]]
    """Prunes or compacts before a request; told whether a turn begins. A problem if it would not fit all the same."""
    make_room_after: Callable[[Request, ContextOverflow], Awaitable[bool]]
    """Compacts after a refusal for length; True if the request is worth sending again."""
    step_finished: Callable[[], None]
    measured: Callable[[], None]
    deliver_steering: Callable[[], Awaitable[bool]]
    """Saves what the user steered with; True if there was something."""
    prefix: PrefixWatch = field(default_factory=PrefixWatch)


@dataclass(slots=True)
class TurnTotals:
    """What a turn has used so far."""

    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    continuations: int = 0
    has_overflowed: bool = False
    """True from a refusal for length until an answer came: it is compacted for once, then it is an error."""


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How a turn ended, and the problem if it failed."""

    reason: EndReason
    totals: TurnTotals
    problem: Problem | None = None


async def run_turn(desk: Desk, turn_id: str) -> TurnEnd:
    """Work on the prompt at the leaf until the turn ends; storage errors are the caller's."""
    totals = TurnTotals()
    retries = Retries(desk.policy.backoff)
    try:
        while True:
            if over := _over_limits(desk.policy, totals):
                return TurnEnd(over, totals)
            if problem := await desk.make_room(totals.steps == 0):
                return TurnEnd("failed", totals, problem)
            step = await _step(desk, turn_id, totals, retries)
            answer = step.answer
            if isinstance(answer.error, ContextOverflow) and await _made_room(desk, step.request, answer.error, totals):
                continue
            if answer.error and answer.blocks and await _waits_to_go_on(desk, step.message_id, answer.error, retries):
                continue
            if answer.error:
                return TurnEnd("failed", totals, answer.error.problem)
            totals.has_overflowed = False
            end = await _after(desk, turn_id, answer, totals)
            desk.step_finished()
            if end:
                return end
    except Interrupted:
        return TurnEnd("interrupted", totals)


async def _made_room(desk: Desk, request: Request, error: ContextOverflow, totals: TurnTotals) -> bool:
    """Whether a request that was refused for its length is worth sending again, smaller."""
    if totals.has_overflowed:
        return False
    totals.has_overflowed = True
    return await desk.make_room_after(request, error)


async def _waits_to_go_on(desk: Desk, message_id: str, error: ProviderError, retries: Retries) -> bool:
    """Wait before an answer that was cut off is asked to go on; False if that is not to be tried again."""
    wait = retries.next_wait(error)
    if wait is None:
        return False
    desk.hub.publish(RetryScheduled(message_id, wait.attempt, wait.delay_seconds, error.problem))
    await desk.interruption.guard(asyncio.sleep(wait.delay_seconds))
    return True


@dataclass(frozen=True, slots=True)
class _Step:
    message_id: str
    answer: Answer
    request: Request


async def _step(desk: Desk, turn_id: str, totals: TurnTotals, retries: Retries) -> _Step:
    request = desk.request()
    totals.steps += 1
    message_id = desk.conversation.store.new_id()
    desk.hub.publish(
        StepStarted(turn_id, message_id, totals.steps, request.model.id, sizes_bytes(request), desk.prefix.see(request))
    )
    answer = Answer()
    saver = PieceSaver(
        lambda kind, text: desk.conversation.add_piece(message_id, kind, text), desk.policy.partial_delay_seconds
    )
    pieces = with_retries(
        lambda: ask(desk.provider, request),
        retries,
        lambda number, seconds, problem: desk.hub.publish(RetryScheduled(message_id, number, seconds, problem)),
    )
    try:
        await desk.interruption.guard(take_answer(answer, pieces, message_id, desk.hub.publish, saver))
    finally:
        if answer.blocks:
            await _save(desk, message_id, answer, request)
        _account(desk, message_id, answer, request, totals)
    return _Step(message_id, answer, request)


async def _save(desk: Desk, message_id: str, answer: Answer, request: Request) -> None:
    message = AssistantMessage(
        content=answer.blocks,
        provider=request.model.provider,
        model=request.model.name,
        usage=answer.usage,
        stop_reason=answer.stop_reason,
    )
    await desk.conversation.add_message(message, message_id)
    desk.hub.publish(MessageSaved(message_id, "assistant", message.text, answer.stop_reason))


def _account(desk: Desk, message_id: str, answer: Answer, request: Request, totals: TurnTotals) -> None:
    if answer.usage:
        cost = cost_of(answer.usage, request.model)
        totals.usage += answer.usage
        totals.cost = None if cost is None or totals.cost is None else totals.cost + cost
        desk.hub.publish(UsageRecorded(message_id, request.model.id, answer.usage, cost))
        desk.counted(request, answer.usage)
    if isinstance(answer.error, ContextOverflow):
        desk.overflowed(request, answer.error)
        tokens, limit = answer.error.tokens or 0, answer.error.limit or 0
        desk.hub.publish(ContextOverflowed(message_id, tokens, limit, 100 * tokens / limit if limit else 0.0))
    desk.measured()


async def _after(desk: Desk, turn_id: str, answer: Answer, totals: TurnTotals) -> TurnEnd | None:
    """What follows an answer: its calls, a continuation, the user's steering, or the end."""
    message = AssistantMessage(content=answer.blocks)
    if not answer.blocks:
        nothing = BadResponse("The model answered nothing.")
        return TurnEnd("failed", totals, nothing.problem)
    if message.tool_calls:
        outcome = await desk.calls(turn_id).run(message.tool_calls)
        desk.measured()
        steered = await desk.deliver_steering()
        return TurnEnd("repeated_call", totals) if outcome == "repeated" and not steered else None
    if answer.stop_reason in ("max_tokens", "pause_turn") and totals.continuations < MOST_CONTINUATIONS:
        totals.continuations += 1
        return None
    if await desk.deliver_steering():
        return None
    return TurnEnd(ANSWER_ENDS.get(answer.stop_reason, "done"), totals)


def _over_limits(policy: AgentPolicy, totals: TurnTotals) -> EndReason | None:
    if totals.steps >= policy.max_steps:
        return "step_limit"
    if policy.max_cost is not None and totals.cost is not None and totals.cost >= policy.max_cost:
        return "cost_limit"
    if policy.max_tokens is not None and totals.usage.context_tokens >= policy.max_tokens:
        return "token_limit"
    return None
