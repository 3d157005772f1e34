"""The script for bash in a real bash; zsh and fish are looked at where they are installed."""

import subprocess

import pytest

from diligent_tui.cli.completion_words import places_of
from diligent_tui.cli.shells import bash
from diligent_tui.cli.word_tree import command_tree

ASK = """
source /dev/stdin
COMP_WORDS=("$@")
COMP_CWORD=$(( $# - 1 ))
compopt() { :; }
_diligent
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words: str) -> list[str]:
    script = bash.script(places_of(command_tree()))
    done = subprocess.run(
        ["bash", "--norc", "-c", ASK, "bash", "diligent", *words], input=script, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("se",), ["sessions"]),
        (("sessions", "sh"), ["show"]),
        (("config", "set", "compaction.k"), ["compaction.keepRecentTokens"]),
        (("config", "set", "theme", "--pro"), ["--project"]),
        (("--thinking", "m"), ["medium", "max"]),
        (("-p", "hello", "--output-format", "j"), ["json"]),
        (("--model", "offline/"), ["offline/rehearsal"]),
        (("knowledge", "add", "pre"), ["preference"]),
        (("knowledge", "list", "--type", "d"), ["decision", "discovery"]),
        (("schema", "s"), ["settings"]),
        (("completion", ""), ["bash", "zsh", "fish", "-h", "--help"]),
        (("-p", "sessions", "--max-s"), ["--max-steps", "--max-seconds"]),
        (("--max-cost", ""), []),
        (("nothing", "sho"), []),
    ],
)
def test_a_word_is_completed_by_where_it_stands(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered


def test_behind_cwd_stand_folders() -> None:
    assert "/usr" in completed("doctor", "--cwd", "/us")
