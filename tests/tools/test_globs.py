"""Patterns for paths."""

import pytest

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.globs import alternatives, compile_glob, file_globs


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/a.py", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/b/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/c/a.py", True),
        ("src/**/*.py", "other/a.py", False),
        ("**/a/**/b", "a/b", True),
        ("**/a/**/b", "x/a/y/z/b", True),
        ("**/a/**/b", "x/a/y/z", False),
        ("src/**", "src/a", True),
        ("src/**", "src", False),
        ("**", "a/b", True),
        ("./a", "a", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[ab].txt", "b.txt", True),
        ("[!ab].txt", "b.txt", False),
        ("[^ab].txt", "b.txt", False),
        (r"\*.txt", "*.txt", True),
        (r"\*.txt", "a.txt", False),
        (r"a\b", "ab", True),
        ("*", ".hidden", True),
        ("A.py", "a.py", False),
        ("*/b/**/c/*/e", "a/b/c/x/c/d/e", True),
        ("", "a", False),
    ],
)
def test_a_pattern_fits_whole_paths_name_by_name(pattern: str, path: str, fits: bool) -> None:
    assert compile_glob(pattern).matches(path.split("/")) is fits


def test_hostile_patterns_take_no_time() -> None:
    assert not compile_glob("*a" * 60).matches(["a" * 250 + "b"])
    assert not compile_glob("/".join(["**", "a"] * 60)).matches(["a"] * 500 + ["b"])


def test_braces_are_written_out_and_counted() -> None:
    assert alternatives("{a,b}.{py,ts}") == ["a.py", "a.ts", "b.py", "b.ts"]
    assert alternatives("{a,{b,c}}") == ["a", "b", "c"] or set(alternatives("{a,{b,c}}")) == {"a", "b", "c"}
    assert alternatives("plain{x}") == ["plain{x}"]
    with pytest.raises(ToolError, match="more than 64 alternatives"):
        alternatives("{a,b}" * 30)


@pytest.mark.parametrize("pattern", ["/etc/*", "~/x", "../*", "a/../b"])
def test_a_pattern_cannot_climb(pattern: str) -> None:
    with pytest.raises(ToolError, match="use `path`"):
        file_globs(pattern)


def test_a_pattern_without_a_folder_is_for_every_folder() -> None:
    (glob,) = file_globs("*.py")
    assert glob.matches(["a.py"])
    assert glob.matches(["deep", "down", "a.py"])
    assert file_globs("") == []
