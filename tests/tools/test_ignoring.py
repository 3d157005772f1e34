"""Which files git leaves out."""

import pytest

from diligent_tui.tools.ignoring import IgnoreRules


@pytest.mark.parametrize(
    ("lines", "path", "ignored"),
    [
        ("*.log", "a.log", True),
        ("*.log", "deep/a.log", True),
        ("/a.log", "deep/a.log", False),
        ("deep/a.log", "deep/a.log", True),
        ("deep/a.log", "x/deep/a.log", False),
        ("**/deep/a.log", "x/deep/a.log", True),
        ("build/", "build", False),
        ("build/", "build/", True),
        ("build/", "x/build/", True),
        ("*.log\n!keep.log", "keep.log", False),
        ("!keep.log\n*.log", "keep.log", True),
        ("# not a rule", "# not a rule", False),
        (r"\#file", "#file", True),
        (r"\!file", "!file", True),
        ("name   ", "name", True),
        ("name\\ ", "name ", True),
        ("name\r\n*.x\r", "name", True),
        ("doc/**", "doc/a/b", True),
        ("doc/**", "doc/", False),
        ("a/**/b", "a/b", True),
        ("", "a", False),
        ("/", "a", False),
        ("foo*", "foobar", True),
        ("[ab]", "b", True),
    ],
)
def test_the_last_line_that_fits_decides(lines: str, path: str, ignored: bool) -> None:
    rules = IgnoreRules().with_file(lines, ())
    assert rules.ignores(path.rstrip("/").split("/"), path.endswith("/")) is ignored


def test_rules_of_a_folder_are_counted_from_it_and_come_after_those_above() -> None:
    rules = IgnoreRules().with_file("*.log\n/only-here", ()).with_file("!keep.log\n/top", ("sub",))
    assert not rules.ignores(["sub", "keep.log"], is_folder=False)
    assert rules.ignores(["sub", "other.log"], is_folder=False)
    assert rules.ignores(["sub", "top"], is_folder=False)
    assert not rules.ignores(["top"], is_folder=False)
    assert not rules.ignores(["sub", "only-here"], is_folder=False)
