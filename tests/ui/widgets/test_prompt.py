"""The prompt on a screen: every key, the history, pastes, and text that means harm."""

import unicodedata
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Static

from diligent_tui.ui.widgets.prompt import PromptInput
from diligent_tui.ui.widgets.prompt.pasting import CLOSING, OPENING
from diligent_tui.ui.widgets.prompt.prompt_view import MARK, MORE_ABOVE, SHELL_MARK
from tests.domain.hostile_text import payloads

SHEET = Path(__file__).parents[3] / "styles" / "prompt.tcss"
BUBBLING = "tab shift+tab escape f1 f6 f7 ctrl+l ctrl+f ctrl+v ctrl+x alt+x"


class PromptApp(App[None]):
    """A screen with a prompt at its foot, keeping what it says and the keys it leaves over."""

    CSS_PATH = SHEET
    CSS = "Static { height: 1fr; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, prompt: PromptInput) -> None:
        super().__init__()
        self.prompt = prompt
        self.said: list[tuple[str, str]] = []
        self.left_over: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static()
        yield self.prompt

    def on_mount(self) -> None:
        self.prompt.focus()

    def on_key(self, event: events.Key) -> None:
        self.left_over.append(event.key)

    def keep(self, message: Message) -> None:
        text = getattr(message, "text", "")
        self.said.append((type(message).__name__, text))

    on_prompt_input_submitted = keep
    on_prompt_input_steered = keep
    on_prompt_input_shell_wanted = keep
    on_prompt_input_remembered = keep
    on_prompt_input_copy_requested = keep
    on_prompt_input_quit_wanted = keep
    on_prompt_input_stop_wanted = keep
    on_prompt_input_paste_too_long = keep
    on_paste = keep

    def rows(self) -> list[str]:
        height = self.prompt.size.height
        return [self.prompt.render_line(y).text.rstrip() for y in range(height)]


Opened = tuple[PromptApp, Pilot[None]]


@asynccontextmanager
async def opened(
    history: Iterable[str] = (), *, size: tuple[int, int] = (40, 20), prompt: PromptInput | None = None
) -> AsyncGenerator[Opened]:
    app = PromptApp(prompt or PromptInput(history))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys as fast as a terminal may give them, which is faster than the pilot does."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key[-1] if len(key) == 1 or key.startswith("alt+") else None))
    await pilot.pause()


async def type_in(pilot: Pilot[None], text: str) -> None:
    """Type each character as a terminal gives it."""
    for character in text:
        key = events.Key("ctrl+j", character) if character == "\n" else events.Key(character, character)
        pilot.app.post_message(key)
    await pilot.pause()


async def paste_in(pilot: Pilot[None], text: str) -> None:
    pilot.app.post_message(events.Paste(text))
    await pilot.pause()


async def test_enter_sends_the_text_and_empties_the_prompt() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "hello [/b]")
        await press(pilot, "enter")
        assert app.said == [("Submitted", "hello [/b]"), ("Remembered", "hello [/b]")]
        assert app.prompt.text == ""


async def test_ctrl_s_steers() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "hello")
        await press(pilot, "ctrl+s")
        assert app.said == [("Steered", "hello"), ("Remembered", "hello")]
        assert app.prompt.text == ""


async def test_blank_text_is_not_sent_and_not_lost() -> None:
    async with opened() as (app, pilot):
        for text in ("", " ", "\n\n", " \n "):
            app.prompt.set_text(text)
            await press(pilot, "enter", "ctrl+s")
            assert app.said == []
            assert app.prompt.text == text


async def test_a_new_line_can_be_typed_in_many_ways() -> None:
    async with opened() as (app, pilot):
        for key in ("shift+enter", "alt+enter", "ctrl+j", "newline", "shift+\r", "\r"):
            app.prompt.set_text("")
            await press(pilot, "a", key, "b")
            assert app.prompt.text == "a\nb", key
        assert app.said == []


