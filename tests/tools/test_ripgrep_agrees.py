"""Ripgrep and Python find the same; collected only where ripgrep is installed."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from diligent_tui.tools.searching.patterns import NotUnderstood, Pattern, read_literal, read_pattern
from diligent_tui.tools.searching.programs import Hit, Searcher, python_searcher, ripgrep_searcher, run_searcher
from tests.tools.workbench import Bench

RIPGREP = str(shutil.which("rg"))
PLAIN = ["a", "b", "A", "é", "É", "日", " ", "-", ".", "^", "$", "|", "&&", "~~", "#", "{", "}", r"\.", r"\(", r"\t"]
SETS = ["[ab]", "[^ab]", "[a-c-]", "[]x]", "[[:alpha:]]", "[&&a]", r"[\s\S]", r"[\w-]", r"[^\s]", r"[\Wa]", r"\x41"]
SIGNS = [r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\b", r"\u00e9", "(a|b)", "(?:ab)", "(?P<n>a)"]
REPEATS = ["*", "+", "?", "*?", "{2}", "{1,2}"]
PIECES = some.sampled_from([*PLAIN, *SETS, *SIGNS, *REPEATS])
PATTERNS = some.lists(PIECES, min_size=1, max_size=5).map("".join)
LETTERS = [b"a", b"b", b"A", b"ab", b"4", b"_", "é".encode(), "É".encode(), "日".encode(), b"{", b"}", b"&", b"(", b"."]
ODDITIES = [b" ", b"\t", b"-", b"\xe9", b"\xff", b"\0", b"\r", b"\x1c", b"\x85", "\u2028".encode()]
LINES = some.lists(some.sampled_from([*LETTERS, *ODDITIES]), max_size=6).map(b"".join)
TEXTS = some.lists(LINES, max_size=5).flatmap(
    lambda lines: some.sampled_from([b"\n", b"\r\n"]).map(lambda newline: newline.join(lines))
)


def found(searcher: Searcher | None, paths: Sequence[Path]) -> list[Hit]:
    assert searcher
    files = [os.open(path, os.O_RDONLY) for path in paths]
    try:
        hits = list(run_searcher(searcher, files, lambda: False))
        return [Hit(files.index(hit.file), hit.line, hit.column, hit.text) for hit in hits]
    finally:
        for file in files:
            os.close(file)


def both(pattern: Pattern, paths: Sequence[Path], most_hits: int = 0) -> tuple[list[Hit], list[Hit]]:
    ripgrep = ripgrep_searcher(RIPGREP, pattern, most_hits)
    return found(ripgrep, paths), found(python_searcher(pattern, most_hits), paths)


@given(given_pattern=PATTERNS, texts=some.lists(TEXTS, min_size=1, max_size=3), ignores_case=some.booleans())
def test_every_pattern_finds_the_same(
    tmp_path_factory: pytest.TempPathFactory, given_pattern: str, texts: list[bytes], ignores_case: bool
) -> None:
    try:
        pattern = read_pattern(given_pattern, ignores_case)
    except NotUnderstood:
        pattern = read_literal(given_pattern, ignores_case)
    if pattern.rust is None:
        return
    paths = [tmp_path_factory.getbasetemp() / f"agree-{number}" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
    ripgrep, python = both(pattern, paths)
    assert ripgrep == python


def test_the_first_hit_of_each_file_is_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        path.write_text("x\ny\nx\n")
    ripgrep, python = both(read_pattern("x", ignores_case=False), paths, most_hits=1)
    assert ripgrep == python == [Hit(0, 1, 1, b"x"), Hit(1, 1, 1, b"x")]


@pytest.mark.parametrize("name", ["a.txt", "-rf", "a\nb", "é.txt", "sub/deep.txt"])
async def test_the_tool_answers_the_same_with_and_without_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (bench.root / "sub").mkdir()
    (bench.root / ".gitignore").write_text("*.log\n")
    (bench.root / "skip.log").write_text("needle\n")
    (bench.root / name).write_text("hay\na needle here\n")
    (bench.root / "wide.txt").write_text("needle\n", "utf-16")
    (bench.root / "b.bin").write_bytes(b"needle\0")
    with_it = await bench.run("grep", {"pattern": r"\bne+dle"})
    monkeypatch.setenv("PATH", "/nowhere")
    assert await bench.run("grep", {"pattern": r"\bne+dle"}) == with_it
    assert "a needle here" in with_it.output
    assert "wide.txt:1:needle" in with_it.output
