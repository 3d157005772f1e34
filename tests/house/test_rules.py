"""Each rule of the house catches what it is there for, lets the right way pass, and holds over our own tree."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.house.__main__ import judge_tree
from tests.house.rules import LINES_MAX, LONG_MODULES, judge, packages_are_declared
from tests.house.tree import ROOT, project_files

PRODUCT = "src/diligent_tui/"
UI = PRODUCT + "ui/panes/chat.py"
CORE = PRODUCT + "agent/loop.py"
# Written in two parts, so that this file does not break the rules it tests.
HOME = "/" + "home/somebody/notes.txt"

BROKEN = [
    ("sdk-late", PRODUCT + "providers/openai_chat/client.py", "import openai"),
    ("sdk-late", PRODUCT + "providers/anthropic/client.py", "from anthropic.types import Message"),
    (
        "sdk-late",
        PRODUCT + "providers/anthropic/client.py",
        "try:\n    import anthropic\nexcept ImportError:\n    raise",
    ),
    ("sdk-late", PRODUCT + "providers/anthropic/client.py", "class A:\n    import anthropic"),
    ("sdk-late", PRODUCT + "providers/a.py", "if TYPE_CHECKING:\n    pass\nelse:\n    import anthropic"),
    ("sdk-room", CORE, "def ask():\n    import anthropic"),
    ("sdk-room", CORE, "if TYPE_CHECKING:\n    from openai import OpenAI"),
    ("sdk-room", CORE, "import importlib\ndef ask():\n    importlib.import_module('openai')"),
    ("sdk-room", PRODUCT + "__init__.py", "import openai"),
    ("screen-late", PRODUCT + "cli/main.py", "from textual.app import App"),
    ("screen-late", PRODUCT + "cli/doctor.py", "import rich.table"),
    ("late-import", CORE, "def go():\n    import json"),
    ("late-import", CORE, "async def go():\n    from diligent_tui.session import store"),
    ("late-import", UI, "def go():\n    import textual.app"),
    ("late-import", "tests/agent/test_loop.py", "def test_it():\n    from diligent_tui.agent import loop"),
    ("late-import", "bench/core.py", "def run():\n    import diligent_tui.agent.loop"),
    ("suppression", CORE, "import os  # " + "noqa: F401"),
    ("suppression", CORE, "a = 1  # " + "type: ignore[assignment]"),
    ("suppression", "tests/test_a.py", "a = 1  # " + "pyright: ignore"),
    ("suppression", "bench/core.py", "# " + "pyright: basic"),
    ("skipped-test", "tests/test_a.py", "import pytest\n@pytest.mark.skip\ndef test_it(): ..."),
    ("skipped-test", "tests/test_a.py", "import pytest\n@pytest.mark.skipif(True, reason='')\ndef test_it(): ..."),
    ("skipped-test", "tests/test_a.py", "import pytest\n@pytest.mark.xfail\ndef test_it(): ..."),
    ("skipped-test", "tests/test_a.py", "import pytest\ndef test_it():\n    pytest.skip('later')"),
    ("skipped-test", "tests/test_a.py", "from pytest import importorskip"),
    ("broad-except", CORE, "try:\n    go()\nexcept:\n    raise"),
    ("broad-except", CORE, "try:\n    go()\nexcept Exception:\n    pass"),
    ("broad-except", CORE, "try:\n    go()\nexcept (OSError, BaseException) as error:\n    raise"),
    ("broad-except", CORE, "with contextlib.suppress(Exception):\n    go()"),
    ("broad-except", "tests/test_a.py", "try:\n    go()\nexcept Exception:\n    pass"),
    ("broad-except", PRODUCT + "agent/main.py", "try:\n    go()\nexcept Exception:\n    pass"),
    ("module-state", CORE, "def go():\n    global COUNT\n    COUNT = 1"),
    ("module-state", CORE, "cache = {}"),
    ("module-state", CORE, "_seen: set[str] = set()"),
    ("module-state", CORE, "first, second = [], 1\nthird = fourth = [1 for _ in 'a']"),
    ("module-state", CORE, "if True:\n    queue = collections.deque()"),
    ("module-state", CORE, "try:\n    a = 1\nexcept OSError:\n    table = [1]"),
    ("markup", UI, "Static(text)"),
    ("markup", UI, "Static(text, markup=True)"),
    ("markup", UI, "Label(f'{name} opened')"),
    ("markup", UI, "widgets.Label('a' + name)"),
    ("markup", UI, "self.update(self.text)"),
    ("markup", UI, "self.update('on' if on else name)"),
    ("markup", UI, "self.notify(str(error))"),
    ("markup", UI, "Content.from_markup(text)"),
    ("markup", UI, "self.update(Text.from_markup(text))"),
    ("markup", UI, "Collapsible(title=name)"),
    ("markup", UI, "self.border_title = session.name"),
    ("markup", UI, "def show(text: str) -> None:\n    self.update(text)"),
    ("markup", UI, "def show(text: Content | str) -> None:\n    self.update(text)"),
    ("markup", UI, "def label() -> str: ...\nself.update(label())"),
    ("long-module", CORE, "a = 1\n" * (LINES_MAX + 1)),
    ("machine-trace", "README.md", f"See {HOME}."),
    ("machine-trace", "tests/test_a.py", f"A = '{HOME}'"),
    ("machine-trace", "snapshots/ui/test_main/start.svg", f"<text>{HOME}</text>"),
    ("machine-trace", "CONTRIBUTING.md", "from https://pypi" + ".org/simple"),
]

RIGHT = [
    (PRODUCT + "providers/anthropic/client.py", "def connect():\n    import anthropic"),
    (PRODUCT + "providers/anthropic/client.py", "if typing.TYPE_CHECKING:\n    from anthropic import AsyncAnthropic"),
    (
        PRODUCT + "cli/main.py",
        "def show():\n    from textual.app import App\n    from diligent_tui.ui.app import Screen",
    ),
    (PRODUCT + "cli/main.py", "try:\n    go()\nexcept Exception:\n    log()"),
    (PRODUCT + "ui/bridge.py", "try:\n    go()\nexcept BaseException:\n    log()"),
    (PRODUCT + "config/paths.py", "def data_dir():\n    import platformdirs"),
    (UI, "from textual.app import App"),
    ("tests/providers/test_anthropic.py", "def test_it():\n    import anthropic"),
    (CORE, "NOTE = 'a ' + '# " + "noqa'"),
    (CORE, "def skip(): ...\ncursor.skip()"),
    (CORE, "try:\n    go()\nexcept (OSError, ValueError):\n    pass"),
    (CORE, "NAMES = ['a']\n__all__ = ['b']\nversion = '1'\ndef go():\n    found = []"),
    (CORE, "self.update(text)"),
    ("tests/test_a.py", "pytestmark = [pytest.mark.soak]"),
    (UI, "Static('ready')"),
    (UI, "Static(text, markup=False)"),
    (UI, "self.notify(text, markup=False)"),
    (UI, "self.update(Content(text))"),
    (UI, "self.update(Content.assemble(text))"),
    (UI, "self.update(render_gauge(state))"),
    (UI, "self.border_title = 'Chat'"),
    (UI, "self.bar.update(progress=done)"),
    (UI, "self.slots.update({block.id: 1 for block in fresh})"),
    (UI, "self.folded.update([block.id for block in fresh])"),
    (UI, "def show(text: Content | None) -> None:\n    self.update(text)"),
    (UI, "def label() -> Content: ...\nself.update(label())"),
    (CORE, "a = 1\n" * LINES_MAX),
    (next(iter(LONG_MODULES)), "a = 1\n" * (LINES_MAX + 1)),
    ("README.md", "See ~" + HOME + " and src/work/x and $HOME/x and https://example.org" + HOME),
]


@pytest.mark.parametrize(("rule", "path", "text"), BROKEN)
def test_a_violation_is_caught_and_nothing_else_is_named(rule: str, path: str, text: str) -> None:
    assert {violation.rule for violation in judge(path, text)} == {rule}


@pytest.mark.parametrize(("path", "text"), RIGHT)
def test_the_right_way_passes(path: str, text: str) -> None:
    assert judge(path, text) == []


def test_a_violation_is_named_by_file_and_line() -> None:
    text = dedent("""
        import os


        cache = {}
    """).lstrip()
    assert [str(violation) for violation in judge(CORE, text)] == [
        f"{CORE}:4: module-state: cache can change: make it a constant or hand it in"
    ]


def test_the_command_names_a_seeded_violation_of_each_kind_and_fails(tmp_path: Path) -> None:
    seeds = {rule: (path, text) for rule, path, text in BROKEN}
    for number, (rule, (path, text)) in enumerate(seeds.items()):
        seeded = tmp_path / Path(path).parent / f"seed_{number}_{rule.replace('-', '_')}{Path(path).suffix}"
        if Path(path).parent == Path():
            seeded = tmp_path / f"SEED_{number}.md"
        seeded.parent.mkdir(parents=True, exist_ok=True)
        seeded.write_text(text, encoding="utf-8")
    done = run_house(tmp_path)
    assert done.returncode == 1
    rules = {line.split(": ")[1] for line in done.stdout.splitlines()[:-1]}
    assert rules == {*seeds, "hidden-package"}
    assert done.stdout.endswith(f"House rules: {len(done.stdout.splitlines()) - 1} broken.\n")


def test_a_folder_that_the_contracts_cannot_see_is_named() -> None:
    paths = ["src/diligent_tui/__init__.py", "src/diligent_tui/ui/__init__.py", "src/diligent_tui/ui/panes/chat.py"]
    named = [violation.path for violation in packages_are_declared([*paths, "tests/ui/test_chat.py"])]
    assert named == ["src/diligent_tui/ui/panes/__init__.py"]


def test_the_command_passes_a_clean_tree(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("A = 1\n", encoding="utf-8")
    done = run_house(tmp_path)
    assert (done.returncode, done.stdout) == (0, "House rules kept.\n")


def test_our_own_tree_keeps_the_rules() -> None:
    assert [str(violation) for violation in judge_tree(ROOT)] == []


def test_the_whole_tree_is_judged() -> None:
    judged = {path.relative_to(ROOT).parts[0] for path in project_files(ROOT)}
    assert {"src", "tests", "bench", "styles", "README.md", "pyproject.toml"} <= judged


@pytest.mark.parametrize("path", LONG_MODULES)
def test_a_module_named_as_long_still_is(path: str) -> None:
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) > LINES_MAX


def run_house(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.house", str(root)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
