"""How the trust question looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.screens.trust import TrustScreen
from tests.ui.album import SIZES, SMALLEST, USUAL, Album
from tests.ui.screens.trust_stage import TrustApp, few, many, shown


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TrustScreen, "GRACE_SECONDS", 0.0)


def asking(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def prepare(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TrustApp)
        app.ask()
        await shown(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    return prepare


async def test_few(tmp_path: Path, album: Album) -> None:
    await album.fill(TrustApp(few(tmp_path)), asking(), sizes=[SMALLEST, *SIZES])


async def test_many(tmp_path: Path, album: Album) -> None:
    await album.fill(TrustApp(many(tmp_path)), asking(*["down"] * 11), sizes=[SMALLEST, *SIZES])


async def test_hidden_characters(tmp_path: Path, album: Album) -> None:
    await album.fill(TrustApp(few(tmp_path)), asking("down"))


@pytest.mark.parametrize(("downs", "name"), [(12, "knowledge"), (13, "sessions")])
async def test_other_kinds(tmp_path: Path, album: Album, downs: int, name: str) -> None:
    assert name
    await album.fill(TrustApp(many(tmp_path)), asking(*["down"] * downs))


async def test_in_ansi(tmp_path: Path, album: Album) -> None:
    app = TrustApp(few(tmp_path), "ansi")
    await album.fill(app, asking(), sizes=[USUAL], themes=["ansi"])