BACKSLASHES: list[tuple[str, int, str, list[str]]] = [
    ("a\\", 0, "a\n", []),
    ("a\\\nb", 2, "a\n\nb", []),
    ("a\\\\", 0, "", ["a\\\\"]),
    ("a\\\\\\", 0, "a\\\\\n", []),
    ("a\\b", 1, "", ["a\\b"]),
]


async def test_a_backslash_at_the_end_of_its_line_makes_enter_a_new_line() -> None:
    async with opened() as (app, pilot):
        for text, left, expected, sent in BACKSLASHES:
            app.said.clear()
            app.prompt.set_text(text)
            await press(pilot, *["left"] * left, "enter")
            assert app.prompt.text == expected, text
            assert [text for name, text in app.said if name == "Submitted"] == sent, text


LINE_EDITOR = [
    ("one two", "ctrl+a X", "Xone two"),
    ("one two", "home X", "Xone two"),
    ("one two", "home end X", "one twoX"),
    ("one\ntwo", "ctrl+a X", "one\nXtwo"),
    ("one\ntwo", "up ctrl+e X", "oneX\ntwo"),
    ("one two", "left left X", "one tXwo"),
    ("one two", "home right X", "oXne two"),
    ("one\ntwo", "home left X", "oneX\ntwo"),
    ("one\ntwo", "up end right X", "one\nXtwo"),
    ("one two", "alt+b X", "one Xtwo"),
    ("one two", "ctrl+left ctrl+left X", "Xone two"),
    ("one two", "home alt+f X", "oneX two"),
    ("one two", "home ctrl+right ctrl+right X", "one twoX"),
    ("one two", "backspace", "one tw"),
    ("one\ntwo", "home backspace", "onetwo"),
    ("one two", "home delete", "ne two"),
    ("one two", "home ctrl+d", "ne two"),
    ("one two", "home ctrl+k", ""),
    ("one\ntwo", "up end ctrl+k", "onetwo"),
    ("one two", "alt+b ctrl+u", "two"),
    ("one\ntwo", "home ctrl+u", "onetwo"),
    ("one x.two", "ctrl+w", "one "),
    ("one x.two", "alt+backspace", "one x."),
    ("one two  ", "ctrl+w", "one "),
    ("one two", "home alt+d", " two"),
    ("one two", "ctrl+w ctrl+a ctrl+y", "twoone "),
    ("one two three", "ctrl+w ctrl+w ctrl+y", "one two three"),
    ("one two three", "home alt+d alt+d ctrl+y ctrl+y", "one twoone two three"),
    ("one two three", "ctrl+w left ctrl+w ctrl+y", "one two "),
    ("one two", "ctrl+w ctrl+z", "one two"),
    ("one two", "ctrl+w ctrl+underscore", "one two"),
    ("one two", "ctrl+w ctrl+z ctrl+shift+z", "one "),
    ("one two", "shift+left shift+left X", "one tX"),
    ("one two", "ctrl+shift+left X", "one X"),
    ("one two", "shift+home backspace", ""),
    ("one two", "shift+left shift+left left X", "one tXwo"),
    ("one\ntwo", "shift+up X", "oneX"),
    ("one two", "ctrl+shift+left ctrl+k ctrl+a ctrl+y", "twoone "),
    ("", "ctrl+k ctrl+u ctrl+w backspace delete left right alt+b alt+f X", "X"),
]


async def test_the_keys_of_a_line_editor() -> None:
    async with opened() as (app, pilot):
        for text, keys, expected in LINE_EDITOR:
            app.prompt.set_text(text)
            await press(pilot, *keys.split())
            assert app.prompt.text == expected, (text, keys)
        assert app.left_over == []


async def test_keys_act_in_the_order_they_came_however_many_wait() -> None:
    async with opened() as (app, pilot):
        for _ in range(20):
            for key in ("a", "b", "space", "c", "ctrl+w", "d", "ctrl+a", "x", "ctrl+e", "ctrl+j"):
                app.post_message(events.Key(key, " " if key == "space" else key if len(key) == 1 else None))
        await pilot.pause()
        assert app.prompt.text == "xab d\n" * 20


