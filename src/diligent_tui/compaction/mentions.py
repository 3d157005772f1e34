"""What a text names exactly: paths, addresses, versions and hashes; and whether another text names them too."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

MentionKind = Literal["path", "url", "version", "hash"]

URL = re.compile(r"https?://[^\s<>\"'`)\]}|\\]+")
PATH = re.compile(
    r"(?<![\w./:~@-])(?:~?/|\.{1,2}/)?(?:[\w.@+][\w.@+-]*/)+[\w@+-][\w.@+-]*"
    r"|(?<![\w./:~@-])[\w@+-][\w.@+-]*\.(?:py|pyi|md|toml|json|jsonl|jsonc|js|jsx|mjs|cjs|ts|tsx|rs|go|c|h|cc|cpp|hpp|sh|"
    r"bash|yml|yaml|txt|cfg|ini|html|heex|css|scss|tcss|sql|lock|ex|exs|erl|rb|java|kt|swift|php|lua|zig|pony|xml|csv|"
    r"env|log|png|svg|jpg|gif|pdf|proto|vue|svelte|dart|cs|scala|hs|ml|r|jl|pl|patch|diff)\b"
)
VERSION = re.compile(
    r"(?<![\w.])v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-+.][\w.]{1,20})?(?![\w.]*\d\.\d)|(?<![\w.])v\d+\.\d+\b"
)
HASH = re.compile(r"(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?![\w-])")
_NO_PATH = re.compile(
    r"\d+(?:\.\d+)?/\d+(?:\.\d+)?|[a-zA-Z]{1,12}/[a-zA-Z]{1,12}|\d*[sy]/[^/]*/[^/]*(?:/\w*)?|[\d.]+\.\w{3}"
)
"""Neither `3/4` nor `and/or` is a path, nor is what sed is told."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Something named exactly."""

    kind: MentionKind
    text: str


def mentions_in(text: str) -> Iterator[Mention]:
    """What a text names, each once, in the order of the kinds."""
    yield from (Mention("url", url) for url in _each(match[0].rstrip(".,;:!?*") for match in URL.finditer(text)))
    rest = URL.sub(" ", text)
    yield from (Mention("path", path) for path in paths_in(rest, has_urls=False))
    rest = PATH.sub(" ", rest)
    yield from (Mention("version", match.rstrip(".")) for match in _each(VERSION.findall(rest)))
    yield from (Mention("hash", match) for match in _each(HASH.findall(VERSION.sub(" ", rest))))


def paths_in(text: str, *, has_urls: bool = True) -> Iterator[str]:
    """The paths and file names in a text, each once."""
    words = URL.sub(" ", text) if has_urls else text
    found = (match[0].rstrip(".-") for match in PATH.finditer(words))
    return _each(path for path in found if path and not _NO_PATH.fullmatch(path))


def path_tail(path: str) -> str:
    """The last two parts of a path, by which it is known."""
    return "/".join([part for part in path.split("/") if part not in ("", ".", "..", "~")][-2:])


def invented(summary: str, sources: Iterable[str], known_ids: Collection[str] = ()) -> tuple[Mention, ...]:
    """What a summary names although no source does; ids of entries are no hashes."""
    asked = {mention: _needle(mention) for mention in mentions_in(summary) if mention.text not in known_ids}
    for source in sources:
        if not asked:
            break
        lowered = source.lower()
        asked = {mention: needle for mention, needle in asked.items() if needle not in lowered}
    return tuple(asked)


def _needle(mention: Mention) -> str:
    match mention.kind:
        case "path":
            return path_tail(mention.text).lower()
        case "version":
            return mention.text.lstrip("vV").lower()
        case "url":
            return mention.text.rstrip("/").lower()
        case "hash":
            return mention.text[:40]


def _each(found: Iterable[str]) -> Iterator[str]:
    return iter(dict.fromkeys(found))
