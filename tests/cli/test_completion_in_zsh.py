"""The script for zsh is understood by zsh; collected only where that is installed."""

import subprocess
from pathlib import Path

from diligent_tui.cli.completion_words import places_of
from diligent_tui.cli.shells import zsh
from diligent_tui.cli.word_tree import command_tree


def test_zsh_understands_the_script(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(zsh.script(places_of(command_tree())), encoding="utf-8")
    done = subprocess.run(["zsh", "-n", str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
