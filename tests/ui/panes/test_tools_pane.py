"""The tools pane on a screen: what the keys do, what is asked for, and that only what is in sight is read."""

import re
from pathlib import Path

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage
from diligent_tui.session.tree import Node
from diligent_tui.ui.panes.tools import TOOL_COMMANDS, ToolsPane
from diligent_tui.ui.panes.tools.call_book import CallBook
from diligent_tui.ui.panes.tools.live_call import MOST_TAIL_CHARS
from diligent_tui.ui.panes.tools.pane import MOST_COPIED_BYTES
from tests.ui.panes.tools_stage import ToolsApp, Workshop, begun, busy, cursor, found, read, shown, told

HOSTILE = "\x1b]0;owned\x07[/bold] [@click=quit]go[/] \u202e\x00evil\u200b\r\nsecond"
BARE_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u200b]")
USUAL = (120, 40)


def foot(app: ToolsApp) -> str:
    return str(app.pane.query_one("#tools-foot").render())


def head(app: ToolsApp) -> str:
    return str(app.pane.query_one("#tools-head").render())


async def test_each_call_is_a_line_with_state_tool_subject_effect_and_time() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        rows = [row.split() for row in shown(app)]
    assert rows[0] == ["✓", "read", "src/loader.py", "140", "lines", "0.2", "s", "≈897", "▒"]
    assert rows[3][:5] == ["✓", "edit", "src/loader.py", "+4", "−4"]
    assert rows[4] == ["✗", "bash", "make", "test", "exit", "2,", "1", "failed", "9.1", "s", "≈28"]
    assert rows[5][-5:] == ["no", "output", "0.1", "s", "≈0"]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((), "✓ bash  git status"),
        (("k",), "✗ bash  make test"),
        (("up", "up", "j"), "✗ bash  make test"),
        (("home",), "✓ read  src/loader"),
        (("g", "down"), "✓ grep"),
        (("g", "end"), "✓ bash  git status"),
        (("g", "G"), "✓ bash  git status"),
        (("pageup",), "✓ read  src/loader"),
        (("g", "pagedown"), "✓ bash  git status"),
        (("/", *"missing", "enter"), "✗ read  src/missing"),
        (("/", *"bash", "enter", "n"), "✗ bash  make test"),
        (("g", "/", *"bash", "escape"), "✓ read  src/loader"),
        (("g", "/", *"no such words"), "✓ read  src/loader"),
        (("/", *"test_merge passed", "enter"), "✗ bash  make test"),
    ],
)
async def test_keys_lead_about_in_the_list(keys: tuple[str, ...], expected: str) -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await found(pilot)
        assert cursor(app).startswith(expected)


@pytest.mark.parametrize(
    ("times", "expected", "title"),
    [
        (1, ["grep"], "grep · 1"),
        (2, ["read", "bash"], "errors · 2"),
        (3, [], "running · 0"),
        (4, ["read", "grep", "read", "edit", "bash", "bash"], "6 calls"),
    ],
)
async def test_f_lists_one_tool_then_errors_then_what_runs(times: int, expected: list[str], title: str) -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("g", "j")
        for _ in range(times):
            await pilot.press("f")
            await found(pilot)
        assert [row.split()[1] if row[0] != "▎" else row.strip("▎").split()[1] for row in shown(app)] == expected
        assert head(app).endswith(title)


async def test_a_filter_takes_in_what_happens_while_it_is_on() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("f", "f", "f")
        app.pane.take(begun())
        await pilot.pause()
        assert ["make all" in row for row in shown(app)] == [True]
        app.pane.take([ev.ToolFinished("c1", "bash", "done", is_error=False, duration_seconds=1.0)])
        await pilot.pause()
        assert shown(app) == []
        assert "No call is running." in str(app.pane.query_one("#tools-empty").render())
        assert foot(app) == "esc show all  f filter  F3 hide"
        await pilot.press("escape")
        assert len(shown(app)) == 7
        assert "esc" not in foot(app)


async def test_a_session_without_calls_shows_what_will_be_here_and_the_keys_that_work() -> None:
    app = ToolsApp(Workshop())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        empty = app.pane.query_one("#tools-empty")
        assert empty.display
        assert "will stand here" in str(empty.render())
        assert foot(app) == "tab prompt  F3 hide"


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (("k",), ("✗ failed · exit 2 · 9.1 s", "command  make test", "test_merge passed", "== 1 failed ==")),
        (
            ("k", "k"),
            ("path   src/loader.py", "src/loader.py", "14 −             text = open", "Edited src/loader.py."),
        ),
        (("g",), ("≈897 tokens", "▒ pruned: the model sees a digest", "1  a line of code")),
        ((), ("✓ done · exit 0", "No output.")),
    ],
)
async def test_enter_opens_the_details_and_closes_them(way: tuple[str, ...], words: tuple[str, ...]) -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=(160, 60)) as pilot:
        await pilot.pause()
        await pilot.press(*way, "enter")
        await pilot.pause()
        for expected in words:
            assert expected in told(app)
        await pilot.press("enter")
        await pilot.pause()
        assert not app.pane.details.display


