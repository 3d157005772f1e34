"""Every way out is open where nothing shuts a command in: the tries themselves can succeed."""

import re
from pathlib import Path

import pytest

from diligent_tui.tools.process import PlainLauncher
from tests.tools.sandbox.probes import PROBES
from tests.tools.sandbox.stage import Stage

SYS_ADMIN = 21


def rules_the_system() -> bool:
    """True if we may do what only root may."""
    found = re.search(r"CapEff:\s*(\w+)", Path("/proc/self/status").read_text())
    return found is not None and bool(int(found[1], 16) >> SYS_ADMIN & 1)


IS_ROOT = rules_the_system()


def test_there_are_enough_of_them() -> None:
    assert len(PROBES) >= 45


@pytest.mark.parametrize("name", [name for name, probe in PROBES.items() if IS_ROOT or not probe.needs_root])
def test_a_way_out_is_open_without_a_sandbox(stage: Stage, name: str) -> None:
    assert stage.is_open(PlainLauncher(), PROBES[name]) == ("none" in PROBES[name].open_in)
