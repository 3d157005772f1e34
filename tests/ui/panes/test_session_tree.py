"""The tree on a screen: what the keys do, what is asked for, and that only what is in sight is read."""

import re
from typing import ClassVar

import pytest
from textual import events
from textual.binding import BindingType
from textual.pilot import Pilot

from diligent_tui.domain.entries import CompactionEntry, CompactionRevertEntry, Entry, KnowledgeNoteEntry, MessageEntry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.messages import AssistantMessage, TextBlock, UserMessage
from diligent_tui.session.tree import Tree
from diligent_tui.ui.panes.session_tree import TREE_COMMANDS, SessionTreePane
from diligent_tui.ui.panes.session_tree.finding import TreeTexts
from diligent_tui.ui.panes.session_tree.words import MOST_KEPT, RowTexts, describe, full_text
from tests.ui.panes.tree_stage import Garden, TreeApp, grown, large, searched, shown, small

HOSTILE = "\x1b]0;owned\x07[/bold] [@click=quit]go[/] \u202e\x00evil\u200b\r\nsecond"
BARE_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u200b]")


def cursor(app: TreeApp) -> str:
    """What the row under the cursor says."""
    rows = app.pane.rows
    return rows.render_line(rows.cursor - rows.scroll_offset.y).text.strip("▎│ ")


def foot(app: TreeApp) -> str:
    return str(app.pane.query_one("#tree-foot").render())


@pytest.mark.parametrize("comes", ["before it is shown", "with it", "after it"])
async def test_foot_head_and_preview_are_filled_whenever_the_tree_comes(comes: str) -> None:
    app, garden = TreeApp(), small()
    async with app.run_test(size=(160, 50)) as pilot:
        app.pane.display = False
        await pilot.pause()
        app.pane.read_through(garden.lookup)
        if comes != "after it":
            app.pane.show(garden.tree, {})
        if comes == "before it is shown":
            await pilot.pause()
        app.pane.display = True
        if comes == "after it":
            await pilot.pause()
            app.pane.show(garden.tree, {})
        await pilot.pause()
        await pilot.pause()
        screen = app.export_screenshot(simplify=True).replace("&#160;", " ")
        for words in ("filter", "1 branch", "2026-03-04 10:36:00", "answer", "Because merge()"):
            assert words in screen


async def test_the_cursor_stands_where_the_talk_stands() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        assert app.pane.rows.cursor_id == app.garden.tree.leaf_id
        assert "◂" in cursor(app)


async def test_marks_tell_each_kind_of_row() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        text = "\n".join(shown(app))
    for expected in (
        "› why does the loader",
        "✓ read loader.py",
        "✗ bash make test",
        "⟳ 142k → 28k",
        "◇ gpt-6 · high",
        "⎇ try-zod · › what about",
        "⎇ ≡ Removing the second read",
        "⚑ one schema per layer",
        "⌁ › whose parent was lost",
        "✦ Tests run with make test.",
        "? unknown entry: hologram",
    ):
        assert expected in text
    assert "sonnet-5-5" not in text
    assert "Be good" not in text