async def test_details_follow_the_cursor_and_scroll_by_their_own_keys() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("enter", "g")
        await pilot.pause()
        assert "1  a line of code" in told(app)
        await pilot.press("J", "J", "shift+down", "K")
        assert app.pane.details.scroll_offset.y == 2
        await pilot.press("pagedown")
        assert app.pane.details.scroll_offset.y > 10
        assert cursor(app).startswith("✓ read")
        await pilot.press("j")
        await pilot.pause()
        assert app.pane.details.scroll_offset.y == 0


async def test_d_puts_a_diff_side_by_side_over_the_whole_width_and_back() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        before = app.pane.size.width
        chat = app.screen.query_one("#centre").size
        await pilot.press("k", "k", "d")
        await pilot.pause()
        assert "│" in told(app)
        assert app.pane.outer_size.width == 120
        assert app.screen.query_one("#centre").size.height == chat.height
        await pilot.press("d")
        await pilot.pause()
        assert "│" not in told(app)
        assert app.pane.size.width == before


async def test_a_narrow_screen_says_that_sides_need_room() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("k", "k", "d")
        assert "needs 100 columns" in foot(app)
        await pilot.press("k", "d")
        assert "changed no file" in foot(app)


@pytest.mark.parametrize(
    ("width", "to_the_call", "keys", "is_told", "is_not"),
    [
        (120, "kk", "", ["d diff"], ["narrow"]),
        (120, "k", "", ["w wide"], ["d diff"]),
        (120, "k", "w", ["w narrow"], ["w wide", "d diff"]),
        (120, "kk", "d", ["d unified", "w narrow"], ["d diff", "w wide"]),
        (103, "kk", "", ["w wide"], ["d diff"]),
        (99, "kk", "w", ["o output"], ["d diff", "w wide", "w narrow"]),
    ],
)
async def test_the_details_offer_a_key_only_where_it_changes_something(
    width: int, to_the_call: str, keys: str, is_told: list[str], is_not: list[str]
) -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=(width, 40)) as pilot:
        await pilot.pause()
        await pilot.press(*to_the_call, "enter", *keys)
        await pilot.pause()
        told_keys = [f"{key} {words}" for key, words in app.pane.hints()]
    assert [words for words in is_told if words not in told_keys] == []
    assert [words for words in is_not if words in told_keys] == []


@pytest.mark.parametrize("keys", ["", "enter"])
async def test_a_call_is_run_again_or_sought_in_the_tree_only_when_it_has_ended(keys: str) -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press(*filter(None, [keys]))
        ended = app.pane.hints()
        app.pane.take(begun())
        await pilot.press("G")
        running = app.pane.hints()
    assert [words for _, words in ended if words not in [told for _, told in running]] == ["tree", "run again"]


async def test_on_a_narrow_screen_the_pane_lies_over_the_chat() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.screen.query_one("#centre").size.width == 80
        assert app.pane.region.right == 80


