"""The summary pane on a screen: what the keys do, what is asked for, and that nothing is read unseen."""

import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest
from rich.style import Style

from diligent_tui.compaction.coverage import CoverageItem, CoverageReport
from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.ui.commands.summary import SUMMARY_COMMANDS
from diligent_tui.ui.panes.summary import SummaryPane
from tests.ui.panes.summary_stage import (
    SUMMARY,
    FakeMemory,
    SummaryApp,
    begun,
    cut_inside_a_turn,
    finished,
    listed,
    part,
    read,
    settled,
    three_versions,
    version,
)

Words = ParamSpec("Words")
Result = TypeVar("Result")
USUAL = (120, 40)
HOSTILE = "\x1b]0;owned\x07[/bold] [@click=quit]go[/] \u202e\x00evil\u200b"
BARE_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]")


def noted(note: Callable[[], None], function: Callable[Words, Result]) -> Callable[Words, Result]:
    """The function, with a note of each call."""

    def called(*args: Words.args, **more: Words.kwargs) -> Result:
        note()
        return function(*args, **more)

    return called


def full() -> SummaryApp:
    return SummaryApp(FakeMemory(*three_versions()))


def test_every_command_of_the_pane_is_something_it_does() -> None:
    assert set(SummaryPane().deeds) == {command.id for command in SUMMARY_COMMANDS}


async def test_before_the_first_compaction_the_pane_teaches() -> None:
    app = SummaryApp()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        empty = str(app.pane.query_one("#summary-empty").render())
    assert "/compact" in empty
    assert len(empty.splitlines()) <= 3


async def test_the_text_shows_figures_summary_and_ledger_apart() -> None:
    app = SummaryApp(FakeMemory(cut_inside_a_turn()))
    async with app.run_test(size=(160, 120)) as pilot:
        await settled(pilot)
        text = read(app)
    assert "142k → 28k  −80 %" in text
    assert "2 min ago" in text
    assert "context nearly full · strategy auto" in text
    assert "3 dropped, 1 invented" in text
    assert text.index("41 tests pass") < text.index("─ the turn that was cut") < text.index("─ ledger")
    assert text.index("─ ledger") < text.index("The user's own words")


@pytest.mark.parametrize("columns", [60, 80, 120, 160])
async def test_a_key_that_is_offered_stands_on_the_line_of_what_it_does(columns: int) -> None:
    app = SummaryApp(FakeMemory(cut_inside_a_turn()))
    async with app.run_test(size=(columns, 40)) as pilot:
        await settled(pilot)
        assert "c shows them." in read(app)


def key_style(app: SummaryApp) -> Style | None:
    """How the key stands in the offer to show the facts."""
    rows = [list(app.pane.page.render_line(row)) for row in range(app.pane.page.size.height)]
    return next(segment.style for row in rows for segment in row if segment.text == "c")


async def test_the_letters_of_the_views_are_bright_only_while_they_would_choose_one() -> None:
    app = SummaryApp(FakeMemory(cut_inside_a_turn()))
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        ways, bright_key = app.pane.query_one("#summary-ways"), key_style(app)
        bright = ways.styles.color
        await pilot.press("e")
        await settled(pilot)
        quiet = ways.styles.color
        assert quiet != bright
        await pilot.press("x", "escape")
        await settled(pilot)
        assert ways.styles.color == quiet
        await pilot.press("x")
        await settled(pilot)
        assert ways.styles.color == bright
        app.screen.set_focus(None)
        await settled(pilot)
        assert ways.styles.color == quiet
        assert key_style(app) != bright_key
        app.screen.set_focus(app.pane)
        await settled(pilot)
        assert key_style(app) == bright_key


