"""What servers of Chat Completions accept, or a little less."""

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire.report import Report
from diligent_tui.providers.wire.values import CHAT_CALL_ID, holds_json_object, is_said

_BODY = ("model", "messages", "tools", "max_tokens", "reasoning_effort", "stream", "stream_options", "tool_choice")
_FIELDS = {
    "system": ("role", "content"),
    "user": ("role", "content"),
    "assistant": ("role", "content", "tool_calls"),
    "tool": ("role", "content", "tool_call_id"),
}


def check_chat(body: JsonObject) -> list[str]:
    """All that a server would refuse in a body, each with its place; nothing if it is acceptable."""
    report = Report()
    report.body(body, _BODY)
    report.a_text(body.get("model"), "model")
    if "max_tokens" in body:
        report.a_count(body["max_tokens"], "max_tokens", 1)
    if "reasoning_effort" in body:
        report.one_of(body["reasoning_effort"], "reasoning_effort", ("low", "medium", "high"))
    if "stream" in body:
        report.one_of(body["stream"], "stream", (True, False))
    if "stream_options" in body:
        options = report.an_object(body["stream_options"], "stream_options")
        report.known_fields(options, "stream_options", ("include_usage",))
        report.one_of(options.get("include_usage"), "stream_options.include_usage", (True, False))
        if body.get("stream") is not True:
            report.say("stream_options", "allowed only where stream is true")
    _check_tools(body, report)
    _check_messages(report.an_array(body.get("messages"), "messages"), report)
    return report.found


def _check_tools(body: JsonObject, report: Report) -> None:
    if "tools" not in body:
        return
    names: set[str] = set()
    for index, item in enumerate(report.an_array(body["tools"], "tools")):
        place = f"tools[{index}]"
        tool = report.an_object(item, place)
        report.known_fields(tool, place, ("type", "function"))
        report.one_of(tool.get("type"), f"{place}.type", ("function",))
        place = f"{place}.function"
        function = report.an_object(tool.get("function"), place)
        report.known_fields(function, place, ("name", "description", "parameters"))
        report.new_name(report.a_tool_name(function.get("name"), f"{place}.name"), f"{place}.name", names)
        if "description" in function:
            report.a_text(function["description"], f"{place}.description")
        report.a_schema(function.get("parameters"), f"{place}.parameters")


def _check_messages(values: list[object], report: Report) -> None:
    messages = [report.an_object(value, f"messages[{index}]") for index, value in enumerate(values)]
    for index, message in enumerate(messages):
        _check_message(message, f"messages[{index}]", report)
    _check_roles(messages, report)
    _check_calls(messages, report)


def _check_roles(messages: list[JsonObject], report: Report) -> None:
    roles = [message.get("role") for message in messages]
    for index, role in enumerate(roles):
        if role == "system" and index:
            report.say(f"messages[{index}]", "the system speaks first or not at all")
        if index and role == roles[index - 1] and role in ("user", "assistant"):
            report.say(f"messages[{index}]", f"two messages of the {role} in a row")
    talk = roles[1:] if roles[:1] == ["system"] else roles
    if roles and talk[:1] != ["user"]:
        report.say("messages", "the talk must begin with the user")
    if talk and talk[-1] not in ("user", "tool"):
        report.say(f"messages[{len(roles) - 1}]", "the last message must be of the user or a tool")


def _check_message(message: JsonObject, place: str, report: Report) -> None:
    role = message.get("role")
    if not isinstance(role, str) or role not in _FIELDS:
        report.say(f"{place}.role", f"{role!r} is not known")
        return
    report.known_fields(message, place, _FIELDS[role])
    content = message.get("content")
    match role:
        case "user":
            _check_content(content, f"{place}.content", report)
        case "assistant":
            if content is not None or "tool_calls" not in message:
                report.a_text(content, f"{place}.content")
            if "tool_calls" in message:
                calls = report.an_array(message["tool_calls"], f"{place}.tool_calls")
                for number, value in enumerate(calls):
                    where = f"{place}.tool_calls[{number}]"
                    _check_call(report.an_object(value, where), where, report)
        case _:
            report.a_text(content, f"{place}.content")
            if role == "tool":
                _check_call_id(message.get("tool_call_id"), f"{place}.tool_call_id", report)


def _check_content(content: object, place: str, report: Report) -> None:
    if isinstance(content, str):
        report.a_text(content, place)
        return
    for number, value in enumerate(report.an_array(content, place)):
        where = f"{place}[{number}]"
        part = report.an_object(value, where)
        match part.get("type"):
            case "text":
                report.known_fields(part, where, ("type", "text"))
                report.a_text(part.get("text"), f"{where}.text")
            case "image_url":
                report.known_fields(part, where, ("type", "image_url"))
                image = report.an_object(part.get("image_url"), f"{where}.image_url")
                report.known_fields(image, f"{where}.image_url", ("url", "detail"))
                url = image.get("url")
                if not is_said(url) or not url.startswith(("https://", "http://", "data:image/")):
                    report.say(f"{where}.image_url.url", "must be a web address or a data URL")
            case kind:
                report.say(where, f"a part of type {kind!r} is not known")


def _check_call(call: JsonObject, place: str, report: Report) -> None:
    report.known_fields(call, place, ("id", "type", "function"))
    _check_call_id(call.get("id"), f"{place}.id", report)
    report.one_of(call.get("type"), f"{place}.type", ("function",))
    function = report.an_object(call.get("function"), f"{place}.function")
    report.known_fields(function, f"{place}.function", ("name", "arguments"))
    report.a_tool_name(function.get("name"), f"{place}.function.name")
    arguments = function.get("arguments")
    if not isinstance(arguments, str) or not holds_json_object(arguments):
        report.say(f"{place}.function.arguments", "must be the text of a JSON object")


def _check_call_id(value: object, place: str, report: Report) -> None:
    if not isinstance(value, str) or not CHAT_CALL_ID.fullmatch(value):
        report.say(place, f"must match ^{CHAT_CALL_ID.pattern}$")


def _check_calls(messages: list[JsonObject], report: Report) -> None:
    """Ask that right after an answer with calls its tools speak, each call once and in any order."""
    waiting: list[str] = []
    all_calls: set[str] = set()
    for index, message in enumerate(messages):
        place = f"messages[{index}]"
        if message.get("role") == "tool":
            call_id = message.get("tool_call_id")
            if isinstance(call_id, str) and call_id in waiting:
                waiting.remove(call_id)
            else:
                report.say(place, f"no open call {call_id!r}, or it is answered twice")
            continue
        if waiting:
            report.say(place, f"calls without a result before it: {', '.join(waiting)}")
        waiting = _call_ids(message)
        for call_id in waiting:
            report.new_name(call_id, f"{place}.tool_calls", all_calls)
    if waiting:
        report.say("messages", f"calls without a result: {', '.join(waiting)}")


def _call_ids(message: JsonObject) -> list[str]:
    quiet = Report()
    calls = quiet.an_array(message.get("tool_calls"), "")
    ids = [quiet.an_object(call, "").get("id") for call in calls]
    return [call_id for call_id in ids if isinstance(call_id, str)]
