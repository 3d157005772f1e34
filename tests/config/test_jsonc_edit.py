import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.config.jsonc import JsoncError, JsonValue, parse
from diligent_tui.config.jsonc_edit import remove_value, set_value
from diligent_tui.domain.errors import SettingsError

SAMPLE = """\
// head
{
  "model": "a", // about the model
  /* before */ "ui": { "mouse": true /* inner */ },
  "keys": {
    // nothing yet
  },
  "list": [1, 2,],
  "last": 1 // about the last
  // "later": 2
}
// tail
"""


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("", ("a",), 1, '{\n  "a": 1\n}\n'),
        ("", ("a", "b"), 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("\ufeff", ("a",), 1, '\ufeff{\n  "a": 1\n}\n'),
        ("// only words", ("a",), 1, '// only words\n{\n  "a": 1\n}\n'),
        ("// words\r\n", ("a",), 1, '// words\r\n{\r\n  "a": 1\r\n}\r\n'),
        ("{}", ("a",), 1, '{\n  "a": 1\n}'),
        ("{}\n", ("a", "b"), True, '{\n  "a": {\n    "b": true\n  }\n}\n'),
        ("{ /* c */ }", ("a",), 1, '{ /* c */\n  "a": 1\n}'),
        ("{ // c\n}", ("a",), 1, '{ // c\n  "a": 1\n}'),
        ('{"a": 1}', ("a",), "x", '{"a": "x"}'),
        ('{"a": 1}', ("b",), 2, '{"a": 1, "b": 2}'),
        ('{ "a": 1 }', ("b",), 2, '{ "a": 1, "b": 2 }'),
        ('{"a": 1,}', ("b",), 2, '{"a": 1, "b": 2,}'),
        ('{"a": 1 /* c */}', ("b",), 2, '{"a": 1, /* c */ "b": 2}'),
        ('{\n\t"a": 1\n}', ("b", "c"), 2, '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}'),
        ('{\n  "a": 1,\n}', ("b",), 2, '{\n  "a": 1,\n  "b": 2,\n}'),
        ('{\n    "a": 1 // c\n}', ("b",), [1], '{\n    "a": 1, // c\n    "b": [\n        1\n    ]\n}'),
        ('{\r\n  "a": 1\r\n}\r\n', ("b",), 2, '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'),
        ('{"a": true}', ("a", "b"), 2, '{"a": {\n  "b": 2\n}}'),
        ('{"a": {"b": {"c": 1}}}', ("a", "b", "d"), 2, '{"a": {"b": {"c": 1, "d": 2}}}'),
        ('{"a": 1, "a": 2}', ("a",), 3, '{"a": 1, "a": 3}'),
        ("{}", ("é\n",), "ü", '{\n  "é\\n": "ü"\n}'),
    ],
)
def test_sets_one_value_and_leaves_the_rest(text: str, path: tuple[str, ...], value: JsonValue, expected: str) -> None:
    assert set_value(text, path, value) == expected


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        (("model",), ('"a"', '"new"')),
        (("ui", "mouse"), ("true", '"new"')),
        (("ui", "bell"), ("true /* inner */ }", 'true, /* inner */ "bell": "new" }')),
        (("keys", "send"), ("// nothing yet\n", '// nothing yet\n    "send": "new"\n')),
        (("list",), ("[1, 2,]", '"new"')),
        (
            ("fresh",),
            ('1 // about the last\n  // "later": 2\n', '1, // about the last\n  // "later": 2\n  "fresh": "new"\n'),
        ),
    ],
)
def test_a_real_file_changes_in_one_place_only(path: tuple[str, ...], changed: tuple[str, str]) -> None:
    assert set_value(SAMPLE, path, "new") == SAMPLE.replace(*changed, 1)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("", ("a",), ""),
        ("{}", ("a",), "{}"),
        ('{"a": 1}', ("b",), '{"a": 1}'),
        ('{"a": 1}', (), '{"a": 1}'),
        ('{"a": 1}', ("a",), "{}"),
        ('{"a": 1, "b": 2}', ("a",), '{ "b": 2}'),
        ('{"a": 1, "b": 2}', ("b",), '{"a": 1 }'),
        ('{"a": 1, "b": 2, "b": 3}', ("b",), '{"a": 1,  }'),
        ('{\n  "a": 1,\n  "b": 2\n}', ("a",), '{\n  "b": 2\n}'),
        ('{\n  "a": 1,\n  "b": 2\n}', ("b",), '{\n  "a": 1\n}'),
        ('{\n  "a": 1,\n  "b": 2,\n}', ("b",), '{\n  "a": 1,\n}'),
        ('{\n  "a": 1, // one\n  "b": 2\n}', ("a",), '{\n   // one\n  "b": 2\n}'),
        ('{"a": {"b": 1}}', ("a", "b"), '{"a": {}}'),
    ],
)
def test_removes_one_key_and_no_comment(text: str, path: tuple[str, ...], expected: str) -> None:
    assert remove_value(text, path) == expected