async def test_an_undo_a_redo_and_an_edit_of_a_summary_are_told_apart_in_row_preview_and_search() -> None:
    garden = small()
    first_id = garden.add(
        CompactionEntry(summary="a", first_kept_entry_id="x", tokens_before=12_000, tokens_after=5_000)
    )
    edit = CompactionEntry(summary="b", first_kept_entry_id="x", tokens_before=12_000, tokens_after=4_000)
    garden.add(edit.model_copy(update={"supersedes": first_id}))
    undo_id = garden.add(CompactionRevertEntry(target_id=first_id))
    redo_id = garden.add(CompactionRevertEntry(target_id=undo_id))
    again_id = garden.add(CompactionRevertEntry(target_id=redo_id))
    itself_id = f"{len(garden.entries) + 1:08x}"
    garden.add(CompactionRevertEntry(target_id=itself_id))
    app = TreeApp(garden)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("end")
        rows = [row.strip("▎│╰ ") for row in shown(app)]
        told = [row for row in rows if row.startswith(("⟳", "↶", "↷"))]
        assert [re.split(r"\s{2,}| ◂", row)[0] for row in told] == [
            "⟳ 12k → 5.0k",
            "⟳ summary edited 12k → 4.0k",
            "↶ compaction undone",
            "↷ compaction redone",
            "↶ compaction undone",
            "↶ compaction undone",
        ]
        await pilot.press("up", "up")
        assert "compaction redone" in str(app.pane.query_one("#tree-preview").render())
    found = TreeTexts(garden.lookup)
    assert found.matches(garden.entries, {}, "redone") == [redo_id]
    assert found.matches(garden.entries, {}, "undone") == [undo_id, again_id, itself_id]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("home",), "› why does"),
        (("g", "j", "j"), "✓ read loader.py"),
        (("home", "down", "down", "up"), "→ read"),
        (("end",), "? unknown"),
        (("G", "k"), "✦ Tests"),
        (("end", "left"), "⎇ › then remove it"),
        (("home", "]"), "⎇ try-zod"),
        (("home", "]", "]"), "⎇ › then remove it"),
        (("end", "[", "["), "⎇ try-zod"),
        (("home", "full_stop"), "⚑ one schema"),
        (("home", "pagedown"), "? unknown"),
        (("end", "pageup"), "› why does"),
    ],
)
async def test_keys_move_the_cursor(keys: tuple[str, ...], expected: str) -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press(*keys)
        assert cursor(app).startswith(expected)


async def test_a_branch_folds_and_unfolds_in_its_place() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "]")
        before = shown(app)
        await pilot.press("left")
        assert "▸ try-zod" in cursor(app)
        assert "+11" in cursor(app)
        assert "◂" in cursor(app)
        await pilot.press("right")
        assert shown(app) == before
        await pilot.press("down", "space")
        assert "▸ try-zod" in cursor(app)


async def test_all_other_branches_fold_at_once() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("minus")
        text = "\n".join(shown(app))
        assert "▸ then remove it" in text
        assert "⚑ one schema" in text
        await pilot.press("plus")
        assert "▸" not in "\n".join(shown(app))


async def test_filters_follow_each_other_and_keep_the_cursor_near() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        heads: list[str] = []
        for _ in range(4):
            await pilot.press("f")
            heads.append(str(app.pane.query_one("#tree-head").render()).split(maxsplit=1)[1])
        assert heads == ["no tools · 16", "prompts · 6", "labelled · 2", "3 branches"]


async def test_enter_on_a_prompt_goes_to_its_parent_and_brings_its_words_back() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "enter", "end", "left", "enter")
        first, second = app.wishes
    assert isinstance(first, SessionTreePane.ContinueFrom)
    assert (first.entry_id, first.text) == ("00000002", "why does the loader read the file twice?")
    assert isinstance(second, SessionTreePane.ContinueFrom)
    assert (second.entry_id, second.text) == ("00000008", "then remove it")


async def test_enter_on_the_very_first_prompt_goes_before_it() -> None:
    garden = Garden()
    garden.ask("hello\nworld")
    app = TreeApp(garden)
    async with app.run_test() as pilot:
        await pilot.press("enter")
    (wish,) = app.wishes
    assert isinstance(wish, SessionTreePane.ContinueFrom)
    assert (wish.entry_id, wish.text) == (None, "hello\nworld")


async def test_enter_on_anything_else_continues_from_there() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "j", "j", "enter")
    (wish,) = app.wishes
    assert isinstance(wish, SessionTreePane.ContinueFrom)
    assert (wish.entry_id, wish.text) == ("00000005", "")


