"""Turns one phrase of a request, such as `read a.py lines 3-9`, into a step; what is not understood stays as words.

Phrases come from anywhere, so everything here takes time in proportion to their length: long middles are found
with `partition`, never with a pattern that could try every split.
"""

import re
from collections.abc import Callable
from typing import Literal

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

POLITENESS = (
    r"(?:please|now|first|okay|ok|so|just|also|again|finally|then|(?:can|could|would|will) you|let'?s"
    r"|i(?: want|'d like| would like) you to|go ahead and)\b[,:]?\s+"
)
MOST_PATHS = 8

_POLITE_START = re.compile(rf"\A(?:(?:[-*•]|\d{{1,3}}[.)])\s+)?(?:{POLITENESS}){{0,4}}", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hello|hi|hey|help|good (?:morning|evening|day)|what can you do|who are you|what are you)\b", re.IGNORECASE
)
_MOST_GREETING_CHARS = 40
_RECOUNT = re.compile(
    r"(?:what (?:did|have) i (?:just |already |so far )?(?:ask|sa[iy]|tell|told|want)"
    r"|what (?:was|were) my (?:\w+ )?(?:question|prompt|request|order|word)|(?:repeat|list) what i (?:asked|said))",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?:count (?:the |all )?|how many )(?P<unit>lines|words)(?: (?:of|in|on|from|are there|are in|has|have))*"
    r"(?: (?:the )?(?:input|stdin|standard input|it|this|that|there))?[ .?!]*",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\"[^\"]+\"|'[^']+'|`[^`]+`|\S+")
_QUOTED = re.compile(
    r"```[^\n`]*\n(?P<fence>.*?)```|\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|`(?P<tick>[^`]*)`", re.DOTALL
)
_BARE_FILES = frozenset({"readme", "makefile", "license", "dockerfile", "changelog", "justfile"})
_LINES = re.compile(
    r"\(?(?:from )?\blines? (?P<first>\d{1,7})(?: ?(?:-|–|to|through|\.\.) ?(?P<last>\d{1,7}))?\)?"
    r"|(?:the )?\bfirst (?P<count>\d{1,7}) lines\b(?: of\b)?",
    re.IGNORECASE,
)
_LINES_AT_END = re.compile(r":(?P<first>\d{1,7})(?:-(?P<last>\d{1,7}))?$")
_FILLER = frozenset(
    {"the", "a", "file", "files", "folder", "directory", "contents", "content", "of", "me", "in", "all"}
)
_ENDINGS = frozenset({"please", "instead", "too", "now", "again"})
_HERE = frozenset({"", "here", "everywhere", "project", "this", "everything", "it"})


def parse_phrase(text: str) -> Step:
    """The step that a phrase asks for."""
    phrase = _POLITE_START.sub("", text.strip(), count=1).strip()
    if _RECOUNT.match(phrase):
        return Recount()
    if counted := _COUNT.fullmatch(phrase):
        unit: Literal["lines", "words"] = "lines" if counted["unit"].lower() == "lines" else "words"
        return Count(unit)
    if _GREETING.match(phrase) and len(phrase) <= _MOST_GREETING_CHARS:
        return Greet()
    for verbs, parse in _PARSERS:
        if found := verbs.match(phrase):
            return parse(phrase[found.end() :].strip()) or Unknown(phrase)
    return Unknown(phrase)


def _read(rest: str) -> Step | None:
    first: int | None = None
    last: int | None = None
    if lines := _LINES.search(rest):
        rest = f"{rest[: lines.start()]} {rest[lines.end() :]}"
        first, last = _line_range(lines)
    tokens = _TOKEN.findall(rest)
    paths: list[str] = []
    for token in tokens[: MOST_PATHS * 3]:
        if token.strip(",&").lower() in {"", "and", *_FILLER}:
            continue
        at_end = _LINES_AT_END.search(token) if first is None else None
        if at_end:
            first = int(at_end["first"])
            last = int(at_end["last"] or first)
        name = token[: at_end.start()] if at_end else token
        if not (_is_quoted(name) or _looks_like_path(name) or (not paths and len(tokens) <= 2)):
            break
        paths.append(_path(name))
    return Read(tuple(paths[:MOST_PATHS]), first, last) if paths and all(paths) else None


def _line_range(lines: re.Match[str]) -> tuple[int | None, int | None]:
    if lines["count"]:
        return 1, int(lines["count"])
    first = int(lines["first"])
    if lines["last"]:
        return first, max(first, int(lines["last"]))
    return (first, None) if "from" in lines.group().lower() else (first, first)


def _list(rest: str) -> Step | None:
    path = _place(rest)
    return ListFolder(path) if path is not None else None


def _search(rest: str) -> Step | None:
    rest = re.sub(r"^for\s+", "", rest, flags=re.IGNORECASE)
    if (quoted := _QUOTED.match(rest)) and (pattern := _inside(quoted)):
        after = re.sub(r"^(?:in|under|inside|below)\s+", "", rest[quoted.end() :].strip(" .,?"), flags=re.IGNORECASE)
        return Search(pattern, _place(after) or ".")
    head, found, tail = rest.partition(" for ")
    if found and tail and (place := _place(head)) is not None:
        return Search(_unquoted(tail), place)
    for word in (" in ", " under ", " inside ", " below "):
        head, found, tail = rest.rpartition(word)
        if found and head.strip() and (place := _place(tail)) is not None:
            return Search(_unquoted(head), place)
    return Search(_unquoted(rest), ".") if rest else None


