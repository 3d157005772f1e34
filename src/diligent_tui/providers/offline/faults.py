"""Plays what real providers do on a bad day, so that every sad path can be seen and tested without one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from diligent_tui.domain.errors import (
    AuthFailed,
    BadResponse,
    ContextOverflow,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamCut,
    Unavailable,
)
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import Block, StopReason, TextBlock, ThinkingBlock, ToolCallBlock
from diligent_tui.domain.requests import Request, ToolSpec
from diligent_tui.providers.offline.answers import SIGNATURE, Answer, said
from diligent_tui.providers.offline.arguments import properties_of
from diligent_tui.providers.offline.directives import FaultDirective
from diligent_tui.providers.offline.reports import fence
from diligent_tui.providers.offline.talk import Talk

MOST_SAME_CALLS = 10
MISSING_TOOL = "open_the_pod_bay_doors"
BEGINNING = "This answer begins like any other, with a sentence or two of plain words, and then, in the mid"
ENDING = "dle of a word, it was cut off. Now it is whole again."


@dataclass(frozen=True, slots=True)
class Scene:
    """What a fault has to work with; `fresh` if the order has no answer yet."""

    fault: FaultDirective
    request: Request
    talk: Talk
    window_tokens: int

    @property
    def fresh(self) -> bool:
        """Whether nothing was answered since the order."""
        return not self.talk.answered or self.request.purpose == "summary"


def play(scene: Scene) -> Answer:
    """The faulty answer; a name that is no fault is said so."""
    maker = FAULTS.get(scene.fault.name)
    if maker is None:
        known = ", ".join(f"`{name}`" for name in FAULTS)
        return said(scene.request, f"There is no fault called `{scene.fault.name}`. I can play: {known}.")
    return maker(scene)


def _failing(error: Callable[[Scene], ProviderError]) -> Callable[[Scene], Answer]:
    return lambda scene: Answer(ending=error(scene))


def _rate_limited(scene: Scene) -> ProviderError:
    return RateLimited("Rehearsed: too many requests.", retry_after_seconds=scene.fault.after_seconds)


def _overflow(scene: Scene) -> ProviderError:
    limit = scene.window_tokens
    return ContextOverflow(f"Rehearsed: {limit + 1} tokens > {limit} maximum.", tokens=limit + 1, limit=limit)


def _begun(stop_reason: StopReason = "end_turn") -> Answer:
    return Answer((TextBlock(text=BEGINNING),), stop_reason)


def _max_tokens(scene: Scene) -> Answer:
    return _begun("max_tokens") if scene.fresh else Answer((TextBlock(text=ENDING),))


def _truncated_call(scene: Scene) -> Answer:
    tool = _some_tool(scene.request)
    arguments: JsonObject = {"path": "a/long/path/that/never/reaches/its/end.txt"}
    half = ToolCallBlock(id=scene.talk.new_call_id(), name=tool.name if tool else "read", input=arguments)
    return replace(_begun("max_tokens"), half_call=half)


def _called(scene: Scene, name: str, arguments: JsonObject, most_rounds: int = 1) -> Answer:
    rounds = scene.talk.rounds
    if len(rounds) < most_rounds:
        call = ToolCallBlock(id=scene.talk.new_call_id(), name=name, input=arguments)
        return said(scene.request, f"I call `{name}`.", "A call comes next.", [call])
    outputs = [result.output for result in rounds[-1].results]
    return said(
        scene.request, f"After {len(rounds)} calls of `{name}` the last answer was:\n\n{fence(''.join(outputs))}"
    )


def _unknown_tool(scene: Scene) -> Answer:
    return _called(scene, MISSING_TOOL, {"please": True})


def _bad_arguments(scene: Scene) -> Answer:
    tool = _some_tool(scene.request)
    return _called(scene, tool.name if tool else "read", _wrong_arguments(tool))


def _same_call(scene: Scene) -> Answer:
    offered = {tool.name for tool in scene.request.tools}
    tool = _some_tool(scene.request)
    if "ls" in offered or tool is None:
        return _called(scene, "ls", {"path": "."}, MOST_SAME_CALLS)
    return _called(scene, tool.name, {}, MOST_SAME_CALLS)


def _thinking_only(_: Scene) -> Answer:
    thought: Block = ThinkingBlock(thinking="I think, and then I say nothing at all.", signature=SIGNATURE)
    return Answer((thought,))


def _some_tool(request: Request) -> ToolSpec | None:
    wanted = [tool for name in ("read", "ls", "grep") for tool in request.tools if tool.name == name]
    return next(iter((*wanted, *request.tools)), None)


def _wrong_arguments(tool: ToolSpec | None) -> JsonObject:
    names = properties_of(tool) if tool else ()
    return {name: {"wrong": "shape"} for name in names or ("path",)}


FAULTS: Mapping[str, Callable[[Scene], Answer]] = {
    "rate_limited": _failing(_rate_limited),
    "overloaded": _failing(lambda _: Overloaded("Rehearsed: the provider is too busy.")),
    "unavailable": _failing(lambda _: Unavailable("Rehearsed: the provider cannot be reached.")),
    "auth": _failing(lambda _: AuthFailed("Rehearsed: the key was refused.")),
    "overflow": _failing(_overflow),
    "bad_response": _failing(lambda _: BadResponse("Rehearsed: the answer made no sense.")),
    "cut": lambda _: replace(_begun(), ending=StreamCut("Rehearsed: the connection was lost in mid-answer.")),
    "no_end": lambda _: replace(_begun(), ending="no_end"),
    "empty": lambda _: Answer(),
    "max_tokens": _max_tokens,
    "truncated_call": _truncated_call,
    "refusal": lambda _: replace(_begun("refusal"), blocks=(TextBlock(text="Rehearsed: I will not do that."),)),
    "content_filter": lambda _: _begun("content_filter"),
    "stall": lambda _: replace(_begun(), ending="stall"),
    "unknown_tool": _unknown_tool,
    "bad_arguments": _bad_arguments,
    "same_call": _same_call,
    "thinking_only": _thinking_only,
}
"""Every fault by the name that a directive calls it."""