async def test_fork_context_and_bring_ask_for_the_entry_under_the_cursor() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("end", "k", "F", "x", "b")
        fork, context, graft = app.wishes
        assert isinstance(fork, SessionTreePane.ForkAt)
        assert isinstance(context, SessionTreePane.ContextAt)
        assert isinstance(graft, SessionTreePane.Graft)
        assert {fork.entry_id, context.entry_id, graft.entry_id} == {app.pane.rows.cursor_id}


async def test_an_entry_of_this_branch_need_not_be_brought_here() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "b")
        assert app.wishes == []
        assert foot(app) == "Already on your branch."


async def test_the_marked_entry_is_compared_with_the_one_under_the_cursor() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("end", "m")
        marked = app.pane.rows.cursor_id
        assert "◎" in cursor(app)
        await pilot.press("c")
        assert app.wishes == []
        await pilot.press("home", "]", "c")
        (wish,) = app.wishes
        assert isinstance(wish, SessionTreePane.Compare)
        assert (wish.left_id, wish.right_id) == (marked, app.pane.rows.cursor_id)


async def test_without_a_mark_the_comparison_is_with_where_the_talk_stands() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("end", "c")
    (wish,) = app.wishes
    assert isinstance(wish, SessionTreePane.Compare)
    assert wish.left_id == app.garden.tree.leaf_id


async def test_a_label_is_typed_over_the_old_one_and_an_empty_one_removes_it() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("l")
        assert app.pane.line.value == "one schema per layer"
        await pilot.press("ctrl+u", *"new", "enter")
        await pilot.press("l", "ctrl+u", "enter")
        wishes = [(wish.entry_id, wish.label) for wish in app.wishes if isinstance(wish, SessionTreePane.LabelSet)]
    leaf_id = app.garden.tree.leaf_id
    assert wishes == [(leaf_id, "new"), (leaf_id, "")]


async def test_escape_leaves_the_label_as_it_was() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("l", *"more", "escape")
        assert app.wishes == []
        assert app.focused is app.pane
        assert not app.pane.query_one("#tree-asking").display


async def test_letters_typed_into_the_line_do_nothing_else() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("l", *"Fxbcmjkgn", "escape")
        assert app.wishes == []
        assert app.pane.rows.cursor_id == app.garden.tree.leaf_id


async def test_words_are_found_as_they_are_typed_and_n_goes_on() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "slash", *"schema")
        await searched(pilot)
        assert cursor(app).startswith("⎇ try-zod")
        assert foot(app).startswith("1 of 6")
        await pilot.press("enter", "n", "n")
        assert cursor(app).startswith("› and now the schema")
        await pilot.press("N")
        assert cursor(app).startswith("A schema would")
        assert foot(app).startswith("2 of 6")
        await pilot.press("N", "N")
        assert foot(app).startswith("6 of 6")
        await pilot.press("escape")
        assert "go on" in foot(app)


async def test_escape_while_typing_goes_back_to_where_the_search_began() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "slash", *"hologram")
        await searched(pilot)
        assert "hologram" in cursor(app)
        await pilot.press("escape")
        await searched(pilot)
        assert cursor(app).startswith("› why does")


async def test_a_match_in_a_fold_is_unfolded() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("end", "left", "left", "home", "slash", *"Removed;")
        await searched(pilot)
        assert cursor(app).startswith("Removed; the loader")


async def test_words_that_stand_nowhere_are_said_to() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("slash", *"zzz")
        await searched(pilot)
        assert foot(app).startswith("no match")
        assert app.pane.rows.cursor_id == app.garden.tree.leaf_id


