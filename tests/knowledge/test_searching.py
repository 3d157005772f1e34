"""Facts are found by their words in any form; the fitting one comes first, and what shares nothing does not come."""

import pytest

from diligent_tui.knowledge.searching import search
from diligent_tui.knowledge.words import matters_of, normalised, stem, terms_of
from tests.knowledge.facts import fact

FACTS = [
    fact("a", "Tests run with make test."),
    fact("b", "The linter is ruff, configured in pyproject.toml."),
    fact("c", "UserService.loadProfile is slow for large teams."),
    fact("d", "测试使用 make test 运行。"),
    fact("e", "Dates are stored in UTC.", kind="decision"),
    fact("f", "The test of the login page is flaky, and so is the login itself."),
]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("how do I run the tests", "a"),
        ("linting configuration", "b"),
        ("load profile", "c"),
        ("userservice", "c"),
        ("运行测试", "d"),
        ("decision dates", "e"),
        ("LOGIN flaky", "f"),
        ("b", "b"),
    ],
)
def test_the_fitting_fact_comes_first(words: str, first: str) -> None:
    assert search(words, FACTS)[0].entry.id == first


@pytest.mark.parametrize("words", ["", "the of and", "penguins", "..."])
def test_what_shares_no_word_is_not_found(words: str) -> None:
    assert search(words, FACTS) == ()


def test_tags_are_searched_too_and_the_most_are_kept() -> None:
    tagged = fact("t", "Use four spaces.").model_copy(update={"tags": ("style",)})
    assert [match.entry.id for match in search("style", [*FACTS, tagged])] == ["t"]
    assert len(search("test", FACTS, most=1)) == 1


@pytest.mark.parametrize(
    "forms",
    [
        ("lint", "lints", "linting", "linter"),
        ("configure", "configured", "configuration"),
        ("deploy", "deployed", "deployment", "deployments"),
        ("run", "running", "runs"),
        ("class", "classes"),
        ("reply", "replies", "replied"),
    ],
)
def test_forms_of_one_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["status", "redis", "8080", "utf8", "gcc"])
def test_what_is_no_form_stays_apart_from_other_words(word: str) -> None:
    assert stem(word) != stem(word[:-1])


def test_a_path_is_many_words_to_find_it_by_and_one_matter() -> None:
    assert {"src", "app"} <= set(terms_of("src/app.py"))
    assert matters_of("src/app.py, v1.4") == {"src/app.py", "v1.4"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("Use `make test`!", "use make test"), ("ＡＢＣ", "abc"), ("a  b\nc", "a b c"), ("C++", "c++")],
)
def test_case_width_and_punctuation_make_no_difference(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


def test_signs_that_matter_do() -> None:
    assert normalised("C++") != normalised("C#")
    assert normalised("...") != normalised("---")
