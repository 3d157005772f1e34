"""The lines of a tool's output that say what went wrong, told from code that only speaks of errors."""

import re
from collections.abc import Iterator

LONGEST_LINE_CHARS = 300
LONGEST_OUTPUT_CHARS = 60_000
"""Beginning and end of a longer output are looked at, half of this each."""

_SAYS_ERROR = re.compile(
    r"(?:^|[\s(\[*>'\"])[A-Za-z_][\w.]*(?:Error|Exception|Failure)\b[\])]?:?(?:\s|$)"
    r"|\b(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic|Uncaught|ERR!)(?:\[\w+\])?:\s*\S"
    r"|\[(?:ERROR|FATAL)\]\s*\S"
    r"|\berror (?:TS|E|C|CS)\d+|npm ERR!|^E\s{2,}\S|^\s*\*\* \(\w|: \*\*\* "
    r"|^(?:FAILED|FAIL|ERROR|not ok)\b[:\s]\s*\S"
    r"|\b[1-9]\d* (?:failed|failures?|errors?)\b"
    r"|[Nn]o such file or directory|[Pp]ermission denied|command not found|[Ss]egmentation fault|core dumped"
    r"|[Ff]ile (?:does not exist|not found)"
    r"|[Cc]onnection refused|[Aa]ssertion.{0,40}\bfailed|undefined (?:variable|function|reference|symbol|method)"
    r"|[Cc]annot find (?:module|name|package)|is not assignable to|[Mm]odule not found|timed out after"
)
_SIGNS = (
    *("error", "exception", "failure", "failed", "fail", "fatal", "panic", "uncaught", "err!", "** (", "***", "not ok"),
    *("no such file", "denied", "not found", "not exist", "fault", "core dumped", "refused", "assert", "undefined"),
    *("cannot find", "not assignable", "timed out", "e  "),
)
"""One of these is in every line that says so; looking for them first is far cheaper than the whole pattern."""
_SAYS_NONE = re.compile(
    r"\b(?:0|no) (?:errors?|failures?|failed)\b(?!.*\b[1-9]\d* (?:errors?|failures?|failed)\b)", re.I
)
_IS_DIAGNOSTIC = re.compile(r"^[^\s:()]+(?:\(\d+,\d+\)|:\d+:\d+):?\s+(?:-\s+)?(?:fatal |syntax )?error\b")
"""What a compiler says of a place, whatever code it quotes."""
_IS_CODE = re.compile(
    r"^\s*(?:\d+\s*[→|\t:]|[+-](?!\d)|//|#(?!\d)|/\*|\*\s|<!--)"
    r"|^\s*(?:raise|throw|except|catch|rescue|import|from|def|class|return|assert|if|elif|case|let|const|var|it|test"
    r"|fn|func|pub|self|this)\b"
    r"|^[\w./-]+:\d+:\s*(?:raise|throw|except|catch|rescue|import|from|def|class|return|assert|if|#|//)"
    r"|^[\w./-]+-\d+-|\[(?:debug|info)\]|\bDEBUG\b|[{;]\s*$|[=-]>"
)
_SOUNDS_BAD = re.compile(
    r"fail|error|invalid|denied|not found|unable|cannot|can't|missing|reject|abort|does not|refused", re.IGNORECASE
)
_SAYS_LITTLE = re.compile(
    r"^\W*(?:traceback|error|errors|failed|failure|fatal|interrupted|aborted|\d+ errors?|"
    r"command (?:aborted|failed|timed out)|(?:command )?(?:exited with|exit) (?:code|status):? \d+)\W*$",
    re.IGNORECASE,
)


def error_lines(output: str, *, is_failure: bool, most: int = 3) -> tuple[str, ...]:
    """The lines that tell of an error, each once; a failure without any gives its most telling line."""
    if len(output) > LONGEST_OUTPUT_CHARS:
        half = LONGEST_OUTPUT_CHARS // 2
        output = f"{output[:half]}\n{output[-half:]}"
    found = list(dict.fromkeys(_lines(output)))
    if not found and is_failure:
        said = [line.strip() for line in output.splitlines() if line.strip() and not _SAYS_LITTLE.match(line)]
        telling = [line for line in said if _SOUNDS_BAD.search(line[:LONGEST_LINE_CHARS])]
        found = [line[:LONGEST_LINE_CHARS] for line in telling[:1] or said[-1:]]
    if len(found) <= most:
        return tuple(found)
    # The first is mostly the cause, the last the verdict.
    return (*found[: most - 1], found[-1])


def _lines(output: str) -> Iterator[str]:
    lowered = output.lower()
    signs = [sign for sign in _SIGNS if sign in lowered]
    if not signs:
        return
    for whole in output.splitlines():
        line = whole[:LONGEST_LINE_CHARS]
        low = line.lower()
        if (
            any(sign in low for sign in signs)
            and _SAYS_ERROR.search(line)
            and (_IS_DIAGNOSTIC.match(line) or not _IS_CODE.search(line))
            and not _SAYS_NONE.search(line)
            and not _SAYS_LITTLE.match(line)
        ):
            yield " ".join(line.split())