async def test_a_key_that_is_not_the_prompts_goes_on_and_changes_nothing() -> None:
    async with opened() as (app, pilot):
        app.prompt.set_text("text")
        await press(pilot, *BUBBLING.split())
        assert app.left_over == BUBBLING.split()
        assert app.prompt.text == "text"
        assert app.prompt.has_focus


async def test_an_apps_own_binding_for_a_left_over_key_runs() -> None:
    class BoundApp(PromptApp):
        BINDINGS: ClassVar[list[BindingType]] = [Binding("f6", "context", "")]

        def action_context(self) -> None:
            self.said.append(("context", ""))

    app = BoundApp(PromptInput())
    async with app.run_test() as pilot:
        await press(pilot, "a", "f6", "b")
        assert app.said == [("context", "")]
        assert app.prompt.text == "ab"


async def test_ctrl_c_clears_into_the_history_and_asks_to_stop_when_there_is_no_text() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "precious")
        await press(pilot, "ctrl+c")
        assert app.prompt.text == ""
        assert app.said == [("Remembered", "precious")]
        await press(pilot, "ctrl+c")
        assert app.said.pop() == ("StopWanted", "")
        assert app.left_over == []
        await press(pilot, "up")
        assert app.prompt.text == "precious"


async def test_ctrl_c_on_a_selection_asks_for_a_copy_and_keeps_the_text() -> None:
    async with opened() as (app, pilot):
        app.prompt.set_text("one two")
        await press(pilot, "ctrl+shift+left", "ctrl+c")
        assert app.said == [("CopyRequested", "two")]
        assert app.prompt.text == "one two"


async def test_ctrl_d_quits_only_from_an_empty_prompt() -> None:
    async with opened() as (app, pilot):
        await press(pilot, "x", "ctrl+d", "left", "ctrl+d")
        assert app.prompt.text == ""
        assert app.said == []
        await press(pilot, "ctrl+d")
        assert app.said == [("QuitWanted", "")]


async def test_the_arrows_walk_through_the_history_and_bring_the_unsent_text_back() -> None:
    async with opened(["one", "two"]) as (app, pilot):
        await type_in(pilot, "unsent")
        shown: list[str] = []
        for key in ("up", "up", "up", "down", "down", "down"):
            await press(pilot, key)
            shown.append(app.prompt.text)
        assert shown == ["two", "one", "one", "two", "unsent", "unsent"]
        assert app.left_over == []


async def test_within_many_lines_the_arrows_move_the_cursor_first() -> None:
    async with opened(["a\nb\nc"]) as (app, pilot):
        await type_in(pilot, "x\ny")
        await press(pilot, "up")
        assert app.prompt.text == "x\ny"
        await press(pilot, "up")
        assert app.prompt.text == "a\nb\nc"
        await press(pilot, "up", "X")
        assert app.prompt.text == "a\nbX\nc"
        await press(pilot, "down", "down")
        assert app.prompt.text == "x\ny"


async def test_a_wrapped_line_is_as_many_rows_as_one_sees() -> None:
    async with opened(["older"], size=(20, 10)) as (app, pilot):
        await type_in(pilot, "word " * 8)
        await press(pilot, "up")
        assert app.prompt.text.startswith("word")
        await press(pilot, "up", "up")
        assert app.prompt.text == "older"


async def test_what_was_sent_is_the_newest_of_the_history() -> None:
    async with opened(["one"]) as (app, pilot):
        await type_in(pilot, "two")
        await press(pilot, "enter", "up")
        assert app.prompt.text == "two"
        await press(pilot, "up")
        assert app.prompt.text == "one"


async def test_up_on_an_empty_prompt_asks_the_queue_before_the_history() -> None:
    queued = ["queued"]

    def recall() -> bool:
        if queued:
            prompt.set_text(queued.pop())
            return True
        return False

    prompt = PromptInput(["old"], recall=recall)
    async with opened(prompt=prompt) as (_, pilot):
        await press(pilot, "x", "up")
        assert prompt.text == "old"
        await press(pilot, "down", "backspace", "up")
        assert prompt.text == "queued"
        await press(pilot, "ctrl+u", "up")
        assert prompt.text == "old"


