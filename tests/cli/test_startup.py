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


def test_the_package_of_the_agent_loads_its_door_only_when_it_is_asked_for() -> None:
    code = (
        "import sys, diligent_tui.agent; print('diligent_tui.agent.session' in sys.modules); "
        "from diligent_tui.agent import AgentSession; print('diligent_tui.agent.session' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "True"]
