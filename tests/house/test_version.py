"""The version stands in one place, and the changes begin with it."""

import re

from diligent_tui import __version__
from tests.house.test_packaging import PYPROJECT
from tests.house.tree import ROOT, project_files


def test_the_version_is_written_once() -> None:
    said = re.compile(rf"version[^0-9\n]{{1,8}}{re.escape(__version__)}\b", re.IGNORECASE)
    files = [path for path in project_files(ROOT) if path.suffix in (".py", ".toml", ".md")]
    found = {path.relative_to(ROOT).as_posix() for path in files if said.search(path.read_text(encoding="utf-8"))}
    assert {path for path in found if not path.startswith("tests/")} == {"src/diligent_tui/__init__.py"}
    assert PYPROJECT["project"]["dynamic"] == ["version"]


def test_the_changes_begin_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", text, re.MULTILINE)[0] == __version__
