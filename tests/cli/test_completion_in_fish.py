"""The script for fish in a real fish; collected only where that is installed."""

import subprocess
from pathlib import Path

import pytest

from diligent_tui.cli.completion_words import places_of
from diligent_tui.cli.shells import fish
from diligent_tui.cli.word_tree import command_tree
from tests.cli.completions import OFFERED, bare, place_with_files


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script"
    path.write_text(fish.script(places_of(command_tree())), encoding="utf-8")
    return path


def test_fish_understands_the_script(script: Path) -> None:
    done = subprocess.run(["fish", "-n", str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_fish_completes_a_word_by_where_it_stands(script: Path, tmp_path: Path) -> None:
    ask = "source $argv[1]; for line in $argv[2..]; complete -C $line; echo END; end"
    lines = [" ".join(("diligent", *words)) for words in OFFERED]
    done = subprocess.run(
        ["fish", "--no-config", "-c", ask, str(script), *lines],
        cwd=place_with_files(tmp_path),
        capture_output=True,
        text=True,
    )
    found = [
        {bare(line.partition("\t")[0]) for line in answer.splitlines()} for answer in done.stdout.split("END\n")[:-1]
    ]
    assert found == list(OFFERED.values())
