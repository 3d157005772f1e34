"""What commands may know of our environment, and what /proc shows of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diligent_tui.tools.environment import NOBODY_ANSWERS, command_environment, safe_search_path

HIDING = """
import ctypes, os, subprocess, sys
from diligent_tui.tools.environment import hide_own_environment
worked = hide_own_environment()
dumpable = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
child = subprocess.run(["sh", "-c", "echo $TEST_API_KEY"], capture_output=True, text=True).stdout.strip()
shown = open("/proc/self/environ", "rb").read()
print(worked, dumpable, os.environ["TEST_API_KEY"], child, shown.count(b"canary"), b"LANG=plain" in shown, len(shown))
"""


def test_keys_are_wiped_from_what_proc_shows_and_still_known_to_us() -> None:
    environ = {
        "PATH": os.environ["PATH"],
        "TEST_API_KEY": "canary-1",
        "EMPTY_TOKEN": "",
        "TEAM": "canary-2",
        "LANG": "plain",
    }
    ran = subprocess.run([sys.executable, "-c", HIDING], env=environ, capture_output=True, text=True, check=True)
    length = sum(len(f"{name}={value}") + 1 for name, value in environ.items())
    assert ran.stdout.split() == ["True", "0", "canary-1", "canary-1", "0", "True", str(length)]


@pytest.mark.parametrize(
    ("search_path", "safe"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin"),
        (".:/bin", "/bin"),
        ("/bin::bin:./x", "/bin"),
        ("", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"),
    ],
)
def test_programs_are_looked_for_in_absolute_folders_only(search_path: str, safe: str) -> None:
    assert safe_search_path(search_path) == safe


def test_only_what_is_known_as_harmless_is_handed_on() -> None:
    ours = {"HOME": "/h", "LC_ALL": "C", "LC_SECRET": "s", "AWS_PROFILE": "p", "LD_PRELOAD": "x", "PYTHONPATH": "x"}
    expected = {"HOME": "/h", "LC_ALL": "C", "SHELL": "/bin/sh", "PATH": safe_search_path(""), **NOBODY_ANSWERS}
    assert command_environment(ours, "/bin/sh") == expected


def test_no_answer_that_is_given_for_the_user_is_a_program_of_the_workspace() -> None:
    programs = {NOBODY_ANSWERS[name] for name in ("EDITOR", "VISUAL", "GIT_EDITOR", "PAGER", "GIT_PAGER")}
    assert programs == {"true", "cat"}
    assert all(not Path(name).is_absolute() for name in programs)
