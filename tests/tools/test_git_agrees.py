"""Git leaves out the same files as we do; collected only where git is installed."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from diligent_tui.tools.ignoring import IgnoreRules

PIECES = some.sampled_from(["a", "b", "*", "**", "?", "/", "!", "[ab]", "[^a]", "\\*", "\\a", " ", "ab", "#"])
LINES = some.lists(some.lists(PIECES, min_size=1, max_size=6).map("".join), min_size=1, max_size=4)
PATHS = ("a", "b", "ab", "a b", "a/a", "a/b", "a/ab", "b/a/b", "a/b/a")


@given(lines=LINES)
def test_git_says_the_same(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    folder = tmp_path_factory.getbasetemp() / "ignoring"
    if not folder.is_dir():
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
    text = "\n".join(lines)
    (folder / ".gitignore").write_text(text)
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=folder,
        input="\0".join(PATHS).encode(),
        capture_output=True,
    )
    rules = IgnoreRules().with_file(text, ())
    ours = {path for path in PATHS if _is_left_out(rules, Path(path).parts)}
    assert ours == set(asked.stdout.decode().split("\0")) - {""}


def _is_left_out(rules: IgnoreRules, names: tuple[str, ...]) -> bool:
    folders = range(1, len(names))
    return any(rules.ignores(names[:depth], is_folder=True) for depth in folders) or rules.ignores(names, False)
