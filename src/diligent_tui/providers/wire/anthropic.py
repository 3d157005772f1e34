"""What Anthropic's Messages accept, or a little less."""

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire.report import Report
from diligent_tui.providers.wire.values import ANTHROPIC_CALL_ID, PICTURE_KINDS, is_array, is_object, is_said

MOST_CACHE_MARKS = 4

_BODY = ("model", "max_tokens", "system", "tools", "messages", "thinking", "output_config", "stream", "tool_choice")
_TOOL = ("name", "description", "input_schema", "cache_control")
_FIELDS = {
    "text": ("type", "text", "citations", "cache_control"),
    "image": ("type", "source", "cache_control"),
    "thinking": ("type", "thinking", "signature"),
    "redacted_thinking": ("type", "data"),
    "tool_use": ("type", "id", "name", "input", "caller", "toolset_name", "cache_control"),
    "tool_result": ("type", "tool_use_id", "content", "is_error", "toolset_name", "cache_control"),
}
_ALLOWED = {
    "user": ("text", "image", "tool_result"),
    "assistant": ("text", "thinking", "redacted_thinking", "tool_use"),
}
_THOUGHTS = ("thinking", "redacted_thinking")


def check_anthropic(body: JsonObject) -> list[str]:
    """All that the server would refuse in a body, each with its place; nothing if it is acceptable."""
    report = Report()
    report.body(body, _BODY)
    report.a_text(body.get("model"), "model")
    report.a_count(body.get("max_tokens"), "max_tokens", 1)
    if "stream" in body:
        report.one_of(body["stream"], "stream", (True, False))
    _check_system(body, report)
    _check_tools(body, report)
    _check_thinking(body, report)
    _check_messages(report.an_array(body.get("messages"), "messages"), report)
    marks = _count_marks(body)
    if marks > MOST_CACHE_MARKS:
        report.say("body", f"{marks} cache marks, more than {MOST_CACHE_MARKS}")
    return report.found


def _check_system(body: JsonObject, report: Report) -> None:
    if "system" not in body:
        return
    if isinstance(body["system"], str):
        report.a_text(body["system"], "system")
        return
    for index, item in enumerate(report.an_array(body["system"], "system")):
        _check_block(report.an_object(item, f"system[{index}]"), f"system[{index}]", ("text",), report)


def _check_tools(body: JsonObject, report: Report) -> None:
    if "tools" not in body:
        return
    names: set[str] = set()
    for index, item in enumerate(report.an_array(body["tools"], "tools")):
        place = f"tools[{index}]"
        tool = report.an_object(item, place)
        report.known_fields(tool, place, _TOOL)
        report.new_name(report.a_tool_name(tool.get("name"), f"{place}.name"), f"{place}.name", names)
        if "description" in tool:
            report.a_text(tool["description"], f"{place}.description")
        report.a_schema(tool.get("input_schema"), f"{place}.input_schema")
        _check_mark(tool, place, report)


def _check_thinking(body: JsonObject, report: Report) -> None:
    if "thinking" in body:
        thinking = report.an_object(body["thinking"], "thinking")
        report.known_fields(thinking, "thinking", ("type", "display"))
        report.one_of(thinking.get("type"), "thinking.type", ("adaptive", "disabled"))
        if "display" in thinking:
            report.one_of(thinking["display"], "thinking.display", ("summarized", "omitted"))
    if "output_config" in body:
        config = report.an_object(body["output_config"], "output_config")
        report.known_fields(config, "output_config", ("effort",))
        report.one_of(config.get("effort"), "output_config.effort", ("low", "medium", "high", "xhigh", "max"))


def _check_messages(messages: list[object], report: Report) -> None:
    open_calls: list[str] = []
    all_calls: set[str] = set()
    expected = "user"
    for index, item in enumerate(messages):
        place = f"messages[{index}]"
        message = report.an_object(item, place)
        report.known_fields(message, place, ("role", "content"))
        role = message.get("role")
        if role != expected:
            report.say(f"{place}.role", f"must be {expected}: roles alternate and begin with the user")
        expected = "assistant" if role == "user" else "user"
        blocks = _content(message, place, report)
        allowed = _ALLOWED.get(role, ()) if isinstance(role, str) else ()
        for number, block in enumerate(blocks):
            _check_block(block, f"{place}.content[{number}]", allowed, report)
        _check_results(blocks, place, open_calls, report)
        open_calls = _calls(blocks, place, all_calls, report)
        _check_thought_order(blocks, place, report)
    if messages and expected != "assistant":
        report.say(f"messages[{len(messages) - 1}].role", "the last message must be the user's")
    if open_calls:
        report.say("messages", f"calls without a result: {', '.join(open_calls)}")


def _content(message: JsonObject, place: str, report: Report) -> list[JsonObject]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    items = report.an_array(content, f"{place}.content")
    return [report.an_object(item, f"{place}.content[{number}]") for number, item in enumerate(items)]