async def test_versions_stand_newest_first_with_number_state_age_and_who_edited() -> None:
    app = full()
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("v")
        await settled(pilot)
        rows = [row.split() for row in listed(app)]
    assert rows[0] == ["▎●", "2.2", "active", "2", "min", "ago"]
    assert rows[1][-3:] == ["edited", "by", "you"]
    assert rows[2][:3] == ["○", "2.1", "replaced"]
    assert rows[4][:3] == ["◦", "1.1", "summarised"]
    assert rows[5][:3] == ["142k", "→", "28k"]


@pytest.mark.parametrize(
    ("keys", "head"),
    [
        ((), "● 2.2 active"),
        (("v", "j", "enter"), "○ 2.1 replaced"),
        (("[",), "○ 2.1 replaced"),
        (("[", "[", "]"), "○ 2.1 replaced"),
        (("v", "G", "enter"), "◦ 1.1 summarised again"),
        (("v", "down", "down", "up", "enter"), "○ 2.1 replaced"),
        (("[", "escape"), "● 2.2 active"),
    ],
)
async def test_keys_lead_from_version_to_version(keys: tuple[str, ...], head: str) -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)
        assert part(app, "head").endswith(head)


@pytest.mark.parametrize(
    ("keys", "removed", "added"),
    [
        (("d",), "41 tests pass", "44 tests pass, none is skipped"),
        (("[", "d"), "a look at `src/config/schema.py`", "the schema in `src/config/schema.py`"),
        (("v", "j", "d"), "a look at `src/config/schema.py`", "the schema in `src/config/schema.py`"),
    ],
)
async def test_a_diff_is_against_the_version_before(keys: tuple[str, ...], removed: str, added: str) -> None:
    app = full()
    async with app.run_test(size=(160, 50)) as pilot:
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)
        lines = [" ".join(line.split()) for line in read(app).splitlines()]
    assert any(line.endswith(f"− - {removed}") for line in lines)
    assert any(line.endswith(f"+ - {added}") for line in lines)


async def test_the_first_version_has_nothing_to_be_compared_with() -> None:
    app = SummaryApp(FakeMemory(version()))
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("d")
        await settled(pilot)
        assert "first version" in read(app)
        assert "d " not in part(app, "foot")


async def test_the_foot_of_a_diff_says_what_the_key_for_its_style_would_do() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("d")
        await settled(pilot)
        assert "d side by side" in part(app, "foot")
        await pilot.press("d")
        await settled(pilot)
        assert "│" in read(app)
        assert "d one column" in part(app, "foot")


async def test_more_width_is_offered_where_there_is_some_and_given_back_by_the_same_key() -> None:
    app = full()
    async with app.run_test(size=(220, 40)) as pilot:
        await settled(pilot)
        assert part(app, "foot").endswith("z wide")
        await pilot.press("z")
        await settled(pilot)
        assert part(app, "foot").endswith("z narrow")


async def test_a_pane_that_covers_the_screen_offers_no_more_width_and_no_redo_of_nothing() -> None:
    app = full()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "z " not in part(app, "foot")
        await pilot.press("v")
        await settled(pilot)
        assert part(app, "foot") == "⏎ read  d diff  u undo  w write again"


async def test_a_diff_without_room_for_two_sides_offers_none() -> None:
    app = full()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("d")
        await settled(pilot)
        assert "side by side" not in part(app, "foot")
        await pilot.press("d")
        await settled(pilot)
        assert "Side by side needs a screen of 104 columns." in part(app, "foot")


async def test_coverage_is_counted_in_a_thread_and_lists_what_was_dropped_first() -> None:
    app = full()
    async with app.run_test(size=(160, 50)) as pilot:
        await settled(pilot)
        assert app.fake.threads == []
        await pilot.press("c")
        await settled(pilot)
        rows = [row.strip() for row in listed(app)]
        headings = [found[1] for row in rows if (found := re.match(r"([a-z ]+ \d+)(  |$)", row))]
    assert headings == ["dropped 3", "invented 1", "in the ledger 2", "in the summary 5", "in knowledge 1"]
    assert rows[0] == "dropped 3  the summary does not say it"
    assert rows[1].split() == ["▎", "file", "docs/settings.md"]
    assert app.fake.threads
    assert "MainThread" not in app.fake.threads


