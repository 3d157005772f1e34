"""Asks for the package index first, and fetches the installers that the machine has not."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.packaging.ways import clean_environment, make_venv, run, with_programs_of

UNREACHABLE = (
    "No package can be fetched, so nothing can be installed here: "
    "see that pip reaches its package index, then run make packaging again."
)
SMALL_PACKAGE = "iniconfig"
"""A few kilobytes, pure Python, and needs nothing."""
IN_UVS_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "index-url": "UV_DEFAULT_INDEX",
        "extra-index-url": "UV_INDEX",
        "find-links": "UV_FIND_LINKS",
        "cert": "SSL_CERT_FILE",
    }
)


@pytest.fixture(scope="session")
def fetching(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment whose pip reaches the index; without one every test fails in one sentence."""
    place = tmp_path_factory.mktemp("fetching")
    programs = make_venv(sys.executable, place / "venv")
    ask = ["download", "--quiet", "--no-deps", "--no-cache-dir", "--retries", "1", "--dest", str(place), SMALL_PACKAGE]
    done = subprocess.run([programs / "pip", *ask], env=clean_environment(), capture_output=True, text=True)
    if done.returncode != 0:
        pytest.fail(UNREACHABLE, pytrace=False)
    return programs


@pytest.fixture(scope="session")
def with_uv(fetching: Path) -> dict[str, str]:
    """An environment with the uv of this machine, else with a fetched one."""
    return with_installer("uv", fetching)


@pytest.fixture(scope="session")
def with_pipx(fetching: Path) -> dict[str, str]:
    """An environment with the pipx of this machine, else with a fetched one; it may do its work with uv."""
    return with_installer("pipx", fetching)


def with_installer(name: str, fetching: Path) -> dict[str, str]:
    """An environment in which the installer is found, and finds what pip would."""
    if shutil.which(name, path=clean_environment()["PATH"]):
        return {**where_pip_looks(fetching), **clean_environment()}
    run([str(fetching / "pip"), "install", "--quiet", name], fetching)
    return {**where_pip_looks(fetching), **with_programs_of(fetching)}


def where_pip_looks(fetching: Path) -> dict[str, str]:
    """Where packages come from, as uv wants to be told: it reads no settings of pip."""
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for line in run([str(fetching / "pip"), "config", "list"], fetching).splitlines():
        name, _, value = line.partition("=")
        variable = IN_UVS_WORDS.get(name.rpartition(".")[2])
        if variable:
            # Variables of the environment come first in the list, and win.
            found.setdefault(variable, " ".join(str(ast.literal_eval(value)).split()))
    return found
