"""What is imported by the time something is on screen; each run is a process of its own, with nothing loaded before."""

import subprocess
import sys
from pathlib import Path

import pytest

FIRST_FRAME = """
import sys
from pathlib import Path
from textual import events
import diligent_tui.cli.main, diligent_tui.cli.run, diligent_tui.cli.screen
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import Opening

class OneFrame(DiligentApp):
    def on_mount(self, event: events.Mount) -> None:
        event.prevent_default()
        self.call_after_refresh(self.look)

    def look(self) -> None:
        self.painted = self.main.prompt.size.width
        self.exit(0)

folder = sys.argv[1]
app = OneFrame(Opening(Path(folder), {"HOME": folder}))
app.run(headless=True, size=(80, 24))
assert app.painted
print(*sys.modules, sep="\\n")
"""
LAST_SCREEN = """
import sys
from diligent_tui.cli.plugins import keep_plugins_out
keep_plugins_out()
import diligent_tui.ui.glimpse
from diligent_tui.domain.usage import Usage
Usage.model_validate({})
print(*sys.modules, sep="\\n")
"""
HEAVY = (
    "pydantic",
    "pydantic_core",
    "pydantic_settings",
    "markdown_it",
    "pygments",
    "rich.markdown",
    "rich.syntax",
    "anthropic",
    "openai",
    "diligent_tui.agent",
    "diligent_tui.providers",
    "diligent_tui.session",
    "diligent_tui.domain.entries",
    "diligent_tui.domain.events",
    "diligent_tui.ui.core",
    "diligent_tui.ui.markdown",
)
EARLY = (
    "cli",
    "config.jsonc config.layout config.look config.paths config.reading config.survey config.trust",
    "domain.endings domain.errors domain.json_objects domain.late_names domain.modes domain.plain_text domain.progress",
    "domain.thinking",
    "storage.private",
    "tools.environment tools.process_group",
    "ui.app ui.attention ui.background ui.commands ui.fitting ui.format ui.key_line ui.opening ui.output",
    "ui.pane_routes ui.routes ui.screens.main ui.stylesheets ui.terminal ui.theme",
    "ui.widgets.ending_work ui.widgets.gauge ui.widgets.header ui.widgets.prompt ui.widgets.queue_strip",
    "ui.widgets.status_bar ui.widgets.welcome ui.widgets.written",
)
"""All of our own that the first frame may import; whatever is added here is added to every start."""
NOT_FOR_READING = (
    "pydantic_settings",
    "importlib.metadata",
    "anthropic",
    "openai",
    "diligent_tui.agent",
    "diligent_tui.providers",
    "diligent_tui.domain.events",
    "diligent_tui.ui.core",
)


def loaded(script: str, folder: Path) -> set[str]:
    """The modules that are loaded when the script has ended, and the packages they are in."""
    told = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stderr
    names = told.stdout.split()
    return {".".join(parts[:length]) for name in names for parts in [name.split(".")] for length in range(1, 9)}


@pytest.mark.parametrize(
    ("script", "unwanted", "wanted"),
    [
        pytest.param(FIRST_FRAME, HEAVY, "diligent_tui.ui.widgets.prompt", id="first frame"),
        pytest.param(LAST_SCREEN, NOT_FOR_READING, "diligent_tui.session.tail", id="last screen of a session"),
    ],
)
def test_nothing_is_imported_that_what_is_shown_can_do_without(
    script: str, unwanted: tuple[str, ...], wanted: str, tmp_path: Path
) -> None:
    names = loaded(script, tmp_path)
    assert wanted in names
    assert not names.intersection(unwanted)


def test_the_first_frame_imports_nothing_of_ours_that_is_not_named(tmp_path: Path) -> None:
    early = {f"diligent_tui.{name}" for names in EARLY for name in names.split()}
    ours = {name for name in loaded(FIRST_FRAME, tmp_path) if name.startswith("diligent_tui.")}
    packages = {name.rpartition(".")[0] for name in ours}
    parts = {name for name in ours if not any(name == each or name.startswith(f"{each}.") for each in early)}
    assert parts - packages == set()
