"""A file history that is killed, or finds the disk full, at every single operation loses nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
LEAST_OPERATIONS = 25


@pytest.mark.parametrize("fault", ["kill", "full"])
@pytest.mark.parametrize("act", ["agent", "restore"])
def test_a_history_stopped_anywhere_can_go_back_exactly(tmp_path: Path, act: str, fault: str) -> None:
    command = [sys.executable, "-m", "tests.faults.history_faults", str(tmp_path), act, fault]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2_000:]
    assert int(done.stdout) > LEAST_OPERATIONS
