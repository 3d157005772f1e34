"""Text that holds a key, token or password, told by its shape; a text that only talks about them passes."""

import re
from collections.abc import Mapping
from types import MappingProxyType

_EDGE = r"(?<![A-Za-z0-9])"
_NAMES = "(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key)"

PRIVATE_KEY = "a private key"
_SHAPES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        PRIVATE_KEY: re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d"),
        "an API key": re.compile(
            _EDGE
            + r"""(?:
            sk-(?:ant|proj|svcacct|admin|or)-[\w-]{20,} | sk-[A-Za-z0-9]{32,}
            | AIza[\w-]{35} | (?:sk|rk)_live_[A-Za-z0-9]{16,} | whsec_[A-Za-z0-9+/]{24,} | SG\.[\w-]{16,}\.[\w-]{16,}
            | gsk_[A-Za-z0-9]{32,} | xai-[A-Za-z0-9]{32,} | pplx-[A-Za-z0-9]{32,} | key-[0-9a-f]{32}
            )""",
            re.VERBOSE,
        ),
        "an access token": re.compile(
            _EDGE
            + r"""(?:
            gh[pousr]_[A-Za-z0-9]{30,} | github_pat_\w{22,} | gl(?:pat|ptt|dt|rt)-[\w-]{20,}
            | xox[abeoprs]-[\w-]{10,} | xapp-[\w-]{20,} | npm_[A-Za-z0-9]{36} | pypi-AgE[\w-]{40,} | hf_[A-Za-z0-9]{30,}
            | dop_v1_[0-9a-f]{64} | ya29\.[\w-]{20,} | (?:AKIA|ASIA|ABIA)[0-9A-Z]{16}(?![0-9A-Za-z])
            | eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}
            )""",
            re.VERBOSE,
        ),
    }
)
_BEARER = re.compile(r"\bBearer\s+([\w.~+/=-]{20,512})", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@]{0,128}:([^\s/@]{3,256})@", re.IGNORECASE)
_NAMED = re.compile(_NAMES + r"""["']?(\s*[:=]\s*)(["'`]?)([^\s"'`,;]{6,512})""", re.IGNORECASE)
_END_OF_PRIVATE_KEY = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: *[0-9a-f]*")
_BEGUN = re.compile(
    r"""(?:
    (?<![A-Za-z0-9])(?:
        (?: sk-(?:ant|proj|svcacct|admin|or)- | AIza | (?:sk|rk)_live_ | whsec_ | SG\. | gsk_ | xai- | pplx-
        | gh[pousr]_ | github_pat_ | gl(?:pat|ptt|dt|rt)- | xox[abeoprs]- | xapp- | npm_ | pypi-AgE | hf_ | dop_v1_
        | ya29\. | AKIA | ASIA | ABIA | eyJ ) [\w.+/=-]*
        | sk-[A-Za-z0-9]{4,} | (?i:Bearer)\s+[\w.~+/=-]+ )
    | (?<=://)[^\s:/@]{0,128}:[^\s/@]{1,256} | (?i:"""
    + _NAMES
    + r""")["']?\s*[:=]\s*["'`]?[^\s"'`,;]{1,512}
    )\Z""",
    re.VERBOSE,
)
"""The beginning of a secret whose end is not there any more."""
LONGEST_BEGUN_CHARS = 1_000
_PLACEHOLDER = re.compile(
    r"[<>{}$%()\[\]*…]|\.\.\.|x{4}|example|changeme|change-me|your|placeholder|dummy|redacted|secret|passw|token|key",
    re.IGNORECASE,
)
_NAME_OF_SOMETHING = re.compile(
    r"[A-Z][A-Z0-9_]*|[a-z0-9]+(?:[_./:-][a-z0-9]+)+|\w+\.\w+(?:\.\w+)*\W*|(?:\.{0,2}|~)/\S*"
)
_LETTER_AND_DIGIT = re.compile(r"(?=.*[A-Za-z]).*\d", re.DOTALL)
SHORTEST_LOOSE_CHARS = 12
"""A value that stands apart from its name and without quotes is taken for a secret from this length on."""


def looks_secret(text: str) -> bool:
    """True if the text seems to hold a secret itself."""
    return kind_of_secret(text) is not None


def kind_of_secret(text: str) -> str | None:
    """What the secret in a text looks like, in words that do not repeat it; None if there seems to be none."""
    for kind, shape in _SHAPES.items():
        if shape.search(text):
            return kind
    if any(_is_random(found[1]) for found in _BEARER.finditer(text)):
        return "an access token"
    if any(not _is_placeholder(found[1]) for found in _IN_ADDRESS.finditer(text)):
        return "a password in an address"
    if any(_is_value(*found.groups()) for found in _NAMED.finditer(text)):
        return "a password or key with its value"
    return None


def without_secrets(text: str, *, is_cut: bool = False) -> str:
    """The text with what looks like a secret replaced by what it is; one that lost its end may end within a secret."""
    for kind, shape in _SHAPES.items():
        text = _without_private_keys(text) if kind == PRIVATE_KEY else shape.sub(f"[{_bare(kind)}]", text)
    text = _BEARER.sub(lambda found: _hidden(found, 1, "access token") if _is_random(found[1]) else found[0], text)
    text = _IN_ADDRESS.sub(lambda found: found[0] if _is_placeholder(found[1]) else _hidden(found, 1, "password"), text)
    text = _NAMED.sub(lambda found: _hidden(found, 3, "hidden") if _is_value(*found.groups()) else found[0], text)
    if not is_cut:
        return text
    kept, end = text[:-LONGEST_BEGUN_CHARS], text[-LONGEST_BEGUN_CHARS:]
    return kept + _BEGUN.sub("[hidden]", end)


def is_secret_value(name: str, value: str) -> bool:
    """True if a value seems to be a secret because of the name that it has, as in a tool's arguments."""
    found = _NAMED.search(f'{name}="{value}')
    return found is not None and found.start(3) == len(name) + 2 and _is_value(*found.groups())


def _without_private_keys(text: str) -> str:
    """Such a key has many lines, which may be numbered; one without an end goes to the end of the text."""
    kept, place = "", 0
    while begun := _SHAPES[PRIVATE_KEY].search(text, place):
        kept += f"{text[place : begun.start()]}[{_bare(PRIVATE_KEY)}]"
        ended = _END_OF_PRIVATE_KEY.search(text, begun.end())
        if ended is None:
            return kept
        place = ended.end()
    return kept + text[place:]


def _hidden(found: re.Match[str], group: int, words: str) -> str:
    """All that was found, but for what one group of it holds."""
    begin, end = (place - found.start() for place in found.span(group))
    return f"{found[0][:begin]}[{words}]{found[0][end:]}"


def _bare(kind: str) -> str:
    return kind.partition(" ")[2]


def _is_value(sign: str, quote: str, value: str) -> bool:
    if not _is_random(value) or _NAME_OF_SOMETHING.fullmatch(value):
        return False
    return bool(quote) or sign == "=" or len(value) >= SHORTEST_LOOSE_CHARS


def _is_random(value: str) -> bool:
    return _LETTER_AND_DIGIT.match(value) is not None and not _is_placeholder(value)


def _is_placeholder(value: str) -> bool:
    return _PLACEHOLDER.search(value) is not None or value.casefold() in ("pass", "pwd", "pw", "user", "test")
