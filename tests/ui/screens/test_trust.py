"""The trust question: Enter is a no, a yes is to what was shown, and nothing is asked twice."""

from pathlib import Path

import pytest
from textual.widgets import Static

from diligent_tui.config.survey import Finding
from diligent_tui.config.trust import FILE_NAME
from diligent_tui.config.trust_view import TrustItem
from diligent_tui.ui.screens.trust import TrustScreen
from diligent_tui.ui.screens.trust.drawing import render_row
from tests.ui.screens.trust_stage import TrustApp, answered, few, many, shown


@pytest.fixture
def app(tmp_path: Path) -> TrustApp:
    return TrustApp(few(tmp_path))


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TrustScreen, "GRACE_SECONDS", 0.0)


@pytest.mark.parametrize("key", ["n", "enter", "escape"])
async def test_a_no_uses_nothing_and_is_not_asked_again(app: TrustApp, key: str) -> None:
    async with app.run_test() as pilot:
        app.ask_once()
        await shown(pilot)
        await pilot.press(key)
        await answered(pilot)
        assert app.said == ["Not used. /trust asks again."]
        assert app.entered == []
        assert not app.house.trusted
    again = TrustApp(app.cwd)
    async with again.run_test() as pilot:
        await again.desk.ask_once()
        assert not isinstance(again.screen, TrustScreen)
        again.ask()
        await shown(pilot)


async def test_a_no_does_not_count_for_what_came_later(app: TrustApp) -> None:
    async with app.run_test() as pilot:
        app.ask_once()
        await shown(pilot)
        await pilot.press("n")
        await answered(pilot)
    (app.cwd / "AGENTS.md").write_text("something new")
    again = TrustApp(app.cwd)
    async with again.run_test() as pilot:
        again.ask_once()
        await shown(pilot)


async def test_a_yes_is_remembered_and_the_folder_entered_again(app: TrustApp) -> None:
    async with app.run_test() as pilot:
        app.ask()
        await shown(pilot)
        await pilot.press("t")
        await answered(pilot)
        assert app.entered == [()]
        assert app.house.trusted
        assert app.house.settings.theme == "light"
        assert app.house.settings.mode == "ask"
    assert TrustApp(app.cwd).house.trusted


async def test_only_this_time_is_forgotten(app: TrustApp) -> None:
    async with app.run_test() as pilot:
        strangers = app.house.strangers
        app.ask()
        await shown(pilot)
        await pilot.press("o")
        await answered(pilot)
        assert [finding.path for finding in app.entered[0]] == [finding.path for finding in strangers]
        assert app.house.trusted
    assert not TrustApp(app.cwd).house.trusted


async def test_what_changed_while_the_question_stood_is_not_trusted(app: TrustApp) -> None:
    async with app.run_test() as pilot:
        app.ask()
        await shown(pilot)
        (app.cwd / "AGENTS.md").write_text("unkind")
        await pilot.press("t")
        await answered(pilot)
        assert [finding.name for finding in app.house.strangers] == ["AGENTS.md"]
        assert app.said == ["Something has changed since you looked. /trust shows it as it is now."]


async def test_a_yes_that_cannot_be_saved_counts_for_this_run_and_is_said(app: TrustApp) -> None:
    async with app.run_test() as pilot:
        app.ask()
        await shown(pilot)
        state = app.house.places.user_state
        state.parent.mkdir(parents=True, exist_ok=True)
        state.write_text("a file where the folder should be")
        await pilot.press("t")
        await answered(pilot)
        assert app.said[0].startswith("Used in this run, but your yes could not be saved")
        assert len(app.entered[0]) == 2
        assert not (state / FILE_NAME).exists()


async def test_keys_typed_before_the_question_was_seen_answer_nothing(
    app: TrustApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TrustScreen, "GRACE_SECONDS", 1e9)
    async with app.run_test() as pilot:
        app.ask()
        screen = await shown(pilot)
        await pilot.press("t", "o", "n", "enter", "escape")
        assert app.screen is screen


async def test_one_can_look_at_each_thing_and_not_past_them(tmp_path: Path) -> None:
    app = TrustApp(many(tmp_path))
    async with app.run_test() as pilot:
        app.ask()
        screen = await shown(pilot)
        seen = [screen.item.finding]
        for _ in app.house.strangers:
            await pilot.press("down")
            seen.append(screen.item.finding)
        assert [finding.path for finding in seen[:-1]] == [finding.path for finding in app.house.strangers]
        assert seen[-1] == seen[-2]
        await pilot.press(*["k"] * 20)
        assert screen.item.finding.path == app.house.strangers[0].path
        assert app.screen is screen


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (80, " instructions  docs/long/way/AGENTS.md          ! 3 lines, told to the model in full"),
        (70, " instructions  docs/long/way/AGENTS.md             ! hidden characters"),
        (50, " instructions  …way/AGENTS.md  ! hidden characters"),
    ],
)
def test_a_row_says_what_a_thing_would_do_at_every_width(columns: int, expected: str) -> None:
    finding = Finding("instructions", Path("AGENTS.md"), "docs/long/way/AGENTS.md", "")
    words, brief = "3 lines, told to the model in full", "hidden characters"
    row = render_row(TrustItem(finding, finding.name, words, brief, warning="Look."), columns, is_under_cursor=False)
    assert row.plain.split() == expected.split()
    assert row.cell_length == columns


async def test_the_name_of_what_lies_deep_takes_one_row_of_the_details(tmp_path: Path) -> None:
    app = TrustApp(many(tmp_path))
    async with app.run_test(size=(60, 20)) as pilot:
        app.ask()
        screen = await shown(pilot)
        await pilot.press(*["down"] * 11)
        await pilot.pause()
        name = str(screen.query_one("#trust-detail", Static).render()).split("\n")[0]
        assert name.startswith("…")
        assert name.endswith("/AGENTS.md")
        assert len(name) <= screen.query_one("#trust-detail").size.width


async def test_a_folder_that_needs_no_trust_says_so(tmp_path: Path) -> None:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    app = TrustApp(tmp_path / "project")
    async with app.run_test():
        await app.desk.look()
        assert app.said == ["This folder brings nothing that needs your trust, or you trust it already."]
