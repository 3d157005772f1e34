"""What the model is asked beside the talk shows how far it is, at the bottom and in the trace, and Esc stops it."""

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.panes.knowledge import KnowledgePane
from diligent_tui.ui.panes.trace import TracePane
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen
from diligent_tui.ui.screens.summarising import SummarisingScreen
from diligent_tui.ui.widgets.foot import Foot
from diligent_tui.ui.widgets.status_bar import StatusBar
from tests.ui.stage import ask, make_app, painted, ready, session_of, settled

SIZE = (150, 40)
STALLS = "hello again [[fault=stall on=summary]]"
FAILS = "hello again [[fault=overloaded on=summary]]"


def bottom(app: DiligentApp) -> str:
    return app.main.query_one(StatusBar).render().plain


def traced(app: DiligentApp) -> list[str]:
    log = app.main.query_one(TracePane).log_view
    return [text for y in range(log.size.height) if (text := log.render_line(y).text.strip())]


async def begin_learning(pilot: Pilot[int]) -> DiligentApp:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    await ask(pilot, STALLS)
    app.main.prompt.set_text("/learn")
    await pilot.press("enter")
    await painted(pilot, lambda: "of about 100 words" in bottom(app))
    return app


async def begin_leaving(pilot: Pilot[int], second: str) -> DiligentApp:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    await ask(pilot, "hello")
    target = session_of(app).store.tree.leaf_id
    await ask(pilot, second)
    assert app.travel is not None
    app.run_worker(app.travel.continue_from(target))
    await painted(pilot, lambda: isinstance(app.screen, LeaveBranchScreen))
    await pilot.press("2", "enter")
    return app


async def test_learning_tells_how_much_is_written_and_esc_in_the_prompt_stops_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await begin_learning(pilot)
        assert "learning · writing" in bottom(app)
        app.main.prompt.focus()
        await settled(pilot)
        assert "esc stop" in bottom(app)
        await pilot.press("escape")
        await painted(pilot, lambda: not session_of(app).is_on_errand)
        pane = app.main.query_one(KnowledgePane)
        await painted(pilot, lambda: not pane.is_learning)
        assert "learning" not in bottom(app)
        assert "nothing was proposed" in str(pane.query_one(Foot).render())


async def test_learning_has_one_row_in_the_trace_that_ends(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await begin_learning(pilot)
        app.main.show("trace")
        await settled(pilot)
        (row,) = [row for row in traced(app) if "learning" in row]
        assert "◐" in row
        assert "writing" in row
        session_of(app).interrupt()
        await painted(pilot, lambda: not session_of(app).is_on_errand)
        await settled(pilot)
        (row,) = [row for row in traced(app) if "learning" in row]
        assert "stopped" in row


async def test_what_came_of_learning_is_said_where_its_pane_is_hidden_by_then(tmp_path: Path, said: list[str]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await begin_learning(pilot)
        app.main.show("trace")
        session_of(app).interrupt()
        await painted(pilot, lambda: "Stopped; nothing was proposed." in said)


async def test_leaving_a_branch_tells_how_much_is_written_and_esc_moves_nothing(
    tmp_path: Path, said: list[str]
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await begin_leaving(pilot, STALLS)
        leaf = session_of(app).store.tree.leaf_id

        def title() -> str:
            screen = app.screen
            is_there = isinstance(screen, SummarisingScreen) and screen.is_mounted
            return str(screen.query_one("#summarising-title", Static).render()) if is_there else ""

        await painted(pilot, lambda: "of about 325 words" in title())
        assert "summing up the branch · writing" in bottom(app)
        await pilot.press("escape")
        await painted(pilot, lambda: "Stopped; nothing was moved." in said)
        assert app.screen is app.main
        assert session_of(app).store.tree.leaf_id == leaf
        assert not session_of(app).is_on_errand


async def test_a_branch_that_cannot_be_summed_up_is_not_left_and_one_is_told_what_to_do(
    tmp_path: Path, said: list[str]
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await begin_leaving(pilot, FAILS)
        await painted(pilot, lambda: any("too busy" in words for words in said))
        (words,) = [words for words in said if "too busy" in words]
        assert words.startswith("Nothing was moved.")
        assert "again" in words
        assert app.screen is app.main
