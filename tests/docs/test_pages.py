"""What the pages show is there: links, pictures, make targets, benchmarks, keys and settings.

Commands of diligent itself are run by tests/cli/test_documented_commands.py.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from bench.__main__ import BENCHES
from diligent_tui.config.outline import settings_in
from diligent_tui.config.settings import Settings
from diligent_tui.ui.screens.keys_page import keys_page

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
MAKE = re.compile(r"(?:^|`|\n)make ([a-z]+)\b")
BENCH = re.compile(r"python -m bench ([a-z]+)\b")
NOT_RUN_HERE: Mapping[str, str] = MappingProxyType(
    {
        "run": "opens the screen; tests of the terminal open the same",
        "demo": "opens the screen; tests/cli/demo and the pictures make the same",
        "test": "is what runs this",
        "check": "runs beside the suite",
        "soak": "takes long",
        "packaging": "needs a package index",
        "documents": "rewrites pages; that they are current is tested",
        "snapshots": "accepts pictures",
        "format": "changes files",
        "lock": "needs the network",
        "setup": "made what runs this",
        "clean": "would take away what runs this",
    }
)


def named_in_pages(pattern: re.Pattern[str]) -> list[str]:
    found = {name for page in PAGES for name in pattern.findall(page.read_text(encoding="utf-8"))}
    return sorted(found)


def links() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" not in target:
                yield str(page.relative_to(ROOT)), target


@pytest.mark.parametrize(("page", "target"), list(links()))
def test_a_link_leads_somewhere(page: str, target: str) -> None:
    name, _, anchor = target.partition("#")
    there = (ROOT / page).parent / name if name else ROOT / page
    assert there.exists()
    if anchor:
        headings = re.findall(r"^#+ +(.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in headings}


def test_there_are_pages_with_links_and_pictures() -> None:
    found = list(links())
    assert len(found) > 20
    assert len([target for page, target in found if page == "README.md" and target.endswith(".svg")]) >= 3


@pytest.mark.parametrize("target", named_in_pages(MAKE))
def test_a_make_target_that_is_shown_is_there_and_says_why_it_is_not_run_here(target: str) -> None:
    assert NOT_RUN_HERE[target]
    planned = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True)
    assert planned.returncode == 0, planned.stderr


@pytest.mark.parametrize("name", named_in_pages(BENCH))
def test_a_benchmark_that_is_shown_is_there(name: str) -> None:
    assert name in BENCHES


def test_the_page_of_keys_is_current() -> None:
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == keys_page(), "run: make documents"


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= set(LINK.findall(index))


def test_settings_in_the_readme_are_settings() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| setting |")[2].partition("\n\n")[0]
    names = re.findall(r"^\| `([a-zA-Z.]+)`", table, re.MULTILINE)
    assert len(names) >= 8
    for name in names:
        section, _, inner = name.partition(".")
        found = settings_in(Settings)[section]
        assert not inner or (found.section is not None and inner in settings_in(found.section))
