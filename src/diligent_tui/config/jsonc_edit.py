"""Change one value in a JSONC text; every comment, blank and comma of the rest stays as it was."""

import json
import re
from collections.abc import Mapping

from diligent_tui.config.jsonc import BYTE_ORDER_MARK, Document, JsoncError, JsonValue, Place, parse
from diligent_tui.domain.errors import SettingsError

Keys = tuple[str, ...]

USUAL_INDENT = "  "

_LINE_END = re.compile(r"\r\n|\n|\r")
_LINE_BLANKS = re.compile(r"[ \t]*")


def set_value(text: str, path: Keys, value: JsonValue) -> str:
    """The text with the value set at the path; objects on the way are made, or put in place of something else."""
    if not path:
        raise SettingsError("The name of a setting is missing.")
    document = parse(text)
    if () not in document.places:
        return _first_text(text, path, value)
    if path in document.places:
        return _replace(text, document.places[path], value)
    for length in range(len(path) - 1, -1, -1):
        if path[:length] not in document.places:
            continue
        if isinstance(_at(document, path[:length]), Mapping):
            return _insert(text, document, path[:length], path[length], _nested(path[length + 1 :], value))
        if length:
            return _replace(text, document.places[path[:length]], _nested(path[length:], value))
    raise JsoncError("the settings should be an object, `{` was expected", document.position(()))


def remove_value(text: str, path: Keys) -> str:
    """The text without the key at the path, wherever it is repeated; comments stay."""
    while path and path in (document := parse(text)).places:
        text = _without(text, document, path)
    return text


def _first_text(text: str, path: Keys, value: JsonValue) -> str:
    """A text that holds only blanks and comments keeps them at its head."""
    line_end = _line_end(text)
    body = _dumped(_nested(path, value), "", USUAL_INDENT, line_end) + line_end
    if not text.removeprefix(BYTE_ORDER_MARK).strip():
        return (BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else "") + body
    return text + ("" if text.endswith(("\n", "\r")) else line_end) + body


def _replace(text: str, place: Place, value: JsonValue) -> str:
    said = _dumped(value, _indent_of_line(text, place.start), _unit(text), _line_end(text))
    return text[: place.start] + said + text[place.end :]


def _insert(text: str, document: Document, parent: Keys, key: str, value: JsonValue) -> str:
    close = document.places[parent].end - 1
    last = _last_child(document, parent)
    line_end = _line_end(text)
    outer_indent = _indent_of_line(text, document.places[parent].start)
    indent = outer_indent + _unit(text)
    line_start = _line_start(text, close)
    if last is not None and not text[_line_start(text, last.key or 0) : last.key].strip(" \t"):
        indent = _indent_of_line(text, last.key or 0)

    member = f"{json.dumps(key, ensure_ascii=False)}: {_dumped(value, indent, _unit(text), line_end)}"
    if last is not None and last.comma is not None:
        member += ","
    if not text[line_start:close].strip(" \t") and line_start > document.places[parent].start:
        return _with_comma(text[:line_start], last) + indent + member + line_end + text[line_start:]
    before = _with_comma(text[:close].rstrip(" \t"), last)
    blank = text[len(text[:close].rstrip(" \t")) : close]
    if last is None:
        return f"{before}{line_end}{indent}{member}{line_end}{outer_indent}{text[close:]}"
    return f"{before} {member}{blank}{text[close:]}"


def _with_comma(before: str, last: Place | None) -> str:
    if last is None or last.comma is not None:
        return before
    return before[: last.end] + "," + before[last.end :]


def _without(text: str, document: Document, path: Keys) -> str:
    place = document.places[path]
    start = place.start if place.key is None else place.key
    gaps = [(start, place.end)]
    if place.comma is not None:
        gaps.append((place.comma, place.comma + 1))
    elif not document.duplicates and (before := _child_before(document, path)) and before.comma is not None:
        gaps.insert(0, (before.comma, before.comma + 1))
    for gap_start, gap_end in reversed(gaps):
        text = text[:gap_start] + text[gap_end:]
    at = start - (1 if gaps[0][0] < start else 0)
    return _without_blank_line(text, at)


def _without_blank_line(text: str, at: int) -> str:
    """Take the line away if nothing is left on it."""
    start = _line_start(text, at)
    blanks = _LINE_BLANKS.match(text, start)
    end = start if blanks is None else blanks.end()
    line_end = _LINE_END.match(text, end)
    return text[:start] + text[line_end.end() :] if line_end and start > 0 else text


def _last_child(document: Document, parent: Keys) -> Place | None:
    children = [p for path, p in document.places.items() if len(path) == len(parent) + 1 and path[:-1] == parent]
    return max(children, key=lambda place: place.start, default=None)


def _child_before(document: Document, path: Keys) -> Place | None:
    start = document.places[path].start
    siblings = [p for other, p in document.places.items() if len(other) == len(path) and other[:-1] == path[:-1]]
    return max((p for p in siblings if p.start < start), key=lambda place: place.start, default=None)


def _at(document: Document, path: Keys) -> JsonValue:
    value = document.value
    for key in path:
        value = value[key] if isinstance(value, Mapping) else None
    return value


def _nested(path: Keys, value: JsonValue) -> JsonValue:
    for key in reversed(path):
        value = {key: value}
    return value


def _dumped(value: JsonValue, indent: str, unit: str, line_end: str) -> str:
    said = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=unit)
    return said.replace("\n", line_end + indent)


def _line_end(text: str) -> str:
    found = _LINE_END.search(text)
    return "\n" if found is None else found.group()


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _indent_of_line(text: str, at: int) -> str:
    found = _LINE_BLANKS.match(text, _line_start(text, at))
    return "" if found is None else found.group()


def _unit(text: str) -> str:
    """The step of indentation that the text uses: that of its first indented key."""
    found = re.search(r'^([ \t]+)"', text, re.MULTILINE)
    return USUAL_INDENT if found is None else found.group(1)
