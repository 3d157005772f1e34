"""The log on a screen: what stands where, what is painted, and what the keys and the mouse do."""

import asyncio
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.pilot import Pilot
from textual.strip import Strip

from diligent_tui.ui.widgets.virtual_log import TextExtent, VirtualLog
from diligent_tui.ui.widgets.virtual_log.log_view import RENDERED_ROWS_KEPT

SHEET = Path(__file__).parents[3] / "styles" / "virtual_log.tcss"
GUTTER = Style(color="blue")
TEXT = Style(color="green")


@dataclass(frozen=True, slots=True)
class Note:
    """A block of plain text."""

    id: str
    version: int
    text: str
    extent: TextExtent
    folds: bool = False


def note(block_id: str, text: str, version: int = 0, *, folds: bool = False) -> Note:
    return Note(block_id, version, text, TextExtent.of(text), folds)


def notes(count: int, lines: int = 3) -> list[Note]:
    return [note(f"b{i}", "\n".join([f"block {i} line {line}" for line in range(lines)])) for i in range(count)]


class PlainRenderer:
    """Wraps text hard behind a gutter of two cells."""

    gutter_columns = 2

    def __init__(self) -> None:
        self.marks: dict[str, str] = {}
        self.rendered: list[str] = []

    def render(self, block: Note, width: int, folded: bool) -> Sequence[Strip]:
        self.rendered.append(block.id)
        room = max(1, width - self.gutter_columns)
        mark = self.marks.get(block.id, " ")
        strips: list[Strip] = []
        for line in block.text.split("\n"):
            parts = [line[start : start + room] for start in range(0, max(1, len(line)), room)]
            strips += [Strip([Segment(f"{mark} ", GUTTER), Segment(part or " ", TEXT)]) for part in parts]
        return strips[:1] if folded else strips

    def estimate(self, block: Note, width: int, folded: bool) -> int:
        return 1 if folded else block.extent.rows(width - self.gutter_columns)

    def starts_folded(self, block: Note) -> bool:
        return block.folds

    def state(self, block: Note) -> Hashable:
        return self.marks.get(block.id)

    def source(self, block: Note) -> str:
        return block.text


class WatchedLog(VirtualLog[Note]):
    """A log that counts the rows it paints."""

    painted: int = 0

    def render_line(self, y: int) -> Strip:
        self.painted += 1
        return super().render_line(y)


class LogApp(App[None]):
    """A screen with one log on it, keeping what it says."""

    CSS_PATH = SHEET

    def __init__(self, blocks: Sequence[Note] = ()) -> None:
        super().__init__()
        self.renderer = PlainRenderer()
        self.log_widget = WatchedLog(self.renderer, widget_id="chat")
        self.log_widget.extend(blocks)
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.log_widget

    def on_mount(self) -> None:
        self.log_widget.focus()

    def on_virtual_log_copy_requested(self, message: Message) -> None:
        self.said.append(message)

    def on_virtual_log_fold_toggled(self, message: Message) -> None:
        self.said.append(message)

    def on_virtual_log_block_selected(self, message: Message) -> None:
        self.said.append(message)

    def on_virtual_log_new_below_changed(self, message: Message) -> None:
        self.said.append(message)

    def on_virtual_log_search_moved(self, message: Message) -> None:
        self.said.append(message)

    def copied(self) -> list[str]:
        return [message.text for message in self.said if isinstance(message, VirtualLog.CopyRequested)]

    def below(self) -> list[tuple[int, bool]]:
        messages = [message for message in self.said if isinstance(message, VirtualLog.NewBelowChanged)]
        return [(message.count, message.is_following) for message in messages]


def screen_rows(log: VirtualLog[Note]) -> list[str]:
    """The rows as painted, through Textual's own cache of painted rows."""
    return [strip.text.rstrip() for strip in log.render_lines(log.size.region)]


def body_rows(log: VirtualLog[Note]) -> list[str]:
    """The painted rows without gutter and scrollbar."""
    width = log.scrollable_content_region.width
    return [row[2:width].rstrip() for row in screen_rows(log)]


def has_background(segment: Segment, colour: Color | None) -> bool:
    return segment.style is not None and segment.style.bgcolor == colour


def wheel(direction: Literal["up", "down"], log: VirtualLog[Note]) -> events.MouseEvent:
    """One notch of the mouse wheel over the log."""
    kind = events.MouseScrollUp if direction == "up" else events.MouseScrollDown
    return kind(log, 1, 1, 0, 0, 0, False, False, False)