async def test_escape_without_a_search_is_left_to_the_app() -> None:
    class Watching(TreeApp):
        BINDINGS: ClassVar[list[BindingType]] = [("escape", "noted", "Note")]
        noted = 0

        def action_noted(self) -> None:
            self.noted += 1

    app = Watching(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("escape")
        assert app.noted == 1
        await pilot.press("slash", *"zod", "enter", "escape")
        assert app.noted == 1


async def test_the_preview_tells_the_exact_time_and_id() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home")
        await pilot.pause()
        told = str(app.pane.query_one("#tree-preview").render())
    assert told.startswith("2026-03-04 10:33:00 · 00000003 · prompt\nwhy does the loader read the file twice?")


async def test_an_empty_tree_teaches() -> None:
    app = TreeApp(Garden())
    async with app.run_test() as pilot:
        await pilot.press("enter", "j", "l", "m", "c", "F", "left", "right", "]", "f", "full_stop", "space")
        assert app.wishes == []
        assert app.pane.query_one("#tree-empty").display
        assert "f filter" in foot(app)
        await pilot.press("f", "f", "f")
        assert foot(app) == "tab prompt  F2 hide"


async def test_a_tree_without_labels_says_how_one_is_given() -> None:
    app = TreeApp(small())
    async with app.run_test() as pilot:
        await pilot.press("f", "f", "f")
        await pilot.pause()
        empty = app.pane.query_one("#tree-empty")
        assert empty.display
        assert "l on an entry gives it one" in str(empty.render())
        assert foot(app) == "esc show all  f filter  F2 hide"
        await pilot.press("f")
        await pilot.pause()
        assert not empty.display


async def test_escape_shows_all_again_and_its_foot_says_so_first() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        every = [row.strip("▎ ") for row in shown(app)]
        await pilot.press("f", "f")
        assert len(app.pane.outline.rows) < len(every)
        assert foot(app).startswith("⏎ go on  esc show all  / find")
        await pilot.press("escape")
        assert [row.strip("▎ ") for row in shown(app)] == every
        assert "esc" not in foot(app)


@pytest.mark.parametrize(("garden", "has_branches"), [(small(), False), (grown(), True)])
async def test_comparing_is_offered_where_there_are_branches(garden: Garden, has_branches: bool) -> None:
    app = TreeApp(garden)
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.pause()
        assert ("m c compare" in foot(app)) is has_branches


async def test_a_mark_tells_the_key_that_compares() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "m")
        assert foot(app) == "Marked.  c compare another"
        await pilot.press("m")
        assert foot(app) == "The mark is gone."


async def test_a_preview_that_is_cut_says_so_and_shows_no_markup() -> None:
    garden = small()
    garden.answer("**Two** changes:\n" + "\n".join(f"- step `{number}`" for number in range(9)))
    app = TreeApp(garden)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        lines = str(app.pane.query_one("#tree-preview").render()).split("\n")
        assert lines[1:] == ["Two changes:", "step 0", "step 1", "step 2…"]


async def test_a_label_is_typed_behind_its_caption() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l")
        await pilot.pause()
        assert str(app.pane.query_one("#tree-caption").render()) == "label"
        assert foot(app) == "⏎ save  esc leave"
        await pilot.press("escape", "slash")
        await pilot.pause()
        assert str(app.pane.query_one("#tree-caption").render()) == "/"


async def test_the_cursor_shows_without_colours() -> None:
    app = TreeApp(grown(), "ansi")
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        rows = app.pane.rows
        reversed_rows = [
            y
            for y in range(rows.page_rows)
            if any(segment.style and segment.style.reverse for segment in rows.render_line(y))
        ]
        assert reversed_rows == [rows.cursor - rows.scroll_offset.y]


async def test_a_growing_leaf_takes_the_cursor_along_unless_one_walks_about() -> None:
    garden = small()
    app = TreeApp(garden)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        garden.ask("and then?")
        app.pane.grew()
        assert app.pane.rows.cursor_id == garden.tree.leaf_id
        await pilot.press("home")
        garden.answer("Then nothing.")
        app.pane.grew()
        await pilot.pause()
        assert cursor(app).startswith("› why does")
        assert "Then nothing." in "\n".join(shown(app))