async def test_a_set_text_has_the_cursor_at_its_end() -> None:
    async with opened() as (app, pilot):
        app.prompt.set_text("one\ntwo")
        await press(pilot, "!")
        assert app.prompt.text == "one\ntwo!"
        app.prompt.text = "three"
        await press(pilot, "!")
        assert app.prompt.text == "three!"


async def test_a_text_that_could_not_be_sent_stands_before_what_was_typed_since() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "first")
        await press(pilot, "enter")
        await type_in(pilot, "second")
        app.prompt.give_back("first")
        await press(pilot, "!")
        assert app.prompt.text == "first\nsecond!"
        app.prompt.set_text("")
        app.prompt.give_back("alone")
        assert app.prompt.text == "alone"


async def test_each_change_is_told_and_carries_the_whole_text() -> None:
    class DraftApp(PromptApp):
        def on_prompt_input_edited(self, message: PromptInput.Edited) -> None:
            self.said.append(("Edited", message.text))

    app = DraftApp(PromptInput())
    async with app.run_test() as pilot:
        await press(pilot, "a")
        assert app.said[-1] == ("Edited", "a")
        await paste_in(pilot, "line\n" * 20)
        assert app.said[-1] == ("Edited", "a" + "line\n" * 20)
        await press(pilot, "enter")
        assert app.said[-1] == ("Edited", "")


@pytest.mark.parametrize(
    ("pasted", "text"),
    [
        ("one\r\ntwo\rthree\n", "one\ntwo\nthree\n"),
        ("\tindented\there", "\tindented\there"),
        ("red \x1b[31mtext\x1b[0m", "red text"),
        ("null\x00bell\x07", "null␀bell␇"),
        ("x" * 800, "x" * 800),
        ("\n".join("12345678"), "\n".join("12345678")),
        ("", ""),
    ],
)
async def test_a_short_paste_is_put_in_and_never_sends(pasted: str, text: str) -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "<>")
        await press(pilot, "left")
        await paste_in(pilot, pasted)
        assert app.prompt.text == f"<{text}>"
        assert OPENING not in app.prompt.document.text
        assert app.said == []


@pytest.mark.parametrize(
    ("pasted", "token"),
    [
        ("line\n" * 214, "[pasted 214 lines #1]"),
        ("\n".join("123456789"), "[pasted 9 lines #1]"),
        ("x" * 801, "[pasted 801 characters #1]"),
    ],
)
async def test_a_long_paste_is_shown_as_a_token_and_sent_whole(pasted: str, token: str) -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "look: ")
        await paste_in(pilot, pasted)
        await type_in(pilot, " ok?")
        assert app.rows() == [f"{MARK}look: {token} ok?"]
        await press(pilot, "enter")
        assert app.said[0] == ("Submitted", f"look: {pasted} ok?")
        assert app.prompt.text == ""


async def test_a_token_is_one_step_and_one_deletion() -> None:
    async with opened() as (app, pilot):
        pasted = "line\n" * 20
        await type_in(pilot, "a")
        await paste_in(pilot, pasted)
        await press(pilot, "left", "X", "right", "Y")
        assert app.prompt.text == f"aX{pasted}Y"
        await press(pilot, "backspace", "backspace")
        assert app.prompt.text == "aX"
        await press(pilot, "ctrl+z")
        assert app.prompt.text == f"aX{pasted}"
        await press(pilot, "left", "delete")
        assert app.prompt.text == "aX"


@pytest.mark.parametrize("key", ["ctrl+w", "alt+backspace", "ctrl+u"])
async def test_a_token_is_killed_and_yanked_whole_even_into_the_next_prompt(key: str) -> None:
    async with opened() as (app, pilot):
        pasted = "line\n" * 20
        await paste_in(pilot, pasted)
        await press(pilot, key)
        assert app.prompt.text == ""
        await press(pilot, "x", "enter")
        await paste_in(pilot, "other\n" * 30)
        await press(pilot, "ctrl+y")
        assert app.prompt.text == "other\n" * 30 + pasted


