"""`pipx install .`; collected only where pipx is installed."""

from pathlib import Path

import pytest

from tests.packaging.ways import check_installed, clean_environment, clone_into, pythons, run

pytestmark = pytest.mark.packaging

PYTHONS = pythons()


@pytest.mark.parametrize("version", list(PYTHONS))
def test_pipx_installs_it(version: str, tmp_path: Path) -> None:
    clone = clone_into(tmp_path / "clone")
    environment = clean_environment(PIPX_HOME=str(tmp_path / "pipx"), PIPX_BIN_DIR=str(tmp_path / "bin"))
    run(["pipx", "install", "--quiet", "--python", PYTHONS[version], "."], clone, environment)
    check_installed(tmp_path / "bin" / "diligent", tmp_path / "place")