def test_a_text_that_is_not_jsonc_is_not_touched() -> None:
    with pytest.raises(JsoncError):
        set_value('{"a": ', ("a",), 1)
    with pytest.raises(JsoncError):
        remove_value('{"a": ', ("a",))


@pytest.mark.parametrize("text", ["[1]", "3", '"x"'])
def test_settings_that_are_no_object_are_refused(text: str) -> None:
    with pytest.raises(JsoncError, match="object"):
        set_value(text, ("a",), 1)


def test_a_value_needs_a_name() -> None:
    with pytest.raises(SettingsError, match="name"):
        set_value("{}", (), 1)


names = st.sampled_from(["a", "b", "c", "d.e", "é"])
plain = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5)
trees = st.recursive(
    st.dictionaries(names, plain, max_size=3),
    lambda inner: st.dictionaries(names, plain | inner | st.lists(plain, max_size=3), max_size=3),
    max_leaves=8,
)
blanks = st.sampled_from(["", " ", "\n", "\n  ", "\t"])


@st.composite
def jsonc_texts(draw: st.DrawFn) -> tuple[str, dict[str, JsonValue], int]:
    """A text with numbered comments in every gap, what it says, and how many comments it has."""
    count = 0

    def gap() -> str:
        nonlocal count
        said = draw(blanks)
        match draw(st.integers(0, 5)):
            case 0:
                count += 1
                return f"{said}/* note {count}; */{draw(blanks)}"
            case 1:
                count += 1
                return f"{said}// note {count};\n{draw(blanks)}"
            case _:
                return said

    def written(value: JsonValue) -> str:
        if not isinstance(value, dict):
            return json.dumps(value)
        members = [f"{gap()}{json.dumps(key)}{gap()}:{gap()}{written(inner)}{gap()}" for key, inner in value.items()]
        end = "," if members and draw(st.booleans()) else ""
        return "{" + ",".join(members) + end + gap() + "}"

    tree: dict[str, JsonValue] = dict(draw(trees))
    text = gap() + written(tree) + gap()
    return text, tree, count


def with_value(tree: JsonValue, path: tuple[str, ...], value: JsonValue) -> JsonValue:
    if not path:
        return value
    members = dict(tree) if isinstance(tree, dict) else {}
    return {**members, path[0]: with_value(members.get(path[0]), path[1:], value)}


def without_value(tree: JsonValue, path: tuple[str, ...]) -> JsonValue:
    if not isinstance(tree, dict) or path[0] not in tree:
        return tree
    if len(path) == 1:
        return {key: inner for key, inner in tree.items() if key != path[0]}
    return {**tree, path[0]: without_value(tree[path[0]], path[1:])}


def notes_in(text: str) -> list[str]:
    return re.findall(r"note \d+;", text)


@given(jsonc_texts(), st.lists(names, min_size=1, max_size=3).map(tuple), plain)
def test_after_a_change_the_text_says_that_and_nothing_else(
    sample: tuple[str, dict[str, JsonValue], int], path: tuple[str, ...], value: JsonValue
) -> None:
    text, tree, count = sample
    places = parse(text).places
    changed = set_value(text, path, value)
    assert parse(changed).value == with_value(tree, path, value)
    replaced = next((path[:length] for length in range(len(path), 0, -1) if path[:length] in places), None)
    is_new = replaced is None or (replaced != path and isinstance(at(tree, replaced), dict))
    if is_new:
        assert len(notes_in(changed)) == count
        assert is_spread_in(re.sub(r"[ \t]", "", text), changed)
    else:
        place = places[replaced or ()]
        assert changed.startswith(text[: place.start])
        assert changed.endswith(text[place.end :])


@given(jsonc_texts(), st.lists(names, min_size=1, max_size=3).map(tuple))
def test_after_a_removal_the_text_says_all_but_that(
    sample: tuple[str, dict[str, JsonValue], int], path: tuple[str, ...]
) -> None:
    text, tree, _ = sample
    changed = remove_value(text, path)
    assert parse(changed).value == without_value(tree, path)
    assert is_spread_in(changed, text)
    place = parse(text).places.get(path)
    inside = notes_in(text[place.key or 0 : place.end]) if place else []
    assert len(notes_in(changed)) == len(notes_in(text)) - len(inside)


def at(tree: JsonValue, path: tuple[str, ...]) -> JsonValue:
    for key in path:
        tree = tree[key] if isinstance(tree, dict) else None
    return tree


def is_spread_in(shorter: str, longer: str) -> bool:
    """Whether all of the shorter text stands in the longer one, in order."""
    rest = iter(longer)
    return all(sign in rest for sign in shorter)