def _run(rest: str) -> Step | None:
    rest = re.sub(r"^(?:the )?command:?\s+", "", rest, flags=re.IGNORECASE).lstrip(": ")
    if rest[:1] == "`" and (quoted := _QUOTED.match(rest)):
        command = _inside(quoted).strip()
        return Run(command) if command else None
    is_prose = re.match(r"(?:the|a|my|all|it|them|some)\b", rest, re.IGNORECASE)
    return Run(rest.strip()) if rest.strip() and not is_prose else None


def _write(rest: str) -> Step | None:
    named = re.match(
        r"(?:(?:to|into|the|a|file) ){0,3}(?P<path>\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|[^\s:\"'`]+)"
        r"(?::\s+|\s+with(?: the)?(?: text| contents?)?:?\s+)",
        rest,
    )
    if named and _looks_like_path(named["path"].strip("\"'`")):
        text = rest[named.end() :]
        return Write(_unquoted(text), _path(named["path"])) if text else None
    for word in (" to ", " into ", " in "):
        head, found, tail = rest.rpartition(word)
        if found and head.strip() and (path := _single_path(tail)):
            return Write(_unquoted(head), path)
    return None


def _edit(rest: str) -> Step | None:
    head, found, tail = rest.rpartition(" in ")
    path = _single_path(tail) if found else None
    if path is None:
        named, _, head = re.sub(r"^in\s+", "", rest).partition(": ")
        path = _single_path(named)
    if path is None or not head.strip():
        return None
    old, new = _old_and_new(head.strip())
    return Edit(old, new, path) if old and old != new else None


def _old_and_new(text: str) -> tuple[str, str]:
    begin = 0
    if quoted := _QUOTED.match(text):
        begin = quoted.end()
    joint = re.compile(r"\s+(?:to|with|into|by|->|=>|→)\s+").search(text, begin)
    if joint is None:
        return "", ""
    return _unquoted(text[: joint.start()]), _unquoted(text[joint.end() :])


def _remember(rest: str) -> Step | None:
    text = re.sub(r"^(?:that\b|:)\s*", "", rest, flags=re.IGNORECASE).strip()
    return Remember(_unquoted(text)) if text else None


def _plan(rest: str) -> Step | None:
    rest = re.sub(r"^(?:for|to|how to)\s+|^:\s*", "", rest, flags=re.IGNORECASE).strip(" .:\n")
    if not rest:
        return None
    pieces = rest.splitlines() if "\n" in rest else re.split(r"[,;]\s+(?:and\s+)?(?:then\s+)?", rest)
    items = [re.sub(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+", "", piece).strip(" .,:") for piece in pieces]
    items = [item for item in items if item]
    if len(items) > 1:
        return Plan(tuple(items))
    return Plan((f"Look at what is there for: {rest}", f"Do it in small steps: {rest}", "Check the result and report"))


def _think(rest: str) -> Step | None:
    subject = re.sub(r"^(?:(?:hard|harder|deeply)\s+)?(?:(?:about|of|on|over)\s+)?", "", rest, flags=re.IGNORECASE)
    return ThinkAbout(subject.strip(" .?!")) if subject.strip(" .?!") else None


def _place(text: str) -> str | None:
    """The folder that some words name, `.` for none or here, None if they are prose."""
    tokens = [token for token in _TOKEN.findall(text) if token.strip(".,?!:").lower() not in _FILLER | _ENDINGS]
    if not tokens or (len(tokens) == 1 and tokens[0].strip(",?!:").lower() in _HERE):
        return "."
    if len(tokens) == 1 or _is_quoted(tokens[0]) or _looks_like_path(tokens[0]):
        return _path(tokens[0]) or "."
    return None


def _single_path(text: str) -> str | None:
    tokens = [token for token in _TOKEN.findall(text) if token.lower() not in {"the", "file"} | _ENDINGS]
    if len(tokens) != 1:
        return None
    return _path(tokens[0]) if _is_quoted(tokens[0]) or _looks_like_path(tokens[0]) else None


def _looks_like_path(token: str) -> bool:
    name = token.rstrip(".,:;!?)").lower()
    return name in _BARE_FILES or name in {".", ".."} or any(mark in name.lstrip("(") for mark in "./~\\")


def _path(token: str) -> str:
    bare = token.rstrip(",:;!?)").lstrip("(")
    if bare.endswith(".") and bare.strip("./"):
        bare = bare.rstrip(".")
    return _unquoted(bare)


def _is_quoted(text: str) -> bool:
    found = _QUOTED.match(text.rstrip(".,:;!?)"))
    return found is not None and found.end() == len(text.rstrip(".,:;!?)"))


def _unquoted(text: str) -> str:
    bare = text.strip()
    found = _QUOTED.match(bare)
    return _inside(found) if found and found.end() == len(bare) else bare


def _inside(quoted: re.Match[str]) -> str:
    return next(inside for inside in quoted.groups() if inside is not None)


def _verbs(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})(?![\w.-])", re.IGNORECASE)


_PARSERS: tuple[tuple[re.Pattern[str], Callable[[str], Step | None]], ...] = (
    (_verbs("read|show|open|cat|view|look at|summari[sz]e"), _read),
    (_verbs("list|ls"), _list),
    (_verbs("search|grep|find"), _search),
    (_verbs("run|execute"), _run),
    (_verbs("write|create|save"), _write),
    (_verbs("edit|replace|change"), _edit),
    (_verbs("remember|note that|keep in mind|don't forget"), _remember),
    (_verbs("plan|make a plan"), _plan),
    (_verbs("think"), _think),
)
