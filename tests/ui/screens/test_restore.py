"""What the restore screen does to files on each key, and what it never does."""

import re
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from textual.widgets import OptionList, Static

from diligent_tui.agent.file_history import Plan, Receipt, TurnChanges
from diligent_tui.domain.progress import Tell
from diligent_tui.ui.screens.choice import ChoiceScreen
from diligent_tui.ui.screens.restore import RestoreScreen
from diligent_tui.ui.screens.restore.facts import FactLines
from diligent_tui.ui.widgets.diff import DiffView
from tests.ui.screens.restore_stage import PROMPTS, Garden, RestoreApp, grown, pressed

HOSTILE = "\x1b]0;owned\x07[/bold] [@click=quit]go[/] \u202e\x00evil\u200b"
BARE_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]")


def shown(app: RestoreApp) -> str:
    """All words on the screen."""
    words = [str(static.render()) for static in app.screen.query(Static)]
    words += [str(facts.render()) for facts in app.screen.query(FactLines)]
    for options in app.screen.query(OptionList):
        words += [str(option.prompt) for option in options.options]
    return "\n".join(words)


def said(app: RestoreApp) -> str:
    return str(app.screen.query_one("#restore-said", Static).render())


async def test_turns_are_listed_newest_first_with_files_counts_and_age(tmp_path: Path) -> None:
    app = RestoreApp(grown(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot)
        turns = [str(option.prompt) for option in app.screen.query_one("#restore-turns", OptionList).options]
        assert all(PROMPTS[turn][:20] in row for turn, row in zip(("t4", "t3", "t2", "t1"), turns, strict=True))
        assert "55 min ago" in turns[0]
        assert "docs/guide/first steps.md" in turns[0]
        assert "other branch" in turns[1]
        assert "+14 −1" in turns[2]
        assert "4 turns changed 6 files" in shown(app)


MOVES = ("enter", "right", "escape", "j", "k", "down", "up", "left", "l", "h", "tab", "a", "escape", "u", "r", "escape")


async def test_looking_around_changes_no_file(tmp_path: Path) -> None:
    garden = grown(tmp_path)
    before = {path: path.read_bytes() for path in garden.root.rglob("*") if path.is_file()}
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, *MOVES, "j", "r", "enter", "escape", "j", "enter", "enter", "escape", "escape")
        assert app.closed == [None]
    assert {path: path.read_bytes() for path in garden.root.rglob("*") if path.is_file()} == before
    assert app.receipts == []


@pytest.mark.parametrize("keys", [("enter", "r"), ("right", "r"), ("r", "r")])
async def test_a_turn_is_previewed_and_then_restored_and_the_restore_undone(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    garden = grown(tmp_path)
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, keys[0])
        assert garden.text("docs/guide/first steps.md") is not None
        assert "1 file would change" in shown(app)
        await pressed(pilot, *keys[1:])
        assert not garden.path("docs").exists()
        assert "Restored 1 file. u takes it back." in said(app)
        assert "restored" in shown(app)
        await pressed(pilot, "u", "r")
        assert garden.text("docs/guide/first steps.md") == "# First steps\n\nFeed the swans.\n"
        assert "Brought back 1 file." in said(app)
        await pressed(pilot, "u", "r")
        assert not garden.path("docs").exists()
    assert len(app.receipts) == 3
    assert app.receipts[0].done == ("docs/guide/first steps.md",)


@pytest.mark.parametrize(
    ("answer", "readme", "schema"),
    [
        ("enter", "old", "user's"),
        ("l", "old", "user's"),
        ("o", "old", None),
        ("escape", "new", "user's"),
        ("n", "new", "user's"),
    ],
)
async def test_a_file_with_the_users_work_is_asked_about(
    tmp_path: Path, answer: str, readme: str, schema: str | None
) -> None:
    garden = grown(tmp_path)
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "j", "j", "enter", "r")
        assert isinstance(app.screen, ChoiceScreen)
        assert "src/schema.py" in shown(app)
        assert "changed since" in shown(app)
        await pressed(pilot, answer)
        assert isinstance(app.screen, RestoreScreen)
    assert ("schema" in (garden.text("README.md") or "")) == (readme == "new")
    text = garden.text("src/schema.py")
    assert text is None if schema is None else schema in (text or "")


async def test_one_file_of_a_turn_is_restored_alone(tmp_path: Path) -> None:
    garden = grown(tmp_path)
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "j", "j", "enter", "f")
        assert "Restored 1 file." in said(app)
    assert garden.text("README.md") == "# Swans\n\nSeven of them.\n"
    assert "the user's line" in (garden.text("src/schema.py") or "")


async def test_a_single_file_with_the_users_work_is_left_alone_by_enter(tmp_path: Path) -> None:
    garden = grown(tmp_path)
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "j", "j", "enter", "j", "f", "enter")
        assert "Nothing was changed." in said(app)
    assert "the user's line" in (garden.text("src/schema.py") or "")
    assert app.receipts == []


async def test_all_turns_since_go_back_together(tmp_path: Path) -> None:
    garden = grown(tmp_path)
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "j", "j", "j", "a")
        assert "4 turns since" in shown(app)
        await pressed(pilot, "r", "enter")
    assert "line_3 = 3\n" in (garden.text("src/loader.py") or "")
    assert garden.text("docs/guide/first steps.md") is None
    assert garden.path("src/linked.py").is_symlink()
    assert "the user's line" in (garden.text("src/schema.py") or "")


