"""Where to install to, with which Python, and what every installed diligent must do."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from diligent_tui import __version__
from tests.ui.pty_host import PtyHost

ROOT = Path(__file__).parents[2]
OLDEST_MINOR = 11
SECONDS_TO_START = 180.0


def pythons() -> dict[str, str]:
    """The oldest and the newest Python 3 of this machine that we run on, by version."""
    found: dict[int, str] = {}
    for folder in _folders_with_programs():
        for program in folder.glob("python3.*"):
            minor = program.suffix.removeprefix(".")
            if minor.isdecimal() and int(minor) >= OLDEST_MINOR and int(minor) not in found:
                # A shim may lead nowhere, and some systems ship a Python that can make no environment.
                ask = [str(program), "-c", "import sys, venv, ensurepip; print(sys.executable)"]
                done = subprocess.run(ask, capture_output=True, text=True)
                if done.returncode == 0:
                    found[int(minor)] = done.stdout.strip()
    if not found:
        found[sys.version_info.minor] = sys.executable
    return {f"3.{minor}": found[minor] for minor in sorted({min(found), max(found)})}


def _folders_with_programs() -> Iterator[Path]:
    """The search path without our own environment, then where pyenv keeps what is not chosen at the moment."""
    yield from (Path(part) for part in clean_environment()["PATH"].split(":") if part)
    yield from Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin")


def clone_into(folder: Path) -> Path:
    """A fresh clone, or what an sdist unpacks to where there is no git."""
    if (ROOT / ".git").exists():
        run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(folder)], ROOT)
    else:
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", "__pycache__", ".*_cache"))
    return folder


def clean_environment(**more: str) -> dict[str, str]:
    """Ours, with no trace of the environment that the tests run in; how packages are fetched stays as it is."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not re.match(r"PYTHON|VIRTUAL_ENV|DILIGENT_|PYTEST|MAKE|MFLAGS", name)
    }
    own = str(Path(sys.executable).parent)
    search_path = [part for part in kept.get("PATH", "").split(":") if part != own]
    return {**kept, "PATH": ":".join(search_path), **more}


def with_programs_of(folder: Path, **more: str) -> dict[str, str]:
    """A clean environment in which the programs of a folder are found first."""
    return clean_environment(PATH=f"{folder}:{clean_environment()['PATH']}", **more)


def make_venv(python: str, folder: Path) -> Path:
    """A new environment with pip; returns the folder of its programs."""
    run([python, "-m", "venv", str(folder)], folder.parent)
    return folder / "bin"


def run(argv: list[str], cwd: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a command that must succeed printed."""
    done = subprocess.run(argv, cwd=cwd, env=environment or clean_environment(), capture_output=True, text=True)
    assert done.returncode == 0, f"{argv}\n{done.stdout}{done.stderr}"
    return done.stdout


def shown_lines(page: str, program: str) -> list[list[str]]:
    """The commands with a program that a page shows, as words."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [words for words in lines if words[:1] == [program]]


def install_again_and_remove(
    program: str, command: Path, version: str, place: Path, environment: Mapping[str, str]
) -> None:
    """Do what the page on installing says, line by line in a fresh clone."""
    clone = clone_into(place / "clone")
    first, again, remove = shown_lines("docs/installing.md", program)
    run(first, clone, environment)
    check_installed(command, version, place / "first")
    run(again, clone, environment)
    assert run([str(command), "--version"], place) == f"diligent {__version__}\n"
    run(remove, clone, environment)
    assert not command.exists()


def check_installed(command: Path, version: str, place: Path) -> None:
    """A diligent on this version of Python answers, finds itself well, and opens its screen."""
    project, home = place / "project", place / "home"
    (project / ".git").mkdir(parents=True)
    home.mkdir()
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONUTF8": "1"}
    diligent = str(command)
    assert run([diligent, "--version"], project, environment) == f"diligent {__version__}\n"
    model = ["--model", "offline/rehearsal"]
    assert run([diligent, "-p", "hello", *model], project, environment).strip()
    assert json.loads(run([diligent, "schema", "settings"], project, environment))["properties"]
    assert json.loads(run([diligent, "schema", "events"], project, environment))["$defs"]
    assert "complete" in run([diligent, "completion", "bash"], project, environment)
    report = json.loads(run([diligent, "doctor", "--json"], project, environment))
    assert [finding for finding in report["findings"] if finding["verdict"] == "fail"] == []
    assert any(finding["words"].startswith(f"Python is {version}.") for finding in report["findings"])
    with PtyHost([diligent, *model], environment, project) as host:
        host.read_until("built-in rehearsal engine", SECONDS_TO_START)
        host.send(b"\x11")
        code = host.wait()
        assert code == 0, (code, host.output[-3000:])
