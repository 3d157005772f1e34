"""`uv tool install .`; collected only where uv is installed."""

from pathlib import Path

import pytest

from tests.packaging.ways import check_installed, clean_environment, clone_into, pythons, run

pytestmark = pytest.mark.packaging

PYTHONS = pythons()


@pytest.mark.parametrize("version", list(PYTHONS))
def test_uv_installs_it_as_a_tool(version: str, tmp_path: Path) -> None:
    clone = clone_into(tmp_path / "clone")
    environment = clean_environment(UV_TOOL_DIR=str(tmp_path / "tools"), UV_TOOL_BIN_DIR=str(tmp_path / "bin"))
    run(["uv", "tool", "install", "--quiet", "--python", PYTHONS[version], "."], clone, environment)
    check_installed(tmp_path / "bin" / "diligent", tmp_path / "place")
