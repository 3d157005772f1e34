"""Text that holds a key, token or password, told by its shape; a text that only talks about them passes."""

import re
from collections.abc import Mapping
from types import MappingProxyType

_EDGE = r"(?<![A-Za-z0-9])"

_SHAPES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "a private key": re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d"),
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
_NAMED = re.compile(
    r"""(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key)["']?
    (\s*[:=]\s*)(["'`]?)([^\s"'`,;]{6,512})""",
    re.IGNORECASE | re.VERBOSE,
)
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


def _is_value(sign: str, quote: str, value: str) -> bool:
    if not _is_random(value) or _NAME_OF_SOMETHING.fullmatch(value):
        return False
    return bool(quote) or sign == "=" or len(value) >= SHORTEST_LOOSE_CHARS


def _is_random(value: str) -> bool:
    return _LETTER_AND_DIGIT.match(value) is not None and not _is_placeholder(value)


def _is_placeholder(value: str) -> bool:
    return _PLACEHOLDER.search(value) is not None or value.casefold() in ("pass", "pwd", "pw", "user", "test")
