import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.config.jsonc import DEEPEST_NEST, JsoncError, JsonValue, Position, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        (" \n\t\r\n", {}),
        ("// nothing but a word", {}),
        ("/* a */ // b\n", {}),
        ("\ufeff{}", {}),
        ("\ufeff", {}),
        ("{}", {}),
        ("[]", []),
        ("[1,]", [1]),
        ("[1, 2]", [1, 2]),
        ("null", None),
        ("true", True),
        ("false // no", False),
        ('"a"', "a"),
        ('"// no comment"', "// no comment"),
        ('"/* no comment */"', "/* no comment */"),
        ('"a\\"b"', 'a"b'),
        ('"\\\\"', "\\"),
        ('"\\u00e9\\n"', "é\n"),
        ('"\\ud83d\\ude00"', "😀"),
        ('"é😀"', "é😀"),
        ("0", 0),
        ("-1", -1),
        ("1.5", 1.5),
        ("-0.5e3", -500.0),
        ("1e2", 100.0),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775807", -(2**63) + 1),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": {"b": [1, {"c": null,},],},}', {"a": {"b": [1, {"c": None}]}}),
        ('{/**/"a"/**/:/**/1/**/,/**/}', {"a": 1}),
        ('{"a": 1 /* x * y ** */ }', {"a": 1}),
        ('{"a": 1, // one\r\n "b": 2}', {"a": 1, "b": 2}),
        ('{"a": 1, // one\r "b": 2}', {"a": 1, "b": 2}),
        ('{"": ""}', {"": ""}),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_says_what_the_text_says(text: str, value: JsonValue) -> None:
    assert parse(text).value == value


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("{", 1, 2, "`}` was expected"),
        ("[", 1, 2, "ends where a value"),
        ("[1", 1, 3, "`,` or `]`"),
        ('{"a"', 1, 5, "`:` was expected"),
        ('{"a" 1}', 1, 6, "`:` was expected"),
        ('{"a":', 1, 6, "ends where a value"),
        ('{"a":}', 1, 6, "a value was expected, not `}`"),
        ('{"a": 1 "b": 2}', 1, 9, "`,` or `}`"),
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3, "`,` or `}`"),
        ('{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, "`,` or `}`"),
        ('{"a": 1,, }', 1, 9, "not a second `,`"),
        ("[1,,]", 1, 4, "not `,`"),
        ("{a: 1}", 1, 2, "double quotes"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ("{1: 1}", 1, 2, "key in double quotes"),
        ("['a']", 1, 2, "double quotes"),
        ("[a]", 1, 2, "double quotes"),
        ("[True]", 1, 2, "true was expected"),
        ("[None]", 1, 2, "null was expected"),
        ("[NaN]", 1, 2, "a number was expected"),
        ("[Infinity]", 1, 2, "a number was expected"),
        ("[-Infinity]", 1, 2, "after `-`"),
        ("[-]", 1, 2, "after `-`"),
        ("[01]", 1, 2, "not a number"),
        ("[1.]", 1, 2, "not a number"),
        ("[1e]", 1, 2, "not a number"),
        ("[0x10]", 1, 2, "not a number"),
        ("[.5]", 1, 2, "not `.`"),
        ("[+1]", 1, 2, "not `+`"),
        ("[9223372036854775808]", 1, 2, "too large"),
        ("[" + "9" * 10_000 + "]", 1, 2, "too large"),
        ("[1e999]", 1, 2, "too large"),
        ('["a]', 1, 5, "not closed"),
        ('["a\n"]', 1, 4, "not closed"),
        ('["a\tb"]', 1, 4, "U+0009"),
        ('["a\\xb"]', 1, 4, "escape"),
        ('["\\u12"]', 1, 3, "escape"),
        ('["\\ud800"]', 1, 2, "half a character"),
        ('["\\udc00\\ud800"]', 1, 2, "half a character"),
        ("{} {}", 1, 4, "nothing more"),
        ("{}}", 1, 3, "nothing more"),
        ("/* open", 1, 1, "`*/` was expected"),
        ('{"a": 1} /* open *', 1, 10, "`*/` was expected"),
        ("/ no", 1, 1, "not `/`"),
        ("\x00", 1, 1, "U+0000"),
        ("{\x1b]0;x\x07}", 1, 2, "U+001B"),
        ("\u2028", 1, 1, "U+2028"),
        ("[" * (DEEPEST_NEST + 1), 1, DEEPEST_NEST + 1, "nested deeper"),
        ("[" * 100_000, 1, DEEPEST_NEST + 1, "nested deeper"),
        ('{"a":' * 100_000, 1, 5 * DEEPEST_NEST + 1, "nested deeper"),
        ("\ufeff[", 1, 2, "ends where"),
        ("// a\n// b\n[1 2]", 3, 4, "`,` or `]`"),
    ],
)
def test_a_wrong_text_is_refused_with_its_place(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(JsoncError) as caught:
        parse(text)
    assert (caught.value.position, words in caught.value.complaint) == (Position(line, column), True)
    assert f"Line {line}, column {column}: " in caught.value.message


def test_a_word_without_quotes_is_not_repeated_for_it_could_be_a_key() -> None:
    with pytest.raises(JsoncError) as caught:
        parse('{"apiKey": sk_secret}')
    assert "sk_secret" not in caught.value.message


def test_every_key_and_value_has_its_place() -> None:
    document = parse('{\n  "a": 1, // one\n  /* two */ "b": [true,\n    {"c": null}]\n}')
    assert document.positions == {
        (): Position(1, 1),
        ("a",): Position(2, 8),
        ("b",): Position(3, 18),
        ("b", 0): Position(3, 19),
        ("b", 1): Position(4, 5),
        ("b", 1, "c"): Position(4, 11),
    }
    assert document.key_position(("b",)) == Position(3, 13)
    assert document.key_position(("b", 1, "c")) == Position(4, 6)
    assert document.key_position(("b", 0)) == Position(3, 19)


def test_what_is_not_there_is_placed_at_what_would_hold_it() -> None:
    document = parse('{\n"a": {\n}}')
    assert document.position(("a", "x", "y")) == Position(2, 6)
    assert document.position(("x",)) == Position(1, 1)
    assert parse("").position(("x",)) == Position(1, 1)


def test_a_repeated_key_is_reported_and_the_later_one_counts() -> None:
    document = parse('{"a": {"x": 1},\n "b": 0,\n "a": {"y": 2}}')
    assert document.value == {"a": {"y": 2}, "b": 0}
    assert [(again.path, again.position) for again in document.duplicates] == [(("a",), Position(3, 2))]
    assert set(document.positions) == {(), ("a",), ("a", "y"), ("b",)}


def test_many_repeated_keys_take_no_longer_than_others() -> None:
    distinct = ",".join(f'"k{number}":1' for number in range(5_000))
    repeated = ",".join('"a":1' for _ in range(5_000))
    assert len(parse(f"{{{distinct},{repeated}}}").duplicates) == 4_999


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_all_json_is_jsonc(value: JsonValue, indent: int | str | None, ascii_only: bool) -> None:
    assert parse(json.dumps(value, indent=indent, ensure_ascii=ascii_only)).value == value


@given(st.text(alphabet='{}[]",:/*\\ \n1-.eatruflsn\x00', max_size=40))
def test_any_text_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    position = Position(1, 1)
    try:
        parse(text)
    except JsoncError as error:
        position = error.position
    lines = text.split("\n")
    assert 1 <= position.line <= len(lines)
    assert 1 <= position.column <= len(lines[position.line - 1]) + 1
