"""Words, parts and names."""

import pytest

from diligent_tui.session.recall.passages import PASSAGE_CHARS, cut
from diligent_tui.session.recall.words import (
    MOST_TERMS,
    match_of,
    matches_in,
    names_in,
    parts_in,
    terms_in,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain words", []),
        ("readFile", ["read", "file"]),
        ("HTTPServer", ["http", "server"]),
        ("load_config2", ["load", "config"]),
        ("src/read-file", []),
        ("你好世界", ["你好", "好世", "世界"]),
        ("好", []),
        ("größe", []),
    ],
)
def test_parts_of_names(text: str, parts: list[str]) -> None:
    assert parts_in(text) == parts


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("Where is the loader?", ["loader"]),
        ("the of", ["the", "of"]),
        ('a\\nloader \\"x1\\"', ["loader", "x1"]),
        ("好 x", ["好"]),
        ("loader LOADER", ["loader"]),
    ],
)
def test_terms_tell_texts_apart(query: str, terms: list[str]) -> None:
    assert terms_in(query) == terms


def test_of_very_many_words_names_are_kept() -> None:
    query = " ".join(f"w{number}" for number in range(300)) + " load_config"
    terms = terms_in(query)
    assert len(terms) == MOST_TERMS
    assert "load_config" in terms


@pytest.mark.parametrize(
    ("query", "is_typing", "match"),
    [
        ("loader", False, '"loader"'),
        ('NEAR("x" OR *)', False, '"near"'),
        ("loadConfig", False, '("loadconfig") OR (parts : ("load" OR "config"))'),
        ("the lo", True, '"lo" OR "lo" *'),
        ("loader ", True, '"loader"'),
        ("…", False, ""),
    ],
)
def test_a_question_in_the_language_of_the_index(query: str, is_typing: bool, match: str) -> None:
    assert match_of(query, is_typing=is_typing) == match


def test_names_are_paths_and_compounds() -> None:
    text = "see src/config/loader.py, load_config, mergeLayers and PositionError; not a word, a_b or x/y"
    assert names_in(text) == ["src/config/loader.py", "load_config", "mergeLayers", "PositionError"]


@pytest.mark.parametrize(
    ("text", "asked", "begun", "marked"),
    [
        ("the loader loads", {"loader"}, "", ["loader"]),
        ("load_config", {"config"}, "", ["config"]),
        ("loadConfig", {"config"}, "", ["Config"]),
        ("shared", {"red"}, "", []),
        ("positions", set[str](), "pos", ["positions"]),
        ("说你好吧", {"你好"}, "", ["你好"]),
    ],
)
def test_what_is_set_off(text: str, asked: set[str], begun: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in matches_in(text, asked, begun)] == marked


@pytest.mark.parametrize(
    "text", ["", "\n\n", "one", "a\n\nb\n", "x" * 1_000, "word " * 500, "\n".join(f"line {n}" for n in range(200))]
)
def test_passages_hold_every_line_in_its_place(text: str) -> None:
    passages = list(cut(text))
    assert all(passage.text.strip() and len(passage.text) <= PASSAGE_CHARS for passage in passages)
    assert "".join("".join(passage.text for passage in passages).split()) == "".join(text.split())
    lines = text.split("\n")
    for passage in passages:
        assert passage.text.split("\n")[0] in lines[passage.line - 1]


def test_a_long_line_is_cut_between_words() -> None:
    first, *_ = cut("swan_feeder " * 100)
    assert first.text.split()[-1] == "swan_feeder"
