"""The guide sees what was done, waits to be turned, and is never in the way."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.domain import events
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.widgets.guide import GuideStrip
from diligent_tui.ui.widgets.guide.steps import STEPS
from diligent_tui.ui.widgets.guide.tour import Tour
from tests.ui.stage import ask, make_app, ready, settled

LAST = len(STEPS)


def test_each_of_seven_steps_waits_for_something_that_can_happen() -> None:
    assert len([step for step in STEPS if step.pane or step.events]) == len(STEPS) == 7
    assert all(hasattr(events, name) for step in STEPS for name in step.events)


@pytest.mark.parametrize(
    ("place", "signs", "is_done"),
    [
        (0, {"ToolFinished"}, True),
        (0, {"TextDelta"}, False),
        (0, {"#summary"}, False),
        (1, {"#summary"}, True),
        (LAST - 1, {"LeafMoved"}, True),
    ],
)
def test_what_was_done_is_seen_and_stays_to_be_read(place: int, signs: set[str], is_done: bool) -> None:
    tour = Tour(place).after(frozenset(signs))
    assert tour.is_done == is_done
    assert tour.place == place


def test_what_was_done_early_is_marked() -> None:
    assert Tour(0).after(frozenset({"#summary"})).marks == "▸✓·····"


@pytest.mark.parametrize(("place", "steps", "then"), [(0, -1, 0), (0, 1, 1), (3, -1, 2), (LAST, 1, LAST)])
def test_it_turns_within_its_steps(place: int, steps: int, then: int) -> None:
    assert Tour(place).turned(steps).place == then


async def guided(pilot: Pilot[int]) -> GuideStrip:
    await ready(pilot)
    await settled(pilot)
    assert isinstance(pilot.app, DiligentApp)
    return pilot.app.main.query_one(GuideStrip)


async def test_a_command_that_ran_and_a_pane_that_was_opened_are_noticed(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"mode": "full"}, guides=True)
    async with app.run_test(size=(120, 40)) as pilot:
        guide = await guided(pilot)
        assert not guide.tour.is_done
        await ask(pilot, "run echo hi")
        assert guide.tour.is_done
        assert guide.render().plain.splitlines()[-1].startswith("✓ done  F12 next")
        await pilot.press("f5")
        await settled(pilot)
        assert guide.tour.done == {0, 1}


def test_a_tool_that_was_not_let_run_is_not_one_that_ran() -> None:
    guide = GuideStrip()
    guide.hear([events.ToolFinished("1", "bash", "The user said no.", True, 0.0)])
    assert not guide.tour.done
    guide.hear([events.ToolFinished("1", "bash", "1 failed", True, 0.0, exit_code=1)])
    assert guide.tour.done == {0}


async def test_keys_and_words_turn_and_hide_it(tmp_path: Path) -> None:
    app = make_app(tmp_path, guides=True)
    async with app.run_test(size=(120, 40)) as pilot:
        guide = await guided(pilot)
        await pilot.press("f12", "f12")
        assert guide.tour.place == 2
        await pilot.press("shift+f12")
        assert guide.tour.place == 1
        app.main.prompt.set_text("/guide")
        await pilot.press("enter")
        await settled(pilot)
        assert not guide.display
        await pilot.press("f12")
        assert guide.display
        await pilot.press(*["f12"] * (LAST - 2))
        assert guide.tour.is_over
        await pilot.press("f12")
        assert not guide.display


async def test_its_keys_stand_on_a_line_of_their_own_and_none_leads_nowhere(tmp_path: Path) -> None:
    app = make_app(tmp_path, guides=True)
    async with app.run_test(size=(80, 24)) as pilot:
        guide = await guided(pilot)

        def keys() -> str:
            return guide.render().plain.splitlines()[-1]

        assert keys() == "F12 next  /guide hide"
        await pilot.press("f12")
        assert keys() == "F12 next  shift+F12 back  /guide hide"
        await pilot.press(*["f12"] * (LAST - 1))
        assert keys() == "F12 close  shift+F12 back"


async def test_it_leaves_the_prompt_alone(tmp_path: Path) -> None:
    app = make_app(tmp_path, guides=True)
    async with app.run_test(size=(120, 40)) as pilot:
        guide = await guided(pilot)
        assert not guide.can_focus
        assert app.main.prompt.has_focus
        await pilot.press("h", "i")
        assert app.main.prompt.text == "hi"


async def test_without_the_demo_there_is_none_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def notify(_: MainScreen, message: str, *, markup: bool) -> None:
        assert not markup
        said.append(message)

    monkeypatch.setattr(MainScreen, "notify", notify)
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        assert not app.main.query(GuideStrip)
        await pilot.press("f12")
    assert said == ["The guide goes with diligent --demo."]
