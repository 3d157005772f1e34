"""Writing a prompt in the real app: files, commands, earlier prompts, the queue, the user's own editor."""

import contextlib
from collections.abc import Generator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.config.prompt_history import load_history
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen
from diligent_tui.ui.screens.model_picker import ModelPicker
from diligent_tui.ui.widgets.completion.popup import ChoicePopup
from diligent_tui.ui.widgets.queue_strip import QueueStrip
from tests.agent.test_attachments import png
from tests.ui.stage import ask, begin, make_app, ready, settled

FILES = ("src/main.py", "src/deep/main_test.py", "README.md", "out.log", "my plan.md")


def furnished(folder: Path, environ: Mapping[str, str] | None = None) -> DiligentApp:
    app = make_app(folder, environ=environ) if environ else make_app(folder)
    project = folder / "project"
    for name in FILES:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("words\n")
    (project / ".gitignore").write_text("*.log\n")
    return app


def shown(app: DiligentApp) -> list[str]:
    """The rows of the list, the chosen one first; none if it is closed."""
    for popup in app.main.query(ChoicePopup):
        choices = popup.choices
        if popup.display and choices.chosen:
            return [choices.chosen.label, *(row.label for row in choices.rows if row is not choices.chosen)]
    return []


async def type_words(pilot: Pilot[int], text: str) -> None:
    keys = {" ": "space", "/": "slash", "@": "at", "!": "exclamation_mark", "-": "minus", ".": "full_stop", '"': '"'}
    await pilot.press(*(keys.get(letter, letter) for letter in text))
    await pilot.pause()


async def wait_for_list(pilot: Pilot[int], app: DiligentApp, first: str) -> None:
    for _ in range(500):
        if shown(app)[:1] == [first]:
            return
        await pilot.pause(0.01)
    raise AssertionError(f"{first!r} is not offered first but {shown(app)}")


async def worked(pilot: Pilot[int], group: str) -> None:
    while any(worker.group == group for worker in pilot.app.workers):
        await pilot.pause(0.01)


async def test_a_file_is_completed_and_found_sooner_next_time(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "see @test")
        await wait_for_list(pilot, app, "src/deep/main_test.py")
        await pilot.press("tab")
        assert app.main.prompt.text == "see @src/deep/main_test.py "
        assert shown(app) == []
        await type_words(pilot, "and @")
        await wait_for_list(pilot, app, "src/deep/main_test.py")
        assert "out.log" not in shown(app)
    again = make_app(tmp_path)
    async with again.run_test() as pilot:
        await ready(pilot)
        again.main.prompt.set_text("")
        await type_words(pilot, "@")
        await wait_for_list(pilot, again, "src/deep/main_test.py")


def note(app: DiligentApp) -> str:
    """How many there are; a walk may just be ending."""
    return app.main.query_one(ChoicePopup).choices.note.removeprefix("reading… ")


async def test_it_is_told_how_many_of_the_files_are_listed(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "@")
        await wait_for_list(pilot, app, "README.md")
        assert note(app) == "7 files and folders"
        await type_words(pilot, "main")
        await wait_for_list(pilot, app, "src/main.py")
        assert note(app) == "2 of 7 files and folders"


