"""The tool `glob`: files by their names."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.tools import walking
from diligent_tui.tools.builtin import find_files
from tests.tools.workbench import Bench, open_files


@pytest.fixture
def project(bench: Bench) -> Bench:
    names = ["a.py", "src/b.py", "src/deep/c.py", "src/d.ts", ".github/ci.yml", "build/x.py", "keep.log", "b.log"]
    for name in [*names, ".git/config", ".diligent/sessions/s/1.txt", "sub/ignored.py", "sub/kept.py"]:
        path = bench.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (bench.root / ".gitignore").write_text("build/\n*.log\n!keep.log\n")
    (bench.root / "sub" / ".gitignore").write_text("/ignored.py\n")
    return bench


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"pattern": "*.py"}, ["a.py", "src/b.py", "src/deep/c.py", "sub/kept.py"]),
        ({"pattern": "src/*.py"}, ["src/b.py"]),
        ({"pattern": "src/**"}, ["src/b.py", "src/d.ts", "src/deep/c.py"]),
        ({"pattern": "**/*.{ts,yml}"}, [".github/ci.yml", "src/d.ts"]),
        ({"pattern": "*.log"}, ["keep.log"]),
        ({"pattern": "*.py", "path": "src"}, ["src/b.py", "src/deep/c.py"]),
        ({"pattern": "*", "path": "build"}, ["build/x.py"]),
        ({"pattern": "*.txt", "path": ".diligent"}, [".diligent/sessions/s/1.txt"]),
        ({"pattern": "config"}, ["[none of 9 files fits]"]),
        ({"pattern": "config", "path": ".git"}, [".git/config"]),
    ],
)
async def test_finds_what_git_would_not_ignore(project: Bench, arguments: JsonObject, expected: list[str]) -> None:
    outcome = await project.run("glob", arguments)
    assert outcome.output.split("\n") == expected


async def test_rules_above_the_folder_hold_in_it(project: Bench) -> None:
    (project.root / "src" / "x.log").touch()
    (project.root / ".git" / "info").mkdir()
    (project.root / ".git" / "info" / "exclude").write_text("d.ts\n")
    lines = (await project.run("glob", {"pattern": "*", "path": "src"})).output.split("\n")
    assert lines == ["src/b.py", "src/deep/c.py"]


async def test_links_are_named_and_not_followed(bench: Bench) -> None:
    (bench.root.parent / "outside").mkdir()
    (bench.root.parent / "outside" / "a.py").touch()
    (bench.root / "way-out").symlink_to(bench.root.parent / "outside")
    (bench.root / "loop").symlink_to(".")
    (bench.root / "link.py").symlink_to("nowhere")
    (bench.root / ".gitignore").symlink_to(bench.root.parent / "outside" / "rules")
    assert (await bench.run("glob", {"pattern": "*.py"})).output == "link.py"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "`pattern` is missing"),
        ({"pattern": "*", "path": "a.py"}, "a.py is a file: give a folder as `path`."),
        ({"pattern": "*", "path": "nowhere"}, "nowhere does not exist: give a folder as `path`."),
        ({"pattern": "*", "path": ".."}, "nothing was read"),
        ({"pattern": "/etc/*"}, "use `path`"),
        ({"pattern": "*", "limit": 3}, "`limit` is not known here"),
    ],
)
async def test_what_cannot_be_found_is_explained(project: Bench, arguments: JsonObject, words: str) -> None:
    outcome = await project.run("glob", arguments)
    assert outcome.is_error
    assert words in outcome.output


async def test_a_flood_is_cut_and_whole_in_a_file(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_files, "MOST_FILES", 300)
    for number in range(400):
        (bench.root / f"{number:03}-with-a-rather-long-name.txt").touch()
    small = replace(bench, workplace=replace(bench.workplace, output_limit_bytes=4_000))
    outcome = await small.run("glob", {"pattern": "*"})
    assert len(outcome.output.encode()) <= 4_000
    assert "of 300 lines" in outcome.output
    assert outcome.output.endswith("[stopped at 300 files: narrow the pattern]")
    assert (bench.workplace.spill_folder / str(outcome.spill)).read_text().count(".txt\n") == 300


async def test_a_folder_without_a_floor_has_an_end(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "DEEPEST_FOLDER", 5)
    path = bench.root.joinpath(*"abcdefgh")
    path.mkdir(parents=True)
    (path / "x").touch()
    (bench.root / "a" / "y").touch()
    before = open_files()
    output = (await bench.run("glob", {"pattern": "*"})).output
    assert output == "a/y\n[some folders are too deep and were not entered]"
    assert open_files() == before


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2Jb", "-rf", os.fsdecode(b"caf\xe9")])
async def test_hostile_names_take_one_line(bench: Bench, name: str) -> None:
    Path(bench.root / name).touch()
    output = (await bench.run("glob", {"pattern": "*"})).output
    assert "\n" not in output
    assert output.isprintable()