async def resize_screen(app: LogApp, width: int, height: int) -> None:
    """Resize without the pause in which Textual would pass over most of many resizes."""
    size = Size(width, height)
    app.screen.post_message(events.Resize(size, size))
    async with asyncio.timeout(10):
        while app.log_widget.size != size or app.log_widget.model.height != height:
            await asyncio.sleep(0)


async def started(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.pause()


async def test_it_opens_at_the_end_and_follows_what_arrives() -> None:
    app = LogApp(notes(50))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        assert body_rows(log)[-1] == "block 49 line 2"
        log.extend([note("new", "one\ntwo")])
        await pilot.pause()
        assert body_rows(log)[-2:] == ["one", "two"]
        assert log.scroll_y == log.max_scroll_y
        log.extend([note("new", "one\ntwo\nthree", 1)])
        await pilot.pause()
        assert body_rows(log)[-3:] == ["one", "two", "three"]
        assert app.below() == []


async def test_it_still_follows_on_a_taller_or_lower_screen() -> None:
    app = LogApp(notes(50))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        for version, height in enumerate((14, 5, 9)):
            await pilot.resize_terminal(40, height)
            log.extend([note("new", "row\n" * (version + 1) + "end", version)])
            await pilot.pause()
            assert log.model.is_following
            assert body_rows(log)[-1] == "end"


async def test_a_short_log_stands_at_the_top() -> None:
    app = LogApp(notes(1))
    async with app.run_test(size=(40, 6)) as pilot:
        await started(pilot)
        assert body_rows(app.log_widget) == ["block 0 line 0", "block 0 line 1", "block 0 line 2", "", "", ""]


async def test_an_empty_log_takes_every_key() -> None:
    app = LogApp()
    async with app.run_test(size=(40, 6)) as pilot:
        await started(pilot)
        keys = ["up", "down", "pageup", "pagedown", "home", "end", "j", "k", "enter", "y", "shift+down", "shift+left"]
        await pilot.press(*keys)
        app.log_widget.search("word")
        app.log_widget.action_search_next()
        await pilot.click(app.log_widget)
        assert body_rows(app.log_widget) == [""] * 6


async def test_opening_twenty_thousand_blocks_renders_a_screenful_and_makes_no_widgets() -> None:
    app = LogApp(notes(20_000))
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot)
        assert len(set(app.renderer.rendered)) == 8
        assert len(app.renderer.rendered) == 8
        assert len(app.screen.query("*")) == 1
        assert body_rows(app.log_widget)[-1] == "block 19999 line 2"


async def test_the_row_read_stays_put_through_a_thousand_updates_and_a_resize() -> None:
    app = LogApp(notes(60, lines=4))
    async with app.run_test(size=(60, 12)) as pilot:
        await started(pilot)
        log = app.log_widget
        await pilot.press(*["pageup"] * 3)
        before = body_rows(log)
        top = before[0]
        log.painted = 0
        text = ""
        for version in range(1, 1_001):
            text += f"chunk {version} " + "\n" * (version % 5 == 0)
            log.extend([note("b59", text, version)])
            if version % 50 == 0:
                log.extend([note(f"tool{version}", "did\nit")])
                log.extend([note("b2", "grew\n" * version, version)])
                await pilot.pause()
                assert body_rows(log) == before
        assert app.below()[-1] == (21, False)
        await pilot.resize_terminal(35, 17)
        await pilot.pause()
        assert body_rows(log)[0] == top
        await pilot.resize_terminal(60, 12)
        await pilot.pause()
        assert body_rows(log) == before
        await pilot.press("end")
        assert body_rows(log)[-1] == "it"
        assert app.below()[-1] == (0, True)


async def test_rows_out_of_sight_cost_no_painting_and_a_streamed_row_paints_itself_only() -> None:
    app = LogApp([*notes(60), note("tail", "a")])
    async with app.run_test(size=(60, 12)) as pilot:
        await started(pilot)
        log = app.log_widget
        log.painted = 0
        log.extend([note("tail", "a b", 1)])
        await pilot.pause()
        assert log.painted == 1
        assert body_rows(log)[-1] == "a b"
        await pilot.press("pageup")
        log.painted = 0
        log.extend([note("tail", "a b\nc", 2), note("b3", "other\n" * 30, 1)])
        log.insert(0, [note("older", "text\n" * 9)])
        await pilot.pause()
        assert log.painted == 0


async def test_many_changes_at_once_are_shown_once() -> None:
    app = LogApp(notes(5))
    async with app.run_test(size=(60, 20)) as pilot:
        await started(pilot)
        app.renderer.rendered.clear()
        for version in range(1, 100):
            app.log_widget.extend([note("b4", f"version {version}", version)])
        await pilot.pause()
        assert app.renderer.rendered == ["b4"]


