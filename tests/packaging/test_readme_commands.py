"""The two commands of the README do on a fresh clone what the README says: they set themselves up, then work."""

import re
from pathlib import Path

import pytest

from tests.packaging.ways import ROOT, clean_environment, clone_into, run
from tests.ui.pty_host import PtyHost

pytestmark = pytest.mark.packaging

SECONDS_TO_SET_UP = 600.0


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    return clone_into(tmp_path / "clone")


def test_the_readme_names_two_commands() -> None:
    (first, *_) = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert [line.partition("#")[0].strip() for line in first.splitlines()] == ["make run", "make test"]


def test_make_run_sets_itself_up_and_opens_the_screen(clone: Path, tmp_path: Path) -> None:
    # The home stays: how packages are fetched may be told there. What diligent keeps goes elsewhere.
    folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA", "STATE")}
    with PtyHost(["make", "run"], clean_environment(**folders), clone) as host:
        host.read_until("built-in rehearsal engine", SECONDS_TO_SET_UP)
        host.send(b"\x11")
        assert host.wait() == 0


def test_make_test_sets_itself_up_and_runs_the_suite(clone: Path) -> None:
    """A part of it stands for all: the whole is what CI runs just before."""
    said = run(["make", "test", "ARGS=tests/domain/test_digest.py tests/house/test_imports.py"], clone)
    assert re.search(r"\d+ passed", said)
    assert "failed" not in said
