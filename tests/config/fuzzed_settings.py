"""Settings files gone wrong by chance, each with the line on which something must be complained of."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from diligent_tui.config.outline import Setting, all_names, settings_in
from diligent_tui.config.settings import Settings

ODD_VALUES = (
    *('""', '"x"', '"-1"', "-1", "0", "1e999", "1.5", "9223372036854775808", "true", "null", "[]", "{}", "[[[]]]"),
    *('{"a": {"b": {}}}', '["a", 1, null]', '"\\u202e\\u001b[2J"', '"' + "x" * 500 + '"', "[1, 2]", '{"": 0}'),
)
SYNTAX = (
    *("{", "}", '"', ",,", "[", "]", "'", "NaN", "undefined", "\\", "/*", "\x00", "\x1b[2J", "\ud7ff", '"a" "b"', "@"),
    *(": :", "--1", "0x10", "1.", '"\\x"', '"\\ud800"', "tru", "True", "{{", '"open'),
)
ODD_BYTES = (b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\x00\x00", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """A file; `line` is where it is wrong, 0 if it may be right, and `whole` if nothing of it can be used."""

    data: bytes
    line: int
    key: str
    whole: bool = False
    is_misnamed: bool = False


def fuzzed(seed: int) -> Fuzzed:
    """The file of a seed: well but for one thing, with a witness at its end."""
    chance = random.Random(seed)
    match chance.randrange(5):
        case 0:
            return _with(chance, _wrong_name(chance))
        case 1 | 2:
            return _with(chance, _odd_value(chance))
        case 3:
            return _with(chance, _broken_text(chance))
        case _:
            return _with(chance, Fuzzed(b'"theme": "' + chance.choice(ODD_BYTES) + b'"', 1, "", True))


def _with(chance: random.Random, wrong: Fuzzed) -> Fuzzed:
    before = [chance.choice(["", "// a comment", "/* another */", '"offline": { "pace": 90000 },']) for _ in range(4)]
    # Said twice it would be a second complaint, which is tested elsewhere.
    lines = list(dict.fromkeys(line.encode() for line in before))
    text = b"\n".join([b"{", *lines, wrong.data + b",", b'"tools": { "timeoutSeconds": 77 }', b"}"])
    return Fuzzed(text, len(lines) + 2 if wrong.line else 0, wrong.key, wrong.whole, wrong.is_misnamed)


def _wrong_name(chance: random.Random) -> Fuzzed:
    path, _ = chance.choice([each for each in _paths() if each[0][0] not in ("offline", "tools")])
    at = chance.randrange(len(path[-1]))
    mangled = chance.choice([path[-1][:at] + "ü" + path[-1][at:], path[-1] + "\u200b", path[-1].upper() + "_", "$x"])
    return Fuzzed(_member((*path[:-1], mangled), "1"), 1, path[-1], is_misnamed=True)


def _odd_value(chance: random.Random) -> Fuzzed:
    path, setting = chance.choice([each for each in _paths() if each[0][0] not in ("offline", "tools")])
    value = chance.choice(ODD_VALUES)
    if value in ("1e999", "9223372036854775808"):
        return Fuzzed(_member(path, value), 1, "", True)
    return Fuzzed(_member(path, value), 0 if _may_be_right(path, setting, value) else 1, path[-1])


def _broken_text(chance: random.Random) -> Fuzzed:
    return Fuzzed(b'"theme": ' + chance.choice(SYNTAX).encode(errors="surrogatepass"), 1, "", True)


def _member(path: tuple[str, ...], value: str) -> bytes:
    text = value
    for part in reversed(path[1:]):
        text = "{" + json.dumps(part, ensure_ascii=False) + ": " + text + "}"
    return (json.dumps(path[0], ensure_ascii=False) + ": " + text).encode()


def _may_be_right(path: tuple[str, ...], setting: Setting, value: str) -> bool:
    """Asked of the field itself, and not of the code that is tested."""
    section: type[BaseModel] = Settings
    for part in path[:-1]:
        found = settings_in(section).get(part)
        if found is not None and found.section is not None:
            section = found.section
    try:
        section.model_validate_json(json.dumps({setting.name: json.loads(value)}), strict=True)
    except ValueError:
        return False
    return True


def _paths() -> Iterator[tuple[tuple[str, ...], Setting]]:
    for path, setting in all_names():
        yield tuple("own" if part == "*" else part for part in path), setting