async def test_it_survives_a_thousand_resizes_down_to_one_cell() -> None:
    app = LogApp(notes(40))
    async with app.run_test(size=(30, 12)) as pilot:
        await started(pilot)
        log = app.log_widget
        await pilot.press("pageup", "j")
        before = body_rows(log)
        for step in range(1_000):
            await resize_screen(app, 1 + step * 7 % 30, 1 + step * 5 % 12)
            if step % 100 == 0:
                log.extend([note(f"n{step}", "more")])
        await pilot.resize_terminal(1, 1)
        await pilot.pause()
        assert len(screen_rows(log)) == 1
        await pilot.resize_terminal(30, 12)
        await pilot.pause()
        assert body_rows(log) == before


async def test_scrolling_up_by_rows_skips_none_though_heights_were_guessed() -> None:
    long = "word " * 60
    app = LogApp([note(f"b{i}", f"{i} {long}\nend of {i}") for i in range(6)])
    async with app.run_test(size=(30, 5)) as pilot:
        await started(pilot)
        log = app.log_widget
        seen = body_rows(log)
        for _ in range(300):
            log.action_scroll_up()
            seen.insert(0, body_rows(log)[0])
        top = [row for row in dict.fromkeys(seen) if row.startswith("end of") or row[:2].strip().isdigit()]
        expected = [f"{text}{i}" for i in range(6) for text in ("", "end of ")]
        assert [row.split(" word")[0] for row in top] == expected


async def test_home_and_end_and_the_wheel_move_the_screen() -> None:
    app = LogApp(notes(50))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        await pilot.press("home")
        assert body_rows(log)[0] == "block 0 line 0"
        log.post_message(wheel("down", log))
        await pilot.pause()
        assert body_rows(log)[0] == "block 0 line 2"
        log.post_message(wheel("up", log))
        await pilot.pause()
        assert body_rows(log)[0] == "block 0 line 0"
        await pilot.press("pagedown")
        assert body_rows(log)[0] == "block 2 line 2"
        log.scroll_to(y=30, animate=False)
        await pilot.pause()
        assert body_rows(log)[0] == "block 10 line 0"
        await pilot.press("end")
        assert body_rows(log)[-1] == "block 49 line 2"


async def test_j_and_k_move_the_cursor_and_tell_it() -> None:
    app = LogApp(notes(50))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        await pilot.press("k", "k", "k", "k")
        assert log.cursor_block is not None
        assert log.cursor_block.id == "b46"
        assert screen_rows(log)[0].startswith("▎ block 46 line 0")
        await pilot.press("j")
        assert log.cursor_block.id == "b47"
        log.move_cursor(-1, lambda block: block.text.startswith("block 7 "))
        await pilot.pause()
        assert body_rows(log)[0] == "block 7 line 0"
        chosen = [message.block_id for message in app.said if isinstance(message, VirtualLog.BlockSelected)]
        assert chosen == ["b49", "b48", "b47", "b46", "b47", "b7"]


async def test_a_mark_in_the_gutter_is_not_hidden_by_the_cursor() -> None:
    app = LogApp(notes(3))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        app.renderer.marks["b2"] = "◆"
        app.log_widget.changed()
        await pilot.press("k")
        assert screen_rows(app.log_widget)[6].startswith("◆ block 2")


async def test_a_click_puts_the_cursor_where_it_falls_without_moving_anything() -> None:
    app = LogApp(notes(50))
    async with app.run_test(size=(40, 8)) as pilot:
        await started(pilot)
        log = app.log_widget
        before = body_rows(log)
        await pilot.click(log, offset=(5, 0))
        await pilot.pause()
        assert log.model.cursor_id == "b47"
        assert body_rows(log) == before


async def test_enter_opens_the_block_under_the_cursor_and_shows_what_came() -> None:
    app = LogApp([*notes(20), note("tool", "ran make\nline\nline", folds=True)])
    async with app.run_test(size=(40, 8)) as pilot:
        await started(pilot)
        log = app.log_widget
        assert body_rows(log)[-2:] == ["block 19 line 2", "ran make"]
        await pilot.press("k", "enter")
        assert log.model.blocks.is_folded("tool") is False
        assert body_rows(log)[-3:] == ["ran make", "line", "line"]
        await pilot.press("enter")
        assert body_rows(log)[-1] == "ran make"
        folds = [(m.block_id, m.folded) for m in app.said if isinstance(m, VirtualLog.FoldToggled)]
        assert folds == [("tool", False), ("tool", True)]


