"""What is shipped is whole: sdist and wheel carry all they need, agree, and run outside the checkout."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from diligent_tui import __version__
from tests.house.tree import ROOT, project_files
from tests.ui.pty_host import PtyHost

WHEEL = f"diligent_tui-{__version__}-py3-none-any.whl"
SDIST = f"diligent_tui-{__version__}"
FILES = sorted(path.relative_to(ROOT).as_posix() for path in project_files(ROOT))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PIN = re.compile(
    r"(?P<requirement>[A-Za-z0-9][^;\\]*?==[^\s;\\]+)(?:\s*;[^\\]*)?(?P<hashes>(?:\s*\\\n\s+--hash=sha256:[0-9a-f]{64})+)\n"
)


@dataclass(frozen=True, slots=True)
class Shipped:
    """Both archives, built once from a copy of the tree, and the wheel that the unpacked sdist builds."""

    wheel: Path
    sdist: Path
    wheel_of_sdist: Path


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    """Build from a copy, so that nothing that lies about in the checkout can slip in or help."""
    place = tmp_path_factory.mktemp("shipped")
    for name in FILES:
        (place / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place / "copy" / name)
    build(place / "copy", place / "first")
    with tarfile.open(place / "first" / f"{SDIST}.tar.gz") as archive:
        archive.extractall(place / "unpacked", filter="data")
    build(place / "unpacked" / SDIST, place / "second", "-t", "wheel")
    return Shipped(place / "first" / WHEEL, place / "first" / f"{SDIST}.tar.gz", place / "second" / WHEEL)


def test_the_wheel_carries_every_file_of_the_package_and_the_styles(shipped: Shipped) -> None:
    ours = {name.removeprefix("src/") for name in FILES if name.startswith("src/diligent_tui/")}
    styles = {f"diligent_tui/{name}" for name in FILES if name.startswith("styles/")}
    carried = {name for name in contents(shipped.wheel) if ".dist-info/" not in name}
    assert carried == ours | styles
    assert {"diligent_tui/py.typed", "diligent_tui/styles/base.tcss"} <= carried


def test_every_text_beside_the_code_is_in_the_wheel_as_it_was_written(shipped: Shipped) -> None:
    carried = contents(shipped.wheel)
    texts = [name for name in FILES if name.startswith("src/") and name.endswith(".md")]
    sheets = [name for name in FILES if name.endswith(".tcss")]
    for name in texts + sheets:
        assert (
            carried[name.removeprefix("src/").replace("styles/", "diligent_tui/styles/")] == (ROOT / name).read_bytes()
        )


def test_the_wheel_has_its_command_and_its_licence(shipped: Shipped) -> None:
    carried = contents(shipped.wheel)
    about = f"{SDIST}.dist-info"
    points = ConfigParser()
    points.read_string(carried[f"{about}/entry_points.txt"].decode())
    assert dict(points["console_scripts"]) == {"diligent": "diligent_tui.cli.main:main"}
    assert b"MIT License" in carried[f"{about}/licenses/LICENSE"]


def test_the_sdist_carries_all_that_is_needed_to_test_and_build(shipped: Shipped) -> None:
    with tarfile.open(shipped.sdist) as archive:
        carried = {PurePosixPath(name).relative_to(SDIST).as_posix() for name in archive.getnames()}
    left_at_home = {name for name in FILES if name.startswith(".ci/")}
    assert set(FILES) - carried == left_at_home
    assert carried - set(FILES) == {"PKG-INFO"}


def test_the_sdist_builds_the_same_wheel(shipped: Shipped) -> None:
    assert contents(shipped.wheel_of_sdist) == contents(shipped.wheel)


def test_the_installed_wheel_runs_outside_the_checkout(shipped: Shipped, tmp_path: Path) -> None:
    target, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run([*installer(), "--no-index", "--no-deps", "--target", str(target), str(shipped.wheel)], elsewhere)
    environment = {"PYTHONPATH": str(target), "HOME": str(elsewhere), "PATH": os.environ["PATH"]}
    found = run([sys.executable, "-c", "import diligent_tui; print(diligent_tui.__file__)"], elsewhere, environment)
    assert Path(found.strip()).is_relative_to(target)
    command = str(target / "bin" / "diligent")
    assert run([sys.executable, command, "--version"], elsewhere, environment) == f"diligent {__version__}\n"
    assert list(elsewhere.iterdir()) == []
    with PtyHost([sys.executable, command, "--model", "offline/rehearsal"], environment, elsewhere) as host:
        host.read_until("built-in rehearsal engine")
        host.send(b"\x11")
        assert host.wait() == 0


def test_every_locked_package_has_one_version_and_its_hashes() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert PIN.sub("", text) == ""
    assert len(pins()) > len(wanted())


def test_the_lock_file_names_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert re.findall(r"://|@|--index|--find-links|--trusted-host|#.*", text) == []


def test_a_lock_line_without_a_hash_is_seen() -> None:
    pinned = f"first==1 \\\n    --hash=sha256:{'0' * 64}\n"
    assert PIN.sub("", pinned) == ""
    for line in ("second==2\n", "second>=2 \\\n    --hash=sha256:00\n", "second @ https://example.org/second.whl\n"):
        assert PIN.sub("", pinned + line) == line


def test_the_lock_fits_what_the_project_asks_for() -> None:
    locked = pins()
    for requirement in wanted():
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)]), requirement


def test_textual_is_pinned_exactly_and_alike() -> None:
    (textual,) = [each for each in wanted() if each.name == "textual"]
    assert str(textual.specifier) == f"=={pins()['textual']}"


def wanted() -> list[Requirement]:
    """What pyproject.toml asks for, to run and to work on it."""
    return [Requirement(each) for each in PYPROJECT["project"]["dependencies"] + PYPROJECT["dependency-groups"]["dev"]]


def pins() -> dict[str, str]:
    """The locked version of each package by its canonical name."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = [Requirement(match["requirement"]) for match in PIN.finditer(text)]
    return {canonicalize_name(each.name): str(each.specifier).removeprefix("==") for each in found}


def contents(archive: Path) -> dict[str, bytes]:
    """The files of a wheel."""
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def build(tree: Path, into: Path, *options: str) -> None:
    """Build with the hatchling that is installed: no isolation, nothing fetched."""
    run([sys.executable, "-m", "hatchling", "build", "-d", str(into), *options], tree)


def installer() -> list[str]:
    """pip where the environment has one; an environment made by uv has none, and then uv is there."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return ["uv", "pip", "install", "--quiet", "--python", sys.executable]


def run(argv: list[str], cwd: Path, environment: dict[str, str] | None = None) -> str:
    """What a command that must succeed printed."""
    done = subprocess.run(argv, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
