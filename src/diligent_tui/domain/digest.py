"""The few lines that stand for a tool's output once it is pruned; the original stays one recall away."""

import json
import re
from collections.abc import Mapping
from itertools import islice

ERROR_LINE = re.compile(r"(?:error|exception|traceback|fail(?:ed|ure)|fatal|panic|cannot|denied)\b", re.IGNORECASE)
MOST_ERROR_LINES = 3
LONGEST_LINE_CHARS = 160
LONGEST_ARGUMENTS_CHARS = 200


def digest(entry_id: str, tool_name: str, arguments: Mapping[str, object], output: str) -> str:
    """Tool, arguments, size, first line and error lines of an output, and how to have it whole again."""
    lines = output.splitlines()
    said = [line.strip() for line in lines if line.strip()]
    parts = [
        f'[pruned: {tool_name} {_arguments(arguments)} · {len(lines)} lines · recall("{entry_id}") shows it whole]'
    ]
    if said:
        parts.append(_short(said[0]))
        # What is not shown of a line is not searched: one line may be a whole file.
        shown = (_short(line) for line in said[1:])
        parts += islice((line for line in shown if ERROR_LINE.search(line)), MOST_ERROR_LINES)
    return "\n".join(parts)


def _arguments(arguments: Mapping[str, object]) -> str:
    text = json.dumps(dict(arguments), ensure_ascii=False, sort_keys=True, default=str)
    return text if len(text) <= LONGEST_ARGUMENTS_CHARS else text[: LONGEST_ARGUMENTS_CHARS - 1] + "…"


def _short(line: str) -> str:
    return line if len(line) <= LONGEST_LINE_CHARS else line[: LONGEST_LINE_CHARS - 1] + "…"