async def test_the_head_of_a_block_that_is_taller_than_the_screen_is_at_the_top_when_it_opens() -> None:
    app = LogApp([*notes(20), note("tool", "ran make\n" + "line\n" * 30, folds=True)])
    async with app.run_test(size=(40, 8)) as pilot:
        await started(pilot)
        await pilot.press("k", "enter")
        assert body_rows(app.log_widget)[0] == "ran make"


async def test_another_size_of_the_screen_leaves_the_block_one_works_at_in_sight() -> None:
    wide = note("wide", "a line that is wrapped on a narrow screen " * 20)
    app = LogApp([*notes(9), wide, note("here", "worked at"), note("end", "end\n" * 40)])
    async with app.run_test(size=(120, 30)) as pilot:
        await started(pilot)
        log = app.log_widget
        log.scroll_to(y=0, animate=False)
        log.put_cursor("wide")
        log.put_cursor("here")
        await pilot.pause()
        for size in ((30, 10), (20, 6), (120, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.pause()
            assert "worked at" in body_rows(log)


async def test_y_asks_to_copy_the_source_of_the_block() -> None:
    text = "a very long line that wraps on so narrow a screen\nnext"
    app = LogApp([*notes(3), note("b", text)])
    async with app.run_test(size=(20, 8)) as pilot:
        await started(pilot)
        await pilot.press("y")
        assert app.copied() == []
        await pilot.press("k", "y")
        assert app.copied() == [text]


async def test_shift_and_arrows_select_and_y_copies_the_selection() -> None:
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        await pilot.press("k", "k", "shift+down", "shift+down", "y")
        await pilot.press("shift+right", "shift+right", "shift+left", "y")
        await pilot.press("shift+up", "shift+up", "shift+up", "y")
        assert app.copied() == [
            "block 18 line 0\nblock 18 line 1\n",
            "block 18 line 0\nblock 18 line 1\nb",
            "lock 17 line 2\n",
        ]
        assert app.screen.get_selected_text() == "lock 17 line 2"
        await pilot.press("shift+up", "y")
        assert app.copied()[-1] == "lock 17 line 1\nblock 17 line 2\n"
        await pilot.press("escape", "y")
        assert app.copied()[-1] == "block 18 line 0\nblock 18 line 1\nblock 18 line 2"


async def test_a_drag_selects_text_without_the_gutter_and_survives_what_arrives() -> None:
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        await pilot.press("pageup")
        await pilot.mouse_down(log, offset=(8, 1))
        await pilot.hover(log, offset=(0, 2))
        log.insert(0, [note("older", "text\n" * 30)])
        await pilot.pause()
        await pilot.hover(log, offset=(6, 3))
        await pilot.mouse_up(log, offset=(6, 3))
        await pilot.pause()
        rows = body_rows(log)
        expected = "\n".join([rows[1][6:], rows[2], rows[3][:5]])
        assert log.selected_text() == expected
        assert app.screen.get_selected_text() == expected
        # A terminal's mouse sends a click at the end of a drag, the pilot's does not.
        log.post_message(events.Click(log, 6, 3, 0, 0, 1, False, False, False, screen_x=6, screen_y=3))
        await pilot.pause()
        assert log.model.cursor_id is None
        log.extend([note("b0", "grown\n" * 40, 1)])
        await pilot.pause()
        await pilot.press("y")
        assert app.copied() == [expected]


async def test_the_selection_is_painted() -> None:
    app = LogApp(notes(2))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        await pilot.press("k", "shift+right", "shift+right")
        colour = app.screen.get_component_rich_style("screen--selection").bgcolor
        painted = [segment for segment in log.render_lines(log.size.region)[3] if has_background(segment, colour)]
        assert "".join([segment.text for segment in painted]) == "bl"
        assert all(segment.style and segment.style.color not in (None, colour) for segment in painted)


async def test_a_selection_is_let_go_when_its_lines_wrap_otherwise() -> None:
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        await pilot.press("k", "shift+down")
        assert app.log_widget.selected_text() == "block 19 line 0\n"
        await pilot.resize_terminal(12, 9)
        await pilot.pause()
        assert app.log_widget.selected_text() == ""
        assert app.screen.selections == {}


async def test_a_double_click_selects_the_block() -> None:
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        await pilot.click(app.log_widget, offset=(5, 4), times=2)
        await pilot.pause()
        await pilot.press("y")
        assert app.copied() == ["block 18 line 0\nblock 18 line 1\nblock 18 line 2"]


async def test_a_search_shows_each_match_and_opens_a_folded_block() -> None:
    hidden = note("tool", "ran make\nneedle in a card", folds=True)
    app = LogApp([note("first", "top\nNeedle\nneedle two"), *notes(50), hidden, *[note("last", "end\n" * 20)]])
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        log.search("needle")
        await pilot.pause()
        assert "Needle" in body_rows(log)
        visited: list[str | None] = [log.model.cursor_id]
        for _ in range(2):
            log.action_search_next()
            await pilot.pause()
            visited.append(log.model.cursor_id)
        assert visited == ["first", "first", "tool"]
        assert "needle in a card" in body_rows(log)
        log.action_search_previous()
        await pilot.pause()
        assert "needle two" in body_rows(log)
        colour = log.get_component_rich_style("virtual-log--match").bgcolor
        painted = [segment for row in log.render_lines(log.size.region) for segment in row]
        marked = [segment.text for segment in painted if has_background(segment, colour)]
        assert marked == ["Needle"]
        stands_at = [segment.text for segment in painted if segment.style and segment.style.reverse]
        assert stands_at == ["needle"]
        log.search("nowhere")
        await pilot.pause()
        moved = [message for message in app.said if isinstance(message, VirtualLog.SearchMoved)]
        assert [message.match and message.match.block_id for message in moved] == [
            "first",
            "first",
            "tool",
            "first",
            None,
        ]


async def test_rendered_rows_are_bounded() -> None:
    app = LogApp(notes(3_000))
    async with app.run_test(size=(40, 20)) as pilot:
        await started(pilot)
        log = app.log_widget
        for _ in range(400):
            log.action_page_up()
        assert len(set(app.renderer.rendered)) > 2_000
        assert log.rendered_rows <= RENDERED_ROWS_KEPT


async def test_another_theme_renders_anew_but_focus_does_not() -> None:
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        app.renderer.rendered.clear()
        app.screen.set_focus(None)
        await pilot.pause()
        app.log_widget.focus()
        await pilot.pause()
        assert app.renderer.rendered == []
        app.theme = "textual-light"
        await pilot.pause()
        await pilot.pause()
        assert app.renderer.rendered != []


async def test_removed_blocks_leave_the_screen() -> None:
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 6)) as pilot:
        await started(pilot)
        log = app.log_widget
        log.remove_blocks({"b19", "b5"})
        await pilot.pause()
        assert body_rows(log)[-1] == "block 18 line 2"
        log.clear()
        await pilot.pause()
        assert body_rows(log) == [""] * 6
        log.extend(notes(3))
        await pilot.pause()
        assert body_rows(log)[-1] == "block 2 line 2"