async def test_what_cannot_be_touched_says_why(tmp_path: Path) -> None:
    app = RestoreApp(grown(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "j", "enter")
        assert "It is a link. It is left alone." in shown(app)
        await pressed(pilot, "f")
        assert said(app) == "Nothing was changed."


async def test_while_the_agent_works_nothing_is_restored(tmp_path: Path) -> None:
    garden = grown(tmp_path)
    app = RestoreApp(garden, why_not="The agent is at work. Stop it with Esc first.")
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "enter", "r")
        assert "The agent is at work." in said(app)
    assert garden.text("docs/guide/first steps.md") is not None


async def test_an_incomplete_turn_is_refused_with_a_sentence(tmp_path: Path) -> None:
    garden = grown(tmp_path)
    for path in (garden.root / ".diligent/sessions/x/before/bytes").iterdir():
        path.unlink()
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "j", "j", "j", "enter")
        assert "The history is incomplete" in shown(app)
        await pressed(pilot, "r")
        assert "Nothing was changed." in said(app)
    assert "three()" in (garden.text("src/loader.py") or "")


async def test_an_empty_history_teaches(tmp_path: Path) -> None:
    app = RestoreApp(Garden(tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, "enter", "r", "a", "f", "u")
        assert "The agent has changed no file" in shown(app)
        assert "Nothing has been restored yet." in said(app)
        await pressed(pilot, "escape")
    assert app.closed == [None]


def keys(app: RestoreApp) -> str:
    return str(app.screen.query_one("#restore-keys", Static).render())


async def test_only_keys_that_would_do_something_are_offered(tmp_path: Path) -> None:
    app = RestoreApp(grown(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot)
        assert keys(app) == "⏎ preview  a this and all since  esc close"
        await pressed(pilot, "j", "enter")
        assert keys(app) == "r restore  esc back"
        await pressed(pilot, "j")
        assert keys(app) == "r restore  f only this file  tab diff  esc back"
        await pressed(pilot, "escape", "k", "enter")
        assert keys(app) == "r restore  tab diff  esc back"
        await pressed(pilot, "r")
        assert "u undo the last restore" in keys(app)


async def test_the_room_of_a_diff_is_no_empty_box_where_nothing_would_change(tmp_path: Path) -> None:
    app = RestoreApp(grown(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "j", "enter")
        diff = app.screen.query_one(DiffView)
        assert "It is a link." in shown(app)
        assert not diff.visible
        await pressed(pilot, "enter")
        assert not diff.has_focus
        await pressed(pilot, "j")
        assert diff.visible


async def test_no_line_of_facts_ends_or_begins_with_a_dot(tmp_path: Path) -> None:
    app = RestoreApp(grown(tmp_path))
    async with app.run_test(size=(160, 50)) as pilot:
        await pressed(pilot, "j", "j", "j", "a")
        for columns in (160, 90, 80, 70, 60):
            await pilot.resize_terminal(columns, 24)
            await pilot.pause()
            facts = app.screen.query_one(FactLines)
            lines = str(facts.render()).split("\n")
            assert all(line == line.strip(" ·") and len(line) <= facts.content_size.width for line in lines)
            assert "  ·  ".join(lines).count("·") == 2


async def test_a_restore_is_waited_for_and_no_other_begins_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    garden = grown(tmp_path)
    restore, let_go = garden.history.restore, Event()
    begun: list[Plan] = []

    def slow(plan: Plan, also: tuple[str, ...], tell: Tell) -> Receipt:
        begun.append(plan)
        let_go.wait()
        return restore(plan, also, tell)

    monkeypatch.setattr(garden.history, "restore", slow)
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "enter")
        await pilot.press("r")
        await pilot.pause()
        try:
            assert "Restoring …" in shown(app)
            assert "would change" not in shown(app)
            assert "esc" not in keys(app)
            assert "restore" not in keys(app)
            await pilot.press("r", "f", "u", "escape", "left", "escape")
            await pilot.pause()
            assert isinstance(app.screen, RestoreScreen)
        finally:
            let_go.set()
        await pressed(pilot)
        assert "Restored 1 file." in said(app)
    assert len(begun) == len(app.receipts) == 1


async def test_while_the_history_is_read_the_screen_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    garden = grown(tmp_path)
    turns, let_go = garden.history.turns, Event()

    def slow() -> tuple[TurnChanges, ...]:
        let_go.wait()
        return turns()

    monkeypatch.setattr(garden.history, "turns", slow)
    app = RestoreApp(garden)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        try:
            assert "Reading which files" in shown(app)
        finally:
            let_go.set()
        await pressed(pilot)
        assert "Reading which files" not in shown(app)


async def test_tab_and_enter_reach_the_diff_and_left_comes_back(tmp_path: Path) -> None:
    app = RestoreApp(grown(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await pressed(pilot, "enter")
        assert app.screen.query_one("#restore-files").has_focus
        await pressed(pilot, "enter")
        assert app.screen.query_one(DiffView).has_focus
        await pressed(pilot, "left")
        assert app.screen.query_one("#restore-files").has_focus
        await pressed(pilot, "left")
        assert app.screen.query_one("#restore-turns").has_focus


async def test_hostile_names_and_prompts_stay_text(tmp_path: Path) -> None:
    garden = Garden(tmp_path)
    name = HOSTILE.replace("/", "∕").replace("\x00", "")
    garden.agent("t9", name, f"{HOSTILE}\n")
    garden.path(name).write_text("mine\n")
    app = RestoreApp(garden)
    app.desk = replace(app.desk, prompt_of=HOSTILE.__add__)
    async with app.run_test(size=(100, 30)) as pilot:
        for key in ("", "enter", "r"):
            await pressed(pilot, *([key] if key else []))
            assert not BARE_CONTROL.search(shown(app))
            assert "owned" not in shown(app)
