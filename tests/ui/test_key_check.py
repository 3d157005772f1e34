"""What is wrong with the keys that a user chose is told; the rest of them is used."""

import re

import pytest

from diligent_tui.config.jsonc import parse
from diligent_tui.ui.commands import COMMANDS
from diligent_tui.ui.commands.key_check import check_keys, usable_keys
from diligent_tui.ui.screens.keys_page import keys_page


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        ("treee", "f14", "`treee` names no command. Did you mean `tree`?"),
        ("wibble", "f14", "`wibble` names no command. docs/keys.md lists the names."),
        ("tree", "wibble+q", "`wibble+q` cannot be the key of `tree`. Write a character as it is typed"),
        ("tree", "Ctrl+B", "Did you mean ctrl+b?"),
        ("tree", "control-b", "Did you mean ctrl+b?"),
        ("tree", "F15", "Did you mean f15?"),
        ("tree", "f25", "`f25` cannot be the key of `tree`."),
        ("tree_label", "shift+l", "Did you mean L?"),
        ("tree_label", "shift+ctrl+up", "Did you mean ctrl+shift+up?"),
        ("tree_label", "esc", "Did you mean escape?"),
        ("tree_label", "pgdn", "Did you mean pagedown?"),
        ("tree_label", "ctrl+i", "In a terminal it is the same as tab."),
        ("tree_label", " ", "Write space for the space bar"),
        ("tree_label", ",", "a comma stands between keys"),
        ("stash", "x", "`x` cannot be the key of `stash`. There it is typed."),
        ("submit", "", "`submit` cannot be without a key. Ours is enter."),
        ("stop", "", "`stop` cannot be without a key. Ours is escape."),
        ("history", "f14", "The key of `history` cannot be changed. Take it out; ↑ stays as it is."),
        ("leave", "f14", "The key of `leave` cannot be changed."),
    ],
)
def test_what_cannot_be_used_is_told_and_left_out(name: str, said: str, told: str) -> None:
    chosen = {name: said, "zoom": "f15"}
    (fault,) = check_keys(chosen)
    assert fault.name == name
    assert told in f"{fault.message} {fault.advice}"
    assert usable_keys(chosen) == {"zoom": "f15"}


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"tree": "f12"}, "`f12` is the key of `tree` and of `guide_next`."),
        ({"tree_label": "n"}, "`n` is the key of `tree_label` and of `tree_next_match`."),
        ({"tree_label": "?"}, "`?` is the key of `tree_label` and of `help`."),
        ({"zoom": "ctrl+t"}, "`ctrl+t` is the key of `zoom` and of `stash`."),
        ({"tree": "f14", "tools": "f14"}, "`f14` is the key of `tree` and of `tools`."),
        ({"tree": "ctrl+a"}, "`ctrl+a` is the key of `tree`, and in the prompt a key for editing: line start."),
        ({"stash": "ctrl+k"}, "in the prompt a key for editing: kill to end."),
    ],
)
def test_two_commands_on_one_key_are_told_once_and_used(chosen: dict[str, str], told: str) -> None:
    (fault,) = check_keys(chosen)
    assert told in fault.message
    assert "another key" in fault.advice
    assert usable_keys(chosen) == chosen


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"tree": "f3", "tools": "f2"},
        {"help": ""},
        {"tree_label": "L, alt+l"},
        {"tool_back": "escape,Q"},
        {"newline": "enter", "submit": "ctrl+enter"},
        {"tree_label": "ü"},
        {"tree_fork": "n", "tree_next_match": ""},
    ],
)
def test_keys_that_nothing_is_wrong_with_are_let_be(chosen: dict[str, str]) -> None:
    assert check_keys(chosen) == ()


def test_blanks_between_keys_are_taken_out() -> None:
    assert usable_keys({"tree_label": " L , alt+l "}) == {"tree_label": "L,alt+l"}


def test_our_own_keys_are_spelled_as_we_ask_for_it() -> None:
    ours = {command.id: command.keys for command in COMMANDS if not command.is_fixed and command.keys}
    assert check_keys(ours) == ()


def test_the_example_of_the_page_about_keys_passes_the_check() -> None:
    (example,) = re.findall(r"```jsonc\n(.*?)```", keys_page(), re.DOTALL)
    value = parse(example).value
    assert isinstance(value, dict)
    keys = value["keys"]
    assert isinstance(keys, dict)
    assert keys
    assert check_keys({name: str(key) for name, key in keys.items()}) == ()


def test_the_page_about_keys_offers_no_name_for_a_key_that_cannot_be_changed() -> None:
    page = keys_page()
    assert "| `up` |  | fixed | Earlier prompts" in page
    assert "`history`" not in page
    assert "| `f1`, `?` | `/help` | `help` |" in page
