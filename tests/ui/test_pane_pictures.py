"""How each pane looks in the real app before anything was said, and alone on the screen (F9) after a turn."""

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.panes.context import ContextPane
from diligent_tui.ui.panes.trace import TracePane
from tests.ui.album import NARROW, USUAL, WIDE, Album, resize, wear
from tests.ui.stage import ask, make_app, ready, settled

PANES = {"tree": "f2", "tools": "f3", "knowledge": "f4", "summary": "f5", "context": "f6", "trace": "f7"}
MOMENT = "2026-03-04T05:06:07.000Z"


def _same_words(*_: object) -> str:
    return "Be good.\n"


def _same_moment(*_: object) -> str:
    return MOMENT


def _as_long(_: float) -> str:
    return "0.2 s"


def _as_old(_: float) -> str:
    return "2 min ago"


def _trace_at_one_moment(keymap: Mapping[str, str]) -> TracePane:
    return TracePane(keymap, clock=lambda: datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC))


@pytest.fixture(autouse=True)
def _steady_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(1)

    def entry_id(_: object) -> str:
        return f"{next(numbers):08x}"

    monkeypatch.setattr("diligent_tui.session.store.new_entry_id", entry_id)
    monkeypatch.setattr("diligent_tui.agent.conversation.to_stamp", _same_moment)
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", _same_words)
    monkeypatch.setattr("diligent_tui.ui.format.duration", _as_long)
    monkeypatch.setattr("diligent_tui.ui.format.age", _as_old)
    monkeypatch.setattr("diligent_tui.ui.core.TracePane", _trace_at_one_moment)


async def show(pilot: Pilot[int], key: str) -> None:
    """Open a pane, and wait until it knows what it shows."""
    await pilot.press(key)
    await settled(pilot)
    context = pilot.app.screen.query_one(ContextPane)
    if context.looking is not None:
        await context.looking.wait()
    await settled(pilot)


async def step_back(pilot: Pilot[int], key: str) -> None:
    """Close a pane, at the size and in the colours that all began with."""
    await resize(pilot, USUAL)
    await wear(pilot, "dark")
    await pilot.press(key)
    await settled(pilot)


async def alone(pilot: Pilot[int], album: Album, name: str) -> None:
    """Give all the room to what has the focus; a screen that gets narrow ends that, so there it is said again."""
    for sizes in ((USUAL, WIDE), (NARROW,)):
        await resize(pilot, sizes[0])
        await pilot.press("f9")
        await settled(pilot)
        await album.take(pilot, name, sizes=sizes)
        await pilot.press("f9")
        await settled(pilot)


async def test_before_anything_was_said(tmp_path: Path, album: Album) -> None:
    async with album.open(make_app(tmp_path)) as pilot:
        await ready(pilot)
        await settled(pilot)
        await album.take(pilot, "chat")
        await step_back(pilot, "escape")
        for name, key in PANES.items():
            await show(pilot, key)
            await album.take(pilot, name)
            await step_back(pilot, key)


async def test_alone_on_the_screen(tmp_path: Path, album: Album) -> None:
    app: DiligentApp = make_app(tmp_path)
    (app.opening.cwd / "README.md").write_text("# Swans\n\nSeven of them.\n")
    async with album.open(app) as pilot:
        await ask(pilot, "read README.md")
        for name, key in PANES.items():
            await show(pilot, key)
            await alone(pilot, album, name)
            await step_back(pilot, key)
        core = await ready(pilot)
        core.chat.focus()
        await alone(pilot, album, "chat")
