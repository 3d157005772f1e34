"""Hostile text through every door of the screen: the app lives, the words are seen, nothing acts on the terminal."""

import os
import sys
from pathlib import Path

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.screens.permission import PermissionScreen
from tests.domain.hostile_text import payloads
from tests.ui.escape_grammar import foreign_sequences
from tests.ui.pty_host import PtyHost
from tests.ui.stage import make_app, ready, settled

NASTY = {
    "markup": "[/] [bold]BEFORE[/bold] [@click=app.quit]x[/] AFTER",
    "sequences": "BEFORE \x1b]52;c;aGk=\x07\x1b[2J\x9b31m\x00\u202e AFTER",
    "surrogates": "BEFORE \ud83d lone \udc00 AFTER",
    "long line": "BEFORE " + "x" * 1_000_000 + " AFTER",
    "wide table": "BEFORE | " + " | ".join("ccc" for _ in range(10_000)) + " | AFTER",
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
async def test_the_app_lives_and_shows_the_words_whatever_is_said(tmp_path: Path, text: str) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        problem = Problem("x", text, text)
        for event in (
            ev.TurnStarted("t", text),
            ev.StepStarted("t", "m", 1, text),
            ev.ThinkingDelta("m", text),
            ev.TextDelta("m", text),
            ev.ToolCallReady("c", text, {"path": text}),
            ev.ToolStarted("c", text, {"path": text}),
            ev.ToolOutput("c", text),
            ev.ToolFinished("c", text, text, is_error=True, duration_seconds=0.1),
            ev.SessionRenamed(text),
            ev.ModelChanged(text, text),
            ev.ModeChanged(text),
            ev.QueueChanged((ev.QueuedText("q", text, "queue"), ev.QueuedText("r", text, "steer"))),
            ev.RetryScheduled("m", 1, 1.0, problem),
            ev.StorageFailed(problem, text),
            ev.TurnFailed("t", problem),
        ):
            core.session.hub.publish(event)
        await settled(pilot)
        app.main.prompt.set_text(text)
        app.main.prompt.remember(text)
        app.main.toggle_tools()
        app.notify(text[:2_000].encode("utf-8", "replace").decode(), markup=False)
        await settled(pilot)
        assert "BEFORE" in app.export_screenshot()
        core.session.hub.publish(ev.PermissionRequested("d", text, text, text))
        await settled(pilot)
        assert isinstance(app.screen, PermissionScreen)
        assert "BEFORE" in app.export_screenshot()
        await pilot.press("escape")
        core.session.hub.publish(ev.TurnFinished("t", "done", 1, Usage(), 0.0))
        await settled(pilot)
        assert app.is_running


def test_no_hostile_sequence_reaches_a_real_terminal(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    corpus = "\n".join(payload.embedded for payload in payloads())
    (project / "evil.txt").write_bytes(corpus.encode("utf-8", "surrogatepass"))
    (project / "name \x1b]0;owned\x07 [bold] end.txt").write_text("x")
    prompt = "read evil.txt then list then say \x1b]52;c;aGk=\x07 \x9b2J [/] spoken"
    environment = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    words = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal", prompt]
    with PtyHost(words, environment, project, (120, 40)) as host:
        host.read_until("BEFORE.*AFTER")
        host.send(b"\x11")
        host.wait()
        assert foreign_sequences(host.output) == []
        assert b"]52;" not in host.output
        assert b"owned\x07" not in host.output
