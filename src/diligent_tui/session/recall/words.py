"""Words as the index knows them: whole, as the parts of names, and the names themselves."""

import re
from collections.abc import Collection, Iterable

MOST_TERMS = 100
"""A question's words beyond these add nothing but time."""
SHORTEST_NAME_CHARS = 6
MOST_NAMES = 200

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
"""Scripts that write no spaces between words: there every two neighbours count as a part."""
_NAME = re.compile(
    r"(?:[\w.@-]+/)+[\w.@-]*\w|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}"
)
_ESCAPE = re.compile(r"\\[ntr\"']")
"""A question may quote JSON, where a line's end would stick to the word behind it."""
_COMMON = frozenset(
    _WORD.findall(
        "a an and are as at be but by can do does for from had has have he how i if in into is it its let ll me my no "
        "not now of on or our out s should so t than that the their them then there these they this those to up us was "
        "we were what when where which who will with would you your"
    )
)


def words_in(text: str) -> list[str]:
    """Every word in its order, in small letters."""
    return [word.lower() for word in _WORD.findall(text)]


def parts_in(text: str) -> list[str]:
    """The parts of the compound names in a text: of `readFile_x` and `src/read-file` read, file, x and src."""
    found: list[str] = []
    for word in _WORD.findall(text):
        parts = [part.lower() for part in _PART.findall(word)] if word.isascii() else _pairs(word)
        if len(parts) > 1 or not word.isascii():
            found += [part for part in parts if len(part) > 1]
    return found


def terms_in(query: str) -> list[str]:
    """The words of a question that can tell one text from another, each once; names first if there are very many."""
    words = list(dict.fromkeys(words_in(_ESCAPE.sub(" ", query))))
    telling = [word for word in words if word not in _COMMON and (len(word) > 1 or not word.isascii())] or words
    if len(telling) > MOST_TERMS:
        telling.sort(key=lambda word: "_" not in word and len(word) < SHORTEST_NAME_CHARS)
    return telling[:MOST_TERMS]


def query_parts_in(query: str) -> list[str]:
    """The parts of the names in a question, each once."""
    return [part for part in dict.fromkeys(parts_in(_ESCAPE.sub(" ", query))) if part not in _COMMON][:MOST_TERMS]


def match_of(query: str, *, is_typing: bool = False) -> str:
    """The question in the language of FTS5, every word of it quoted; empty if it has none.

    While one types, the last word may be the beginning of one.
    """
    terms = terms_in(query)
    if not terms:
        return ""
    quoted = [_quoted(term) for term in terms]
    if is_typing and query[-1:].strip():
        last = words_in(query)[-1:]
        quoted += [f"{_quoted(word)} *" for word in last]
    whole = " OR ".join(quoted)
    parts = " OR ".join(map(_quoted, query_parts_in(query)))
    return f"({whole}) OR (parts : ({parts}))" if parts else whole


def names_in(text: str) -> list[str]:
    """Paths and compound names in a text, each once, the first of very many."""
    return [name for name in dict.fromkeys(_NAME.findall(text)) if len(name) >= SHORTEST_NAME_CHARS][:MOST_NAMES]


def shared(name: str, asked: Iterable[str]) -> int:
    """How many of the asked words are in a name."""
    known = set(parts_in(name)) | set(words_in(name))
    return sum(word in known for word in asked)


def matches_in(text: str, asked: Collection[str], begun: str = "") -> list[tuple[int, int]]:
    """Where a text holds the asked words, whole or as parts of names, or a word that begins with `begun`."""
    found: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        lowered = word[0].lower()
        if lowered in asked or (begun and lowered.startswith(begun)):
            found.append(word.span())
        elif not word[0].isascii():
            found += [
                (word.start() + place, word.start() + place + len(term))
                for term in asked
                if not term.isascii() and (place := lowered.find(term)) >= 0
            ]
        else:
            parts = [part for part in _PART.finditer(word[0]) if part[0].lower() in asked]
            found += [(word.start() + part.start(), word.start() + part.end()) for part in parts]
    return sorted(found)


def _pairs(word: str) -> list[str]:
    runs = _NO_SPACES.findall(word)
    return [run[place : place + 2] for run in runs for place in range(max(1, len(run) - 1))]


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
