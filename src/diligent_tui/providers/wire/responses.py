"""What OpenAI's Responses accept, or a little less."""

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire.report import Report
from diligent_tui.providers.wire.values import RESPONSES_CALL_ID, holds_json_object, is_said

_BODY = (
    "model",
    "instructions",
    "input",
    "tools",
    "store",
    "include",
    "reasoning",
    "prompt_cache_key",
    "max_output_tokens",
    "stream",
    "tool_choice",
    "parallel_tool_calls",
)
_TOOL = ("type", "name", "description", "parameters", "strict")
_FIELDS = {
    "message": ("type", "id", "role", "content", "status", "phase"),
    "reasoning": ("type", "id", "summary", "content", "encrypted_content", "status"),
    "function_call": ("type", "id", "call_id", "name", "arguments", "status", "namespace", "caller", "async"),
    "function_call_output": ("type", "id", "call_id", "output", "status"),
}
_ID_BEGINS = {"message": "msg", "reasoning": "rs", "function_call": "fc", "function_call_output": "fc"}
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


def check_responses(body: JsonObject) -> list[str]:
    """All that the server would refuse in a body, each with its place; nothing if it is acceptable."""
    report = Report()
    report.body(body, _BODY)
    report.a_text(body.get("model"), "model")
    for key in ("instructions", "prompt_cache_key"):
        if key in body:
            report.a_text(body[key], key)
    if isinstance(key := body.get("prompt_cache_key"), str) and len(key) > 64:
        report.say("prompt_cache_key", "must have at most 64 characters")
    report.one_of(body.get("store"), "store", (False,))
    if "stream" in body:
        report.one_of(body["stream"], "stream", (True, False))
    if "max_output_tokens" in body:
        report.a_count(body["max_output_tokens"], "max_output_tokens", 16)
    if "include" in body:
        for index, item in enumerate(report.an_array(body["include"], "include")):
            report.one_of(item, f"include[{index}]", ("reasoning.encrypted_content",))
    if "reasoning" in body:
        _check_effort(report.an_object(body["reasoning"], "reasoning"), report)
    _check_tools(body, report)
    _check_input(report.an_array(body.get("input"), "input"), report)
    return report.found


def _check_effort(reasoning: JsonObject, report: Report) -> None:
    report.known_fields(reasoning, "reasoning", ("effort", "summary"))
    report.one_of(reasoning.get("effort"), "reasoning.effort", _EFFORTS)
    if "summary" in reasoning:
        report.one_of(reasoning["summary"], "reasoning.summary", ("auto", "concise", "detailed"))


def _check_tools(body: JsonObject, report: Report) -> None:
    if "tools" not in body:
        return
    names: set[str] = set()
    for index, item in enumerate(report.an_array(body["tools"], "tools")):
        place = f"tools[{index}]"
        tool = report.an_object(item, place)
        report.known_fields(tool, place, _TOOL)
        report.one_of(tool.get("type"), f"{place}.type", ("function",))
        report.new_name(report.a_tool_name(tool.get("name"), f"{place}.name"), f"{place}.name", names)
        if "description" in tool:
            report.a_text(tool["description"], f"{place}.description")
        report.a_schema(tool.get("parameters"), f"{place}.parameters")
        # A strict schema has rules of its own that ours do not keep.
        report.one_of(tool.get("strict"), f"{place}.strict", (False,))


def _check_input(values: list[object], report: Report) -> None:
    items = [report.an_object(value, f"input[{index}]") for index, value in enumerate(values)]
    item_ids: set[str] = set()
    for index, item in enumerate(items):
        _check_item(item, f"input[{index}]", item_ids, report)
    _check_calls(items, report)
    _check_reasoning_order(items, report)
    if items and not _is_from_user(items[0]):
        report.say("input[0]", "the first item must be a message of the user")
    if items and not (_is_from_user(items[-1]) or items[-1].get("type") == "function_call_output"):
        report.say(f"input[{len(items) - 1}]", "the last item must be a message of the user or a call's output")


def _is_from_user(item: JsonObject) -> bool:
    return item.get("type") == "message" and item.get("role") == "user"


