"""A stage to get out of; what this machine cannot shut in is not tried, and named at the end."""

import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from diligent_tui.tools.sandbox import cage
from diligent_tui.tools.sandbox.bubblewrap import find_bubblewrap
from diligent_tui.tools.sandbox.landlock import landlock_version
from tests.tools.sandbox.stage import Stage, stage_in

NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc")


def has_bubblewrap() -> bool:
    """True if bubblewrap is installed and this machine lets it work."""
    bwrap = find_bubblewrap()
    return bwrap is not None and subprocess.run([bwrap, *NAMESPACES, "true"], stderr=subprocess.DEVNULL).returncode == 0


def missing() -> dict[str, str]:
    """The test files that cannot be run here, each with what it needs."""
    needs = {"test_bubblewrap.py": has_bubblewrap(), "test_landlock.py": landlock_version() >= 6}
    return {name: name[5:-3] for name, is_there in needs.items() if not is_there}


MISSING = missing()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a file whose backend does not work here; None lets pytest decide as ever."""
    return True if collection_path.name in MISSING else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what could not be tested here."""
    for name, backend in MISSING.items():
        terminalreporter.write_line(f"not run, for {backend} does not work here: {name}")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Stage]:
    monkeypatch.setattr(cage, "SOCKETS", tmp_path / "sockets")
    with stage_in(tmp_path) as made:
        yield made
