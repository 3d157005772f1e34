"""The programs beside us: git, ripgrep, those that fill the clipboard, and Python itself."""

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from diligent_tui.cli.doctor.findings import Finding, broken, doubtful, well
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.tools.environment import safe_search_path

LEAST_PYTHON = (3, 11)
PACKAGES = ("textual", "pydantic", "pydantic-settings", "anthropic", "openai")
CLIPBOARD_TOOLS = ("wl-copy", "xclip", "xsel", "pbcopy", "clip.exe")
ANSWER_SECONDS = 2.0
VERSION_CHARS = 60


def about_python() -> Iterator[Finding]:
    """The version of Python, and of the packages that we stand on."""
    version = platform.python_version()
    if sys.version_info[:2] < LEAST_PYTHON:
        yield broken("python", "Python", f"Python is {version}.", "Install Python 3.11 or newer.")
    else:
        yield well("python", "Python", f"Python is {version} ({platform.python_implementation()}).")
    missing = [name for name in PACKAGES if not _version(name)]
    if missing:
        yield broken("python", "packages", f"Not installed: {', '.join(missing)}.", "Install diligent-tui again.")
    else:
        yield well("python", "packages", ", ".join(f"{name} {_version(name)}" for name in PACKAGES) + ".")


def about_programs(environ: Mapping[str, str], root: Path) -> Iterator[Finding]:
    """What is installed; a program that lies in the project is not taken for the real one."""
    git = find_program("git", environ, root)
    version = _said_by(git) if git else ""
    if git and version:
        yield well("programs", "git", f"{version}.")
    else:
        said = "git does not start." if git else "git is not found."
        yield doubtful("programs", "git", said, "Install git; without it diligent does not know what git ignores.")
    if find_program("rg", environ, root):
        yield well("programs", "ripgrep", "ripgrep is found and searches for us.")
    else:
        yield doubtful("programs", "ripgrep", "ripgrep (rg) is not found.", "Install ripgrep to search faster.")


def about_clipboard(environ: Mapping[str, str], root: Path) -> Finding:
    """Programs that reach the clipboard without the terminal's help."""
    found = [name for name in CLIPBOARD_TOOLS if find_program(name, environ, root)]
    if found:
        return well("clipboard", "programs", f"Found: {', '.join(found)}.")
    return doubtful(
        "clipboard",
        "programs",
        "No program for the clipboard is found.",
        "Text is copied through the terminal; for other programs install wl-clipboard, xclip or xsel.",
    )


def find_program(name: str, environ: Mapping[str, str], root: Path) -> Path | None:
    """Where a program is; one in the project is only called so."""
    found = shutil.which(name, path=safe_search_path(environ.get("PATH", "")))
    path = Path(found).resolve() if found else None
    return None if path is None or path.is_relative_to(root) else path


def _said_by(git: Path) -> str:
    """The first line of `git --version`, run outside of every repository."""
    try:
        done = subprocess.run(
            [str(git), "--version"], cwd="/", env={}, capture_output=True, timeout=ANSWER_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    line = done.stdout.decode(errors="replace").partition("\n")[0]
    return clean_line(line, VERSION_CHARS) if done.returncode == 0 else ""


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