@pytest.mark.parametrize("text", ["[/", "[bold]x[/bold]", "日本語" * 9, "e\u0301" * 12, "🙂 wide"])
async def test_odd_text_is_shown_as_it_is(text: str) -> None:
    app = LogApp([note("odd", text)])
    async with app.run_test(size=(60, 4)) as pilot:
        await started(pilot)
        await pilot.press("k", "shift+right", "shift+right", "y")
        assert body_rows(app.log_widget)[0] == text
        assert app.copied() == [text[:2].rstrip()]


def running_timers() -> int:
    return sum("Timer" in getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks())


async def test_idle_it_keeps_no_timer() -> None:
    async with App[None]().run_test(size=(40, 9)) as pilot:
        await started(pilot)
        timers_of_textual = running_timers()
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        await pilot.press("pageup", "k")
        assert running_timers() == timers_of_textual


async def test_keys_act_on_a_block_in_sight_and_never_on_a_cursor_that_was_left_behind() -> None:
    app = LogApp(notes(50))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        log = app.log_widget
        log.put_cursor("b7")
        log.action_scroll_end()
        await pilot.pause()
        await pilot.press("y")
        await pilot.pause()
        assert app.copied() == ["block 49 line 0\nblock 49 line 1\nblock 49 line 2"]
        assert screen_rows(log)[-3].startswith("▎ block 49 line 0")
        log.put_cursor("b7")
        log.action_scroll_end()
        await pilot.pause()
        await pilot.press("k")
        assert log.cursor_block is not None
        assert log.cursor_block.id == "b49"


async def test_a_selection_is_let_go_when_the_cursor_goes_to_another_block() -> None:
    app = LogApp(notes(20))
    async with app.run_test(size=(40, 9)) as pilot:
        await started(pilot)
        await pilot.press("k", "k", "shift+down", "shift+down", "j", "y")
        assert app.copied() == ["block 19 line 0\nblock 19 line 1\nblock 19 line 2"]
        assert not app.screen.selections
