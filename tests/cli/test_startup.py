"""What a quick command must not pay for: a screen, an SDK, or the agent behind a door that nobody opened."""

import subprocess
import sys
from pathlib import Path

import pytest

SHOW_LOADED = """
import sys
from diligent_tui.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write("\\n" + " ".join(sorted(sys.modules)))
"""
HEAVY = {"textual", "rich", "anthropic", "openai", "httpx", "httpx2"}


def loaded(project: Path, environment: dict[str, str], *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SHOW_LOADED, *words],
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("--list",),
        ("knowledge", "list"),
        ("sessions", "list"),
        ("models",),
        ("schema", "events"),
        ("schema", "settings"),
        ("config", "show"),
        ("config", "check"),
        ("config", "path"),
        ("doctor",),
        ("completion", "bash"),
        ("-p", "hello"),
    ],
    ids=" ".join,
)
def test_neither_a_screen_nor_an_sdk_is_loaded(
    project: Path, environment: dict[str, str], words: tuple[str, ...]
) -> None:
    modules = loaded(project, environment, *words)
    assert "diligent_tui.cli.main" in modules
    assert not HEAVY & {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("words", [("--version",), ("--help",)], ids=" ".join)
def test_version_and_help_load_nothing_that_checks_data(
    project: Path, environment: dict[str, str], words: tuple[str, ...]
) -> None:
    assert not {"pydantic", "asyncio"} & loaded(project, environment, *words)


LISTS = [("--list",), ("knowledge", "list"), ("sessions", "list"), ("models",), ("config", "path")]
THE_WORK = {
    "diligent_tui.agent.loop",
    "diligent_tui.agent.session",
    "diligent_tui.agent.file_history",
    "diligent_tui.compaction",
    "diligent_tui.config.assembly",
    "diligent_tui.domain.events",
    "diligent_tui.tools.builtin",
    "diligent_tui.tools.sandbox",
    "pydantic_settings",
    "sqlite3",
}


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_a_list_loads_settings_and_stores_but_nothing_of_the_agent_at_work(
    project: Path, environment: dict[str, str], words: tuple[str, ...]
) -> None:
    modules = loaded(project, environment, *words)
    assert "diligent_tui.config.settings" in modules
    assert not THE_WORK & modules


NOT_FOR_WORDS_ALONE = {
    "diligent_tui.agent.admission",
    "diligent_tui.agent.branching",
    "diligent_tui.agent.file_history",
    "diligent_tui.agent.learning",
    "diligent_tui.agent.memory",
    "diligent_tui.agent.tool_calls",
    "diligent_tui.compaction.strategies.shelter",
    "diligent_tui.session.recall",
    "diligent_tui.session.shelf",
    "diligent_tui.tools.harmless",
    "diligent_tui.tools.process",
    "diligent_tui.tools.sandbox",
    "diligent_tui.tools.searching",
    "diligent_tui.tools.writing",
    "pydantic_settings",
    "sqlite3",
}


def test_an_answer_in_words_alone_loads_no_tool_and_no_way_back(project: Path, environment: dict[str, str]) -> None:
    modules = loaded(project, environment, "-p", "hello")
    assert "diligent_tui.agent.session" in modules
    assert not NOT_FOR_WORDS_ALONE & modules
    assert not {name for name in modules if name.startswith("diligent_tui.tools.builtin.")}


def test_a_call_loads_its_tool_and_no_other(project: Path, environment: dict[str, str]) -> None:
    modules = loaded(project, environment, "-p", "list .")
    assert "diligent_tui.agent.tool_calls" in modules
    tools = {name for name in modules if name.startswith("diligent_tui.tools.builtin.")}
    assert tools == {"diligent_tui.tools.builtin.list_folder"}


def test_the_reader_of_variables_is_loaded_with_the_first_of_them(project: Path, environment: dict[str, str]) -> None:
    assert "pydantic_settings" in loaded(project, {**environment, "DILIGENT_MODE": "plan"}, "models")


def test_plugins_of_other_packages_are_not_loaded_into_ours(project: Path, environment: dict[str, str]) -> None:
    site = project / "site"
    folder = site / "curious-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: curious\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[pydantic]\ncurious = curious:plugin\n")
    (site / "curious.py").write_text("plugin = None\n")
    modules = loaded(project, {**environment, "PYTHONPATH": str(site)}, "models")
    assert "diligent_tui.cli.models" in modules
    assert "curious" not in modules


def test_the_package_of_the_agent_loads_its_door_only_when_it_is_asked_for() -> None:
    code = (
        "import sys, diligent_tui.agent; print('diligent_tui.agent.session' in sys.modules); "
        "from diligent_tui.agent import AgentSession; print('diligent_tui.agent.session' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "True"]
