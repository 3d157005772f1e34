"""The script for fish is understood by fish; collected only where that is installed."""

import subprocess
from pathlib import Path

from diligent_tui.cli.completion_words import places_of
from diligent_tui.cli.shells import fish
from diligent_tui.cli.word_tree import command_tree


def test_fish_understands_the_script(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(fish.script(places_of(command_tree())), encoding="utf-8")
    done = subprocess.run(["fish", "-n", str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_fish_offers_the_words_of_a_place(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(fish.script(places_of(command_tree())), encoding="utf-8")
    ask = f"source '{script}'; complete -C 'diligent sessions sh'"
    done = subprocess.run(["fish", "--no-config", "-c", ask], capture_output=True, text=True)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["show"]
