"""How turns end, links, pictures and a search look in the chat; look at a changed picture before accepting it."""

import json
from base64 import b64encode
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.widgets.status_bar import StatusBar
from tests.agent.test_attachments import png
from tests.ui.album import SIZES, SMALLEST, USUAL, Album
from tests.ui.stage import make_app, ready, settled

OPUS, LUNA = ("anthropic", "claude-opus-4-7"), ("openai", "gpt-6-luna")
LINKS = """\
The loader is described in [the docs](https://docs.example.org/loader), and its rules at https://rules.example.org.

- [https://bank.example.org](https://bank.example.net) leads elsewhere, and says so
- https://аpple.example is not spelled with our letters
- [a file](file:///etc/passwd) and [a script](javascript:alert(1)) lead nowhere
"""


def _usage(read: int, write: int, out: int) -> dict[str, int]:
    return {"inputTokens": 40, "cacheReadTokens": read, "cacheWriteTokens": write, "outputTokens": out}


def _answer(text: str, model: tuple[str, str], usage: dict[str, int], *more: dict[str, object]) -> dict[str, object]:
    content: list[dict[str, object]] = [{"type": "text", "text": text}] if text else []
    return {
        "role": "assistant",
        "content": [*content, *more],
        "provider": model[0],
        "model": model[1],
        "usage": usage,
        "stopReason": "tool_use" if more else "end_turn",
    }


def talk() -> list[tuple[int, dict[str, object]]]:
    """A conversation of three turns, each message with the second at which it was saved."""
    call: dict[str, object] = {"type": "tool_call", "id": "c", "name": "read", "input": {"path": "loader.py"}}
    shot = {
        "type": "image",
        "name": "shot.png",
        "source": {"type": "base64", "media_type": "image/png", "data": b64encode(png(1_280, 720, 340_000)).decode()},
    }
    result = {"toolCallId": "c", "toolName": "read", "output": "def merge():\n    ...", "durationSeconds": 0.2}
    return [
        (0, {"role": "user", "content": "hello"}),
        (2, _answer("Hello. What is it about?", OPUS, _usage(0, 3_800, 12))),
        (20, {"role": "user", "content": [{"type": "text", "text": "why does @shot.png look so?"}, shot]}),
        (23, _answer("The loader draws it.", OPUS, _usage(3_800, 400, 60), call)),
        (24, {"role": "tool_result", **result}),
        (62, _answer(LINKS, OPUS, _usage(8_400, 900, 210))),
        (90, {"role": "user", "content": "and in short, about the loader?"}),
        (95, _answer("The loader **merges**. That is what a loader is for.", LUNA, _usage(0, 0, 14))),
    ]


def opened(folder: Path) -> DiligentApp:
    """The app on that conversation."""
    app = make_app(folder, goes_on=True, trust_once=True)
    sessions = app.opening.cwd / ".diligent" / "sessions"
    sessions.mkdir(parents=True)
    stamp = "2026-03-04T05:{:02d}:{:02d}.000Z"
    lines: list[dict[str, object]] = [{"type": "session", "version": 2, "id": "x", "timestamp": stamp.format(0, 0)}]
    for number, (second, message) in enumerate(talk()):
        parent = None if number == 0 else f"{number - 1:08x}"
        place = {"id": f"{number:08x}", "parentId": parent, "timestamp": stamp.format(second // 60, second % 60)}
        lines.append({"type": "message", **place, "message": message})
    (sessions / "20260304050607-abcdef.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return app


def _same_words_everywhere(*_: object) -> str:
    return "Be good.\n"


@pytest.fixture(autouse=True)
def _steady_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", _same_words_everywhere)


async def _shown(pilot: Pilot[int]) -> None:
    await ready(pilot)
    await settled(pilot)


async def test_turns_with_footers_links_and_a_picture(tmp_path: Path, album: Album) -> None:
    await album.fill(opened(tmp_path), _shown, sizes=[SMALLEST, *SIZES])


async def test_turns_in_ansi(tmp_path: Path, album: Album) -> None:
    await album.fill(opened(tmp_path), _shown, sizes=[USUAL], themes=["ansi"])


async def test_a_search_that_went_round(tmp_path: Path, album: Album) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await _shown(pilot)
        app = pilot.app
        assert isinstance(app, DiligentApp)
        app.main.prompt.set_text("/search loader")
        await pilot.press("enter", "N")
        await settled(pilot)

    await album.fill(opened(tmp_path), prepare)


async def test_what_a_session_without_totals_has_cost_is_said_to_be_unknown(tmp_path: Path) -> None:
    app = opened(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await _shown(pilot)
        assert "$" not in app.main.query_one(StatusBar).render().plain
