"""Random cases are the same in every run of the suite; `make soak` looks for new ones.

Tests that need a program which few machines have are collected only where it is installed, and the end of a run says
which were not.
"""

import gc
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None, max_examples=1_000)
settings.load_profile("steady")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "test_export_in_browser.py": BROWSERS,
        "test_completion_in_fish.py": ("fish",),
        "test_completion_in_zsh.py": ("zsh",),
        "test_git_agrees.py": ("git",),
        "test_ripgrep_agrees.py": ("rg",),
    }
)
"""Test files, each with the programs of which one must be there."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """One may ask for every picture there is, and accept them all as they are now."""
    parser.addoption("--all-pictures", action="store_true", help="compare every size and theme of each picture")
    parser.addoption("--accept-pictures", action="store_true", help="store every picture as it is now")


def is_missing(programs: tuple[str, ...]) -> bool:
    """True if none of the programs is installed."""
    return not any(map(shutil.which, programs))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a file whose program is not there; None lets pytest decide as ever."""
    return True if is_missing(OPTIONAL.get(collection_path.name, ("sh",))) else None


def pytest_collection_finish() -> None:
    """What was collected stays to the end, so it need not be looked through for garbage all the time."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what could not be tested here."""
    for name, programs in OPTIONAL.items():
        if is_missing(programs):
            terminalreporter.write_line(f"not run, for {programs[0]} is not installed: {name}")
