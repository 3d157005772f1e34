"""What a sent text asks for, if it begins with a slash."""

import pytest

from diligent_tui.ui.commands.slash import is_command, nearest_words, split_command


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("/mode plan", True),
        ("/", True),
        ("/search src/main.py", True),
        ("/etc/hosts is wrong, fix it", False),
        ("// a comment", False),
        ("/etc/hosts", False),
        ("what does /mode do?", False),
        ("", False),
    ],
)
def test_a_path_is_no_command(text: str, is_one: bool) -> None:
    assert is_command(text) == is_one


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("/mode", ("mode", "")),
        ("/mode  plan ", ("mode", "plan")),
        ("/remember one\n two", ("remember", "one\n two")),
        ("/remember\none", ("remember", "one")),
        ("/ mode", ("", "mode")),
        ("/", ("", "")),
    ],
)
def test_a_command_is_a_word_and_what_follows_it_as_it_was_written(text: str, parts: tuple[str, str]) -> None:
    assert split_command(text) == parts


@pytest.mark.parametrize(
    ("word", "meant"),
    [("modle", "model"), ("serach", "search"), ("compat", "compact"), ("se", "search"), ("mod", "mode")],
)
def test_what_was_meant_is_named(word: str, meant: str) -> None:
    assert meant in nearest_words(word)


@pytest.mark.parametrize("word", ["", "zzz"])
def test_what_is_like_no_command_names_none(word: str) -> None:
    assert nearest_words(word) == []
