"""What is done aside: quick works need no box, long ones have one, and escape stops them."""

import threading

import pytest
from textual.widgets import ProgressBar, Static

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.progress import Tell
from diligent_tui.ui.screens.working import WorkingScreen, work_aside
from tests.ui.screens.sessions_stage import BareApp


async def test_a_quick_work_has_no_box() -> None:
    app = BareApp()
    async with app.run_test(size=(80, 24)):
        assert await work_aside(app, "exporting", lambda tell: 7) == 7
        assert len(app.screen_stack) == 1


async def test_a_long_work_tells_of_itself_and_its_box_goes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.ui.screens.working.QUIET_SECONDS", 0.0)
    monkeypatch.setattr("diligent_tui.domain.progress.QUIET_SECONDS", 0.0)
    app = BareApp()
    let_go = threading.Event()

    def work(tell: Tell) -> int:
        tell(340, 2_000)
        let_go.wait()
        return 7

    async with app.run_test(size=(80, 24)) as pilot:
        worker = app.run_worker(work_aside(app, "exporting", work))
        while not isinstance(app.screen, WorkingScreen):
            await pilot.pause(0.005)
        await pilot.pause()
        words = str(app.screen.query_one("#working-words", Static).render())
        let_go.set()
        assert await worker.wait() == 7
        await pilot.pause()
        assert words.startswith("Exporting 340 of 2,000")
        assert len(app.screen_stack) == 1


async def test_escape_stops_a_long_work_at_its_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.ui.screens.working.QUIET_SECONDS", 0.0)
    app = BareApp()
    steps: list[int] = []
    let_go = threading.Event()

    def work(tell: Tell) -> int:
        for step in range(9):
            tell(step, 9)
            steps.append(step)
            let_go.wait()
        return 7

    async with app.run_test(size=(80, 24)) as pilot:
        worker = app.run_worker(work_aside(app, "exporting", work))
        while not isinstance(app.screen, WorkingScreen):
            await pilot.pause(0.005)
        await pilot.press("escape")
        bar = app.screen.query_one(ProgressBar)
        assert (bar.progress, bar.total) == (0, 9)
        assert "esc" not in str(app.screen.query_one("#working-keys", Static).render())
        let_go.set()
        assert await worker.wait() is None
        await pilot.pause()
        assert steps == [0]
        assert len(app.screen_stack) == 1


async def test_what_fails_is_told_to_who_asked() -> None:
    app = BareApp()

    def work(_: Tell) -> int:
        raise StorageError("The disk is full.", "Make room.")

    async with app.run_test(size=(80, 24)):
        with pytest.raises(StorageError):
            await work_aside(app, "exporting", work)
        assert len(app.screen_stack) == 1