async def test_f_shows_one_kind_after_the_other() -> None:
    app = full()
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("c")
        await settled(pilot)
        await pilot.press("f", "f", "f")
        await settled(pilot)
        rows = [" ".join(row.split()) for row in listed(app)]
    assert rows == [
        "✓ nothing dropped",
        "in the ledger 1 kept word for word",
        "▎ rule never touch legacy/",
        "in knowledge 1",
        "rule Tests must run with make test",
    ]


@pytest.mark.parametrize(
    ("keys", "kind", "wish"),
    [
        (("enter",), "file", SummaryPane.ToChat),
        (("a",), "file", SummaryPane.ToSummary),
        (("j", "a"), "decision", SummaryPane.ToSummary),
        (("n",), "file", SummaryPane.ToKnowledge),
        (("]", "]", "n"), "file", SummaryPane.ToKnowledge),
        (("u",), "", SummaryPane.Undo),
        (("r",), "", SummaryPane.Redo),
        (("w",), "", SummaryPane.WriteAgain),
        (("y",), "", SummaryPane.CopyRequested),
    ],
)
async def test_wishes_leave_the_pane_as_messages(
    keys: tuple[str, ...],
    kind: str,
    wish: type[SummaryPane.ToSummary | SummaryPane.ToKnowledge | SummaryPane.ToChat | SummaryPane.Undo],
) -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.press("c")
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)
    assert [type(message) for message in app.wishes] == [wish]
    message = app.wishes[0]
    if isinstance(message, SummaryPane.ToSummary | SummaryPane.ToKnowledge):
        assert message.item.kind == kind
    if isinstance(message, SummaryPane.ToChat):
        assert message.entry_id == "f6a7b8c9"


@pytest.mark.parametrize("keys", [("j", "j", "j", "a"), ("j", "j", "j", "n"), ("j", "j", "j", "enter")])
async def test_what_was_invented_cannot_be_rescued_or_jumped_to(keys: tuple[str, ...]) -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.press("c")
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)
        assert "made" in part(app, "foot")
    assert app.wishes == []


async def test_a_fact_goes_only_into_the_version_in_force() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("[", "c")
        await settled(pilot)
        await pilot.press("a")
        assert "Only the active version" in part(app, "foot")
    assert app.wishes == []


async def test_a_summary_grows_on_screen_step_by_step_and_then_stands_as_a_version() -> None:
    app = SummaryApp()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        events = begun("## Goal\n\n- read each", " file once\n")
        app.pane.take(events[:1])
        await settled(pilot)
        assert part(app, "ways") == "▸ pruning  · summarising  · checking"
        assert "Waiting" in read(app)
        app.pane.take(events[1:-1])
        await settled(pilot)
        assert part(app, "ways") == "✓ pruning  ▸ summarising  · checking"
        assert "read each" in read(app)
        app.pane.take(events[-1:])
        app.pane.take([ev.CompactionChecking("c1")])
        await settled(pilot)
        assert "read each file once" in read(app)
        assert part(app, "ways") == "✓ pruning  ✓ summarising  ▸ checking"
        app.pane.take(
            [ev.CompactionRejected("c1", "it names a file that nobody knows"), ev.CompactionSummarising("c1", 46)]
        )
        await settled(pilot)
        assert "read each" not in read(app)
        assert "a file that nobody knows" in part(app, "detail")
        app.fake.all = (version(),)
        app.pane.take([finished()])
        await settled(pilot)
        assert part(app, "head").endswith("● 1.1 active")
        assert "Make the config loader" in read(app)


async def test_a_hidden_pane_reads_nothing_and_shows_what_happened_when_it_is_shown() -> None:
    app = SummaryApp(FakeMemory(version()))
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        app.pane.display = False
        await settled(pilot)
        asked = app.fake.asked
        app.fake.all = three_versions()
        app.pane.take([*begun("words"), finished()])
        await settled(pilot)
        assert app.fake.asked == asked
        app.pane.display = True
        await settled(pilot)
        assert part(app, "head").endswith("● 2.2 active")


