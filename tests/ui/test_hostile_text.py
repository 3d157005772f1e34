"""Hostile text through every door of the screen: the app lives, the words are seen, nothing acts on the terminal."""

import json
import os
import sys
from pathlib import Path

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.screens.choice import ChoiceScreen
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
        assert isinstance(app.screen, ChoiceScreen)
        assert "BEFORE" in app.export_screenshot()
        await pilot.press("escape")
        app.main.prompt.set_text(text)
        app.main.prompt.remember(text)
        app.main.toggle("tools")
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
    """A session full of hostile words, opened and paged through from its end to its beginning."""
    project = tmp_path / "project"
    sessions = project / ".diligent" / "sessions"
    sessions.mkdir(parents=True)
    corpus = "\n\n".join(payload.embedded[:2_000] for payload in payloads())
    nasty = "[/] \x1b]0;owned\x07\x1b[2J"
    call = {"type": "tool_call", "id": "c", "name": nasty, "input": {"path": nasty}}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": f"THE BEGINNING {nasty}"},
        {"role": "assistant", "content": [{"type": "text", "text": corpus}, call]},
        {"role": "tool_result", "toolCallId": "c", "toolName": nasty, "output": f"{nasty}\n{corpus}"},
        {"role": "assistant", "content": [{"type": "text", "text": "THE END"}], "stopReason": nasty},
    ]
    lines: list[dict[str, object]] = [{"type": "session", "version": 2, "id": "x", "timestamp": "t", "cwd": nasty}]
    for number, message in enumerate(messages):
        parent = None if number == 0 else f"{number - 1:08x}"
        lines.append(
            {"type": "message", "id": f"{number:08x}", "parentId": parent, "timestamp": "t", "message": message}
        )
    lines.append({"type": "session_info", "id": "name0000", "parentId": "00000003", "timestamp": "t", "name": nasty})
    (sessions / "20260101000000-abcdef.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    environment = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    words = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal", "-c", "--trust"]
    with PtyHost(words, environment, project, (120, 40)) as host:
        host.read_until("THE END")
        host.read_until("ctx ")
        host.send(b"\t")
        while "THE BEGINNING" not in (shown := host.screen.text):
            host.send(b"\x1b[5~")
            host.read_until(lambda screen, shown=shown: screen.text != shown)
        host.send(b"\x11")
        host.wait()
        assert foreign_sequences(host.output) == []
        # Rows that look like what stood there before are not painted again, so not every payload is counted.
        assert host.output.count(b"BEFORE") > 200
