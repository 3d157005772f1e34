"""Pictures go to snapshots/, and nothing of the machine they were made on gets into them."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import textual.constants

from diligent_tui.ui.app import DiligentApp
from tests.ui.accepted import Accepted, folder_of
from tests.ui.album import Album

CHANGES_THE_PICTURE = ("NO_COLOR", "TEXTUAL_ANIMATIONS", "TEXTUAL_FILTERS", "TEXTUAL_DIM_FACTOR", "COLUMNS", "LINES")


@pytest.fixture
def album(request: pytest.FixtureRequest, tmp_path: Path) -> Album:
    """Takes many pictures of one run; all of them if they are wanted, or renewed."""
    takes_all = bool(request.config.getoption("--accept-pictures"))
    accepted = Accepted(folder_of(request.path), request.node.name, tmp_path / "pictures", takes_all)
    return Album(accepted, is_whole=takes_all or bool(request.config.getoption("--all-pictures")))


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the app says; a toast itself may be gone before a slow machine looks for it."""
    heard: list[str] = []

    def notify(_: DiligentApp, message: str, *, markup: bool) -> None:
        assert not markup
        heard.append(message)

    monkeypatch.setattr(DiligentApp, "notify", notify)
    return heard


@pytest.fixture(autouse=True)
def _steady_picture(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in CHANGES_THE_PICTURE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(textual.constants, "TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _questions_take_keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person needs a moment to see a question; a test has seen it."""
    monkeypatch.setattr("diligent_tui.ui.screens.permission.PermissionScreen.GRACE_SECONDS", 0.0)


@pytest.fixture
def steady_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes time takes the same, and the system prompt names no machine."""

    def always_as_long(_: float) -> str:
        return "0.2 s"

    def same_words_everywhere(*_: object) -> str:
        return "Be good.\n"

    monkeypatch.setattr("diligent_tui.ui.format.duration", always_as_long)
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", same_words_everywhere)
