"""Reports in Markdown what tools really answered: a file's first lines, a command's exit code, an error as it is."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import assert_never

from diligent_tui.domain.requests import ToolResult
from diligent_tui.providers.offline.steps import (
    Count,
    Edit,
    Greet,
    ListFolder,
    Plan,
    Read,
    Recount,
    Remember,
    Run,
    Search,
    Step,
    ThinkAbout,
    Unknown,
    Write,
)

MOST_LINES = 15
LONGEST_LINE_CHARS = 200

_LANGUAGES = {
    "py": "python",
    "pyi": "python",
    "js": "javascript",
    "mjs": "javascript",
    "ts": "typescript",
    "tsx": "tsx",
    "json": "json",
    "toml": "toml",
    "yaml": "yaml",
    "yml": "yaml",
    "md": "markdown",
    "sh": "bash",
    "bash": "bash",
    "rs": "rust",
    "go": "go",
    "c": "c",
    "h": "c",
    "cpp": "cpp",
    "java": "java",
    "rb": "ruby",
    "html": "html",
    "css": "css",
    "tcss": "css",
    "sql": "sql",
    "xml": "xml",
    "ini": "ini",
    "cfg": "ini",
    "diff": "diff",
}
_LANGUAGES_OF_NAMES = {"makefile": "make", "dockerfile": "docker"}
_REFUSED = re.compile(r"\b(?:refused|declined|denied|rejected|not allowed|said no|forbidden|forbids)\b", re.IGNORECASE)
_REFUSED_BY_THE_SYSTEM = re.compile(r"permission denied|connection refused|errno", re.IGNORECASE)
_INTERRUPTED = re.compile(r"\b(?:interrupted|cancelled|canceled|aborted)\b", re.IGNORECASE)
_EXIT_CODE = re.compile(r"\bexit(?:ed)?(?: with)?(?: code| status)?[:=]? (-?\d{1,4})\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*\d+[\t│→|] ?")


def is_refused(result: ToolResult) -> bool:
    """Whether the user, the mode or a rule said no; the system's own `permission denied` is a plain error."""
    head = _first_line(result)
    ran = _EXIT_CODE.search(result.output) or _REFUSED_BY_THE_SYSTEM.search(head)
    return result.is_error and bool(_REFUSED.search(head)) and not ran


def is_interrupted(result: ToolResult) -> bool:
    """Whether the call was stopped before its end."""
    return result.is_error and bool(_INTERRUPTED.search(_first_line(result)))


def report(step: Step, results: Sequence[ToolResult]) -> str:
    """What came back for a step, each result in its turn."""
    subjects = step.paths if isinstance(step, Read) else (_subject(step),)
    parts = [
        _trouble(subjects[min(index, len(subjects) - 1)], result)
        or _success(step, subjects[min(index, len(subjects) - 1)], result.output)
        for index, result in enumerate(results)
    ]
    return "\n\n".join(parts) or f"No result came back for {code(subjects[0])}."


def code(text: str) -> str:
    """A text as inline code, whatever ticks it holds."""
    line = " ".join(text.split())
    line = line if len(line) <= LONGEST_LINE_CHARS else line[:LONGEST_LINE_CHARS] + "…"
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def fence(text: str, language: str = "text", tail: bool = False) -> str:
    """The first or last lines of a text in a fence that the text cannot close."""
    lines = text.rstrip("\n").split("\n")
    shown = lines[-MOST_LINES:] if tail else lines[:MOST_LINES]
    shown = [line if len(line) <= LONGEST_LINE_CHARS else line[:LONGEST_LINE_CHARS] + "…" for line in shown]
    longest_ticks = max((len(ticks) for ticks in re.findall(r"`{3,}", "\n".join(shown))), default=2)
    marks = "`" * (longest_ticks + 1)
    left_out = len(lines) - len(shown)
    more = f"\n\n*{left_out} {'earlier' if tail else 'more'} lines are left out here.*" if left_out else ""
    return f"{marks}{language}\n" + "\n".join(shown) + f"\n{marks}{more}"


def language_of(path: str) -> str:
    """The name that a fence has for a file's language."""
    name = PurePosixPath(path.lower())
    return _LANGUAGES_OF_NAMES.get(name.name) or _LANGUAGES.get(name.suffix.lstrip("."), "text")


def _trouble(subject: str, result: ToolResult) -> str:
    if is_interrupted(result):
        return f"{code(subject)} was interrupted, so there is no result I could rely on:\n\n{fence(result.output)}"
    if is_refused(result):
        return f"{code(subject)} was refused, and I did not try another way:\n\n{fence(result.output)}"
    if not result.is_error:
        return ""
    exit_code = _EXIT_CODE.search(result.output)
    how = f"ended with exit code {exit_code[1]}" if exit_code else "did not work"
    return f"{code(subject)} {how}. The tool answered:\n\n{fence(result.output or '(nothing)', tail=True)}"


def _success(step: Step, subject: str, output: str) -> str:
    match step:
        case Read():
            return _file(subject, output)
        case ListFolder() | Search():
            found = [line for line in output.splitlines() if line.strip()]
            return f"{code(subject)}: {_count(found)} came back.\n\n{fence(output or '(nothing)')}"
        case Run():
            exit_code = _EXIT_CODE.search(output)
            how = f"ended with exit code {exit_code[1]}" if exit_code else "ran without an error"
            return f"{code(subject)} {how}.\n\n{fence(output or '(no output)', tail=True)}"
        case Write() | Edit():
            is_diff = re.search(r"^(?:@@|[+-](?![+-]))", output, re.MULTILINE)
            return f"{code(subject)} is changed.\n\n{fence(output or '(no output)', 'diff' if is_diff else 'text')}"
        case Remember():
            return f"The knowledge tool answered for {code(subject)}:\n\n{fence(output or '(nothing)')}"
        case Plan():
            return "The list of things to do:\n\n" + bullets(step.items)
        case ThinkAbout() | Count() | Recount() | Greet() | Unknown():
            return fence(output)
        case _:
            assert_never(step)


def bullets(items: Sequence[str]) -> str:
    """Things to do, as Markdown."""
    return "\n".join(f"- [ ] {' '.join(item.split())}" for item in items)


def _subject(step: Step) -> str:
    match step:
        case Read():
            return step.paths[0]
        case ListFolder() | Write() | Edit():
            return step.path
        case Search():
            return step.pattern
        case Run():
            return step.command
        case Remember() | Unknown():
            return step.text
        case ThinkAbout():
            return step.subject
        case Plan() | Count() | Recount() | Greet():
            return "the plan"
        case _:
            assert_never(step)


def _count(lines: Sequence[str]) -> str:
    return f"{len(lines)} line{'' if len(lines) == 1 else 's'}"


def _file(path: str, output: str) -> str:
    lines = output.rstrip("\n").split("\n") if output.strip() else []
    numbered = [line for line in lines if _NUMBERED.match(line)]
    if lines and len(numbered) == len([line for line in lines if not line.startswith("[")]):
        notes = "".join(f"\n\n{line}" for line in lines if line.startswith("["))
        lines = [_NUMBERED.sub("", line, count=1) for line in numbered]
    else:
        notes = ""
    if not lines:
        return f"{code(path)} has nothing to show.{notes}"
    return f"{code(path)}: {_count(lines)} came back.\n\n{fence(chr(10).join(lines), language_of(path))}{notes}"


def _first_line(result: ToolResult) -> str:
    return result.output.strip().partition("\n")[0]