@pytest.mark.parametrize(
    ("size", "copied"),
    [(1_000, "whole"), (MOST_COPIED_BYTES + 1, "its name"), (None, "what was shown")],
)
async def test_copying_takes_the_whole_output_or_says_where_it_is(
    size: int | None, copied: str, tmp_path: Path
) -> None:
    shop = Workshop()
    shop.use("bash", {"command": "make"}, "head … tail", spill="e.txt")
    if size is not None:
        (tmp_path / "e.txt").write_bytes(b"x" * size)
    app = ToolsApp(shop, spills=tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("y")
        while not app.wishes:
            await pilot.pause(0.005)
        await pilot.pause()
        [copy] = app.wishes
        assert isinstance(copy, ToolsPane.CopyRequested)
        expected = {"whole": "x" * 1_000, "its name": str(tmp_path / "e.txt"), "what was shown": "head … tail"}
        assert copy.text == expected[copied]
        assert bool(foot(app).startswith(("Too much", "The file"))) is (copied != "whole")


async def test_wishes_name_the_call_and_its_entry() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("k", "R", "c", "t", "y")
        await pilot.pause()
    rerun, to_chat, to_tree, copy = app.wishes
    assert isinstance(rerun, ToolsPane.Rerun)
    assert (rerun.tool, rerun.arguments) == ("bash", {"command": "make test"})
    assert isinstance(to_chat, ToolsPane.ToChat)
    assert isinstance(to_tree, ToolsPane.ToTree)
    assert isinstance(copy, ToolsPane.CopyRequested)
    entry = app.shop.entries[to_tree.entry_id]
    assert isinstance(entry, MessageEntry)
    assert isinstance(entry.message, ToolResultMessage)
    assert rerun.call_id == to_chat.call_id == entry.message.tool_call_id
    assert to_chat.entry_id == to_tree.entry_id
    assert copy.text == entry.message.output


async def test_letters_typed_quickly_into_a_search_do_nothing_else() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("/", *"Rcty", "escape")
        await pilot.pause()
        assert app.wishes == []
        assert app.pane.has_focus


async def test_escape_leaves_one_thing_at_a_time_and_then_is_somebody_elses() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("k", "enter", "w", "o")
        await pilot.pause()
        seen: list[tuple[bool, bool, bool]] = []
        for _ in range(3):
            await pilot.press("escape")
            await pilot.pause()
            seen.append((app.pane.has_class("-whole"), app.pane.has_class("-wide"), app.pane.has_class("-open")))
        assert seen == [(False, True, True), (False, False, True), (False, False, False)]


async def test_a_running_call_shows_its_newest_output_until_one_scrolls_away() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        app.pane.take(begun())
        app.seconds += 12
        await pilot.press("enter")
        await pilot.pause()
        assert cursor(app).split() == ["◐", "bash", "make", "all", "running", "12", "s"]
        assert told(app).endswith("compiling part 59")
        app.pane.take([ev.ToolOutput("c1", "linking\n")])
        await pilot.pause()
        assert told(app).endswith("linking")
        await pilot.press("K", "K")
        top = told(app).split("\n")[0]
        app.pane.take([ev.ToolOutput("c1", "packing\n" * 20)])
        await pilot.pause()
        assert told(app).split("\n")[0] == top
        await pilot.press("R", "t")
        assert app.wishes == []


async def test_a_call_that_ended_is_read_from_disk_and_let_go_of() -> None:
    shop = Workshop()
    app = ToolsApp(shop)
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        call = ToolCallBlock(id="c1", name="bash", input={"command": "make all"})
        answer_id = shop.add(MessageEntry(message=AssistantMessage(content=(call,))))
        app.pane.take([ev.StepStarted("t", answer_id, 1, "m"), *begun()])
        finished = ev.ToolFinished("c1", "bash", "heard", is_error=False, duration_seconds=2.0, exit_code=0)
        result = ToolResultMessage(tool_call_id="c1", tool_name="bash", output="from disk", exit_code=0)
        entry_id = shop.add(MessageEntry(message=result))
        app.pane.take([finished, ev.MessageSaved(entry_id, "tool_result", "heard")])
        await pilot.press("enter")
        await pilot.pause()
        assert "from disk" in told(app)
        assert "command  make all" in told(app)
        assert "2.0 s" in cursor(app)
        await pilot.press("t")
        await pilot.pause()
        (wish,) = app.wishes
        assert isinstance(wish, ToolsPane.ToTree)
        assert wish.entry_id == entry_id


async def test_the_cursor_stays_with_its_call_while_others_come() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("g")
        app.pane.take(begun())
        await pilot.pause()
        assert cursor(app).startswith("✓ read")
        await pilot.press("G")
        app.pane.take(begun("c2", "make more"))
        await pilot.pause()
        assert "make more" in cursor(app)


async def test_what_came_before_a_move_is_not_taken_twice() -> None:
    app = ToolsApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        app.pane.take([*begun("c1", "old"), ev.LeafMoved("x"), *begun("c2", "new")])
        await pilot.pause()
        assert [row.strip("▎ ").split()[2] for row in shown(app)] == ["new"]


async def test_others_can_lead_to_a_call_even_to_one_that_the_filter_hides() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("f", "f")
        await found(pilot)
        edit_id = app.pane.book.keys[3]
        app.pane.go_to(edit_id)
        await pilot.pause()
        assert cursor(app).startswith("✓ edit")
        assert head(app).endswith("6 calls")


async def test_a_path_that_is_shown_again_keeps_the_cursor_on_its_call() -> None:
    app = ToolsApp(busy())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("g", "j")
        app.pane.show_saved(app.shop.tree.path(app.shop.tree.leaf_id))
        await pilot.pause()
        assert cursor(app).startswith("✓ grep")


async def test_hostile_words_are_shown_and_obeyed_nowhere() -> None:
    shop = Workshop()
    shop.use(
        HOSTILE, {HOSTILE: HOSTILE, "list": [HOSTILE]}, HOSTILE, diff=f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+{HOSTILE}"
    )
    app = ToolsApp(shop)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        app.pane.take([ev.ToolCallReady("c", HOSTILE, {"command": HOSTILE}), ev.ToolOutput("c", HOSTILE)])
        await pilot.press("g", "enter")
        await pilot.pause()
        await pilot.press("f")
        await found(pilot)
        texts = [*shown(app), *told(app).split("\n"), head(app), foot(app)]
        await pilot.press("o")
        await pilot.pause()
        texts += read(app)
    assert not any(BARE_CONTROL.search(text) for text in texts)
    assert sum("[/bold]" in text for text in texts) >= 4


async def test_twenty_thousand_calls_open_by_reading_what_is_in_sight() -> None:
    shop = Workshop()
    for number in range(20_000):
        shop.use("read", {"path": f"file-{number}"})
    app = ToolsApp(shop)
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        assert len(shop.looked_up) <= 2 * 45
        await pilot.press("g", "enter")
        await pilot.pause()
        assert cursor(app).startswith("✓ read  file-0")
        assert len(shop.looked_up) <= 4 * 45
        await pilot.press("G", "k")
        await pilot.pause()
        assert cursor(app).startswith("✓ read  file-19998")
        assert len(shop.looked_up) <= 4 * 45


def test_facts_of_very_many_calls_are_not_all_kept() -> None:
    shop = Workshop()
    for number in range(5_000):
        shop.use("read", {"path": f"file-{number}"})
    book = CallBook(shop.lookup)
    book.show_saved(shop.tree.path(shop.tree.leaf_id))
    for key in book.keys:
        book.facts(key)
    before = shop.looked_up.total()
    assert book.facts(book.keys[-1]).subject == "file-4999"
    assert shop.looked_up.total() == before
    assert book.facts(book.keys[0]).subject == "file-0"
    assert shop.looked_up.total() == before + 2


def test_a_flood_of_live_output_keeps_its_end_only() -> None:
    book = CallBook(Workshop().lookup)
    for event in begun():
        book.take(event)
    for number in range(2_000):
        book.take(ev.ToolOutput("c1", f"{number:>98}\n"))
    details = book.details(book.keys[0])
    assert len(details.output) <= MOST_TAIL_CHARS
    assert details.is_cut
    assert details.output.endswith("1999\n")
    assert details.output.split("\n")[0].strip().isdecimal()


def test_two_calls_of_one_id_are_two_calls() -> None:
    book = CallBook(Workshop().lookup)
    for output in ("one", "two"):
        book.take(ev.ToolCallReady("same", "read", {}))
        book.take(ev.ToolFinished("same", "read", output, is_error=False, duration_seconds=0.1))
    assert [book.details(key).output for key in book.keys] == ["one", "two"]


def test_entries_that_cannot_be_read_do_not_break_the_list() -> None:
    book = CallBook(Workshop().lookup)
    book.show_saved([Node("a", None, "message", "assistant"), Node("r", "a", "message", "tool_result")])
    assert book.facts("r").subject == "cannot be read"
    assert "cannot be read" in book.details("r").output


def test_every_command_has_a_key_of_its_own_and_does_something() -> None:
    keys = [key for command in TOOL_COMMANDS for key in command.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert {command.id for command in TOOL_COMMANDS} == set(ToolsPane().deeds)


def test_what_a_crash_cut_off_is_listed_as_interrupted_with_what_it_was_given() -> None:
    calls = tuple(ToolCallBlock(id=name, name="bash", input={"command": name}) for name in ("one", "two"))
    entries: dict[str, Entry] = {
        "a": MessageEntry(id="a", message=AssistantMessage(content=calls)),
        "r": MessageEntry(id="r", message=ToolResultMessage(tool_call_id="one", tool_name="bash", output="ok")),
    }
    book = CallBook(entries.__getitem__)
    book.show_saved([Node("a", None, "message", "assistant"), Node("r", "a", "message", "tool_result")])
    facts_told = [book.facts(key) for key in book.keys]
    assert [(facts.subject, facts.state, facts.effect) for facts in facts_told] == [
        ("one", "done", "1 line"),
        ("two", "failed", "interrupted"),
    ]
    assert book.details(book.keys[-1]).arguments == {"command": "two"}
    assert book.running == []
    assert facts_told[-1].duration_seconds is None