async def test_a_failure_is_passed_on_and_the_old_summary_shows_again() -> None:
    app = SummaryApp(FakeMemory(version()))
    problem = Problem("unavailable", "The provider cannot be reached.", "Try again.")
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        app.pane.take(begun("words"))
        await settled(pilot)
        app.pane.take([ev.CompactionFailed("c1", problem, True, False)])
        await settled(pilot)
        assert "Make the config loader" in read(app)
        assert "cannot be reached" in part(app, "foot")
    assert [type(message) for message in app.wishes] == [SummaryPane.Failed]


async def test_ctrl_s_asks_to_save_and_the_editor_closes_when_that_is_done() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("e", *"New: ", "ctrl+s")
        await settled(pilot)
        assert app.pane.is_editing
        (message,) = app.wishes
        assert isinstance(message, SummaryPane.Edited)
        assert message.compaction_id == "comp2200"
        assert message.text.startswith("New: ## Goal")
        app.pane.take([app.fake.save(message.text)])
        await settled(pilot)
        assert not app.pane.is_editing
        assert app.pane.has_focus
        assert part(app, "head").endswith("● 2.3 active")


async def test_an_unchanged_text_is_left_at_once() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("e", "down", "end", "escape")
        await settled(pilot)
        assert not app.pane.is_editing
    assert app.wishes == []


@pytest.mark.parametrize(
    ("answer", "is_editing", "wishes"),
    [("enter", True, []), ("escape", True, []), ("q", True, []), ("s", True, [SummaryPane.Edited]), ("x", False, [])],
)
async def test_leaving_a_changed_text_asks_and_the_safe_answer_is_to_write_on(
    answer: str, is_editing: bool, wishes: list[type[SummaryPane.Edited]]
) -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("e", "x", "escape")
        await settled(pilot)
        assert part(app, "foot") == "Not saved.  s save  x drop  ⏎ go on"
        await pilot.press(answer)
        await settled(pilot)
        assert app.pane.is_editing == is_editing
        if is_editing:
            assert app.pane.editor.text.startswith("x## Goal")
    assert [type(message) for message in app.wishes] == wishes


async def test_letters_typed_in_the_editor_are_no_commands() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("e", *"uwrcd")
        await settled(pilot)
        assert app.pane.editor.text.startswith("uwrcd## Goal")
    assert app.wishes == []


async def test_only_the_version_in_force_can_be_edited() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("[", "e")
        await settled(pilot)
        assert not app.pane.is_editing
        assert "Only the active version" in part(app, "foot")


async def test_what_the_foot_said_of_a_summary_goes_when_another_is_in_force() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("[", "e")
        await settled(pilot)
        assert "Only the active version" in part(app, "foot")
        app.pane.take([ev.CompactionReverted("comp2200", True)])
        await settled(pilot)
        assert "Only the active version" not in part(app, "foot")


async def test_an_empty_text_is_not_saved() -> None:
    app = SummaryApp(FakeMemory(version(summary="x")))
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("e", "delete", "ctrl+s")
        await settled(pilot)
        assert "empty" in part(app, "foot")
    assert app.wishes == []


async def test_hostile_text_is_shown_without_anything_that_acts() -> None:
    item = CoverageItem("error", HOSTILE, HOSTILE, "dropped")
    bad = version(summary=f"## Goal\n\n- {HOSTILE}\n", reason=HOSTILE, focus=HOSTILE, strategy=HOSTILE)
    app = SummaryApp(FakeMemory(bad, report=CoverageReport((item,))))
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        seen = [read(app)]
        await pilot.press("v")
        await settled(pilot)
        seen += [*listed(app), part(app, "detail")]
        await pilot.press("c")
        await settled(pilot)
        seen += [*listed(app), part(app, "detail")]
        await pilot.press("e")
        await settled(pilot)
        seen.append(app.pane.editor.text)
        app.pane.take(begun(HOSTILE))
        await settled(pilot)
        seen.append(read(app))
    assert not [text for text in seen if BARE_CONTROL.search(text)]
    assert any("evil" in text for text in seen)


