"""`pip install` of the wheel, the sdist and the folder, in clean environments of the oldest and the newest Python."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from diligent_tui import __version__
from tests.packaging.ways import check_installed, clone_into, pythons, run

pytestmark = pytest.mark.packaging

PYTHONS = pythons()


@dataclass(frozen=True, slots=True)
class Shipped:
    """A fresh clone, and both archives built from it."""

    clone: Path
    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    place = tmp_path_factory.mktemp("shipped")
    clone = clone_into(place / "clone")
    run([sys.executable, "-m", "hatchling", "build", "-d", str(place / "built")], clone)
    name = f"diligent_tui-{__version__}"
    return Shipped(clone, place / "built" / f"{name}-py3-none-any.whl", place / "built" / f"{name}.tar.gz")


@pytest.mark.parametrize("version", list(PYTHONS))
def test_wheel_sdist_and_folder_install_and_work(version: str, shipped: Shipped, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    run([PYTHONS[version], "-m", "venv", str(venv)], tmp_path)
    install = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*install, str(shipped.wheel)], tmp_path)
    check_installed(venv / "bin" / "diligent", tmp_path / "by wheel")
    for what, place in ((shipped.sdist, "by sdist"), (shipped.clone, "by folder")):
        # The packages that it needs are there by now; only itself is built and installed again.
        run([*install, "--force-reinstall", "--no-deps", str(what)], tmp_path)
        check_installed(venv / "bin" / "diligent", tmp_path / place)
