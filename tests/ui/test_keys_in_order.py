"""What is typed behind a key acts where that key led, however quickly it was typed and however long that takes."""

from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.sessions import SessionsScreen
from tests.ui.stage import MOST_PAUSES, ask, make_app, ready
from tests.ui.test_storage_faults import asked, held_elsewhere
from tests.ui.test_trust_in_the_app import planted

NAMES = {"/": "slash", "?": "question_mark"}
FIND = ("/", *"zebra")
LEADING = [
    (("f2", *FIND), "zebra"),
    (("f3", *FIND), "zebra"),
    (("f4", *FIND), "zebra"),
    (("f5", "?"), "In the summary"),
    (("f6", *FIND), "zebra"),
    (("f7", *FIND), "zebra"),
    (("f8", *FIND), "zebra"),
    (("ctrl+p", *"zebra"), "zebra"),
    (("f2", "f4", *FIND), "zebra"),
]


def type_at_once(app: DiligentApp, *keys: str) -> None:
    """Keys as they come that are typed quicker than they are looked at."""
    for key in keys:
        app.post_message(Key(NAMES.get(key, key), key if len(key) == 1 else None))


def is_shown(app: DiligentApp, words: str) -> bool:
    return words in app.export_screenshot().replace("&#160;", " ")


async def until_shown(pilot: Pilot[int], app: DiligentApp, words: str) -> None:
    for _ in range(MOST_PAUSES):
        if is_shown(app, words):
            return
        await pilot.pause(0.01)
    raise AssertionError(f"never said {words!r}")


async def until_read(pilot: Pilot[int], app: DiligentApp) -> None:
    """Wait for what a pane reads when it is first shown."""
    while any(worker.group.startswith("knowledge") and not worker.is_finished for worker in app.workers):
        await pilot.pause(0.01)


async def until_written(pilot: Pilot[int], app: DiligentApp, text: str) -> None:
    for _ in range(MOST_PAUSES):
        if app.main.prompt.text == text:
            return
        await pilot.pause(0.01)
    raise AssertionError(f"the prompt has {app.main.prompt.text!r}")


@pytest.mark.parametrize(("keys", "told"), LEADING)
async def test_letters_behind_a_key_act_where_it_led(keys: tuple[str, ...], told: str, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "run echo hi")
        type_at_once(app, *keys)
        await until_shown(pilot, app, told)
        assert app.main.prompt.text == ""
        await until_read(pilot, app)


@pytest.mark.parametrize(("keys", "told"), LEADING)
async def test_letters_wait_with_the_key_until_there_is_a_session(
    keys: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        assert app.core is None
        type_at_once(app, *keys)
        await ready(pilot)
        await until_shown(pilot, app, told)
        assert app.main.prompt.text == ""
        await until_read(pilot, app)


async def test_a_key_of_the_users_own_leads_there_as_well(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys={"knowledge": "k", "sessions": "ctrl+b"})
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "run echo hi")
        type_at_once(app, *"like", "tab", "f3", "k", *FIND)
        await until_shown(pilot, app, "zebra")
        assert app.main.prompt.text == "like"
        type_at_once(app, "escape", "escape", "ctrl+b", "/", *"heron")
        await until_shown(pilot, app, "heron")
        assert isinstance(app.screen, SessionsScreen)


async def test_esc_ends_the_wait_and_what_is_typed_behind_it_is_written(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        type_at_once(app, "f4", *"xyz", "escape", *"hello")
        await until_written(pilot, app, "hello")
        core = await ready(pilot)
        await pilot.pause()
        assert app.main.prompt.has_focus
        assert not any(side.display for side in core.sides)


async def test_what_was_typed_for_a_place_that_does_not_come_in_time_is_in_the_prompt_and_not_sent(
    tmp_path: Path,
) -> None:
    app = make_app(tmp_path)
    app.patience_seconds = 0.001
    async with app.run_test(size=(120, 40)) as pilot:
        type_at_once(app, "f4", *"now", "enter")
        app.post_message(Paste(" pasted"))
        await until_written(pilot, app, "now pasted")
        core = await ready(pilot)
        await pilot.pause()
        assert app.main.prompt.has_focus
        assert not any(side.display for side in core.sides)
        assert core.session is not None
        assert not core.session.store.tree.nodes


async def test_what_was_typed_for_a_screen_that_is_refused_is_in_the_prompt_and_not_sent(tmp_path: Path) -> None:
    await planted(tmp_path)
    app = make_app(tmp_path, typed="say: ")
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        type_at_once(app, "f8", *"red", "enter")
        await until_written(pilot, app, "say: red")
        await pilot.pause()
        assert app.main.prompt.text == "say: red"
        assert core.session is not None
        assert not core.session.store.tree.nodes


async def test_a_question_that_comes_up_meanwhile_is_not_answered_by_letters_for_another_place(tmp_path: Path) -> None:
    other = await held_elsewhere(make_app(tmp_path), tmp_path)
    app = make_app(tmp_path, goes_on=True)
    async with app.run_test(size=(100, 30)) as pilot:
        type_at_once(app, "f2", *"frq", "enter")
        question = await asked(pilot)
        assert app.screen is question
        assert app.main.prompt.text == "frq"
    await other.close()


async def test_a_key_that_got_lost_on_its_way_does_not_hold_those_behind_it_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path)
    lost: list[object] = []
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        monkeypatch.setattr(app, "_go_behind", lost.append)
        app.lost_seconds = 0.0
        type_at_once(app, "ctrl+end", *"zebra")
        await until_written(pilot, app, "zebra")
        assert lost
