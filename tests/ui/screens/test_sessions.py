"""The sessions screen by its keys."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from diligent_tui.domain.entries import SessionInfoEntry
from diligent_tui.session import catalog
from diligent_tui.session.shelf import Shelf
from diligent_tui.storage.jsonl import open_reading
from diligent_tui.storage.lock import FileLock
from diligent_tui.ui.screens.sessions import SESSION_COMMANDS, SessionChoice, SessionsScreen
from diligent_tui.ui.screens.sessions.field import LineField
from diligent_tui.ui.screens.sessions.modes import Browsing, Counts, Opening, draw_keys
from diligent_tui.ui.screens.sessions.preview_pane import PreviewPane
from tests.session.drafts import answered, conversation, said
from tests.session.shelves import fill, note, put, session_id
from tests.ui.screens.sessions_stage import BareApp, at_rest, clock, open_sessions, sessions_of, shown

HOSTILE = "\x1b]0;owned\x07\x1b[31m[/bold] [@click=app.quit]x[/] \u202egnp.exe"


class Stage:
    """The screen, its answers, and the folder behind it."""

    def __init__(
        self, pilot: Pilot[int], screen: SessionsScreen, answers: list[SessionChoice | None], sessions: Path
    ) -> None:
        self.pilot = pilot
        self.screen = screen
        self.answers = answers
        self.sessions = sessions

    async def press(self, *keys: str) -> None:
        """Type quicker than the screen can answer: every key must still mean what the one before it made of it."""
        for key in keys:
            self.pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await at_rest(self.pilot, self.screen)

    @property
    def text(self) -> str:
        return shown(self.screen)

    @property
    def at(self) -> str:
        """The id under the cursor."""
        file = self.screen.list.file
        return file.path.stem if file else ""

    @property
    def listed(self) -> list[str]:
        return [file.path.stem for file in self.screen.list.files]


@asynccontextmanager
async def stage(
    folder: Path, *, current_id: str | None = None, size: tuple[int, int] = (120, 40)
) -> AsyncGenerator[Stage]:
    async with BareApp().run_test(size=size) as pilot:
        screen, answers = await open_sessions(pilot, sessions_of(folder), current_id)
        yield Stage(pilot, screen, answers, sessions_of(folder))


async def test_the_list_shows_title_age_and_figures_in_columns(tmp_path: Path) -> None:
    put(sessions_of(tmp_path), "a", said("a", None, "hi"), note(84_000, name="my name", cost=0.42, compactions=3))
    put(sessions_of(tmp_path), "b", said("a", None, "你好 wide"), note(900, cost=12.5), age_s=7_200)
    async with stage(tmp_path) as on:
        heading, first, second = on.text.splitlines()[2:5]
        for words in ("my name", "2 min ago", "3", "84k", "$0.42"):
            assert words in first
        assert "你好 wide" in second
        ends = [heading.index("cost") + 4, first.index("$0.42") + 5]
        assert ends[0] == ends[1]
        # Two characters are two cells wide each.
        assert second.index("$12.50") + 6 == ends[0] - 2


async def test_keys_move_the_cursor_and_stop_at_the_ends(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 100)
    async with stage(tmp_path) as on:
        for keys, number in (
            (("down",), 1),
            (("j", "j"), 3),
            (("k",), 2),
            (("up", "up", "up"), 0),
            (("end",), 99),
            (("down",), 99),
            (("home",), 0),
            (("G",), 99),
            (("g",), 0),
        ):
            await on.press(*keys)
            assert on.at == session_id(number)
        await on.press("pagedown")
        assert session_id(20) < on.at
        assert f"prompt number {on.screen.list.files.index(on.screen.list.seen[-1])}" in on.text
        await on.press("pageup")
        assert on.at == session_id(0)


@pytest.mark.parametrize(("key", "kind"), [("enter", "resume"), ("f", "fork"), ("e", "export")])
async def test_a_choice_closes_the_screen_with_it(key: str, kind: str, tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 3)
    async with stage(tmp_path) as on:
        await on.press("down", key)
        assert [(choice.kind, choice.path) for choice in on.answers if choice] == [(kind, paths[1])]
        assert on.pilot.app.screen is not on.screen


async def test_keys_typed_behind_a_choice_do_nothing(tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 3)
    async with stage(tmp_path) as on:
        await on.press("enter", "d", "y", "enter", "escape")
        assert on.answers == [SessionChoice("resume", paths[0])]
        assert all(path.exists() for path in paths)


async def test_escape_closes_with_nothing(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 2)
    async with stage(tmp_path) as on:
        await on.press("escape")
        assert on.answers == [None]


async def test_resuming_the_current_session_just_goes_back_to_it(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 2)
    async with stage(tmp_path, current_id=session_id(0)) as on:
        assert "●" in on.text
        await on.press("enter")
        assert on.answers == [None]


async def test_the_current_session_is_neither_deleted_nor_renamed_here(tmp_path: Path) -> None:
    (path, _) = fill(sessions_of(tmp_path), 2)
    async with stage(tmp_path, current_id=session_id(0)) as on:
        await on.press("d")
        assert "cannot be deleted" in on.text
        await on.press("y", "r", "x", "enter")
        assert path.exists()
        assert on.answers == [None]


async def test_typing_searches_at_once_and_letters_do_not_act(tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 30)
    put(sessions_of(tmp_path), "red", said("a", None, "Redreféuder"), age_s=10**7)
    async with stage(tmp_path) as on:
        await on.pilot.press("/", *"rEdref")
        await at_rest(on.pilot, on.screen)
        assert on.listed == ["red"]
        assert "1 of 31 sessions" in on.text
        await on.press(*"eud")
        assert on.listed == ["red"]
        await on.press("enter")
        assert [choice and choice.path.stem for choice in on.answers] == ["red"]
        assert all(path.exists() for path in paths)


async def test_a_search_typed_in_one_burst_is_not_taken_for_commands(tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 5)
    async with stage(tmp_path) as on:
        await on.press(*"/dyrefu")
        assert on.listed == []
        assert "No match" in on.text
        assert all(path.exists() for path in paths)


async def test_a_search_can_be_acted_on_and_left(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 30)
    async with stage(tmp_path) as on:
        await on.press("/", *"number 2", "down", "tab")
        assert on.at == session_id(12)
        await on.press("d", "y")
        assert session_id(12) not in on.listed
        assert len(on.listed) == 11
        await on.press("escape")
        assert len(on.listed) == 29
        assert on.answers == []
        await on.press("/", "x", "backspace", "backspace")
        assert len(on.listed) == 29
        await on.press("escape")
        assert on.answers == [None]


async def test_a_search_finds_an_id_by_its_beginning(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 30)
    async with stage(tmp_path) as on:
        await on.press("/", *session_id(17))
        assert on.listed == [session_id(17)]


async def test_a_paste_goes_into_the_search_on_one_line(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 30)
    async with stage(tmp_path) as on:
        on.screen.post_message(events.Paste("number 2"))
        await on.press("/")
        on.screen.post_message(events.Paste("number\x1b[0m 27"))
        await at_rest(on.pilot, on.screen)
        assert on.listed == [session_id(27)]


async def test_a_rename_is_saved_and_shown(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 3)
    async with stage(tmp_path) as on:
        await on.press("down", "r", *"my n", "backspace", *"name", "enter")
        assert "my name" in on.text
        assert "Renamed." in on.text
        assert on.at == session_id(1)
        assert Shelf(on.sessions).rows()[1].name == "my name"
        await on.press("r", "ctrl+u", *"other", "escape")
        assert Shelf(on.sessions).rows()[1].name == "my name"
        await on.press("r", "end", "!", "enter")
        assert Shelf(on.sessions).rows()[1].name == "my name!"


async def test_a_rename_that_is_refused_says_why(tmp_path: Path) -> None:
    put(sessions_of(tmp_path), "old", said("a", None), header={"version": 4})
    async with stage(tmp_path) as on:
        assert "File version 4" in on.text
        await on.press("r", "x", "enter")
        assert "cannot be renamed" in on.text


@pytest.mark.parametrize("answer", ["enter", "escape", "n"])
async def test_a_delete_asks_first_and_keeps_by_default(answer: str, tmp_path: Path) -> None:
    (path,) = fill(sessions_of(tmp_path), 1)
    async with stage(tmp_path) as on:
        await on.press("d")
        assert "Delete “prompt number 0”?" in on.text
        await on.press("d", "x", answer)
        assert path.exists()
        assert on.answers == []
        assert "Kept." in on.text


async def test_a_delete_goes_to_the_trash_and_u_brings_it_back(tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 4)
    async with stage(tmp_path) as on:
        await on.press("down", "d", "y")
        assert "Moved to trash." in on.text
        assert not paths[1].exists()
        assert on.at == session_id(2)
        await on.press("d", "y")
        assert on.listed == [session_id(0), session_id(3)]
        await on.press("u")
        assert "Brought back." in on.text
        assert on.at == session_id(2)
        await on.press("u", "u")
        assert [path.exists() for path in paths] == [True] * 4
        assert on.listed == [session_id(number) for number in range(4)]
        assert "Nothing was deleted here" in on.text


async def test_deletes_and_undos_typed_in_one_burst_happen_in_order(tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 4)
    async with stage(tmp_path) as on:
        await on.press(*"dydyu")
        assert [path.exists() for path in paths] == [False, True, True, True]


async def test_deleting_the_last_session_leaves_a_screen_that_teaches(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 1)
    async with stage(tmp_path) as on:
        await on.press("d", "y")
        assert "No sessions here yet." in on.text
        assert "Moved to trash." in on.text
        await on.press("enter", "r", "f", "e", "d", "up", "down", "end", "u")
        assert on.listed == [session_id(0)]
        assert on.answers == []


async def test_a_session_open_elsewhere_stays_and_it_is_said_who_holds_it(tmp_path: Path) -> None:
    (path,) = fill(sessions_of(tmp_path), 1)
    lock = FileLock(path.with_suffix("") / "lock")
    lock.take()
    async with stage(tmp_path) as on:
        await on.press("d", "y")
        assert f"open in process {os.getpid()}" in on.text
        assert on.listed == [session_id(0)]
        assert path.exists()
    lock.free()


async def test_the_preview_follows_the_cursor(tmp_path: Path) -> None:
    put(sessions_of(tmp_path), "a", *conversation(30), note(5))
    put(sessions_of(tmp_path), "b", said("a", None, "ask b"), answered("b", "a", "tell b"), age_s=9)
    async with stage(tmp_path) as on:
        preview = on.screen.query_one(PreviewPane)
        assert "prompt 0" in on.text
        assert "answer 29" in on.text
        await on.press("down")
        words = preview.render().plain
        assert "ask b" in words
        assert "tell b" in words
        assert "prompt 0" not in words


async def test_a_file_that_is_no_session_is_shown_as_such_and_not_opened(tmp_path: Path) -> None:
    sessions = sessions_of(tmp_path)
    sessions.mkdir(parents=True)
    (sessions / "notes.jsonl").write_bytes(b"not a session\n")
    async with stage(tmp_path) as on:
        assert "not a session · notes" in on.text
        await on.press("enter", "f", "e")
        assert on.answers == []
        assert "holds no session" in on.text
        await on.press("d", "y")
        assert not (sessions / "notes.jsonl").exists()


async def test_figures_that_are_missing_are_read_in_the_background(tmp_path: Path) -> None:
    put(
        sessions_of(tmp_path),
        "a",
        said("a", None, "begin"),
        SessionInfoEntry(id="n", tokens=77_000, cost=1.25, compactions=0),
        answered("b", "a", "y" * 20_000),
        said("c", "a", "z" * 20_000),
    )
    async with stage(tmp_path) as on:
        row = on.text.splitlines()[3]
        assert "77k" in row
        assert "$1.25" in row
        assert "2 branches" in on.text


async def test_first_page_of_two_thousand_is_read_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = sessions_of(tmp_path)
    fill(sessions, 2_000)
    opened: list[Path] = []

    def counting(path: Path) -> int:
        opened.append(path)
        return open_reading(path)

    monkeypatch.setattr(catalog, "open_reading", counting)
    async with stage(tmp_path) as on:
        height = on.screen.list.size.height
        in_sight = {file.path for file in on.screen.list.files[:height]}
        assert set(opened[:height]) == in_sight
        assert len(opened) == len(set(opened)) == 2_000
        assert len(on.screen.query("*")) < 20
        opened.clear()
        await on.press("/", *"number 1999")
        assert on.listed == [session_id(1999)]
        assert opened == []


async def test_hostile_text_does_not_reach_the_terminal_or_a_markup_parser(tmp_path: Path) -> None:
    sessions = sessions_of(tmp_path)
    put(sessions, "a\x1b[31m [red]", said("a", None, HOSTILE), answered("b", "a", HOSTILE))
    put(sessions, "b", said("a", None), SessionInfoEntry(id="n", name=HOSTILE), age_s=1)
    put(sessions, "c", b"{\n", age_s=2, header={"parentSession": HOSTILE})
    async with stage(tmp_path) as on:
        for keys in ((), ("down",), ("down",), ("up", "r"), ("escape", "d"), ("y",), ("u",), ("/", *"[/bold]")):
            await on.press(*keys)
            assert "\x1b" not in on.text
            assert "\u202e" not in on.text
            assert "\x07" not in on.text
        assert len(on.listed) == 2


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (20, 6), (1, 1)])
async def test_every_size_can_be_worked_with(size: tuple[int, int], tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 40)
    async with stage(tmp_path, size=size) as on:
        await on.press("end", "home", "down", "/", *"number 1", "tab", "r", "escape", "d", "n", "enter")
        assert [choice and choice.path for choice in on.answers] == [paths[1]]


async def test_a_click_goes_there_and_a_second_one_resumes(tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 5)
    async with stage(tmp_path) as on:
        await on.pilot.click("#session-list", offset=(5, 3))
        await at_rest(on.pilot, on.screen)
        assert on.at == session_id(3)
        await on.pilot.click("#session-list", offset=(5, 3), times=2)
        await at_rest(on.pilot, on.screen)
        assert on.answers == [SessionChoice("resume", paths[3])]


async def test_a_shelf_remembers_what_was_deleted_when_the_screen_is_opened_again(tmp_path: Path) -> None:
    paths = fill(sessions_of(tmp_path), 2)
    async with stage(tmp_path) as on:
        shelf = Shelf(on.sessions, clock)
        shelf.to_trash(paths[0])
        again = SessionsScreen(shelf, None, clock)
        await on.pilot.app.push_screen(again)
        await at_rest(on.pilot, again)
        await on.pilot.press("u")
        await at_rest(on.pilot, again)
        assert paths[0].exists()


def test_every_key_is_declared_once() -> None:
    keys = [key for command in SESSION_COMMANDS for key in command.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert {"enter", "/", "r", "f", "e", "d", "u", "escape"} <= set(keys)


@pytest.mark.parametrize(
    ("field", "key", "character", "expected"),
    [
        (LineField("ab", 1), "x", "x", LineField("axb", 2)),
        (LineField("ab", 1), "left", None, LineField("ab", 0)),
        (LineField("ab", 0), "left", None, LineField("ab", 0)),
        (LineField("ab", 1), "right", None, LineField("ab", 2)),
        (LineField("ab", 1), "home", None, LineField("ab", 0)),
        (LineField("ab", 1), "end", None, LineField("ab", 2)),
        (LineField("ab", 1), "backspace", "\x7f", LineField("b", 0)),
        (LineField("ab", 0), "backspace", "\x7f", LineField("ab", 0)),
        (LineField("ab", 1), "delete", None, LineField("a", 1)),
        (LineField("one two", 7), "ctrl+w", None, LineField("one ", 4)),
        (LineField("one two", 3), "ctrl+u", None, LineField(" two", 0)),
        (LineField("one two", 3), "ctrl+k", None, LineField("one", 3)),
        (LineField("e\u0301x", 2), "backspace", None, LineField("x", 0)),
        (LineField("ab", 1), "ctrl+x", "\x18", None),
        (LineField("ab", 1), "alt+x", "x", None),
        (LineField("ab", 1), "f5", None, None),
        (LineField("a" * 200, 200), "x", "x", LineField("a" * 200, 200)),
    ],
)
def test_a_key_changes_a_line(field: LineField, key: str, character: str | None, expected: LineField | None) -> None:
    assert field.press(key, character) == expected


def test_a_long_line_is_scrolled_to_its_cursor() -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(100))
    assert LineField.of(text).draw(10).plain == text[-8:] + " "
    assert LineField(text, 0).draw(10).plain == text[:10]


@pytest.mark.parametrize(
    ("opening", "offered", "not_offered"),
    [
        ("resume", ["⏎ resume", "r rename", "f fork"], []),
        ("go back to it", ["⏎ go back to it", "f fork"], ["resume", "rename", "delete"]),
        ("look at it", ["⏎ look at it", "f fork"], ["resume", "rename"]),
        ("nothing", ["d delete", "/ search"], ["⏎", "fork", "export"]),
    ],
)
def test_only_what_can_be_done_with_the_file_under_the_cursor_is_offered(
    opening: Opening, offered: list[str], not_offered: list[str]
) -> None:
    keys = draw_keys(Browsing(), Counts(listed=3, shown=3), 120, opening=opening, can_undo=False).plain
    assert all(each in keys for each in offered)
    assert not any(each in keys for each in not_offered)


async def test_without_a_match_only_the_way_back_is_offered(tmp_path: Path) -> None:
    fill(sessions_of(tmp_path), 3)
    async with stage(tmp_path) as on:
        await on.press("/", *"swans")
        assert on.text.splitlines()[-1] == " esc show all"
        await on.press("tab")
        assert on.text.splitlines()[-1] == " / search  esc show all"
