"""A day with memory: fill the window, watch it being pruned and compacted, look, rescue, edit, undo, redo."""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.domain.requests import Request
from diligent_tui.providers.base import Finished, Piece
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.ui.app import DiligentApp
from tests.ui.album import Album
from tests.ui.stage import ask, make_app, painted, ready, session_of

SIZE = (120, 40)
MOMENT = "2026-03-04T05:06:07.000Z"


class Holding:
    """Stops the offline model before the last piece of a summary, until it is let go."""

    def __init__(self) -> None:
        self.holds = False
        self.is_held = asyncio.Event()
        self.let_go = asyncio.Event()


@pytest.fixture
def holding(monkeypatch: pytest.MonkeyPatch) -> Holding:
    held = Holding()
    stream = OfflineProvider.stream

    async def slowly(self: OfflineProvider, request: Request) -> AsyncIterator[Piece]:
        async for piece in stream(self, request):
            if held.holds and request.purpose == "summary" and isinstance(piece, Finished):
                held.is_held.set()
                await held.let_go.wait()
            yield piece

    monkeypatch.setattr(OfflineProvider, "stream", slowly)
    return held


@pytest.fixture(autouse=True)
def _steady_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(1)

    def entry_id(_: object) -> str:
        return f"{next(numbers):08x}"

    def always(words: str) -> Callable[..., str]:
        return lambda *_: words

    monkeypatch.setattr("diligent_tui.session.store.new_entry_id", entry_id)
    monkeypatch.setattr("diligent_tui.agent.session.new_session_id", always("20260304050607-000001"))
    monkeypatch.setattr("diligent_tui.agent.conversation.to_stamp", always(MOMENT))
    monkeypatch.setattr("diligent_tui.ui.format.age", always("2 min ago"))
    monkeypatch.setattr("diligent_tui.ui.format.duration", always("0.2 s"))
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", always("Be good.\n"))


async def say(pilot: Pilot[int], words: str) -> None:
    """Type a slash command."""
    app = pilot.app
    assert isinstance(app, DiligentApp)
    app.main.prompt.focus()
    app.main.prompt.set_text(words)
    await pilot.press("enter")


def tells(app: DiligentApp, words: str) -> bool:
    """Whether the model would be told some words, as the context pane has it."""
    return any(words in part.text for part in session_of(app).memory.context().parts)


async def test_fill_watch_look_rescue_edit_undo_and_redo(tmp_path: Path, holding: Holding, album: Album) -> None:
    app = make_app(tmp_path, flags={"mode": "full", "knowledge.enabled": False})
    for name in ("swans", "geese", "ducks", "herons", "cranes", "storks", "gulls"):
        lines = (f"{name} {number} fly over src/{name}_{number}.py at {number * 7} feet" for number in range(260))
        (app.opening.cwd / f"{name}.txt").write_text("\n".join(lines))
    async with album.open(app, SIZE) as pilot:
        await ready(pilot)
        session = session_of(app)
        await ask(pilot, "read swans.txt then read geese.txt; never touch src/swans_13.py")
        await ask(pilot, "read ducks.txt then read herons.txt")
        await ask(pilot, "read cranes.txt then read storks.txt then read gulls.txt")
        measured = session.measure()
        assert measured.tokens < measured.limit
        assert session.store.tree.counts["prune"] == 1
        await pilot.press("f6")
        await painted(pilot, lambda: not app.main.query_one("#context").loading)
        album.compare(app, "1 pruned")

        holding.holds = True
        await say(pilot, "/compact the birds")
        await pilot.press("f5")
        await painted(pilot, holding.is_held.is_set)
        assert session.memory.is_compacting
        album.compare(app, "2 being written")
        holding.let_go.set()
        await painted(pilot, lambda: not session.memory.is_compacting and not session.is_running)
        assert session.measure().tokens < measured.tokens
        assert "summarised" in session.memory.fates().values()

        app.main.query_one("#summary").focus()
        await pilot.press("c")
        await painted(pilot, lambda: bool(session.memory.coverage(session.memory.versions()[-1].entry.id).items))
        album.compare(app, "3 coverage")
        before = len(session.memory.versions())
        await pilot.press("a")
        await painted(pilot, lambda: len(session.memory.versions()) == before + 1)
        rescued = session.memory.versions()[-1].entry.summary

        await pilot.press("t", "e")
        await pilot.press(*"Mind the swans.", "enter", "ctrl+s")
        await painted(pilot, lambda: len(session.memory.versions()) == before + 2)
        edited = session.memory.versions()[-1].entry.summary
        assert edited.startswith("Mind the swans.")
        assert tells(app, "Mind the swans.")
        assert edited.removeprefix("Mind the swans.\n") == rescued
        album.compare(app, "4 edited")

        app.main.prompt.focus()
        await ask(pilot, "hello")
        await ask(pilot, "what did I ask?")
        await say(pilot, "/undo-compaction")
        await painted(pilot, lambda: session.conversation.fold.cut is None)
        assert tells(app, "never touch src/swans_13.py")
        assert not tells(app, "Mind the swans.")
        assert tells(app, "what did I ask?")
        album.compare(app, "5 undone")

        await say(pilot, "/redo-compaction")
        await painted(pilot, lambda: session.conversation.fold.cut is not None)
        assert tells(app, "Mind the swans.")
        assert tells(app, "what did I ask?")
        assert [version.state for version in session.memory.versions()] == ["superseded", "superseded", "active"]
        await pilot.press("f6")
        await painted(pilot, lambda: not app.main.query_one("#context").loading)
        album.compare(app, "6 redone")
