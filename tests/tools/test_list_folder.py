"""The tool `ls`: a folder at a glance."""

import os
from dataclasses import replace

from tests.tools.workbench import Bench


async def test_folders_come_first_then_files_with_sizes_then_nothing_is_hidden(bench: Bench) -> None:
    for folder in ("zebra", "Apple", ".git"):
        (bench.root / folder).mkdir()
    (bench.root / "b.txt").write_bytes(b"x" * 1_234)
    (bench.root / "A.txt").touch()
    (bench.root / ".hidden").touch()
    (bench.root / "link").symlink_to("zebra")
    (bench.root / "gone").symlink_to("nowhere")
    os.mkfifo(bench.root / "pipe")
    (bench.root / "two\nlines").touch()
    assert (await bench.run("ls", {})).output.splitlines() == [
        ".git/",
        "Apple/",
        "zebra/",
        ".hidden  0",
        "A.txt  0",
        "b.txt  1,234",
        "gone -> nowhere",
        "link -> zebra",
        "pipe  [a pipe (FIFO)]",
        r"'two\nlines'  0",
    ]


async def test_many_entries_are_capped_and_counted(bench: Bench) -> None:
    (bench.root / "many").mkdir()
    for number in range(1_100):
        (bench.root / "many" / f"{number:04}").touch()
    roomy = Bench(replace(bench.workplace, output_limit_bytes=50_000))
    lines = (await roomy.run("ls", {"path": "many"})).output.splitlines()
    assert lines[0] == "0000  0"
    assert lines[-1].startswith("[shown: 1,000 of 1,100 entries")
    tight = Bench(replace(bench.workplace, output_limit_bytes=500))
    output = (await tight.run("ls", {"path": "many"})).output
    assert len(output.encode()) <= 500
    assert "of 1,100 entries" in output


async def test_an_empty_folder_says_so(bench: Bench) -> None:
    (bench.root / "empty").mkdir()
    assert (await bench.run("ls", {"path": "empty"})).output == "[the folder is empty]"


async def test_what_is_no_folder_is_explained(bench: Bench) -> None:
    (bench.root / "a.txt").touch()
    assert "is a file, not a folder: use `read`" in (await bench.run("ls", {"path": "a.txt"})).output
    missing = await bench.run("ls", {"path": "nowhere"})
    assert missing.is_error
    assert "nowhere cannot be opened: No such file" in missing.output
    assert "`folder` is not known" in (await bench.run("ls", {"folder": "x"})).output


async def test_a_folder_outside_needs_approval(bench: Bench) -> None:
    assert (await bench.run("ls", {"path": ".."})).is_error
    assert "workspace/" in (await bench.run("ls", {"path": ".."}, approved=True)).output
