"""The promises that `domain.requests` makes of every request, as a check."""

from diligent_tui.domain.requests import (
    AssistantTurn,
    Image,
    Request,
    RequestMessage,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserTurn,
)
from diligent_tui.providers.wire.report import Report


def check_request(request: Request) -> list[str]:
    """All the promises that a request breaks, each with its place; nothing if it keeps them."""
    report = Report()
    report.a_text(request.model.name, "model.name")
    report.a_count(request.max_output_tokens, "max_output_tokens", 1)
    names: set[str] = set()
    for index, spec in enumerate(request.tools):
        place = f"tools[{index}]"
        report.new_name(report.a_tool_name(spec.name, f"{place}.name"), f"{place}.name", names)
        report.a_schema(spec.input_schema, f"{place}.input_schema")
    _check_roles(request.messages, report)
    open_calls: list[str] = []
    all_calls: set[str] = set()
    for index, turn in enumerate(request.messages):
        place = f"messages[{index}]"
        match turn:
            case UserTurn():
                _check_user(turn, place, open_calls, report)
                open_calls = []
            case AssistantTurn():
                open_calls = _check_assistant(turn, place, all_calls, report)
    return report.found


def _check_roles(messages: tuple[RequestMessage, ...], report: Report) -> None:
    if not messages:
        report.say("messages", "must not be empty")
        return
    for index, turn in enumerate(messages):
        expected = "assistant" if index % 2 else "user"
        if turn.role != expected:
            report.say(f"messages[{index}]", f"must be of the {expected}: roles alternate and begin with the user")
    if messages[-1].role != "user":
        report.say(f"messages[{len(messages) - 1}]", "the last message must be the user's")


def _check_user(turn: UserTurn, place: str, calls: list[str], report: Report) -> None:
    if not turn.parts:
        report.say(place, "must not be empty")
    answered: list[str] = []
    begun = False
    for number, part in enumerate(turn.parts):
        where = f"{place}.parts[{number}]"
        match part:
            case ToolResult():
                if begun:
                    report.say(where, "results must stand before words and pictures")
                answered.append(part.call_id)
            case Text():
                begun = True
                report.a_text(part.text, where)
            case Image():
                begun = True
    if answered != calls:
        report.say(place, f"results for {answered} where the calls before were {calls}")


def _check_assistant(turn: AssistantTurn, place: str, taken: set[str], report: Report) -> list[str]:
    calls: list[str] = []
    if not any(isinstance(part, Text | ToolCall) for part in turn.parts):
        report.say(place, "must hold words or a call")
    for number, part in enumerate(turn.parts):
        where = f"{place}.parts[{number}]"
        match part:
            case Text():
                report.a_text(part.text, where)
            case ToolCall():
                report.a_text(part.id, f"{where}.id")
                report.new_name(part.id, f"{where}.id", taken)
                calls.append(part.id)
            case Thinking():
                pass
    return calls