def _check_item(item: JsonObject, place: str, item_ids: set[str], report: Report) -> None:
    kind = item.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        report.say(place, f"an item of type {kind!r} is not known")
        return
    report.known_fields(item, place, _FIELDS[kind])
    if "id" in item or kind == "reasoning":
        item_id = report.a_text(item.get("id"), f"{place}.id")
        if item_id and not item_id.startswith(_ID_BEGINS[kind]):
            report.say(f"{place}.id", f"must begin with {_ID_BEGINS[kind]!r}")
        report.new_name(item_id, f"{place}.id", item_ids)
    if "status" in item and item["status"] is not None:
        report.one_of(item["status"], f"{place}.status", ("in_progress", "completed", "incomplete"))
    match kind:
        case "message":
            _check_message(item, place, report)
        case "reasoning":
            _check_reasoning(item, place, report)
        case "function_call":
            _check_call_id(item, place, report)
            report.a_tool_name(item.get("name"), f"{place}.name")
            arguments = item.get("arguments")
            if not isinstance(arguments, str) or not holds_json_object(arguments):
                report.say(f"{place}.arguments", "must be the text of a JSON object")
        case _:
            _check_call_id(item, place, report)
            if isinstance(item.get("output"), str):
                report.a_text(item["output"], f"{place}.output")
            else:
                _check_parts(item.get("output"), f"{place}.output", ("input_text", "input_image"), report)


def _check_call_id(item: JsonObject, place: str, report: Report) -> None:
    call_id = item.get("call_id")
    if not isinstance(call_id, str) or not RESPONSES_CALL_ID.fullmatch(call_id):
        report.say(f"{place}.call_id", f"must match ^{RESPONSES_CALL_ID.pattern}$")


def _check_message(item: JsonObject, place: str, report: Report) -> None:
    report.one_of(item.get("role"), f"{place}.role", ("user", "assistant"))
    if isinstance(item.get("content"), str):
        report.a_text(item["content"], f"{place}.content")
        return
    allowed = ("output_text", "refusal") if item.get("role") == "assistant" else ("input_text", "input_image")
    _check_parts(item.get("content"), f"{place}.content", allowed, report)


def _check_parts(content: object, place: str, allowed: tuple[str, ...], report: Report) -> None:
    for number, value in enumerate(report.an_array(content, place)):
        where = f"{place}[{number}]"
        part = report.an_object(value, where)
        kind = part.get("type")
        if kind not in allowed:
            report.say(where, f"a part of type {kind!r} is not known here")
            continue
        match kind:
            case "input_image":
                report.known_fields(part, where, ("type", "detail", "image_url"))
                report.one_of(part.get("detail"), f"{where}.detail", ("auto", "low", "high", "original"))
                url = part.get("image_url")
                if not is_said(url) or not url.startswith(("https://", "http://", "data:image/")):
                    report.say(f"{where}.image_url", "must be a web address or a data URL")
            case "refusal":
                report.known_fields(part, where, ("type", "refusal"))
                report.a_text(part.get("refusal"), f"{where}.refusal")
            case _:
                known = ("type", "text", "annotations", "logprobs") if kind == "output_text" else ("type", "text")
                report.known_fields(part, where, known)
                report.a_text(part.get("text"), f"{where}.text")


def _check_reasoning(item: JsonObject, place: str, report: Report) -> None:
    report.a_text(item.get("encrypted_content"), f"{place}.encrypted_content")
    if item.get("status") not in (None, "completed"):
        report.say(f"{place}.status", "reasoning that was cut off cannot be sent again")
    summary = item.get("summary")
    if not isinstance(summary, list):
        report.say(f"{place}.summary", "must be an array")


def _check_calls(items: list[JsonObject], report: Report) -> None:
    """Ask that each call has one output, after the answer it is part of and before anything else."""
    waiting: list[str] = []
    all_calls: set[str] = set()
    answering = False
    for index, item in enumerate(items):
        place = f"input[{index}]"
        call_id = item.get("call_id")
        if item.get("type") == "function_call_output":
            answering = True
            if isinstance(call_id, str) and call_id in waiting:
                waiting.remove(call_id)
            else:
                report.say(place, f"no open call {call_id!r}, or it is answered twice")
            continue
        if waiting and (answering or _is_from_user(item)):
            report.say(place, f"calls without an output before it: {', '.join(waiting)}")
            waiting.clear()
        answering = False
        if item.get("type") == "function_call" and isinstance(call_id, str):
            report.new_name(call_id, f"{place}.call_id", all_calls)
            waiting.append(call_id)
    if waiting:
        report.say("input", f"calls without an output: {', '.join(waiting)}")


def _check_reasoning_order(items: list[JsonObject], report: Report) -> None:
    """Ask that reasoning is followed, maybe after more of it, by a message or call of the model."""
    for index, item in enumerate(items):
        if item.get("type") != "reasoning":
            continue
        after = items[index + 1] if index + 1 < len(items) else {}
        is_of_model = after.get("type") in ("reasoning", "function_call") or after.get("role") == "assistant"
        if not is_of_model:
            report.say(f"input[{index}]", "reasoning must be followed by the message or call that it led to")
