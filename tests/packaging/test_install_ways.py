"""The page on installing, and both archives, in clean environments of the oldest and the newest Python."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from diligent_tui import __version__
from tests.packaging.ways import (
    check_installed,
    clone_into,
    install_again_and_remove,
    make_venv,
    pythons,
    run,
    with_programs_of,
)

pytestmark = [pytest.mark.packaging, pytest.mark.usefixtures("fetching")]

PYTHONS = pythons()


@dataclass(frozen=True, slots=True)
class Archives:
    """What a release ships, built from a fresh clone."""

    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    place = tmp_path_factory.mktemp("archives")
    run([sys.executable, "-m", "hatchling", "build", "-d", str(place)], clone_into(place / "clone"))
    name = f"diligent_tui-{__version__}"
    return Archives(place / f"{name}-py3-none-any.whl", place / f"{name}.tar.gz")


@pytest.mark.parametrize("version", list(PYTHONS))
def test_pip_installs_the_folder_the_wheel_and_the_sdist(version: str, archives: Archives, tmp_path: Path) -> None:
    programs = make_venv(PYTHONS[version], tmp_path / "venv")
    environment = with_programs_of(programs, PIP_YES="1", PIP_QUIET="1")
    install_again_and_remove("pip", programs / "diligent", version, tmp_path, environment)
    for name, archive in (("wheel", archives.wheel), ("sdist", archives.sdist)):
        # The packages that it needs are there by now; only itself is new.
        run(["pip", "install", str(archive)], tmp_path, environment)
        check_installed(programs / "diligent", version, tmp_path / name)
        run(["pip", "uninstall", "diligent-tui"], tmp_path, environment)


@pytest.mark.parametrize("version", list(PYTHONS))
def test_uv_installs_it_as_a_tool(version: str, with_uv: dict[str, str], tmp_path: Path) -> None:
    places = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    environment = {**with_uv, **places, "UV_PYTHON": PYTHONS[version]}
    install_again_and_remove("uv", tmp_path / "bin" / "diligent", version, tmp_path, environment)


@pytest.mark.parametrize("version", list(PYTHONS))
def test_pipx_installs_it(version: str, with_pipx: dict[str, str], tmp_path: Path) -> None:
    places = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    environment = {**with_pipx, **places, "PIPX_DEFAULT_PYTHON": PYTHONS[version]}
    install_again_and_remove("pipx", tmp_path / "bin" / "diligent", version, tmp_path, environment)
