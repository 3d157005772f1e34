"""The files that make up the project, found without asking git, so that an unpacked sdist is judged as well."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "bench", "docs", "styles", "snapshots", ".ci")
TOP_FILES = ("*.md", "*.toml", "LICENSE", "Makefile", "requirements.lock", ".gitignore")


def project_files(root: Path) -> Iterator[Path]:
    """Every file that is kept or shipped, in a steady order; what tools leave behind is passed over."""
    for pattern in TOP_FILES:
        yield from sorted(root.glob(pattern))
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not _is_left_behind(path.relative_to(root)):
                yield path


def _is_left_behind(path: Path) -> bool:
    return "__pycache__" in path.parts or any(part.startswith(".") for part in path.parts[1:])