async def test_showing_the_same_tree_again_keeps_cursor_folds_and_filter() -> None:
    garden = grown()
    app = TreeApp(garden)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("f", "end", "left", "left")
        before = cursor(app)
        garden.labels["0000000f"] = "plain"
        app.pane.show(garden.tree, garden.labels)
        await pilot.pause()
        assert cursor(app) == before
        assert app.pane.outline.filter == "no tools"


async def test_another_session_begins_with_nothing_folded_or_marked() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("m", "minus")
        other = small()
        app.pane.read_through(other.lookup)
        app.pane.show(other.tree, other.labels)
        await pilot.pause()
        assert app.pane.outline.folded == set()
        assert app.pane.rows.marked_id is None
        assert app.pane.rows.cursor_id == other.tree.leaf_id
        assert "zod" not in "\n".join(shown(app))


async def test_going_to_an_entry_unfolds_what_hides_it() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("minus")
        app.pane.go_to("00000014")
        await pilot.pause()
        assert cursor(app).startswith("? unknown")


async def test_a_click_puts_the_cursor_on_a_row() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.click("#tree-rows", offset=(5, 2))
        assert cursor(app).startswith("✓ read loader.py")


async def test_hostile_text_reaches_neither_terminal_nor_markup() -> None:
    garden = Garden()
    garden.ask(HOSTILE)
    garden.call(HOSTILE, HOSTILE, output=HOSTILE, is_error=True)
    garden.labels["00000001"] = HOSTILE
    app = TreeApp(garden)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("home", "l")
        await pilot.pause()
        assert "[/bold] [@click=quit]go[/]" in shown(app)[0]
        told = str(app.pane.query_one("#tree-preview").render()).replace("\n", "")
        for line in (*shown(app), told, app.pane.line.value):
            assert not BARE_CONTROL.search(line)
        app.pane.line.post_message(events.Paste(HOSTILE))
        await pilot.pause()
        assert not BARE_CONTROL.search(app.pane.line.value)


async def test_an_entry_that_cannot_be_read_keeps_its_row() -> None:
    garden = small()

    def lookup(entry_id: str) -> Entry:
        if entry_id == "00000005":
            raise StorageError("The file is gone.")
        return garden.lookup(entry_id)

    app = TreeApp(garden)
    app.pane.read_through(lookup)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        assert any("? (cannot be read)" in line for line in shown(app))
        await pilot.press("slash", *"merge")
        await searched(pilot)
        assert foot(app).startswith("1 of 1")


async def test_forks_within_forks_leave_room_for_words() -> None:
    garden = Garden()
    for number in range(60):
        fork = garden.ask(f"turn {number}")
        garden.answer("aside")
        garden.tree.move_to(fork)
    app = TreeApp(garden)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end", "up")
        deepest = [line for line in shown(app) if "turn 59" in line]
        assert len(deepest) == 1
        assert "… " in deepest[0]
        assert all(len(line) <= app.pane.rows.size.width for line in shown(app))


async def walk(pilot: Pilot[None]) -> None:
    """Through a large tree by every kind of key."""
    await pilot.press("home", *["down"] * 20, *["pagedown"] * 5, "end", *["up"] * 20, *["pageup"] * 5)
    await pilot.press(
        "home", *["right_square_bracket"] * 5, "left", "right", "minus", "full_stop", "plus", "f", "f", "f", "f"
    )


async def test_a_tree_of_20000_entries_reads_only_what_comes_into_sight() -> None:
    garden = large(20_000, 200)
    app = TreeApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.pane.outline.branch_count == 200
        assert app.pane.outline.row_count == 20_000
        screen_rows = app.pane.rows.page_rows
        assert len(garden.looked_up) <= screen_rows + 1
        await walk(pilot)
        # Some 30 stops, each a screen at the most.
        assert len(garden.looked_up) <= 30 * screen_rows
        assert len(app.query("*")) < 20


