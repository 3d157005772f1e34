"""Where to install to, with which Python, and what every installed diligent must do."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from diligent_tui import __version__
from tests.ui.pty_host import PtyHost

ROOT = Path(__file__).parents[2]
OLDEST, NEWEST_LOOKED_FOR = 11, 30
SECONDS_TO_START = 180.0


def pythons() -> dict[str, str]:
    """The oldest and the newest Python 3 of this machine that we run on, by version."""
    found: dict[str, str] = {}
    for minor in range(OLDEST, NEWEST_LOOKED_FOR):
        program = shutil.which(f"python3.{minor}")
        if program is None:
            continue
        ask = [program, "-c", "import sys, venv, ensurepip; print(sys.executable)"]
        done = subprocess.run(ask, capture_output=True, text=True)
        if done.returncode == 0:
            found[f"3.{minor}"] = done.stdout.strip()
    if not found:
        found[f"{sys.version_info.major}.{sys.version_info.minor}"] = sys.executable
    names = list(found)
    return {name: found[name] for name in dict.fromkeys((names[0], names[-1]))}


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


def run(argv: list[str], cwd: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a command that must succeed printed."""
    done = subprocess.run(argv, cwd=cwd, env=environment or clean_environment(), capture_output=True, text=True)
    assert done.returncode == 0, f"{argv}\n{done.stdout}{done.stderr}"
    return done.stdout


def check_installed(command: Path, place: Path) -> None:
    """An installed diligent says its version, answers, finds itself well, and opens its screen."""
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
    with PtyHost([diligent, *model], environment, project) as host:
        host.read_until("built-in rehearsal engine", SECONDS_TO_START)
        host.send(b"\x11")
        assert host.wait() == 0
