"""The one-way rule: each contract catches a seeded violation, and at run time the core loads no screen and no SDK."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import BaseModel

from tests.house.tree import ROOT

PACKAGE = ROOT / "src" / "diligent_tui"
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
CORE = [room for room in ROOMS if room not in {"cli", "ui"}]
LINTER = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]


class Seed(NamedTuple):
    """One import put where it must not be, and what the linter has to say about it."""

    path: str
    text: str
    contract: str
    said: str


SEEDS = {
    "an import that points up": Seed(
        "storage/a.py", "import diligent_tui.agent", "Rooms import one way only", "storage is not allowed to import"
    ),
    "an import hidden in a function": Seed(
        "domain/a.py", "def go():\n    import diligent_tui.ui", "Rooms import one way only", "domain is not allowed"
    ),
    "the core reading settings": Seed(
        "agent/a.py", "import diligent_tui.config", "Rooms import one way only", "agent is not allowed to import"
    ),
    "siblings on one level": Seed(
        "session/a.py", "import diligent_tui.knowledge", "Rooms import one way only", "session is not allowed to import"
    ),
    "a room nobody placed": Seed("attic/__init__.py", "A = 1", "Rooms import one way only", "- diligent_tui.attic"),
    "a widget that knows its screen": Seed(
        "ui/widgets/a.py",
        "import diligent_tui.ui.screens",
        "The screen imports one way only",
        "ui.widgets is not allowed",
    ),
    "the state that knows the bridge": Seed(
        "ui/state.py", "import diligent_tui.ui.bridge", "The screen imports one way only", "ui.state is not allowed"
    ),
    "a module of the ui nobody placed": Seed(
        "ui/attic.py", "A = 1", "The screen imports one way only", "- diligent_tui.ui.attic"
    ),
    "a pane that knows another": Seed(
        "ui/panes/a.py", "import diligent_tui.ui.panes.b", "Panes do not know each other", "ui.panes.a is not allowed"
    ),
    "textual below the ui": Seed(
        "agent/a.py",
        "import textual.app",
        "No Textual or rich below the ui",
        "diligent_tui.agent is not allowed to import textual",
    ),
    "rich below the ui": Seed(
        "tools/a.py",
        "from rich import table",
        "No Textual or rich below the ui",
        "diligent_tui.tools is not allowed to import rich",
    ),
    "an SDK outside providers": Seed(
        "compaction/a.py",
        "import anthropic",
        "Vendor SDKs only in providers",
        "diligent_tui.compaction is not allowed to import anthropic",
    ),
    "an SDK in the command line": Seed(
        "cli/a.py",
        "def go():\n    import openai",
        "Vendor SDKs only in providers",
        "diligent_tui.cli is not allowed to import openai",
    ),
}


@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS.keys())
def test_a_contract_catches(seed: Seed, tmp_path: Path) -> None:
    skeleton(tmp_path)
    plant(tmp_path, seed.path, seed.text)
    done = lint(tmp_path)
    assert done.returncode == 1
    assert f"{seed.contract} BROKEN" in done.stdout
    assert done.stdout.count("BROKEN") == 1
    assert seed.said in " ".join(done.stdout.split())


def test_the_contracts_allow_what_the_design_allows(tmp_path: Path) -> None:
    skeleton(tmp_path)
    plant(tmp_path, "providers/a.py", "def go():\n    import anthropic\n    import openai")
    plant(tmp_path, "cli/a.py", "def go():\n    import textual\n    import diligent_tui.ui")
    plant(
        tmp_path, "ui/app.py", "import rich\nimport textual\nimport diligent_tui.ui.panes.a\nimport diligent_tui.agent"
    )
    plant(
        tmp_path,
        "agent/a.py",
        "import diligent_tui.providers.a\nimport diligent_tui.session\nimport diligent_tui.tools",
    )
    done = lint(tmp_path)
    assert (done.returncode, done.stdout.count("KEPT")) == (0, 5), done.stdout


def test_our_own_tree_keeps_the_contracts() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout


def test_every_room_is_named_in_the_contracts_on_screen_and_sdks() -> None:
    named = {
        contract["id"]: set(contract["source_modules"])
        for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
            "contracts"
        ]
        if contract["type"] == "forbidden"
    }
    assert named == {
        "no-screen-in-the-core": {f"diligent_tui.{room}" for room in CORE},
        "sdks": {f"diligent_tui.{room}" for room in ROOMS if room != "providers"},
    }


class Loaded(BaseModel):
    """What a fresh interpreter had loaded, and after which of our modules."""

    modules: list[str]
    unwanted: dict[str, list[str]]


LOAD_ALL = """
import importlib, json, pkgutil, sys
unwanted = {"textual", "rich", "anthropic", "openai"}
modules, found = [], {}
def load(name):
    module = importlib.import_module(name)
    modules.append(name)
    if seen := sorted(unwanted & sys.modules.keys()):
        found[name] = seen
        unwanted.difference_update(seen)
    return module
for room in sys.argv[1:]:
    package = load("diligent_tui." + room)
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not info.name.endswith(".__main__"):
            load(info.name)
print(json.dumps({"modules": modules, "unwanted": found}))
"""

VERSION = """
import json, sys
from diligent_tui.cli.main import main
try:
    code = main(["--version"])
except SystemExit as ending:
    code = ending.code
unwanted = {"textual", "rich", "anthropic", "openai", "pydantic", "pydantic_settings", "asyncio"}
print(json.dumps([code, sorted(unwanted & sys.modules.keys())]))
"""


def test_the_core_loads_neither_a_screen_nor_an_sdk() -> None:
    loaded = Loaded.model_validate_json(fresh(LOAD_ALL, *CORE))
    assert loaded.unwanted == {}
    assert {f"diligent_tui.{room}" for room in CORE} <= set(loaded.modules)
    assert "diligent_tui.domain.events" in loaded.modules


def test_a_screen_loaded_by_the_core_is_traced_to_its_module(tmp_path: Path) -> None:
    skeleton(tmp_path)
    (tmp_path / "rich.py").touch()
    plant(tmp_path, "agent/loop.py", "import rich")
    loaded = Loaded.model_validate_json(fresh(LOAD_ALL, *CORE, cwd=tmp_path))
    assert loaded.unwanted == {"diligent_tui.agent.loop": ["rich"]}


def test_the_version_is_told_without_loading_anything_slow() -> None:
    said, told = fresh(VERSION).splitlines()
    assert said.startswith("diligent ")
    assert json.loads(told) == [0, []]


def skeleton(root: Path) -> None:
    """The rooms without their furniture, under the contracts of our own pyproject.toml."""
    (root / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    plant(root, "__init__.py", "")
    for room in ROOMS:
        plant(root, f"{room}/__init__.py", "")
    for place in (
        "app",
        "bridge",
        "state",
        "screens/__init__",
        "widgets/__init__",
        "panes/__init__",
        "panes/a",
        "panes/b",
    ):
        plant(root, f"ui/{place}.py", "")


def plant(root: Path, path: str, text: str) -> None:
    """Put one module into a skeleton."""
    target = root / "diligent_tui" / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"{text}\n", encoding="utf-8")


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Run the import contracts of a tree; its own folder goes before the installed package."""
    return subprocess.run([*LINTER, "--no-cache", "--no-logo"], cwd=root, capture_output=True, text=True, check=False)


def fresh(program: str, *arguments: str, cwd: Path = ROOT) -> str:
    """What a program prints in an interpreter that has loaded nothing yet."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
