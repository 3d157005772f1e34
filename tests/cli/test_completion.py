"""The script for bash in a real bash at a terminal; zsh and fish have tests of their own, where they are installed."""

from pathlib import Path

from diligent_tui.cli.completion_words import places_of
from diligent_tui.cli.shells import bash
from diligent_tui.cli.word_tree import command_tree
from tests.cli.completions import OFFERED, SHOW, offered_at_terminal, place_with_files


def test_bash_completes_a_word_by_where_it_stands(tmp_path: Path) -> None:
    started = tmp_path / "started"
    started.write_text(SHOW + bash.script(places_of(command_tree())), encoding="utf-8")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "INPUTRC": "/dev/null"}
    argv = ["bash", "--noprofile", "--rcfile", str(started), "-i"]
    assert offered_at_terminal(argv, environment, place_with_files(tmp_path), b"\x1b*") == dict(OFFERED)