async def test_the_cursor_never_stands_inside_a_token() -> None:
    async with opened() as (app, pilot):
        await paste_in(pilot, "line\n" * 20)
        length = len(app.prompt.document.text)
        for column in range(length + 1):
            app.prompt.move_cursor((0, column))
            assert app.prompt.cursor_location[1] in (0, length)
        await pilot.click(app.prompt, offset=(8, 0))
        await press(pilot, "X")
        assert app.prompt.text == "X" + "line\n" * 20


async def test_words_that_look_like_a_token_are_only_words() -> None:
    async with opened() as (app, pilot):
        await paste_in(pilot, "line\n" * 20)
        (row,) = app.rows()
        token = row.removeprefix(MARK)
        await type_in(pilot, token)
        await paste_in(pilot, f"{OPENING}{token[1:-1]}{CLOSING}")
        assert app.prompt.text == "line\n" * 20 + token + f"\ufffd{token[1:-1]}\ufffd"


async def test_ctrl_o_opens_the_paste_at_the_cursor_and_undo_folds_it_again() -> None:
    async with opened() as (app, pilot):
        await press(pilot, "ctrl+o")
        assert app.left_over == ["ctrl+o"]
        await paste_in(pilot, "one\n" * 20)
        await paste_in(pilot, "two\n" * 20)
        await press(pilot, "ctrl+o")
        assert app.prompt.document.text.endswith("two\n" * 20)
        assert app.prompt.document.text.startswith(OPENING)
        await press(pilot, "ctrl+z")
        assert app.prompt.document.text.endswith(CLOSING)
        await press(pilot, "ctrl+o", "ctrl+o")
        assert app.prompt.document.text == app.prompt.text == "one\n" * 20 + "two\n" * 20


async def test_two_megabytes_are_never_put_into_the_editor_and_are_sent_whole() -> None:
    pasted = "some\twords of a line\n" * 100_000
    async with opened() as (app, pilot):
        await paste_in(pilot, pasted.replace("\n", "\r\n"))
        assert len(app.prompt.document.text) < 100
        await press(pilot, "ctrl+o")
        assert app.said.pop() == ("PasteTooLong", "")
        assert len(app.prompt.document.text) < 100
        await press(pilot, "enter")
        assert app.said[0] == ("Submitted", pasted)
        await press(pilot, "up")
        assert app.prompt.text == pasted
        assert len(app.prompt.document.text) < 100


async def test_the_unsent_paste_survives_a_walk_through_the_history() -> None:
    async with opened(["old"]) as (app, pilot):
        await paste_in(pilot, "line\n" * 20)
        await press(pilot, "up", "down")
        assert app.prompt.text == "line\n" * 20
        assert app.prompt.document.text.startswith(OPENING)


async def test_the_prompt_grows_with_its_text_to_ten_rows_and_then_scrolls() -> None:
    async with opened() as (app, pilot):
        heights: list[int] = []
        for line in range(12):
            await press(pilot, chr(ord("a") + line))
            heights.append(app.prompt.size.height)
            await press(pilot, "ctrl+j")
        await pilot.pause()
        assert heights == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]
        assert app.rows()[0] == f"{MORE_ABOVE}d"
        assert app.rows()[-2:] == ["  l", ""]
        app.prompt.set_text("")
        await pilot.pause()
        assert app.prompt.size.height == 1


async def test_while_it_grows_no_row_is_scrolled_out_of_sight() -> None:
    async with opened() as (app, pilot):
        await press(pilot, "a", "ctrl+j", "b")
        await pilot.pause()
        assert app.rows() == [f"{MARK}a", "  b"]
        await pilot.resize_terminal(12, 20)
        await type_in(pilot, " cc dd ee ff gg")
        assert app.rows()[0] == f"{MARK}a"


async def test_the_hint_is_shown_behind_the_mark_until_something_is_typed() -> None:
    async with opened() as (app, pilot):
        assert app.rows() == [f"{MARK}Ask, or / for commands"]
        await press(pilot, "x")
        assert app.rows() == [f"{MARK}x"]