def _check_results(blocks: list[JsonObject], place: str, calls: list[str], report: Report) -> None:
    """Ask that the results stand first, one for each call of the message before."""
    waiting = list(calls)
    begun = False
    for number, block in enumerate(blocks):
        where = f"{place}.content[{number}]"
        if block.get("type") != "tool_result":
            begun = True
            continue
        if begun:
            report.say(where, "results must stand before all other blocks")
        call_id = block.get("tool_use_id")
        if isinstance(call_id, str) and call_id in waiting:
            waiting.remove(call_id)
        else:
            report.say(where, f"no open call {call_id!r} in the message before, or it is answered twice")
    if waiting:
        report.say(place, f"calls without a result: {', '.join(waiting)}")


def _calls(blocks: list[JsonObject], place: str, taken: set[str], report: Report) -> list[str]:
    calls: list[str] = []
    for number, block in enumerate(blocks):
        call_id = block.get("id")
        if block.get("type") == "tool_use" and isinstance(call_id, str):
            report.new_name(call_id, f"{place}.content[{number}].id", taken)
            calls.append(call_id)
    return calls


def _check_thought_order(blocks: list[JsonObject], place: str, report: Report) -> None:
    """Ask that thinking leads to something: a text or a call stands after it in its message."""
    for number in range(len(blocks) - 1, -1, -1):
        if blocks[number].get("type") not in _THOUGHTS:
            return
        report.say(f"{place}.content[{number}]", "thinking must stand before the text or call that it led to")


def _check_block(block: JsonObject, place: str, allowed: tuple[str, ...], report: Report) -> None:
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in allowed:
        report.say(place, f"a block of type {kind!r} is not known here")
        return
    report.known_fields(block, place, _FIELDS[kind])
    _check_mark(block, place, report)
    match kind:
        case "text":
            report.a_text(block.get("text"), f"{place}.text")
        case "thinking":
            if not isinstance(block.get("thinking"), str):
                report.say(f"{place}.thinking", "must be text")
            report.a_text(block.get("signature"), f"{place}.signature")
        case "redacted_thinking":
            report.a_text(block.get("data"), f"{place}.data")
        case "tool_use":
            _check_call_id(block.get("id"), f"{place}.id", report)
            report.a_tool_name(block.get("name"), f"{place}.name")
            report.an_object(block.get("input"), f"{place}.input")
        case "tool_result":
            _check_result(block, place, report)
        case _:
            _check_source(report.an_object(block.get("source"), f"{place}.source"), f"{place}.source", report)


def _check_call_id(value: object, place: str, report: Report) -> None:
    if not isinstance(value, str) or not ANTHROPIC_CALL_ID.fullmatch(value):
        report.say(place, f"must match ^{ANTHROPIC_CALL_ID.pattern}$")


def _check_result(block: JsonObject, place: str, report: Report) -> None:
    _check_call_id(block.get("tool_use_id"), f"{place}.tool_use_id", report)
    if "is_error" in block:
        report.one_of(block["is_error"], f"{place}.is_error", (True, False))
    content = block.get("content")
    if isinstance(content, str):
        report.a_text(content, f"{place}.content")
        return
    allowed = ("text",) if block.get("is_error") is True else ("text", "image")
    for number, item in enumerate(report.an_array(content, f"{place}.content")):
        where = f"{place}.content[{number}]"
        _check_block(report.an_object(item, where), where, allowed, report)


def _check_source(source: JsonObject, place: str, report: Report) -> None:
    match source.get("type"):
        case "base64":
            report.known_fields(source, place, ("type", "media_type", "data"))
            report.one_of(source.get("media_type"), f"{place}.media_type", PICTURE_KINDS)
            report.a_text(source.get("data"), f"{place}.data")
        case "url":
            report.known_fields(source, place, ("type", "url"))
            url = source.get("url")
            if not is_said(url) or not url.startswith(("https://", "http://")):
                report.say(f"{place}.url", "must be a web address")
        case kind:
            report.say(place, f"a source of type {kind!r} is not known")


def _check_mark(block: JsonObject, place: str, report: Report) -> None:
    if "cache_control" not in block:
        return
    mark = report.an_object(block["cache_control"], f"{place}.cache_control")
    report.known_fields(mark, f"{place}.cache_control", ("type", "ttl"))
    report.one_of(mark.get("type"), f"{place}.cache_control.type", ("ephemeral",))
    if "ttl" in mark:
        report.one_of(mark["ttl"], f"{place}.cache_control.ttl", ("5m", "1h"))


def _count_marks(body: JsonObject) -> int:
    """How many marks stand where marks are read; one inside a call's input is an argument."""
    blocks = [body.get("system"), body.get("tools")]
    messages = body.get("messages")
    if is_array(messages):
        blocks += [message.get("content") for message in messages if is_object(message)]
    return sum(_marks_in(content) for content in blocks)


def _marks_in(content: object) -> int:
    if not is_array(content):
        return 0
    blocks = [block for block in content if is_object(block)]
    return sum(("cache_control" in block) + _marks_in(block.get("content")) for block in blocks)