async def test_enter_takes_the_file_and_a_second_one_sends(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        await type_words(pilot, "read @READ")
        await wait_for_list(pilot, app, "README.md")
        await pilot.press("enter")
        assert app.main.prompt.text == "read @README.md "
        assert core.session is not None
        assert not core.session.store.tree.nodes
        await pilot.press("enter")
        assert app.main.prompt.text == ""


async def test_a_name_that_is_typed_whole_is_sent_at_once(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "@README.md")
        await wait_for_list(pilot, app, "README.md")
        await pilot.press("enter")
        assert app.main.prompt.text == ""


async def test_from_a_folder_one_goes_on(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "@deep")
        await wait_for_list(pilot, app, "src/deep/")
        await pilot.press("tab")
        assert app.main.prompt.text == "@src/deep/"
        await wait_for_list(pilot, app, "src/deep/main_test.py")


async def test_a_name_with_blanks_is_quoted(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "@plan")
        await wait_for_list(pilot, app, "my plan.md")
        await pilot.press("tab")
        assert app.main.prompt.text == '@"my plan.md" '


async def test_escape_closes_the_list_and_leaves_the_text(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "@ma")
        await wait_for_list(pilot, app, "src/main.py")
        await pilot.press("escape")
        assert shown(app) == []
        await type_words(pilot, "i")
        await pilot.pause(0.1)
        assert shown(app) == []
        assert app.main.prompt.text == "@mai"


async def test_arrows_choose_in_the_list_and_the_history_stays(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "@main")
        await wait_for_list(pilot, app, "src/main.py")
        await pilot.press("down")
        assert shown(app)[0] == "src/deep/main_test.py"
        await pilot.press("up", "up", "enter")
        assert app.main.prompt.text == "@src/deep/main_test.py "


async def test_moving_away_from_the_word_closes_the_list(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "x @main")
        await wait_for_list(pilot, app, "src/main.py")
        await pilot.press("home")
        await pilot.pause()
        assert shown(app) == []


async def test_going_elsewhere_closes_the_list(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "@main")
        await wait_for_list(pilot, app, "src/main.py")
        await pilot.press("f2")
        await pilot.pause()
        assert shown(app) == []


async def test_a_command_is_run_with_enter_and_only_written_with_tab(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "/mod")
        await wait_for_list(pilot, app, shown(app)[0])
        while shown(app)[0] != "/model":
            await pilot.press("down")
        await pilot.press("tab")
        assert app.main.prompt.text == "/model "
        assert not isinstance(app.screen, ModelPicker)
        await pilot.press("ctrl+u")
        await type_words(pilot, "/mod")
        while shown(app)[0] != "/model":
            await pilot.press("down")
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert app.main.prompt.text == ""
        assert isinstance(app.screen, ModelPicker)


async def test_a_command_that_was_only_guessed_is_written_and_not_run(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "/odl")
        await wait_for_list(pilot, app, "/model")
        assert ("⏎", "insert") in app.main.query_one(ChoicePopup).choices.keys
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert app.main.prompt.text == "/model "
        assert not isinstance(app.screen, ModelPicker)
        await pilot.press("ctrl+u")
        await type_words(pilot, "/odl")
        await pilot.press("down")
        assert ("⏎", "run") in app.main.query_one(ChoicePopup).choices.keys
        await pilot.press("up", "enter")
        await pilot.pause(0.1)
        assert isinstance(app.screen, ModelPicker)


async def test_a_command_that_needs_words_waits_for_them(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await type_words(pilot, "/nam")
        await wait_for_list(pilot, app, "/name")
        await pilot.press("enter")
        assert app.main.prompt.text == "/name "


async def test_words_of_a_command_are_completed(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        await type_words(pilot, "/mode fu")
        await wait_for_list(pilot, app, "full")
        await pilot.press("tab")
        assert app.main.prompt.text == "/mode full "
        await pilot.press("enter")
        await settled(pilot)
        assert core.session is not None
        assert core.session.mode == "full"


async def test_behind_a_command_enter_alone_runs_it(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        assert core.session is not None
        before = core.session.mode
        await type_words(pilot, "/mode ")
        await wait_for_list(pilot, app, "plan")
        await pilot.press("enter")
        await settled(pilot)
        assert core.session.mode != before
        assert app.main.prompt.text == ""


async def test_walking_through_earlier_prompts_opens_no_list(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        app.main.prompt.set_history(["first", "/mo"])
        await pilot.press("up")
        await pilot.pause()
        assert app.main.prompt.text == "/mo"
        assert shown(app) == []
        await pilot.press("up")
        assert app.main.prompt.text == "first"


async def test_an_earlier_prompt_is_found_as_one_types(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        app.main.prompt.set_history(["fix the loader", "write docs", "fix the tests"])
        await type_words(pilot, "draft")
        await pilot.press("ctrl+r", "f", "i", "x")
        assert shown(app) == ["fix the tests", "fix the loader"]
        assert app.main.prompt.text == "draft"
        await pilot.press("ctrl+r", "enter")
        assert app.main.prompt.text == "fix the loader"
        await pilot.press("ctrl+r", "escape")
        assert app.main.prompt.text == "fix the loader"
        assert shown(app) == []


async def test_a_search_takes_a_paste_and_other_keys_end_it(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        app.main.prompt.set_history(["alpha", "beta"])
        await pilot.press("ctrl+r")
        app.main.prompt.paste("alp\n")
        assert shown(app) == ["alpha"]
        await pilot.press("f2")
        await pilot.pause()
        assert shown(app) == []
        assert app.main.prompt.text == ""


async def test_two_escapes_on_the_empty_prompt_go_back_before_an_earlier_one(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        await ask(pilot, "first words")
        await ask(pilot, "second words")
        assert core.session is not None
        await pilot.press("escape")
        assert shown(app) == []
        await pilot.press("escape")
        assert shown(app) == ["second words", "first words"]
        await pilot.press("down", "enter")
        while not isinstance(app.screen, LeaveBranchScreen):
            await pilot.pause(0.01)
        await pilot.press("enter")
        while app.main.prompt.text != "first words":
            await pilot.pause(0.01)
        assert not any(node.is_prompt for node in core.session.conversation.path)


async def test_one_escape_and_anything_else_goes_nowhere(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await ask(pilot, "first words")
        await pilot.press("escape", "x", "backspace", "escape")
        assert shown(app) == []
        await type_words(pilot, "text")
        await pilot.press("escape", "escape", "escape")
        assert shown(app) == []
        assert app.main.prompt.text == "text"


async def queue_up(pilot: Pilot[int], app: DiligentApp, *texts: str) -> None:
    await begin(pilot, "explain [[fault=stall]]")
    for count, text in enumerate(texts, start=1):
        app.main.prompt.set_text(text)
        await pilot.press("enter")
        while not (app.main.state and len(app.main.state.queue) == count):
            await pilot.pause(0.01)


def waiting(app: DiligentApp) -> list[tuple[str, str]]:
    return [(item.text, item.kind) for item in app.main.state.queue] if app.main.state else []


async def test_a_queued_text_is_edited_and_the_draft_comes_back_after_it(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await queue_up(pilot, app, "one", "two")
        await type_words(pilot, "draft")
        await pilot.press("shift+tab")
        assert isinstance(app.focused, QueueStrip)
        await pilot.press("up", "enter")
        while app.main.prompt.text != "one":
            await pilot.pause(0.01)
        assert app.main.prompt.has_focus
        await type_words(pilot, "!")
        await pilot.press("enter")
        while waiting(app) != [("one!", "queue"), ("two", "queue")]:
            await pilot.pause(0.01)
        assert app.main.prompt.text == "draft"
        await pilot.press("escape")


async def test_arrows_tell_where_more_texts_wait_than_are_seen(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await queue_up(pilot, app, *"abcdef")
        await pilot.press("shift+tab")
        seen: dict[str, str] = {}
        for keys in ((), ("up",) * 4, ("up",), ("down",) * 4):
            await pilot.press(*keys)
            rows = app.main.query_one(QueueStrip).render().plain.splitlines()
            seen[rows[-1].partition("esc back")[2].strip()] = "".join(row.split()[-2] for row in rows[:-1])
        assert seen == {"6 of 6 ↑": "cdef", "2 of 6 ↓": "abcd", "1 of 6 ↓": "abcd", "5 of 6 ↑↓": "bcde"}
        await pilot.press("escape", "escape")


async def test_a_queued_text_is_deleted_but_not_lost(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await queue_up(pilot, app, "one", "two")
        await pilot.press("shift+tab", "d")
        while waiting(app) != [("one", "queue")]:
            await pilot.pause(0.01)
        await pilot.press("d")
        while waiting(app):
            await pilot.pause(0.01)
        await settled(pilot)
        assert app.main.prompt.has_focus
        await pilot.press("up")
        assert app.main.prompt.text == "one"


async def test_a_queued_text_is_told_at_once(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        await queue_up(pilot, app, "one", "two")
        await pilot.press("shift+tab", "s")
        while waiting(app) != [("one", "queue"), ("two", "steer")]:
            await pilot.pause(0.01)
        await pilot.press("escape")
        assert app.main.prompt.has_focus


@pytest.fixture
def _lendable(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def lend(_: object) -> Generator[None]:
        yield

    monkeypatch.setattr(DiligentApp, "suspend", lend)


@pytest.mark.usefixtures("_lendable")
@pytest.mark.parametrize(
    ("editor", "text"),
    [("sed -i s/draft/better/", "a better\ntext"), ("false", "a draft\ntext"), ("/no/such", "a draft\ntext")],
)
async def test_the_text_goes_through_the_users_editor(tmp_path: Path, editor: str, text: str) -> None:
    app = furnished(tmp_path, environ={"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "EDITOR": editor})
    async with app.run_test() as pilot:
        await ready(pilot)
        app.main.prompt.set_text("a draft\ntext")
        await pilot.press("ctrl+g")
        await worked(pilot, "editor")
        assert app.main.prompt.text == text


@pytest.mark.parametrize("sees", [True, False])
async def test_a_picture_becomes_a_chip_if_the_model_sees(tmp_path: Path, sees: bool) -> None:
    app = furnished(tmp_path)
    shot = tmp_path / "project" / "shot.png"
    shot.write_bytes(png(640, 480))
    async with app.run_test() as pilot:
        core = await ready(pilot)
        assert core.session is not None
        await core.session.set_model(replace(core.session.model, sees_images=sees))
        app.main.prompt.paste(f"'{shot}'")
        await type_words(pilot, "@shot")
        await wait_for_list(pilot, app, "shot.png")
        await pilot.press("tab")
        assert app.main.prompt.document.text.count("image shot.png 640×480 1 KB") == (2 if sees else 0)
        assert app.main.prompt.text == (f"@{shot} @shot.png " if sees else f"'{shot}'@shot.png ")


@pytest.mark.parametrize("sees", [True, False])
async def test_a_pasted_picture_with_blanks_in_its_path_is_known_and_said_if_it_cannot_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sees: bool
) -> None:
    sentences: list[str] = []

    def notify(_app: DiligentApp, message: str, **_more: object) -> None:
        sentences.append(message)

    monkeypatch.setattr(DiligentApp, "notify", notify)
    app = furnished(tmp_path)
    shot = tmp_path / "project" / "shot at noon.png"
    shot.write_bytes(png(640, 480))
    async with app.run_test() as pilot:
        core = await ready(pilot)
        assert core.session is not None
        await core.session.set_model(replace(core.session.model, sees_images=sees))
        app.main.prompt.paste(str(shot))
        assert app.main.prompt.text.strip() == (f'@"{shot}"' if sees else str(shot))
        unseen = "This model sees no pictures: the path is sent as words. /model chooses another."
        assert sentences == ([] if sees else [unseen])
        app.main.prompt.paste(str(shot.with_name("not there.png")))
        assert len(sentences) == (0 if sees else 1)


async def test_what_was_deleted_or_put_aside_is_there_in_the_next_run(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        places = core.ground.house.places
        await type_words(pilot, "aside")
        await pilot.press("ctrl+t")
        await worked(pilot, "history")
    assert load_history(places.user_state, places.root) == ["aside"]


async def test_the_chosen_row_is_in_sight_when_the_screen_gets_low_while_the_list_is_open(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        await ready(pilot)
        await type_words(pilot, "/")
        await pilot.press("down", "down")
        await pilot.resize_terminal(60, 8)
        await pilot.pause()
        popup = app.main.query_one(ChoicePopup)
        assert popup.region.y >= 0
        assert popup.choices.chosen is not None
        rows = [popup.render_line(y).text for y in range(popup.size.height)]
        assert [row for row in rows if "▸" in row and popup.choices.chosen.label in row]


async def test_a_search_in_vain_says_so_under_its_words_and_offers_only_the_way_out(tmp_path: Path) -> None:
    app = furnished(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot, "hello")
        await pilot.press("ctrl+r")
        await type_words(pilot, "zebra")
        popup = app.main.query_one(ChoicePopup)
        words, told, foot = [popup.render_line(y).text.strip() for y in range(popup.size.height)]
        assert words.startswith("history zebra")
        assert told.startswith("No match.")
        assert foot.startswith("esc back  ")


@pytest.mark.parametrize("keys", [["ctrl+r"], ["ctrl+p"], ["f1"]])
async def test_the_prompt_has_a_cursor_only_while_one_types_there(tmp_path: Path, keys: list[str]) -> None:
    app = furnished(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot, "hello")
        await type_words(pilot, "a draft")
        before = app.main.prompt.render_line(0)
        await pilot.press(*keys)
        await pilot.pause()
        without = app.main.prompt.render_line(0)
        assert without.text == before.text
        assert len(list(without)) < len(list(before))
        await pilot.press("escape")
        await pilot.pause()
        assert app.main.prompt.render_line(0) == before