WIDE = [
    ("你好，世界", 10, 5),
    ("한글", 4, 2),
    ("👩\u200d👩\u200d👧", 2, 1),
    ("e\u0301a", 2, 2),
    ("❤\ufe0f!", 3, 2),
    ("🇩🇪🇫🇷", 4, 2),
    ("👍🏽", 2, 1),
    ("a\u3000b", 4, 3),
]


async def test_wide_characters_are_typed_whole_and_the_cursor_stands_behind_them() -> None:
    async with opened() as (app, pilot):
        for text, cells, _ in WIDE:
            app.prompt.set_text("")
            await type_in(pilot, text)
            assert app.prompt.text == text
            assert app.prompt.cursor_screen_offset.x == len(MARK) + cells, text


async def test_a_step_goes_over_a_character_as_people_see_it() -> None:
    async with opened() as (app, pilot):
        for text, _, steps in WIDE:
            app.prompt.set_text(text)
            await press(pilot, *["left"] * (steps - 1))
            assert app.prompt.cursor_location[1] > 0, text
            await press(pilot, "left")
            assert app.prompt.cursor_location[1] == 0, text
            await press(pilot, *["right"] * steps)
            assert app.prompt.cursor_location[1] == len(text), text
            await press(pilot, *["backspace"] * steps)
            assert app.prompt.text == "", text


Put = Callable[[PromptApp, str], None]


def by_paste(app: PromptApp, text: str) -> None:
    app.prompt.paste(text)


def by_text(app: PromptApp, text: str) -> None:
    app.prompt.set_text(text)


def by_history(app: PromptApp, text: str) -> None:
    app.prompt.set_text("")
    app.prompt.remember(text)
    app.prompt.do("up")


@pytest.mark.parametrize(("door", "put"), list(enumerate([by_paste, by_text, by_history])))
async def test_no_hostile_text_reaches_the_terminal_raw_or_ends_the_app(door: int, put: Put) -> None:
    async with opened(size=(60, 20)) as (app, pilot):
        for payload in [
            *(payload.embedded for payload in payloads()[door::3]),
            "[/",
            "[/]",
            "[b]x[/c]",
            "[@click=app.bell]x[/]",
        ]:
            put(app, payload)
            assert all(is_harmless(row) for row in app.rows()), payload
            if payload.startswith("["):
                assert payload in "".join(app.rows())
            app.prompt.set_text("")
        await press(pilot, "o", "k", "enter")
        assert app.said[0] == ("Submitted", "ok")


@pytest.mark.parametrize("hint", ["[/", "[/b] [@click=x]", "a\x1b[2Jb", "\x00", "\ud800", "two\nlines", "x" * 1000])
async def test_a_hostile_hint_is_only_words(hint: str) -> None:
    async with opened(prompt=PromptInput(hint=hint)) as (app, pilot):
        (row,) = app.rows()
        assert is_harmless(row)
        if hint.startswith("["):
            assert row == MARK + hint
        await press(pilot, "o", "k")
        assert app.prompt.text == "ok"


async def test_no_width_is_too_narrow() -> None:
    async with opened() as (app, pilot):
        for width in (1, 2, 3, 5):
            await pilot.resize_terminal(width, 5)
            app.prompt.set_text("\ta\t\tb 你好\tlongword\t" * 5)
            await paste_in(pilot, "line\n" * 20)
            await press(pilot, *["left"] * 10, "up", "X")
            assert "X" in app.prompt.text


def is_harmless(row: str) -> bool:
    return not any(
        unicodedata.category(character) in ("Cc", "Cs", "Cn") or character in "\u202a\u202b\u202d\u202e\u2066\u2067"
        for character in row
    )


async def test_a_text_put_aside_comes_back_by_the_same_key_or_after_the_next_is_sent() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "half a thought")
        await press(pilot, "ctrl+t")
        assert app.prompt.text == ""
        assert app.rows() == [f"{MARK}1 put aside: ctrl+t brings it back"]
        await press(pilot, "ctrl+t")
        assert app.prompt.text == "half a thought"
        await press(pilot, "ctrl+t")
        await type_in(pilot, "first this")
        await press(pilot, "enter")
        assert ("Submitted", "first this") in app.said
        assert app.prompt.text == "half a thought"


