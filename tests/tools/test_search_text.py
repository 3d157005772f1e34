"""The tool `grep`, searching with Python; that ripgrep finds the same is tested where it is installed."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.tools.builtin.search_text import line_text
from diligent_tui.tools.searching import search
from diligent_tui.tools.searching.patterns import NotUnderstood, read_pattern
from diligent_tui.tools.searching.programs import Hit, find_ripgrep
from tests.tools.workbench import Bench, open_files


@pytest.fixture(autouse=True)
def without_ripgrep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")


@pytest.fixture
def project(bench: Bench) -> Bench:
    files = {
        "a.py": "import os\nneedle = 1\n",
        "src/b.ts": "const needle = 2\r\n",
        "src/deep/c.py": "# Needle\n",
        ".github/ci.yml": "needle: yes\n",
        "build/out.py": "needle\n",
        ".git/config": "needle\n",
        ".diligent/sessions/s/x.txt": "needle\n",
        ".env": "needle=secret\n",
        ".gitignore": "build/\n",
    }
    for name, text in files.items():
        path = bench.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
    return bench


async def test_hits_come_with_path_and_line_in_order(project: Bench) -> None:
    output = (await project.run("grep", {"pattern": "needle"})).output
    assert output.split("\n") == [
        "a.py:2:needle = 1",
        ".github/ci.yml:1:needle: yes",
        "src/b.ts:1:const needle = 2",
        "[not searched, looks like a secret: .env; name it as `path` to search it]",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"pattern": "needle", "path": "src", "ignoreCase": True},
            ["src/b.ts:1:const needle = 2", "src/deep/c.py:1:# Needle"],
        ),
        ({"pattern": "(?i)needle", "path": "src/", "glob": "*.py"}, ["src/deep/c.py:1:# Needle"]),
        ({"pattern": "needle", "path": "a.py"}, ["a.py:2:needle = 1"]),
        ({"pattern": "needle", "glob": "*.{py,ts}", "filesOnly": "true"}, ["a.py", "src/b.ts"]),
        ({"pattern": r"^const .* \d$"}, ["src/b.ts:1:const needle = 2"]),
        ({"pattern": "needle", "path": "build"}, ["build/out.py:1:needle"]),
        ({"pattern": "needle", "path": ".diligent"}, [".diligent/sessions/s/x.txt:1:needle"]),
        ({"pattern": "needle", "path": ".diligent/sessions/s/x.txt"}, [".diligent/sessions/s/x.txt:1:needle"]),
        ({"pattern": "nowhere", "path": "src"}, ["[nothing found in 2 files]"]),
        (
            {"pattern": "needle = 1 (", "path": "a.py"},
            [
                "[nothing found in 1 file]",
                "[searched as plain text, for as a pattern it fails: missing ), unterminated subpattern]",
            ],
        ),
    ],
)
async def test_where_and_how_can_be_chosen(project: Bench, arguments: JsonObject, expected: list[str]) -> None:
    output = (await project.run("grep", arguments)).output
    assert [line for line in output.split("\n") if "looks like a secret" not in line] == expected


async def test_binary_special_and_closed_files_are_named_or_passed_over(bench: Bench) -> None:
    (bench.root / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nneedle")
    (bench.root / "b.bin").write_bytes(b"\0needle")
    os.mkfifo(bench.root / "pipe")
    (bench.root.parent / "outside").write_text("needle\n")
    (bench.root / "link").symlink_to(bench.root.parent / "outside")
    (bench.root / "folder-link").symlink_to(bench.root.parent)
    with (bench.root / "huge").open("wb") as file:
        file.truncate(100_000_001)
    outcome = await asyncio.wait_for(bench.run("grep", {"pattern": "needle"}), 20)
    assert outcome.output.split("\n") == [
        "[nothing found in 0 files]",
        "[not searched, binary: a.png, b.bin]",
        "[not searched, larger than 100,000,000 bytes: huge]",
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("é needle\n".encode("utf-16"), "f:1:é needle"),
        (b"\xef\xbb\xbfneedle\n", "f:1:needle"),
        ("needle\n".encode("utf-32"), "f:1:needle"),
        (b"caf\xe9 needle\n", "f:1:caf\ufffd needle"),
        (b"\n" * 3_000_000 + b"needle", "f:3000001:needle"),
        (b"x" * 9_000 + b"\0needle\n", "needle"),
        (b"needle\x1b[2J\n", "f:1:needle\x1b[2J"),
    ],
)
async def test_every_encoding_is_searched(bench: Bench, data: bytes, expected: str) -> None:
    (bench.root / "f").write_bytes(data)
    assert expected in (await bench.run("grep", {"pattern": "needle"})).output


async def test_what_is_no_text_is_matched_by_nothing(bench: Bench) -> None:
    (bench.root / "f").write_bytes(b"caf\xe9 x\ncafe x\n")
    assert (await bench.run("grep", {"pattern": "caf. x"})).output == "f:2:cafe x"
    assert (await bench.run("grep", {"pattern": "caf[^a] x"})).output == "f:2:cafe x"
    assert (await bench.run("grep", {"pattern": r"caf\S x"})).output == "f:2:cafe x"


@pytest.mark.parametrize("name", ["-rf", "a\nb", "a\x1b[2Jb", "é", "a:1:b", " "])
async def test_hostile_names_are_only_names(bench: Bench, name: str) -> None:
    (bench.root / name).write_text("needle\n")
    output = (await bench.run("grep", {"pattern": "needle"})).output
    assert output.endswith(":1:needle")
    assert output.count("\n") == 0
    assert "\x1b" not in output


async def test_a_pattern_that_never_ends_is_ended(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LONGEST_SEARCH_SECONDS", 0.5)
    (bench.root / "f").write_text("a" * 60 + "!\n")
    outcome = await asyncio.wait_for(bench.run("grep", {"pattern": r"^(a+)+\1$"}), 20)
    assert "[stopped after 0.5 s, 1 files; there may be more: narrow `path`, `glob` or `pattern`]" in outcome.output


async def test_cancelling_ends_the_search(bench: Bench) -> None:
    (bench.root / "f").write_text("a" * 60 + "!\n")
    before = open_files()
    task = asyncio.create_task(bench.run("grep", {"pattern": r"^(a+)+\1$"}))
    async with asyncio.timeout(20):
        while open_files() == before:
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(20):
        while open_files() > before:
            await asyncio.sleep(0.01)


async def test_a_flood_of_hits_is_cut_and_whole_in_a_file(bench: Bench) -> None:
    (bench.root / "f").write_text("".join(f"needle {number}\n" for number in range(5_000)))
    outcome = await bench.run("grep", {"pattern": "needle"})
    assert len(outcome.output.encode()) <= bench.workplace.output_limit_bytes
    assert outcome.output.startswith("f:1:needle 0\n")
    assert outcome.output.endswith("f:5000:needle 4999")
    assert "of 5,000 lines. All are in .diligent/sessions/s/0a1b2c3d.txt" in outcome.output
    assert outcome.spill == "0a1b2c3d.txt"
    whole = (bench.workplace.spill_folder / "0a1b2c3d.txt").read_text().split("\n")
    assert len(whole) == 5_001
    again = await bench.run("grep", {"pattern": "needle 2500", "path": ".diligent/sessions/s/0a1b2c3d.txt"})
    assert "f:2501:needle 2500" in again.output


async def test_there_is_an_end_to_all_hits(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_HITS", 10)
    (bench.root / "f").write_text("x\n" * 50)
    lines = (await bench.run("grep", {"pattern": "x"})).output.split("\n")
    assert len(lines) == 11
    assert lines[-1].startswith("[stopped at 10 hits")


async def test_many_files_go_in_batches(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_FILES_AT_ONCE", 3)
    for number in range(8):
        (bench.root / f"f{number}").write_text("x\n")
    before = open_files()
    lines = (await bench.run("grep", {"pattern": "x"})).output.split("\n")
    assert lines == [f"f{number}:1:x" for number in range(8)]
    assert open_files() == before


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (b"short\r", 1, "short"),
        (b"a" * 400, 1, "a" * 300 + "…"),
        (b"a" * 1_000 + b"needle" + b"b" * 1_000, 1_001, "…" + "a" * 100 + "needle" + "b" * 194 + "…"),
        (b"a" * 400 + b"needle", 401, "…" + "a" * 294 + "needle"),
        ("é".encode() * 400 + b"needle", 801, "…" + "é" * 294 + "needle"),
    ],
)
def test_of_a_long_line_the_part_around_the_hit_is_shown(line: bytes, column: int, expected: str) -> None:
    assert line_text(Hit(3, 1, column, line)) == expected


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "`pattern` is missing"),
        ({"pattern": ""}, "`pattern` is missing"),
        ({"pattern": "a\nb"}, "lines are matched one by one"),
        ({"pattern": "x" * 3_000}, "has 3,000 characters"),
        ({"pattern": "x", "path": "nowhere"}, "nowhere does not exist."),
        ({"pattern": "x", "path": ".."}, "nothing was read"),
        ({"pattern": "x", "path": ".env"}, "nothing was read"),
        ({"pattern": "x", "glob": "../*"}, "use `path`"),
        ({"pattern": "x", "ignoreCase": 3}, "`ignoreCase` must be true or false"),
        ({"pattern": "x", "context": 3}, "`context` is not known here"),
    ],
)
async def test_what_cannot_be_searched_is_explained(project: Bench, arguments: JsonObject, words: str) -> None:
    outcome = await project.run("grep", arguments)
    assert outcome.is_error
    assert words in outcome.output


async def test_a_secret_is_searched_when_the_user_says_yes(project: Bench) -> None:
    assert project.judge("grep", {"pattern": "x", "path": ".env"}).decision == "ask"
    assert project.judge("grep", {"pattern": "x"}, "plan").decision == "allow"
    outcome = await project.run("grep", {"pattern": "needle", "path": ".env"}, approved=True)
    assert outcome.output == ".env:1:needle=secret"


@pytest.mark.parametrize(
    "pattern", [r"\p{L}", "(", "a**", "[z-a]", "[", "(?x)a", r"\x{110000}", "\\", "[[:nope:]]", r"a\nb", "(?"]
)
def test_what_is_no_pattern_is_told_so(pattern: str) -> None:
    with pytest.raises(NotUnderstood):
        read_pattern(pattern, ignores_case=False)


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", r"\Ba", "a*+", "(?<!x)y", r"[^\W_]", "(?>a)"])
def test_what_only_python_can_do_is_left_to_python(pattern: str) -> None:
    assert read_pattern(pattern, ignores_case=False).rust is None


async def test_python_finds_what_only_it_can(bench: Bench) -> None:
    (bench.root / "f").write_text("aa\nab\na_b\n")
    for pattern, lines in ((r"(a)\1", "f:1:aa"), ("a(?=b)", "f:2:ab"), (r"[^\Wa]b", "f:3:a_b"), (r"a\Bb", "f:2:ab")):
        assert (await bench.run("grep", {"pattern": pattern})).output == lines


def test_ripgrep_is_never_a_file_of_the_workspace(bench: Bench) -> None:
    fake = bench.root / "bin" / "rg"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    assert find_ripgrep(bench.workplace, str(fake.parent)) is None
    elsewhere = replace(bench.workplace, root=Path("/nowhere"))
    assert find_ripgrep(elsewhere, str(fake.parent)) == str(fake)