async def test_a_search_through_20000_entries_finds_all_matches() -> None:
    garden = large(20_000, 200)
    app = TreeApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("home", "minus", "slash", *"1999")
        await searched(pilot)
        expected = sum("1999" in full_text(entry) for entry in garden.entries.values())
        assert foot(app).endswith("esc back")
        assert f"of {expected}" in foot(app)
        assert "1999" in cursor(app)


def test_words_of_rows_out_of_sight_are_forgotten_in_time() -> None:
    garden = large(MOST_KEPT + 10, 1)
    texts = RowTexts(garden.tree, garden.lookup)
    ids = list(garden.tree.nodes)
    for entry_id in ids:
        texts.row(entry_id)
    texts.row(ids[-1])
    texts.row(ids[0])
    assert garden.looked_up[ids[-1]] == 1
    assert garden.looked_up[ids[0]] == 2


def test_searched_texts_are_kept_up_to_a_size_and_read_again_beyond_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.ui.panes.session_tree.finding.MOST_KEPT_CHARS", 10)
    garden = Garden()
    ids = [garden.ask("swans"), garden.ask("seven"), garden.ask("Swans and geese")]
    texts = TreeTexts(garden.lookup)
    assert texts.matches(ids, {}, "swans") == [ids[0], ids[2]]
    assert texts.matches(ids, {}, "Swans") == [ids[2]]
    assert texts.matches(ids, {ids[1]: "swans too"}, "swans") == ids
    assert texts.matches(ids, {}, "") == []
    assert [garden.looked_up[entry_id] for entry_id in ids] == [1, 1, 3]


def test_no_key_of_the_tree_means_two_things() -> None:
    keys = [key for command in TREE_COMMANDS for key in command.keys.split(",")]
    assert len(keys) == len(set(keys))


async def test_every_command_of_the_tree_can_be_done_by_each_of_its_keys() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        for command in TREE_COMMANDS:
            for key in command.keys.split(","):
                await pilot.press(key, "escape")


async def test_the_user_may_choose_other_keys() -> None:
    garden = grown()
    app = TreeApp(garden)
    app.pane = SessionTreePane(garden.lookup, keymap={"tree_first": "h", "tree_fork": ""})
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("h", "F")
        assert cursor(app).startswith("› why does")
        assert app.wishes == []


async def test_keys_typed_quickly_after_the_search_key_are_searched_for() -> None:
    app = TreeApp(grown())
    async with app.run_test(size=(160, 50)) as pilot:
        for key, character in (("slash", "/"), ("F", "F"), ("x", "x"), ("b", "b")):
            app.post_message(events.Key(key, character))
        await searched(pilot)
        assert app.wishes == []
        assert app.pane.line.value == "Fxb"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (UserMessage(content="words"), "› words"),
        (UserMessage(content=(TextBlock(text="two"), TextBlock(text="parts"))), "› two · parts"),
        (AssistantMessage(content=(TextBlock(text="answer"),)), "  answer"),
        (AssistantMessage(content=(), stop_reason="interrupted"), "  (interrupted)"),
        (AssistantMessage(content=()), "  (no words)"),
    ],
)
def test_a_row_says_what_its_message_says(message: UserMessage | AssistantMessage, expected: str) -> None:
    garden = Garden()
    entry_id = garden.add(MessageEntry(message=message))
    words = RowTexts(garden.tree, garden.lookup).row(entry_id)
    assert f"{words.mark} {words.text}" == expected


def test_a_pane_takes_its_tree_before_it_is_on_a_screen() -> None:
    pane = SessionTreePane(Garden().lookup)
    pane.show(small().tree, {})
    pane.grew()
    assert len(pane.outline.rows) == 4
    pane.show(Tree(), {})
    assert pane.outline.rows == []


@pytest.mark.parametrize("text", ["[Knowledge changed]\nTests run with make.", "[note]\nThe user restored files."])
def test_a_note_is_called_a_note_whatever_it_is_about(text: str) -> None:
    assert describe(KnowledgeNoteEntry(text=text)).noun == "note"