async def test_what_is_put_aside_is_kept_among_the_earlier_prompts_too() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "half a thought")
        await press(pilot, "ctrl+t")
        assert app.said == [("Remembered", "half a thought")]


async def test_clearing_the_prompt_brings_nothing_back() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "aside")
        await press(pilot, "ctrl+t")
        await type_in(pilot, "away")
        await press(pilot, "ctrl+c")
        assert app.prompt.text == ""


async def test_a_folded_paste_that_was_put_aside_comes_back_whole() -> None:
    long = "line\n" * 40
    async with opened() as (app, pilot):
        await paste_in(pilot, long)
        await press(pilot, "ctrl+t")
        await type_in(pilot, "x")
        await press(pilot, "enter")
        assert app.prompt.text == long


@pytest.mark.parametrize(("key", "sent"), [("enter", "Submitted"), ("ctrl+s", "Steered")])
async def test_a_draft_that_one_walked_away_from_comes_back_after_an_earlier_prompt_is_sent(
    key: str, sent: str
) -> None:
    async with opened(["one", "two"]) as (app, pilot):
        await type_in(pilot, "draft")
        await press(pilot, "up", "up", key)
        assert (sent, "one") in app.said
        assert app.prompt.text == "draft"
        assert app.prompt.written == ("draft",)


async def test_a_draft_that_one_walked_away_from_is_put_aside_when_another_text_takes_its_place() -> None:
    async with opened(["one"]) as (app, pilot):
        await type_in(pilot, "draft")
        await press(pilot, "up")
        app.prompt.set_text("another")
        assert app.prompt.written == ("draft", "another")
        await press(pilot, "ctrl+c")
        assert app.rows() == [f"{MARK}1 put aside: ctrl+t brings it back"]


async def test_all_that_was_written_is_told_whole_and_can_be_brought_back() -> None:
    long = "line\n" * 40
    async with opened() as (app, pilot):
        await paste_in(pilot, long)
        await press(pilot, "ctrl+t")
        await type_in(pilot, "aside")
        await press(pilot, "ctrl+t")
        await type_in(pilot, "text")
        written = app.prompt.written
    assert written == (long, "aside", "text")
    async with opened() as (app, pilot):
        app.prompt.bring_back(written[:-1], written[-1])
        assert app.prompt.text == "text"
        assert app.prompt.written == written


async def test_what_was_written_since_comes_before_what_is_brought_back() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "aside")
        await press(pilot, "ctrl+t")
        await type_in(pilot, "typed")
        app.prompt.bring_back(["older", " "], "old")
        assert app.prompt.written == ("older", "old", "aside", "typed")


@pytest.mark.parametrize(("text", "command"), [("!ls -la", "ls -la"), ("! make\ntest ", "make\ntest")])
async def test_a_text_behind_an_exclamation_mark_is_for_the_shell(text: str, command: str) -> None:
    async with opened() as (app, pilot):
        app.prompt.set_text(text)
        await pilot.pause()
        assert app.rows()[0].startswith(SHELL_MARK)
        await press(pilot, "enter")
        assert app.said == [("ShellWanted", command), ("Remembered", text)]


@pytest.mark.parametrize("text", ["!", "!  "])
async def test_nothing_is_not_run(text: str) -> None:
    async with opened() as (app, pilot):
        app.prompt.set_text(text)
        await press(pilot, "enter")
        assert app.said == []
        assert app.prompt.text == text


async def test_a_label_says_what_a_token_stands_for() -> None:
    async with opened() as (app, pilot):
        await type_in(pilot, "see @a.p")
        app.prompt.complete(4, '@"a b.png"', "image a b.png 4×4 1 KB")
        await type_in(pilot, "!")
        assert app.prompt.text == 'see @"a b.png"!'
        assert app.rows() == [f"{MARK}see [image a b.png 4×4 1 KB #1]!"]
