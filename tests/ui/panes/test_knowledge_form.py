"""The form of an entry as a value: what keys make of it, and what stands against saving."""

import pytest

from diligent_tui.domain.knowledge import KnowledgeType
from diligent_tui.ui.panes.knowledge.drafts import CONFIDENCE_PROBLEM, Draft, guess_type
from diligent_tui.ui.panes.knowledge.form import Form
from diligent_tui.ui.panes.knowledge.text_field import MOST_LINE_CHARS, TextField
from tests.ui.panes.knowledge_stage import fact

WIDTH = 10
HOSTILE = "\x1b]0;owned\x07a\u202eb\u200bc\r\nd"


def typed(field: TextField, *keys: str) -> TextField:
    for key in keys:
        field = field.press(key, key if len(key) == 1 else None, WIDTH) or field
    return field


def pressed(form: Form, *keys: str) -> Form:
    for key in keys:
        form = form.press(key, key if len(key) == 1 else None, WIDTH) or form
    return form


@pytest.mark.parametrize(
    ("text", "keys", "expected"),
    [
        ("", ("a", "b"), "ab|"),
        ("one two", ("left", "left", "X"), "one tX|wo"),
        ("one two", ("home", "X"), "X|one two"),
        ("one two", ("ctrl+a", "ctrl+k"), "|"),
        ("one two", ("ctrl+w",), "one |"),
        ("one two", ("ctrl+w", "ctrl+w"), "|"),
        ("one two", ("ctrl+u",), "|"),
        ("one two", ("ctrl+left", "backspace"), "one|two"),
        ("one two", ("home", "ctrl+right", "delete"), "one|two"),
        ("one", ("ctrl+j", "t"), "one\nt|"),
        ("one\ntwo", ("home", "X"), "one\nX|two"),
        ("one\ntwo", ("ctrl+u",), "one\n|"),
        ("one\ntwo", ("up", "X"), "oneX|\ntwo"),
        ("one\ntwo", ("up", "home", "down", "X"), "one\nX|two"),
        ("one two three four", ("up", "X"), "one twoX| three four"),
        ("你好", ("left", "X"), "你X|好"),
        ("👩‍👩‍👧", ("backspace",), "|"),
    ],
)
def test_keys_are_those_of_a_line_editor(text: str, keys: tuple[str, ...], expected: str) -> None:
    field = typed(TextField.of(text, has_lines=True), *keys)
    assert f"{field.text[: field.position]}|{field.text[field.position :]}" == expected


@pytest.mark.parametrize("key", ["up", "down", "f4", "enter", "tab", "alt+x", "ctrl+q"])
def test_keys_that_are_for_others_are_left_to_them(key: str) -> None:
    assert TextField.of("one").press(key, None, WIDTH) is None


@pytest.mark.parametrize(("has_lines", "expected"), [(True, "a�bc\nd"), (False, "a�bc d")])
def test_what_comes_from_outside_passes_the_gate(has_lines: bool, expected: str) -> None:
    assert TextField.of(HOSTILE, has_lines=has_lines).text == expected
    assert TextField.of("", has_lines=has_lines).paste(HOSTILE).text == expected


def test_a_line_has_an_end() -> None:
    assert len(TextField.of("x" * 399).paste("y" * 100).text) == MOST_LINE_CHARS


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [("", 0, (0, 0)), ("one two", 3, (0, 3)), ("one two three", 13, (1, 5)), ("a\n", 2, (1, 0)), ("你好", 1, (0, 2))],
)
def test_the_cursor_stands_where_the_text_is_drawn(text: str, position: int, expected: tuple[int, int]) -> None:
    assert TextField(text, position, has_lines=True).cursor(WIDTH) == expected


def test_tab_goes_through_the_fields_and_around() -> None:
    form = Form.begin("add", Draft())
    seen: list[str] = []
    for _ in range(5):
        seen.append(form.at)
        form = pressed(form, "tab")
    assert seen == ["text", "confidence", "tags", "scope", "type"]
    assert pressed(form, "shift+tab").at == "type"


def test_fields_are_filled_in_one_after_the_other() -> None:
    form = pressed(
        Form.begin("add", Draft(), at="type"), "right", "tab", *"hi", "tab", "backspace", "9", "tab", *"#a b"
    )
    form = pressed(form, "tab", "space")
    assert form.draft == Draft("decision", "hi", "0.9", "#a b", "user")
    assert form.draft.tag_list == ("a", "b")
    assert form.is_changed


def test_a_form_that_is_as_it_was_is_not_changed() -> None:
    form = Form.begin("edit", Draft.of(fact("k", "one")), ("k",))
    assert not form.is_changed
    assert not pressed(form, "x", "backspace").is_changed
    assert Form.begin("add", Draft(content="given"), is_new=True).is_changed


@pytest.mark.parametrize(
    ("draft", "problem"),
    [
        (Draft(content="a fact"), ""),
        (Draft(content="a fact", confidence="80%"), ""),
        (Draft(content="a fact", confidence="0,5"), ""),
        (Draft(content=" \n "), "says nothing"),
        (Draft(content="a fact", confidence="much"), CONFIDENCE_PROBLEM),
        (Draft(content="a fact", confidence="1.1"), CONFIDENCE_PROBLEM),
        (Draft(content="a fact", confidence="nan"), CONFIDENCE_PROBLEM),
        (Draft(content="x" * 13_000), "too long"),
        (Draft(content="the key is AKIAIOSFODNN7EXAMPLE"), "secret"),
    ],
)
def test_what_stands_against_saving_is_said_in_a_sentence(draft: Draft, problem: str) -> None:
    assert problem in draft.problem
    assert bool(draft.problem) is bool(problem)


def test_a_rival_is_forgotten_when_the_text_changes_and_may_be_taken_the_place_of() -> None:
    rival = fact("k2", "much the same")
    form = Form.begin("add", Draft(content="the same"), at="text").refused("Much the same.", rival)
    assert pressed(form, "left").rival is rival
    assert pressed(form, "!").rival is None
    taken = form.in_place_of_rival()
    assert (taken.purpose, taken.targets, taken.draft.content) == ("edit", ("k2",), "the same")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("tests run with make test", "pattern"),
        ("never push to main", "correction"),
        ("use uv instead of pip", "correction"),
        ("I prefer short answers", "preference"),
        ("we decided on JSONC", "decision"),
        ("CI has two cores", "discovery"),
        ("", "pattern"),
    ],
)
def test_the_type_of_a_sentence_is_guessed(content: str, kind: KnowledgeType) -> None:
    assert guess_type(content) == kind