async def test_a_long_text_is_read_by_rows_and_screens() -> None:
    app = SummaryApp(FakeMemory(version(summary=SUMMARY * 8)))
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await pilot.press("j", "j", "pagedown", "G")
        await settled(pilot)
        assert "test_loader.py" in read(app)
        await pilot.press("g")
        await settled(pilot)
        assert "142k → 28k" in read(app)


async def test_a_key_typed_before_the_pane_was_painted_finds_the_summary_in_force() -> None:
    app = SummaryApp()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        app.pane.display = False
        await settled(pilot)
        app.pane.read_from(FakeMemory(*three_versions()))
        app.pane.display = True
        app.pane.edit()
        assert app.pane.is_editing


async def test_a_summary_that_streams_lays_out_nothing_and_looks_up_styles_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = SummaryApp()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        done: list[str] = []
        sheet, screen = app.stylesheet, app.screen
        monkeypatch.setattr(sheet, "update_nodes", noted(lambda: done.append("styles"), sheet.update_nodes))
        monkeypatch.setattr(screen, "arrange", noted(lambda: done.append("layout"), screen.arrange))
        app.pane.take(begun("## Goal\n"))
        await settled(pilot)
        assert done.count("styles") == 1
        done.clear()
        for number in range(60):
            app.pane.take([ev.CompactionSummaryDelta("c1", f"- line {number}\n")])
            await pilot.pause()
        assert done == []
        assert "line 59" in read(app)
        bar = app.pane.page.vertical_scrollbar
        assert bar.window_virtual_size == app.pane.page.row_count > 60
        assert bar.position == app.pane.page.scroll_offset.y > 0


async def test_only_rows_that_changed_are_painted_anew_while_a_summary_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = SummaryApp()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        app.pane.take(begun("".join(f"- line {number}\n" for number in range(9))))
        await settled(pilot)
        painted: list[str] = []
        page = app.pane.page
        monkeypatch.setattr(page, "render_line", noted(lambda: painted.append("row"), page.render_line))
        app.pane.take([ev.CompactionSummaryDelta("c1", "- line 9 is new\n")])
        await settled(pilot)
        assert 0 < len(painted) <= page.page_rows - 8
        assert "line 9 is new" in read(app)


async def test_a_draft_that_is_written_anew_is_shown_from_its_beginning() -> None:
    app = SummaryApp()
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        app.pane.take(begun("".join(f"- line {number}\n" for number in range(90))))
        await settled(pilot)
        app.pane.step(-3)
        app.pane.take([ev.CompactionRejected("c1", "It was cut off."), ev.CompactionSummaryDelta("c1", "- anew\n")])
        await settled(pilot)
        text = read(app)
    assert text.strip() == "• anew"


async def test_a_long_coverage_tells_how_far_it_is_and_ends_when_one_goes_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("diligent_tui.domain.progress.QUIET_SECONDS", 0.0)
    app = full()
    app.fake.let_go.clear()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.press("c")
        while "Reading 5 of 20" not in read(app):
            await pilot.pause(0.01)
        await pilot.press("t")
        while not app.fake.stopped.is_set():
            await pilot.pause(0.01)
        app.fake.let_go.set()
        await pilot.press("c")
        await settled(pilot)
        assert listed(app)
    assert len(app.fake.threads) == 2


async def test_coverage_is_counted_once_however_often_the_pane_is_painted() -> None:
    app = full()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.press("c")
        for _ in range(5):
            app.pane.show_all()
        await settled(pilot)
        assert len(app.fake.threads) == 1
        assert listed(app)
