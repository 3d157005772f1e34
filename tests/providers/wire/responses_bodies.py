"""A body that OpenAI's Responses accept, and the flaws that they do not."""

from diligent_tui.domain.json_objects import JsonObject
from tests.providers.wire.changes import GONE, MARK, SCHEMA, Also, Change


def function_call(call_id: str) -> JsonObject:
    return {"type": "function_call", "call_id": call_id, "name": "read", "arguments": '{"path": "a"}'}


def output(call_id: str) -> JsonObject:
    return {"type": "function_call_output", "call_id": call_id, "output": "ok"}


def reasoning(item_id: str) -> JsonObject:
    return {"type": "reasoning", "id": item_id, "summary": [], "encrypted_content": "gAAA"}


def told(text: str) -> JsonObject:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def spoken(text: str) -> JsonObject:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


RESPONSES: JsonObject = {
    "model": "gpt-x",
    "instructions": "Be useful.",
    "input": [
        told("Go"),
        reasoning("rs_1"),
        {**spoken("I look."), "id": "msg_1", "status": "completed", "phase": "commentary"},
        reasoning("rs_2"),
        {**function_call("a"), "id": "fc_1", "status": "completed"},
        function_call("b"),
        output("b"),
        {**output("a"), "output": [{"type": "input_text", "text": "ok"}]},
        spoken("Done."),
        {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "And this?"},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,aGk="},
            ],
        },
    ],
    "tools": [{"type": "function", "name": "read", "description": "Reads.", "parameters": SCHEMA, "strict": False}],
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "reasoning": {"effort": "high", "summary": "auto"},
    "prompt_cache_key": "session",
    "max_output_tokens": 100,
    "stream": True,
}

