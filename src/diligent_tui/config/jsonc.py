"""JSON with comments and trailing commas, read with the place of every key and value.

Plain code over a few regular expressions: the first frame of the screen reads theme and keys with it, before pydantic
is loaded. One pass, no backtracking, and a depth that the stack can bear whatever the file says.
"""

import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, NoReturn, TypeAlias

from diligent_tui.domain.errors import SettingsError

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
Path = tuple[str | int, ...]

DEEPEST_NEST = 64
LARGEST_INT = 2**63 - 1
BYTE_ORDER_MARK = "\ufeff"

_BLANK = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+")
_CHARS = re.compile(r'(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?+([eE][+-]?[0-9]++)?+")
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*+")
_AFTER_NUMBER = re.compile(r"[A-Za-z0-9_$.+-]")
_LINE_END = re.compile(r"\r\n|\n|\r")

_WORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
# Words of other languages that one may name without fear: a word that is not listed could be a key without its quotes.
_FOREIGN_WORDS: Mapping[str, str] = {
    "True": "true",
    "False": "false",
    "None": "null",
    "undefined": "null",
    "NaN": "a number",
    "Infinity": "a number",
}


class Position(NamedTuple):
    """A place as editors count it: line and column, both from 1."""

    line: int
    column: int


class Place(NamedTuple):
    """Where a value stands, in characters from the start: its key, itself, and the comma after it."""

    key: int | None
    start: int
    end: int
    comma: int | None


class Duplicate(NamedTuple):
    """A key that was said before in the same object; the later one counts."""

    path: Path
    position: Position


class JsoncError(SettingsError):
    """The text is not JSONC; says where, and what was expected there."""

    def __init__(self, complaint: str, position: Position) -> None:
        """Keep the place beside the sentence."""
        super().__init__(f"Line {position.line}, column {position.column}: {complaint}")
        self.complaint = complaint
        self.position = position


class Document(NamedTuple):
    """What a text says, and where; a text of blanks and comments alone says `{}`."""

    value: JsonValue
    places: Mapping[Path, Place]
    duplicates: tuple[Duplicate, ...]
    line_starts: tuple[int, ...]

    def position(self, path: Path) -> Position:
        """Where a value stands, or the nearest that holds it."""
        place = self._place(path)
        return Position(1, 1) if place is None else _position(self.line_starts, place.start)

    def key_position(self, path: Path) -> Position:
        """Where the key of a value stands; for an item of a list the item itself."""
        place = self._place(path)
        if place is None:
            return Position(1, 1)
        return _position(self.line_starts, place.start if place.key is None else place.key)

    @property
    def positions(self) -> Mapping[Path, Position]:
        """Where every value stands."""
        return {path: _position(self.line_starts, place.start) for path, place in self.places.items()}

    def _place(self, path: Path) -> Place | None:
        for length in range(len(path), -1, -1):
            if place := self.places.get(path[:length]):
                return place
        return None


def parse(text: str) -> Document:
    """Read a text, or raise JsoncError at the first thing that is wrong."""
    reader = _Reader(text)
    value = reader.document()
    places = reader.places
    if reader.duplicates:
        # A replaced value leaves the places of its inner parts behind.
        places = {path: places[path] for path in _paths(value, ()) if path in places}
    return Document(value, places, tuple(reader.duplicates), reader.line_starts)


def skip_blank(text: str, at: int) -> int:
    """The place of the next thing that is neither blank nor comment."""
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _paths(value: JsonValue, path: Path) -> Iterator[Path]:
    yield path
    match value:
        case Mapping():
            for key, inner in value.items():
                yield from _paths(inner, (*path, key))
        case list():
            for index, inner in enumerate(value):
                yield from _paths(inner, (*path, index))
        case _:
            pass


def _position(line_starts: tuple[int, ...], offset: int) -> Position:
    line = bisect_right(line_starts, offset)
    start = line_starts[line - 1]
    return Position(line, offset - start + 1)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at: int = 1 if text.startswith(BYTE_ORDER_MARK) else 0
        self.places: dict[Path, Place] = {}
        self.duplicates: list[Duplicate] = []
        self.line_starts = (self.at, *(found.end() for found in _LINE_END.finditer(text)))

    def document(self) -> JsonValue:
        if self.next() == "":
            return {}
        value = self.value((), None)
        if self.next() != "":
            self.fail("nothing more was expected after the end of the settings")
        return value

    def next(self) -> str:
        self.at = skip_blank(self.text, self.at)
        if self.text.startswith("/*", self.at):
            self.fail("this comment is not closed, `*/` was expected")
        return self.text[self.at : self.at + 1]

    def value(self, path: Path, key: int | None) -> JsonValue:
        sign = self.next()
        start = self.at
        if sign in ("{", "["):
            if len(path) >= DEEPEST_NEST:
                self.fail(f"nested deeper than {DEEPEST_NEST} levels, a plain value was expected")
            value = self.object(path) if sign == "{" else self.array(path)
        elif sign == '"':
            value = self.string()
        elif sign == "-" or (sign.isascii() and sign.isdigit()):
            value = self.number()
        else:
            value = self.word()
        self.places[path] = Place(key, start, self.at, None)
        return value

    def object(self, path: Path) -> JsonValue:
        members: dict[str, JsonValue] = {}
        self.at += 1
        while (sign := self.next()) != "}":
            key_at = self.at
            if sign != '"':
                self.fail_at_key(sign)
            key = self.string()
            if self.next() != ":":
                self.fail("`:` was expected after the key")
            self.at += 1
            child = (*path, key)
            if key in members:
                self.duplicates.append(Duplicate(child, _position(self.line_starts, key_at)))
            members[key] = self.value(child, key_at)
            self.comma(child, "}")
        self.at += 1
        return members

    def array(self, path: Path) -> JsonValue:
        items: list[JsonValue] = []
        self.at += 1
        while self.next() != "]":
            child = (*path, len(items))
            items.append(self.value(child, None))
            self.comma(child, "]")
        self.at += 1
        return items

    def comma(self, path: Path, closing: str) -> None:
        match self.next():
            case ",":
                place = self.places[path]
                self.places[path] = Place(place.key, place.start, place.end, self.at)
                self.at += 1
            case sign if sign != closing:
                self.fail(f"`,` or `{closing}` was expected")
            case _:
                pass

    def string(self) -> str:
        start = self.at + 1
        found = _CHARS.match(self.text, start)
        self.at = start if found is None else found.end()
        if self.text[self.at : self.at + 1] != '"':
            self.fail_in_string()
        raw = self.text[start : self.at]
        text: str = json.loads(f'"{raw}"') if "\\" in raw else raw
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            self.at = start - 1
            self.fail("this text holds half a character (an escape from \\ud800 to \\udfff without its other half)")
        self.at += 1
        return text

    def number(self) -> int | float:
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            self.fail("a number was expected after `-`")
        if _AFTER_NUMBER.match(self.text, found.end()):
            self.fail("this is not a number; text needs double quotes")
        said = found.group()
        if found.group(1) is None and found.group(2) is None:
            # Python refuses to read very long numbers, and so the length is looked at first.
            if len(said) > len(str(LARGEST_INT)) + 1 or abs(int(said)) > LARGEST_INT:
                self.fail("this number is too large")
            number = int(said)
        else:
            number = float(said)
            if not math.isfinite(number):
                self.fail("this number is too large")
        self.at = found.end()
        return number

    def word(self) -> bool | None:
        found = _WORD.match(self.text, self.at)
        word = "" if found is None else found.group()
        if word not in _WORDS:
            self.fail_at_value(word)
        self.at += len(word)
        return _WORDS[word]

    def fail_at_value(self, word: str) -> NoReturn:
        if meant := _FOREIGN_WORDS.get(word):
            self.fail(f"`{word}` is not known here; {meant} was expected")
        if word:
            self.fail("a value was expected; text needs double quotes")
        match self.text[self.at : self.at + 1]:
            case "":
                self.fail("the text ends where a value was expected")
            case "'":
                self.fail("text stands in double quotes, not in single ones")
            case sign:
                self.fail(f"a value was expected, not {_shown(sign)}")

    def fail_at_key(self, sign: str) -> NoReturn:
        match sign:
            case "":
                self.fail("the text ends where `}` was expected")
            case "'":
                self.fail("a key stands in double quotes, not in single ones")
            case ",":
                self.fail("a key in double quotes was expected, not a second `,`")
            case _ if _WORD.match(sign):
                self.fail("this key needs double quotes")
            case _:
                self.fail(f"a key in double quotes or `}}` was expected, not {_shown(sign)}")

    def fail_in_string(self) -> NoReturn:
        match self.text[self.at : self.at + 1]:
            case "" | "\n" | "\r":
                self.fail('this text is not closed, `"` was expected')
            case "\\":
                self.fail('this escape is not known; expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000')
            case sign:
                self.fail(f"{_shown(sign)} cannot stand in a text, an escape was expected")

    def fail(self, complaint: str) -> NoReturn:
        raise JsoncError(complaint, _position(self.line_starts, self.at))


def _shown(sign: str) -> str:
    return f"`{sign}`" if sign.isascii() and sign.isprintable() else f"U+{ord(sign):04X}"
