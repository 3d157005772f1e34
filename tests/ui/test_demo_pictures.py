"""How the demo looks, which is what the README shows; look at a changed picture before accepting it."""

import hashlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, tzinfo
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.cli.demo.building import build
from diligent_tui.cli.demo.scratch import Scratch
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import Opening
from diligent_tui.ui.screens.preview import PreviewScreen
from tests.ui.album import FROM_WIDE, SIZES, SMALLEST, Album
from tests.ui.stage import ready, settled


class NoonOfFirstApril(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "NoonOfFirstApril":
        return cls(2026, 4, 1, 12, 0, tzinfo=tz or UTC)


Prepare = Callable[[Pilot[int]], Awaitable[None]]


def _always_as_long(_: float) -> str:
    return "0.2 s"


def _same_words_everywhere(*_: object) -> str:
    return "Be good.\n"


@pytest.fixture(autouse=True)
def _steady(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    numbers = count()

    def token_hex(size: int) -> str:
        return hashlib.sha256(str(next(numbers)).encode()).hexdigest()[: 2 * size]

    monkeypatch.setattr("diligent_tui.domain.ids.secrets.token_hex", token_hex)
    monkeypatch.setattr("diligent_tui.ui.format.duration", _always_as_long)
    monkeypatch.setattr("diligent_tui.domain.times.datetime", NoonOfFirstApril)
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", _same_words_everywhere)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.fixture
def demo(_steady: None) -> DiligentApp:
    """The app on the demo, as the command line opens it but for the sandbox, which depends on the machine."""
    scratch = Scratch.make()
    environ = scratch.environ({"HOME": str(scratch.folder), "PATH": "/usr/bin:/bin"})
    build(scratch.project, environ)
    return DiligentApp(
        Opening(
            cwd=scratch.project,
            environ=environ,
            flags={"sandbox.mode": "off"},
            model="offline/rehearsal",
            goes_on=True,
            guides=True,
        )
    )


def pressing(*keys: str) -> Prepare:
    async def prepare(pilot: Pilot[int]) -> None:
        await ready(pilot)
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return prepare


async def test_first_step(album: Album, demo: DiligentApp) -> None:
    await album.fill(demo, pressing(), sizes=[SMALLEST, *SIZES])


async def test_tree(album: Album, demo: DiligentApp) -> None:
    await album.fill(demo, pressing(*["f12"] * 5, "f2", "f", "f"), sizes=FROM_WIDE)


async def test_coverage(album: Album, demo: DiligentApp) -> None:
    await album.fill(demo, pressing("f12", "f5", "c"), sizes=FROM_WIDE)


async def test_knowledge(album: Album, demo: DiligentApp) -> None:
    await album.fill(demo, pressing(*["f12"] * 4, "f4", "down", "down"), sizes=FROM_WIDE)


async def test_preview(album: Album, demo: DiligentApp) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await pressing()(pilot)
        assert isinstance(pilot.app, DiligentApp)
        pilot.app.main.prompt.set_text("/preview")
        await pilot.press("enter")
        while not isinstance(pilot.app.screen, PreviewScreen):
            await pilot.pause(0.01)
        await settled(pilot)

    await album.fill(demo, prepare)


async def test_farewell(album: Album, demo: DiligentApp) -> None:
    await album.fill(demo, pressing(*["f12"] * 7))