BAD_RESPONSES: dict[str, Change] = {
    "no model": (("model",), "", "model: must be text"),
    "unknown field": (("messages",), [], "body: unknown field 'messages'"),
    "blank instructions": (("instructions",), " ", "instructions: must be text"),
    "blank cache key": (("prompt_cache_key",), "", "prompt_cache_key: must be text"),
    "long cache key": (("prompt_cache_key",), "k" * 65, "prompt_cache_key: must have at most 64"),
    "stored": (("store",), True, "store: must be one of False"),
    "store unsaid": (("store",), GONE, "store: must be one of False"),
    "stream as a number": (("stream",), 1, "stream: must be one of"),
    "limit too low": (("max_output_tokens",), 15, "max_output_tokens: must be a whole number from 16"),
    "unknown include": (("include", 0), "everything", "include[0]: must be one of"),
    "unknown effort": (("reasoning", "effort"), "off", "reasoning.effort: must be one of"),
    "unknown summary": (("reasoning", "summary"), "long", "reasoning.summary: must be one of"),
    "tool of another type": (("tools", 0, "type"), "custom", "tools[0].type: must be one of function"),
    "tool name with a dot": (("tools", 0, "name"), "a.b", "tools[0].name: must match"),
    "tool schema of no object": (("tools", 0, "parameters"), {}, "tools[0].parameters: must be a schema"),
    "strict tool": (("tools", 0, "strict"), True, "tools[0].strict: must be one of False"),
    "same tool twice": (
        ("tools", 0),
        Also({"type": "function", "name": "read", "parameters": SCHEMA, "strict": False}),
        "tools[1].name: 'read' is used twice",
    ),
    "no input": (("input",), [], "input: must be an array"),
    "item that is a text": (("input", 0), "Go", "input[0]: must be an object"),
    "unknown item": (("input", 8), {"type": "web_search_call"}, "input[8]: an item of type 'web_search_call'"),
    "unknown item field": (("input", 8, "raw"), 1, "input[8]: unknown field 'raw'"),
    "assistant first": (("input", 0), GONE, "input[0]: the first item must be"),
    "assistant last": (("input", 9), GONE, "input[8]: the last item must be"),
    "call last": (("input", 9), function_call("z"), "input[9]: the last item must be"),
    "unknown role": (("input", 8, "role"), "developer", "input[8].role: must be one of"),
    "empty content": (("input", 0, "content"), [], "input[0].content: must be an array"),
    "blank content": (("input", 0, "content"), " ", "input[0].content: must be text"),
    "blank text": (("input", 0, "content", 0, "text"), "\n", "input[0].content[0].text: must be text"),
    "output text of the user": (("input", 0, "content", 0, "type"), "output_text", "input[0].content[0]: a part of"),
    "input text of the assistant": (("input", 8, "content", 0, "type"), "input_text", "input[8].content[0]: a part of"),
    "blank refusal": (("input", 8, "content", 0), {"type": "refusal", "refusal": ""}, "content[0].refusal: must be"),
    "picture from the disk": (("input", 9, "content", 1, "image_url"), "/a.png", "content[1].image_url: must be"),
    "picture without detail": (("input", 9, "content", 1, "detail"), GONE, "content[1].detail: must be one of"),
    "unknown part field": (("input", 0, "content", 0, "cache_control"), MARK, "input[0].content[0]: unknown field"),
    "message id of another kind": (("input", 2, "id"), "item_1", "input[2].id: must begin with 'msg'"),
    "reasoning id of another kind": (("input", 1, "id"), "msg_7", "input[1].id: must begin with 'rs'"),
    "reasoning without id": (("input", 1, "id"), GONE, "input[1].id: must be text"),
    "one item id twice": (("input", 3, "id"), "rs_1", "input[3].id: 'rs_1' is used twice"),
    "unknown status": (("input", 2, "status"), "done", "input[2].status: must be one of"),
    "reasoning without content": (("input", 1, "encrypted_content"), None, "input[1].encrypted_content: must be"),
    "reasoning without summary": (("input", 1, "summary"), GONE, "input[1].summary: must be an array"),
    "reasoning cut off": (("input", 1, "status"), "in_progress", "input[1].status: reasoning that was cut off"),
    "reasoning before the user": (("input", 9), Also(reasoning("rs_9")), "input[9]: reasoning must be followed"),
    "reasoning before an output": (("input", 6), Also(reasoning("rs_9")), "input[6]: reasoning must be followed"),
    "reasoning last": (("input", 9), reasoning("rs_9"), "input[9]: reasoning must be followed"),
    "call without a call id": (("input", 4, "call_id"), GONE, "input[4].call_id: must match"),
    "call id of 65": (("input", 4, "call_id"), "x" * 65, "input[4].call_id: must match"),
    "call name with a space": (("input", 4, "name"), "a b", "input[4].name: must match"),
    "arguments as an object": (("input", 4, "arguments"), {}, "input[4].arguments: must be the text"),
    "arguments that are no JSON": (("input", 4, "arguments"), '{"a":', "input[4].arguments: must be the text"),
    "arguments that are an array": (("input", 4, "arguments"), "[]", "input[4].arguments: must be the text"),
    "arguments without a number": (("input", 4, "arguments"), '{"a": NaN}', "input[4].arguments: must be the text"),
    "one call id twice": (("input", 5, "call_id"), "a", "input[5].call_id: 'a' is used twice"),
    "call without an output": (("input", 7), GONE, "input[7]: calls without an output before it: a"),
    "output after the next message": (("input", 6), Also(told("wait")), "input[6]: calls without an output before it"),
    "output after the next answer": (("input", 7), Also(spoken("wait")), "input[7]: calls without an output before it"),
    "open call at the end": (("input", 9), Also(function_call("z")), "input[10]: calls without an output before it: z"),
    "output without a call": (("input", 6), Also(output("z")), "input[6]: no open call 'z'"),
    "output before its call": (("input", 1), Also(output("a")), "input[1]: no open call 'a'"),
    "output twice": (("input", 8), Also(output("a")), "input[8]: no open call 'a'"),
    "blank output": (("input", 6, "output"), "", "input[6].output: must be text"),
    "empty output": (("input", 7, "output"), [], "input[7].output: must be an array"),
    "no output": (("input", 6, "output"), GONE, "input[6].output: must be an array"),
    "half a character": (("input", 0, "content", 0, "text"), "\udc00", "input[0].content[0].text: a lone surrogate"),
    "unknown reasoning field": (("reasoning", "x"), 1, "reasoning: unknown field 'x'"),
    "unknown tool field": (("tools", 0, "input_schema"), {}, "tools[0]: unknown field 'input_schema'"),
    "blank description": (("tools", 0, "description"), "", "tools[0].description: must be text"),
    "output without a call id": (("input", 6, "call_id"), GONE, "input[6].call_id: must match"),
    "unknown picture field": (("input", 9, "content", 1, "x"), 1, "input[9].content[1]: unknown field 'x'"),
    "unknown refusal field": (
        ("input", 8, "content", 0),
        {"type": "refusal", "refusal": "No.", "x": 1},
        "input[8].content[0]: unknown field 'x'",
    ),
    "open call as the last item": (("input", 9), function_call("y"), "input: calls without an output: y"),
}
