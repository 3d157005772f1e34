"""Finds a tool call that a model wrote as text, because its server or its template did not make a call of it.

Such a call is never run: words in a text are no call, and anybody's text may hold them. It is only told apart from an
answer, so that the user learns why nothing happened.
"""

import re
from collections.abc import Collection

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.call_arguments import read_arguments
from diligent_tui.providers.wire.values import is_object

_MARKERS = re.compile(
    r"""^[ \t]*(?:
        <tool_calls?> | <\|?tool_call\|?> | <function_?calls?> | <function= | <invoke\ name= | <tool_use>
        | <\|python_tag\|> | \[TOOL_CALLS\] | <\|tool_calls_section_begin\|> | <｜tool▁calls▁begin｜>
        | <\|channel\|>commentary\ to=
    )""",
    re.MULTILINE | re.VERBOSE,
)
"""How the families of models mark a call, always at the beginning of a line."""
REACH_CHARS = 300
"""How far behind its mark the tool's name is looked for."""
_FENCE = re.compile(r"```[a-zA-Z_]*\s*\n(.*?)\n?[ \t]*(?:```\s*)?\Z", re.DOTALL)
_NAME_KEYS = ("name", "tool", "tool_name", "function", "function_name")
_ARGUMENT_KEYS = ("arguments", "parameters", "input", "args", "tool_input", "kwargs")
_LONGEST_OBJECT_CHARS = 100_000


def written_call(text: str, tools: Collection[str]) -> str | None:
    """The name of the tool that the end of a text calls in writing; None for an ordinary answer."""
    return _marked(text, tools) or _as_json(text, tools)


def _marked(text: str, tools: Collection[str]) -> str | None:
    for mark in _MARKERS.finditer(text):
        words = re.findall(r"[\w-]+", text[mark.end() : mark.end() + REACH_CHARS])
        if name := next((word for word in words if word in tools), None):
            return name
    return None


def _as_json(text: str, tools: Collection[str]) -> str | None:
    """A call that is nothing but its JSON: the whole text, or the last block of code."""
    fences = text.rfind("```", 0, len(text.rstrip().removesuffix("```")))
    fenced = _FENCE.match(text, fences) if fences >= 0 else None
    for candidate in (text.strip(), fenced[1].strip() if fenced else ""):
        inner = candidate.removeprefix("[").removesuffix("]").strip() if candidate.startswith("[") else candidate
        if inner.startswith("{") and len(inner) <= _LONGEST_OBJECT_CHARS and (value := read_arguments(inner)):
            return _called_in(value, tools)
    return None


def _called_in(value: JsonObject, tools: Collection[str]) -> str | None:
    inner = value.get("function")
    if is_object(inner):
        value = inner
    has_arguments = any(is_object(value.get(key)) or isinstance(value.get(key), str) for key in _ARGUMENT_KEYS)
    if not has_arguments:
        return None
    return next((name for key in _NAME_KEYS if isinstance(name := value.get(key), str) and name in tools), None)
