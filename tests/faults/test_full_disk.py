"""A disk that is full, and then is not: the prompt is refused with its sentence, and a retry saves it once."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.faults.full_disk import PAGE_BYTES, fill_up

TOP = Path(__file__).parents[2]


class MadeUpLimit:
    """Fails writes once so many bytes are written, and takes what fits of the last."""

    def __init__(self, real: Callable[[int, memoryview], int]) -> None:
        self._real = real
        self._left: int | None = None

    def leave(self, pages: int) -> None:
        self._left = pages * PAGE_BYTES

    def free(self) -> None:
        self._left = None

    def write(self, descriptor: int, data: memoryview) -> int:
        if self._left is None:
            return self._real(descriptor, data)
        if self._left == 0 and len(data):
            raise OSError(errno.ENOSPC, "made up")
        size = self._real(descriptor, data[: self._left])
        self._left -= size
        return size


@pytest.fixture
def limit() -> Generator[MadeUpLimit]:
    with pytest.MonkeyPatch.context() as patch:
        limit = MadeUpLimit(os.write)
        patch.setattr(os, "write", limit.write)
        yield limit


async def test_a_disk_of_made_up_size_fills_up_in_every_phase(tmp_path: Path, limit: MadeUpLimit) -> None:
    outcomes = await fill_up(tmp_path, limit)
    assert {outcome.rpartition(" ")[2] for outcome in outcomes} == {"refused", "saved"}


def may_mount(folder: Path) -> bool:
    """Whether this machine lets us mount in a namespace of our own."""
    if not shutil.which("unshare") or not shutil.which("mount"):
        return False
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", str(folder)]
    return subprocess.run(probe, capture_output=True).returncode == 0


async def test_a_real_disk_fills_up_in_every_phase(tmp_path: Path, limit: MadeUpLimit) -> None:
    """On a tmpfs of 256 KB; where none may be mounted, with a made-up limit again."""
    if may_mount(tmp_path):
        command = ["unshare", "-rm", sys.executable, "-m", "tests.faults.full_disk", str(tmp_path)]
        played = subprocess.run(command, cwd=TOP, capture_output=True, text=True)
        assert played.returncode == 0, played.stderr
        outcomes = played.stdout.splitlines()
    else:
        outcomes = await fill_up(tmp_path, limit)
    assert len(outcomes) == 12
    assert sum(outcome.endswith("refused") for outcome in outcomes) >= 6
