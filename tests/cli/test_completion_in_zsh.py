"""The script for zsh in a real zsh at a terminal; collected only where that is installed."""

import subprocess
from pathlib import Path

import pytest

from diligent_tui.cli.completion_words import places_of
from diligent_tui.cli.shells import zsh
from diligent_tui.cli.word_tree import command_tree
from tests.cli.completions import OFFERED, SHOW, offered_at_terminal, place_with_files

INSERT_ALL = """
bindkey -e
zle -C all-matches complete-word _generic
bindkey '^Xa' all-matches
zstyle ':completion:all-matches:*' insert true
zstyle ':completion:all-matches::::' completer _all_matches _complete
"""
SOURCED = "autoload -U compinit; compinit -D -u; source $HOME/_diligent"
IN_FPATH = "fpath=($HOME $fpath); autoload -U compinit; compinit -D -u"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "_diligent"
    path.write_text(zsh.script(places_of(command_tree())), encoding="utf-8")
    return path


def test_zsh_understands_the_script(script: Path) -> None:
    done = subprocess.run(["zsh", "-n", str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("way", [SOURCED, IN_FPATH], ids=["sourced", "in fpath"])
def test_zsh_completes_a_word_by_where_it_stands(way: str, script: Path) -> None:
    home = script.parent
    (home / ".zshrc").write_text(SHOW + way + INSERT_ALL, encoding="utf-8")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
    assert offered_at_terminal(["zsh", "-d", "-i"], environment, place_with_files(home), b"\x18a") == dict(OFFERED)
