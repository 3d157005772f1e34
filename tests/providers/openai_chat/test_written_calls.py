"""Calls that are only words, in the ways that families of models write them, and words that are no calls."""

import pytest

from diligent_tui.providers.openai_chat.written_calls import written_call

TOOLS = ("read", "run_command")

WRITTEN = {
    "Hermes, Qwen": 'I look.\n<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>',
    "not closed": '<tool_call>{"name": "read", "arguments": {"path": "a"}}',
    "Qwen coder": "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
    "without its outer tag": "<function=read>\n<parameter=path>a</parameter>\n</function>",
    "GLM": "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
    "Llama": '<|python_tag|>{"name": "read", "parameters": {"path": "a"}}',
    "Mistral": '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a"}}]',
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{}",
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{}\n```",
    "gpt-oss": '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path": "a"}',
    "XML": '<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>',
    "a fenced object": 'I look at it:\n```json\n{"name": "read", "arguments": {"path": "a"}}\n```\n',
    "a fence never closed": '```json\n{"name": "read", "arguments": {"path": "a"}}',
    "a bare object": '{"name": "read", "parameters": {"path": "a"}}',
    "a list": '[{"name": "read", "arguments": {"path": "a"}}]',
    "as it stands in requests": '{"type": "function", "function": {"name": "read", "arguments": "{}"}}',
    "another word for it": '{"tool": "read", "tool_input": {"path": "a"}}',
}
ORDINARY = {
    "nothing": "",
    "words": "I read the file. It is well.",
    "a name in words": "Use `read` with `arguments`.",
    "a tag in a sentence": "The model writes `<tool_call>` and then read.",
    "an unknown tool": '{"name": "destroy", "arguments": {}}',
    "a marked unknown tool": '<tool_call>{"name": "destroy"}</tool_call>',
    "other JSON": '```json\n{"name": "read", "version": 1}\n```',
    "an object that is not the end": '```json\n{"name": "read", "arguments": {}}\n```\nis how a call would look.',
    "a package": '{"name": "read", "version": "1.0"}',
    "code": "```python\nread('a')\n```",
    "a name far behind": "<tool_call>" + " x" * 300 + " read",
    "half an object": '{"name": "read", "arguments": {',
    "a deep object": '{"name":"read","arguments":' + "[" * 100_000,
}


@pytest.mark.parametrize("family", WRITTEN)
def test_a_call_that_is_only_written_is_found(family: str) -> None:
    assert written_call(WRITTEN[family], TOOLS) == "read"


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_answer_is_left_alone(text: str) -> None:
    assert written_call(ORDINARY[text], TOOLS) is None


def test_without_tools_nothing_is_a_call() -> None:
    assert [family for family, text in WRITTEN.items() if written_call(text, ())] == []
