"""The commands that the README begins with do on a fresh clone what it says: the first sets up, then each works."""

import re
from pathlib import Path

import pytest

from tests.packaging.ways import clean_environment, clone_into, run, shown_lines
from tests.ui.pty_host import PtyHost

pytestmark = [pytest.mark.packaging, pytest.mark.usefixtures("fetching")]

SECONDS_TO_SET_UP = 600.0
# A part of the suite stands for all of it, which has just been run: CI does nothing else before this.
A_PART = "ARGS=tests/domain/test_digest.py tests/house/test_imports.py"


def test_the_commands_of_the_readme_work_on_a_fresh_clone_one_after_the_other(tmp_path: Path) -> None:
    make_run, make_test, make_demo = shown_lines("README.md", "make")
    assert (make_run, make_test, make_demo) == (["make", "run"], ["make", "test"], ["make", "demo"])
    clone = clone_into(tmp_path / "clone")
    # The home stays: how packages are fetched may be told there. What diligent keeps goes elsewhere.
    folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = clean_environment(**folders)
    opens(make_run, "built-in rehearsal engine", environment, clone)
    said = run([*make_test, A_PART], clone, environment)
    assert re.search(r"\d+ passed", said)
    assert "failed" not in said
    opens(make_demo, "F12", environment, clone)


def opens(argv: list[str], wanted: str, environment: dict[str, str], clone: Path) -> None:
    """The command shows its screen, and ctrl+q leaves it."""
    with PtyHost(argv, environment, clone) as host:
        host.read_until(wanted, SECONDS_TO_SET_UP)
        host.send(b"\x11")
        assert host.wait() == 0
