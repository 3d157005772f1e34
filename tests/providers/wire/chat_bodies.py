"""A body that servers of Chat Completions accept, and the flaws that they do not."""

from diligent_tui.domain.json_objects import JsonObject
from tests.providers.wire.changes import GONE, SCHEMA, Also, Change, Path

TALK: Path = ("messages",)


def chat_call(call_id: str) -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": "read", "arguments": "{}"}}


def tool_message(call_id: str) -> JsonObject:
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


CHAT: JsonObject = {
    "model": "local",
    "messages": [
        {"role": "system", "content": "Be useful."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Go"},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            ],
        },
        {"role": "assistant", "content": None, "tool_calls": [chat_call("functions.read:0"), chat_call("b")]},
        tool_message("b"),
        tool_message("functions.read:0"),
        {"role": "assistant", "content": "I look.", "tool_calls": [chat_call("c")]},
        tool_message("c"),
        {"role": "user", "content": "Stop"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Thanks"},
    ],
    "tools": [{"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": SCHEMA}}],
    "max_tokens": 100,
    "stream": True,
    "stream_options": {"include_usage": True},
}
CALLS: Path = ("messages", 2, "tool_calls")

BAD_CHAT: dict[str, Change] = {
    "no model": (("model",), GONE, "model: must be text"),
    "unknown field": (("system",), "x", "body: unknown field 'system'"),
    "limit zero": (("max_tokens",), 0, "max_tokens: must be a whole number"),
    "usage without a stream": (("stream",), False, "stream_options: allowed only where stream is true"),
    "unknown stream option": (("stream_options", "x"), 1, "stream_options: unknown field"),
    "tool of another type": (("tools", 0, "type"), "custom", "tools[0].type: must be one of"),
    "tool without function": (("tools", 0, "function"), GONE, "tools[0].function: must be an object"),
    "tool name with a space": (("tools", 0, "function", "name"), "a b", "tools[0].function.name: must match"),
    "tool schema of no object": (("tools", 0, "function", "parameters"), {}, "function.parameters: must be a schema"),
    "no messages": (TALK, [], "messages: must be an array"),
    "unknown role": ((*TALK, 8, "role"), "function", "messages[8].role: 'function' is not known"),
    "unknown message field": ((*TALK, 8, "thinking"), "x", "messages[8]: unknown field 'thinking'"),
    "calls of the user": ((*TALK, 9, "tool_calls"), [], "messages[9]: unknown field 'tool_calls'"),
    "a second system": ((*TALK, 1), Also({"role": "system", "content": "x"}), "messages[1]: the system speaks first"),
    "only the system": (TALK, [{"role": "system", "content": "x"}], "messages: the talk must begin with the user"),
    "assistant first": ((*TALK, 1), GONE, "messages: the talk must begin with the user"),
    "two answers in a row": ((*TALK, 9), Also({"role": "assistant", "content": "x"}), "messages[9]: two messages of"),
    "two prompts in a row": ((*TALK, 8), GONE, "messages[8]: two messages of the user"),
    "assistant last": ((*TALK, 9), GONE, "messages[8]: the last message must be"),
    "blank system": ((*TALK, 0, "content"), "", "messages[0].content: must be text"),
    "blank prompt": ((*TALK, 9, "content"), " ", "messages[9].content: must be text"),
    "null prompt": ((*TALK, 9, "content"), None, "messages[9].content: must be an array"),
    "empty prompt": ((*TALK, 1, "content"), [], "messages[1].content: must be an array"),
    "blank part": ((*TALK, 1, "content", 0, "text"), "", "messages[1].content[0].text: must be text"),
    "unknown part": ((*TALK, 1, "content", 0, "type"), "audio", "messages[1].content[0]: a part of type 'audio'"),
    "unknown part field": ((*TALK, 1, "content", 0, "x"), 1, "messages[1].content[0]: unknown field"),
    "picture from the disk": ((*TALK, 1, "content", 1, "image_url", "url"), "/a.png", "image_url.url: must be"),
    "picture without an object": ((*TALK, 1, "content", 1, "image_url"), "https://x", "image_url: must be an object"),
    "null answer without calls": ((*TALK, 8, "content"), None, "messages[8].content: must be text"),
    "blank answer": ((*TALK, 5, "content"), "", "messages[5].content: must be text"),
    "empty list of calls": ((*TALK, 8, "tool_calls"), [], "messages[8].tool_calls: must be an array"),
    "call of another type": ((*CALLS, 0, "type"), "custom", "messages[2].tool_calls[0].type: must be one of"),
    "call id of 41": ((*CALLS, 0, "id"), "x" * 41, "messages[2].tool_calls[0].id: must match"),
    "call id with a space": ((*CALLS, 0, "id"), "a b", "messages[2].tool_calls[0].id: must match"),
    "call without a function": ((*CALLS, 0, "function"), GONE, "messages[2].tool_calls[0].function: must be an object"),
    "call name with a space": ((*CALLS, 0, "function", "name"), "a b", "tool_calls[0].function.name: must match"),
    "arguments as an object": ((*CALLS, 0, "function", "arguments"), {}, "function.arguments: must be the text"),
    "arguments cut off": ((*CALLS, 0, "function", "arguments"), '{"a', "function.arguments: must be the text"),
    "unknown call field": ((*CALLS, 0, "index"), 0, "messages[2].tool_calls[0]: unknown field 'index'"),
    "one call id twice": ((*CALLS, 0, "id"), "b", "messages[2].tool_calls: 'b' is used twice"),
    "a call id used again": ((*TALK, 5, "tool_calls", 0, "id"), "b", "messages[5].tool_calls: 'b' is used twice"),
    "call without a result": ((*TALK, 3), GONE, "messages[4]: calls without a result before it: b"),
    "a prompt between the results": (
        (*TALK, 4),
        Also({"role": "user", "content": "x"}),
        "messages[4]: calls without a result before it: functions.read:0",
    ),
    "open call at the end": (
        TALK,
        [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": [chat_call("a")]}],
        "messages: calls without a result: a",
    ),
    "result without a call": ((*TALK, 8), Also(tool_message("z")), "messages[8]: no open call 'z'"),
    "result twice": ((*TALK, 4), Also(tool_message("b")), "messages[4]: no open call 'b'"),
    "result without an id": ((*TALK, 6, "tool_call_id"), GONE, "messages[6].tool_call_id: must match"),
    "blank result": ((*TALK, 6, "content"), "", "messages[6].content: must be text"),
    "half a character": ((*TALK, 9, "content"), "\ud800", "messages[9].content: a lone surrogate"),
    "stream as text": (("stream",), "yes", "stream: must be one of"),
    "usage as text": (("stream_options", "include_usage"), "yes", "stream_options.include_usage: must be one of"),
    "unknown tool field": (("tools", 0, "x"), 1, "tools[0]: unknown field 'x'"),
    "unknown function field": (("tools", 0, "function", "x"), 1, "tools[0].function: unknown field 'x'"),
    "blank description": (("tools", 0, "function", "description"), "", "tools[0].function.description: must be text"),
    "unknown picture field": ((*TALK, 1, "content", 1, "x"), 1, "messages[1].content[1]: unknown field 'x'"),
    "unknown address field": ((*TALK, 1, "content", 1, "image_url", "x"), 1, "content[1].image_url: unknown field 'x'"),
    "unknown call function field": ((*CALLS, 0, "function", "x"), 1, "tool_calls[0].function: unknown field 'x'"),
}
