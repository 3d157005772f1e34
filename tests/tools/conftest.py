"""A workspace of its own for each test."""

from pathlib import Path

import pytest

from diligent_tui.tools.base import Workplace
from tests.tools.workbench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    root = tmp_path / "workspace"
    root.mkdir()
    return Bench(Workplace(root, root, 20_000, root / ".diligent" / "sessions" / "s"))
