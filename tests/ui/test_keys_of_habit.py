"""Keys that hands know from other programs do what one expects while the prompt has the focus."""

from pathlib import Path

import pytest

from tests.ui.stage import ask, begin, make_app, ready, settled

SIZE = (100, 30)


async def test_pages_of_the_chat_are_turned_from_the_prompt(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        await ask(pilot, "[[t=2000 r=0]]")
        assert core.chat.model.is_following
        await pilot.press(*"half a thought", "pageup")
        await settled(pilot)
        above = core.chat.scroll_y
        assert not core.chat.model.is_following
        await pilot.press("pageup")
        await settled(pilot)
        assert core.chat.scroll_y < above
        await pilot.press("pagedown", "pagedown", "pagedown", "!")
        await settled(pilot)
        assert core.chat.model.is_following
        assert app.main.prompt.has_focus
        assert app.main.prompt.text == "half a thought!"


async def test_ctrl_c_on_an_empty_prompt_stops_the_agent(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        await begin(pilot, "explain [[fault=stall]]")
        assert core.session is not None
        await pilot.press("x", "ctrl+c")
        assert core.session.is_running
        await pilot.press("ctrl+c")
        await core.session.wait_idle()
        await settled(pilot)
        assert not core.session.is_running


@pytest.mark.parametrize("place", ["prompt", "chat"])
async def test_ctrl_c_where_nothing_runs_says_how_to_leave(place: str, tmp_path: Path, said: list[str]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        await ask(pilot, "list")
        (app.main.prompt if place == "prompt" else core.chat).focus()
        await pilot.pause()
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert said == ["ctrl+q leaves; all is saved."]
