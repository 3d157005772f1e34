"""Runs the real command in a project and a home of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    # Its own project, whatever stands in the folders above.
    (folder / ".git").mkdir(parents=True)
    (folder / "README.md").write_text("# Swans\n\nseven of them\n")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(tmp_path / "home"), "PYTHONUTF8": "1"}


@pytest.fixture
def run(project: Path, environment: dict[str, str]) -> Run:
    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "diligent_tui.cli.main", *words],
            cwd=project,
            env={**environment, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )

    return run
