"""How the trust question looks in each of its states; look at a changed picture before accepting it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from diligent_tui.ui.screens.trust import TrustScreen
from tests.ui.screens.trust_stage import TrustApp, few, many, shown

SIZES = [(60, 20), (80, 24), (120, 40), (160, 50)]


class Compare(Protocol):
    def __call__(
        self, app: App[None], *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[None]], Awaitable[None]]
    ) -> bool: ...


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


def size_name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_few(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(TrustApp(few(tmp_path)), terminal_size=size, run_before=asking())


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_many(tmp_path: Path, snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(TrustApp(many(tmp_path)), terminal_size=size, run_before=asking(*["down"] * 11))


def test_hidden_characters(tmp_path: Path, snap_compare: Compare) -> None:
    assert snap_compare(TrustApp(few(tmp_path)), terminal_size=(120, 40), run_before=asking("down"))


@pytest.mark.parametrize(("downs", "name"), [(12, "knowledge"), (13, "sessions")])
def test_other_kinds(tmp_path: Path, snap_compare: Compare, downs: int, name: str) -> None:
    assert name
    assert snap_compare(TrustApp(many(tmp_path)), terminal_size=(120, 40), run_before=asking(*["down"] * downs))


@pytest.mark.parametrize("theme", ["light", "ansi"])
def test_themes(tmp_path: Path, snap_compare: Compare, theme: str) -> None:
    app = TrustApp(few(tmp_path), "light" if theme == "light" else "ansi")
    assert snap_compare(app, terminal_size=(120, 40), run_before=asking())
