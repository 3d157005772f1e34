"""A fact over two sessions in the real app: told, saved, shown, told again, edited, and the edit told at the tail."""

from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.panes.context.board import ContextBoard
from diligent_tui.ui.panes.knowledge import KnowledgePane
from tests.ui.panes.context_stage import shown as in_context
from tests.ui.stage import ask, make_app, ready, session_of, settled

SIZE = (120, 40)
FACT = "tests run with make test"
MOST_PAUSES = 500


def pane_of(app: DiligentApp) -> KnowledgePane:
    return app.main.query_one(KnowledgePane)


def rows(app: DiligentApp) -> list[str]:
    view = pane_of(app).rows
    return [text for y in range(view.size.height) if (text := view.render_line(y).text.strip())]


async def quiet(pilot: Pilot[int]) -> None:
    """Wait until the pane has read and shown everything."""
    app = pilot.app
    assert isinstance(app, DiligentApp)
    for _ in range(MOST_PAUSES):
        await settled(pilot)
        if all(
            worker.is_finished for worker in app.workers if worker.node is pane_of(app) or worker.group == "knowledge"
        ):
            return
        await pilot.pause(0.01)
    raise AssertionError("the pane did not come to rest")


async def test_a_fact_is_told_kept_shown_told_again_and_edited(tmp_path: Path, said: list[str]) -> None:
    first = make_app(tmp_path)
    async with first.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("f4")
        await quiet(pilot)
        assert "Nothing is kept" in str(pane_of(first).query_one("#knowledge-empty").render())
        first.main.prompt.focus()
        await ask(pilot, f"remember that {FACT}")
        await quiet(pilot)
        assert [words for words in said if words.startswith("Saved:") and FACT in words]
        (row,) = [row for row in rows(first) if FACT in row]
        assert row.startswith("+")
        pane_of(first).focus()
        await pilot.press("enter")
        assert first.core is not None
        for _ in range(MOST_PAUSES):
            if first.core.chat.has_focus:
                break
            await pilot.pause(0.01)
        await quiet(pilot)
        assert first.core.chat.has_focus
        assert FACT not in session_of(first).next_request().system

    second = make_app(tmp_path)
    async with second.run_test(size=SIZE) as pilot:
        await ready(pilot)
        session = session_of(second)
        assert FACT in session.next_request().system
        await ask(pilot, "hello")
        before = session.next_request()
        assert FACT in before.system

        await pilot.press("f6")
        board = second.main.query_one(ContextBoard)
        for _ in range(MOST_PAUSES):
            if any("project knowledge" in row for row in in_context(board)):
                break
            await pilot.pause(0.01)
        (part,) = [part for part in session.memory.context().parts if part.kind == "knowledge"]
        assert FACT in part.text
        assert any("project knowledge" in row for row in in_context(board))

        await pilot.press("f4")
        await quiet(pilot)
        assert any(FACT in row for row in rows(second))
        await pilot.press("e", *" all", "enter")
        await quiet(pilot)
        (known,) = session.knowledge.overview().live
        assert known.entry.content == f"{FACT} all"
        assert [entry.content for entry in session.knowledge.chain(known.entry.id)] == [FACT, f"{FACT} all"]

        second.main.prompt.focus()
        await ask(pilot, "hello again")
        after = session.next_request()
        assert after.system == before.system
        # The last message of a request that nobody has asked for yet only asks to go on.
        prefix = before.messages[:-1]
        assert after.messages[: len(prefix)] == prefix
        tail = str(after.messages[len(prefix) :])
        assert f"{FACT} all" in tail
        assert "[Knowledge changed]" in tail


async def test_remember_opens_the_form_with_the_words_in_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        app.main.prompt.set_text("/remember never push to main")
        await pilot.press("enter")
        await quiet(pilot)
        form = pane_of(app).form
        assert form is not None
        assert (form.draft.type, form.draft.content, form.at) == ("correction", "never push to main", "type")
        await pilot.press("enter")
        await quiet(pilot)
        (known,) = session_of(app).knowledge.overview().live
        assert known.entry.content == "never push to main"


async def test_learn_puts_candidates_into_the_inbox_and_shows_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "always write tests before the code")
        app.main.prompt.set_text("/learn")
        await pilot.press("enter")
        pane = pane_of(app)
        for _ in range(MOST_PAUSES):
            await quiet(pilot)
            if not pane.is_learning and pane.mode == "inbox" and session_of(app).knowledge.candidates():
                break
            await pilot.pause(0.01)
        assert any("tests before the code" in row for row in rows(app))
        assert "to review" in str(pane.query_one("#knowledge-foot").render())


async def test_f1_in_the_pane_tells_its_keys(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("f4", "f1")
        await pilot.pause()
        assert "HelpScreen" in type(app.screen).__name__
