"""What was written or learnt about memory outlives a switch, a leaving and a run; a fact goes where it is sent."""

from collections.abc import Mapping
from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.config.drafts import FOLDER_NAME, DraftDrawer
from diligent_tui.config.estimates import load_estimator
from diligent_tui.config.summary_drafts import load_summary_drafts
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.panes.knowledge.drafts import Draft
from diligent_tui.ui.widgets.foot import Foot
from tests.ui.stage import ask, make_app, painted, ready, settled

SIZE = (120, 40)
LINES = 450


async def compact(pilot: Pilot[int], app: DiligentApp) -> Core:
    """Say enough to be compacted, compact it and look at the summary."""
    lines = (f"{n}: src/part_{n}.py has the value {7 * n}\n" for n in range(LINES))
    (app.opening.cwd / "long.txt").write_text("".join(lines))
    core = await ready(pilot)
    for words in ("read long.txt", "never touch legacy/; read long.txt", "read long.txt"):
        await ask(pilot, words)
    app.main.prompt.set_text("/compact")
    await pilot.press("enter")
    memory = core.session.memory if core.session else None
    assert memory is not None
    await painted(pilot, lambda: len(memory.versions()) == 1 and not memory.is_compacting)
    await pilot.press("f5")
    await settled(pilot)
    return core


async def test_a_fact_of_the_coverage_report_is_kept_across_sessions_with_its_origin(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"compaction.pruning": False})
    async with app.run_test(size=SIZE) as pilot:
        core = await compact(pilot, app)
        session = core.session
        assert session is not None
        await pilot.press("c")
        await painted(pilot, lambda: core.summary.item is not None)
        item = core.summary.item
        assert item is not None
        assert item.place == "dropped"
        await pilot.press("n")
        await painted(pilot, lambda: bool(session.knowledge.entries()))
        (known,) = session.knowledge.entries()
        assert known.entry.content == item.text
        assert known.entry.entry_id == item.entry_id
        assert known.entry.session_id == session.id
        assert known.entry.author == "user"

        def place() -> str | None:
            report = session.memory.coverage(session.memory.versions()[-1].entry.id)
            return next((each.place for each in report.items if each.text == item.text), None)

        assert place() == "knowledge"
        await painted(pilot, lambda: core.summary.item is not None and core.summary.item.text != item.text)
        await session.knowledge.undo_last()
        assert place() == "dropped"


async def test_a_summary_that_is_being_edited_is_there_again_after_leaving(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"compaction.pruning": False})
    async with app.run_test(size=SIZE) as pilot:
        await compact(pilot, app)
        await pilot.press("e", *"Mine: ", "ctrl+q")
    later = make_app(tmp_path, flags={"compaction.pruning": False}, goes_on=True)
    async with later.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        assert core.summary.is_editing
        assert core.summary.editor.text.startswith("Mine: ## Goal")
        await settled(pilot)
        assert core.summary.display
        assert "ctrl+s save" in str(core.summary.query_one(Foot).render())
        core.summary.editor.focus()
        await pilot.press("ctrl+s")
        session = core.session
        assert session is not None
        await painted(pilot, lambda: len(session.memory.versions()) == 2)
        assert session.memory.versions()[-1].entry.summary.startswith("Mine: ")
        await painted(pilot, lambda: not core.summary.is_editing)
    places = core.ground.house.places
    assert load_summary_drafts(places.user_state, places.root) == {}


async def test_a_summary_that_is_being_edited_is_kept_while_one_writes_and_gone_once_dropped(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"compaction.pruning": False})
    async with app.run_test(size=SIZE) as pilot:
        core = await compact(pilot, app)
        places = core.ground.house.places
        session = core.session
        assert session is not None

        def kept() -> str:
            return load_summary_drafts(places.user_state, places.root).get(session.id, ("", ""))[1]

        await pilot.press("e", *"Mine: ")
        await painted(pilot, lambda: kept().startswith("Mine: ## Goal"))
        await pilot.press("escape", "x")
        await painted(pilot, lambda: not kept())


def left_in_form(core: Core) -> Mapping[str, str]:
    """What a window that begins now would find of a knowledge form."""
    places = core.ground.house.places
    drawer = DraftDrawer(places.user_state, places.root)
    found = drawer.begin().unsent.form
    drawer.leave()
    return found


async def test_a_knowledge_form_is_there_again_after_leaving_in_another_session_too(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        app.main.prompt.set_text("/remember")
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press(*"Ducks", "tab", "tab", *"pond", "tab", "space", "ctrl+q")
    later = make_app(tmp_path)
    async with later.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        session, form = core.session, core.knowledge.form
        assert session is not None
        assert form is not None
        assert form.draft == Draft("pattern", "Ducks", tags="pond", scope="user")
        core.knowledge.focus()
        await pilot.press("ctrl+s")
        await painted(pilot, lambda: core.knowledge.form is None)
        (known,) = session.knowledge.entries()
        assert (known.entry.content, known.entry.scope) == ("Ducks", "user")
    assert not left_in_form(core)


async def test_an_edit_of_knowledge_goes_on_where_a_crash_ended_it_and_is_gone_once_given_up(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        entry = await core.session.knowledge.add("decision", "pond")
        places = core.ground.house.places
        await pilot.press("f4")
        await painted(pilot, lambda: core.knowledge.known is not None)
        await pilot.press("e", "end", *"s")
        drafts = places.user_state / FOLDER_NAME
        await painted(pilot, lambda: any(b"ponds" in path.read_bytes() for path in drafts.glob("*.txt")))
    later = make_app(tmp_path)
    async with later.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        form = core.knowledge.form
        assert form is not None
        assert (form.purpose, form.targets, form.draft.content) == ("edit", (entry.id,), "ponds")
        core.knowledge.focus()
        await pilot.press("escape", "x")
        await painted(pilot, lambda: not list(drafts.glob("*.txt")))
    assert not left_in_form(core)


async def test_what_was_learnt_about_sizes_goes_over_to_the_next_session_and_to_the_next_run(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        assert core.session is not None
        learnt = core.session.estimator.ratios
        assert learnt
        await core.switch_to(None)
        assert core.session.estimator.ratios == learnt
        await core.switch_to(None)
        await settled(pilot)
    assert load_estimator(core.ground.house.places.user_state).ratios == learnt


async def test_a_window_that_learnt_nothing_takes_nothing_from_another(tmp_path: Path) -> None:
    idle, busy = make_app(tmp_path), make_app(tmp_path)
    async with idle.run_test(size=SIZE) as idle_pilot:
        core = await ready(idle_pilot)
        async with busy.run_test(size=SIZE) as pilot:
            await ready(pilot)
            await ask(pilot, "hello")
    assert load_estimator(core.ground.house.places.user_state).ratios
