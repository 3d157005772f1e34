"""Runs the real command in a project and a home of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = (sys.executable, "-m", "diligent_tui.cli.main")


class Start(Protocol):
    """Starts the command with pipes, for a test that meddles while it runs."""

    def __call__(self, *words: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]: ...


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
    def run(*words: str, piped: bytes = b"", **more: str) -> subprocess.CompletedProcess[str]:
        child = subprocess.Popen(
            [*COMMAND, *words],
            cwd=project,
            env={**environment, **more},
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = child.communicate(piped or None, timeout=60)
        return subprocess.CompletedProcess(child.args, child.returncode, out.decode(), err.decode())

    return run


@pytest.fixture
def start(project: Path, environment: dict[str, str]) -> Start:
    def start(*words: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*COMMAND, *words],
            cwd=project,
            env=environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    return start
