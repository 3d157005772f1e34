"""What the probes look for: paths, identifiers, literals, error lines and rules, by patterns of the benchmark's own.

Nothing here is taken from the product, and the stub summariser knows none of it. A path is known by its last two
parts, an error by the first 70 characters of its line.
"""

import re
from collections.abc import Iterator

ERROR_CHARS = 70
LEAST_ERROR_CHARS = 12
LEAST_NAME_CHARS = 6
RULE_CHARS = (15, 300)

_URL = re.compile(r"https?://[\w.-]+[^\s\"'`<>()\[\]{}|\\,;]*")
_PATH = re.compile(r"(?<![\w/.~-])(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}\b")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HUMPS = re.compile(r"[A-Za-z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+")
_HASH = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+\.\d+(?![\w.])")
_TICKET = re.compile(r"(?<![\w&])#\d{2,6}\b")
_FAULT = re.compile(
    r"^(?:E\s+)?[\w.]*(?:Error|Exception|Warning)\b\s*(?::|\()"
    r"|^\s*(?:error|fatal|panic)(?:\[\w+\])?:\s"
    r"|\berror TS\d+:|^\*\* \([\w.]+\)|^\s*(?:FAILED|FAIL|ERROR)[: ]\s*\S"
    r"|: command not found|No such file or directory|[Pp]ermission denied|\*\*\* \["
    r"|^<tool_use_error>|^\s*[✘✗] \[ERROR\]"
)
_CODE_LINE = re.compile(r"^\s*(?:\d+[\s:→|-]|[+-]|#|//|\*|raise |throw |except |import |from |def |class |return |if )")
_RULE_WORD = re.compile(
    r"\b(?:never|always|must|should|shall|don't|dont|do not|only|instead|rather than|without|prefer|avoid|make sure|"
    r"ensure|keep|need to|no longer|not allowed|required?)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARK = re.compile(r"\A\s*(?:[-*•#>]+|\d{1,2}[.)])\s+")
_TAG_LINE = re.compile(r"\A\s*</?[\w-]+>\s*\Z")


def path_key(path: str) -> str:
    """The last two parts of a path."""
    return "/".join([part for part in path.split("/") if part not in ("", ".", "..", "~")][-2:])


def paths_in(text: str) -> set[str]:
    """The keys of all paths in a text."""
    return {path_key(found) for found in _PATH.findall(_URL.sub(" ", text))}


def names_in(text: str) -> set[str]:
    """All words of a text that have the shape of an identifier."""
    return {name for name in _NAME.findall(text) if _is_identifier(name)}


def names_outside_paths(text: str) -> set[str]:
    """The identifiers that are said for themselves and not as a part of a path or an address."""
    return names_in(_PATH.sub(" ", _URL.sub(" ", text)))


def literals_in(text: str) -> set[str]:
    """Addresses, hashes, versions and numbers of tickets."""
    found = {url.rstrip(".:/") for url in _URL.findall(text)}
    rest = _URL.sub(" ", text)
    return found.union(_HASH.findall(rest), _VERSION.findall(rest), _TICKET.findall(rest))


def errors_in(output: str) -> Iterator[str]:
    """The beginnings of the lines of an output that tell of an error."""
    for line in output.splitlines():
        bare = " ".join(line.split())
        if len(bare) >= LEAST_ERROR_CHARS and _FAULT.search(line) and not _CODE_LINE.match(line):
            yield bare[:ERROR_CHARS]


def rules_in(text: str) -> Iterator[str]:
    """The sentences of a user's that lay something down."""
    for sentence in _SENTENCE.split(_FENCE.sub("\n", text)):
        bare = " ".join(_MARK.sub("", sentence).split())
        is_said = RULE_CHARS[0] <= len(bare) <= RULE_CHARS[1] and not bare.endswith("?") and not _TAG_LINE.match(bare)
        if is_said and _RULE_WORD.search(bare):
            yield bare


def _is_identifier(name: str) -> bool:
    if len(name) < LEAST_NAME_CHARS:
        return False
    return "_" in name.strip("_") or _HUMPS.fullmatch(name) is not None
