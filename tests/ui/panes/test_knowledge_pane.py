"""The knowledge pane on a screen, over real files: what keys do, what is asked for, and what is shown live."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.strip import Strip

from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.domain.events import KnowledgeSaved, LeafMoved, ToolFinished, ToolStarted
from diligent_tui.domain.messages import UserMessage
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.knowledge import KnowledgePane
from diligent_tui.ui.panes.knowledge.drawing import Painting, draw_row
from diligent_tui.ui.panes.knowledge.listing import Row
from diligent_tui.ui.panes.knowledge.wishes import Filled, Learnt, ToChat
from diligent_tui.ui.theme import THEMES
from tests.ui.panes.knowledge_stage import (
    CANDIDATES,
    FEW,
    RETRACTED,
    KnowledgeApp,
    Line,
    cursor,
    fact,
    many,
    settled,
    shown,
    text_of,
    told,
    write_lines,
)

USUAL = (120, 40)
ALL = (*FEW, RETRACTED)
BARE_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]")
HOSTILE = "\x1b]0;owned\x07[/bold] [@click=quit]go[/] \u202e\x00evil\u200b\r\nsecond"


async def press(pilot: Pilot[None], *keys: str) -> None:
    await settled(pilot)
    await pilot.press(*keys)
    await settled(pilot)


def live(app: KnowledgeApp) -> dict[str, str]:
    return {known.entry.content: known.entry.id for known in app.desk.overview().live}


def stage(folder: Path, lines: Iterable[Line] = ALL) -> KnowledgeApp:
    return KnowledgeApp(folder, lines)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((), "k-short"),
        (("j",), "k-test"),
        (("down", "down", "k"), "k-test"),
        (("G",), "k-cores"),
        (("end", "home"), "k-short"),
        (("pagedown",), "k-cores"),
        (("/", *"append", "enter"), "k-store"),
        (("/", *"settings", "escape"), "k-jsonc"),
        (("t", "t"), "k-jsonc"),
        (("s", "s"), "k-short"),
        (("v", "v", "v", "v", "j"), "k-gone"),
        (("#",), "k-cores"),
        (("j", "/", *"JSONC", "enter", "escape", "j"), "k-store"),
    ],
)
async def test_keys_lead_about_and_filter(tmp_path: Path, keys: tuple[str, ...], expected: str) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, *keys)
        assert cursor(app) == expected


async def test_the_head_says_how_much_is_told_and_what_is_listed(tmp_path: Path) -> None:
    app = KnowledgeApp(tmp_path, ALL, CANDIDATES)
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        assert text_of(app, "head").endswith("5 in · 0 below · inbox (2)")
        await press(pilot, "t", "#")
        assert text_of(app, "head").endswith("0 · pattern · #ci · inbox (2)")
        assert text_of(app, "empty").startswith("Nothing here")
        assert text_of(app, "foot") == "i inbox (2)  a add  esc show all"
        await press(pilot, "escape")
        assert len(shown(app)) == 6


async def test_a_form_wears_the_colours_of_a_theme_that_is_changed_while_it_is_open(tmp_path: Path) -> None:
    async def seen(theme: ThemeName, change: ThemeName) -> str:
        app = KnowledgeApp(tmp_path / theme, ALL, theme=theme)
        async with app.run_test(size=USUAL) as pilot:
            await press(pilot, "e")
            app.theme = THEMES[change].name
            await settled(pilot)
            return app.export_screenshot(title="form")

    assert (await seen("dark", "light") == await seen("light", "light")) is True


async def test_details_tell_the_text_the_factors_the_origin_and_the_history(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=(120, 50)) as pilot:
        await press(pilot, "j", "o")
        words = told(app)
    for part in (
        "correction · this project · k-test",
        "from: turn 2 “use make test, always; pytest a…”",
        "edited by you 14 min ago, 2026-03-04 15:15",
        "1.20  score; told to the model",
        ".80  confidence",
        "1.00  age: halves every 90 d",
        "1.50  weight of a correction",
        "History of 2 versions",
        "− tests run with pytest",
        "+ tests run with make test",
        "9 d ago by the agent · k-pytest · the first",
    ):
        assert part in words


async def test_enter_asks_for_the_place_it_was_learnt_at(tmp_path: Path) -> None:
    app = stage(tmp_path, [*ALL, fact("k-far", "from afar", days=99, origin="p1", session="20250101000000-ffffff")])
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "j", "enter")
        (wish,) = app.wishes
        assert isinstance(wish, ToChat)
        assert wish.entry_id == "a2"
        await press(pilot, "G", "enter")
        assert "session 20250101000000-ffffff" in text_of(app, "foot")
        await press(pilot, "g", "enter")
        assert "not known" in text_of(app, "foot")
        assert len(app.wishes) == 1


async def test_the_source_is_offered_only_where_it_is_known(tmp_path: Path) -> None:
    far = fact("k-far", "from afar", days=99, origin="p1", session="20250101000000-ffffff")
    candidates = (*CANDIDATES, Candidate("pattern", "Nobody knows who said this.", ("nowhere",)))
    app = KnowledgeApp(tmp_path, [*ALL, far], candidates)
    offered: dict[str, bool] = {}
    async with app.run_test(size=USUAL) as pilot:
        for keys in ("g", "j", "G", "gi", "G"):
            await press(pilot, *keys)
            here = app.pane.known.entry.id if app.pane.known else app.pane.candidate
            name = here.content if isinstance(here, InboxCandidate) else here or ""
            offered[name] = "⏎ source" in text_of(app, "foot")
    known = {"k-test": True, "k-short": False, "k-far": True}
    assert offered == {**known, CANDIDATES[0].content: True, "Nobody knows who said this.": False}


async def test_words_to_filter_by_have_a_line_of_their_own_above_the_keys(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        line = app.pane.query_one("#knowledge-line")
        assert not line.display
        await press(pilot, "/")
        assert str(line.render()) == "/  words to find"
        assert text_of(app, "foot") == "type to find  esc leave"
        await press(pilot, *"toml")
        assert str(line.render()) == "/ toml "
        assert text_of(app, "foot") == "⏎ keep  esc back"
        await press(pilot, "enter")
        assert not line.display
        assert text_of(app, "foot").endswith("esc show all")


async def test_an_entry_is_added_and_the_cursor_goes_there(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "a", *"commits hold one idea", "tab", "ctrl+u", *"0.9", "tab", *"git style", "enter")
        entry = app.pane.known.entry if app.pane.known else None
        assert entry is not None
        assert (entry.content, entry.confidence, entry.tags) == ("commits hold one idea", 0.9, ("git", "style"))
        assert app.pane.form is None
        assert any(row.startswith("▎+") for row in shown(app))


async def test_keys_typed_while_it_is_saved_are_for_what_comes_after(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        await press(pilot, "a")
        for key, character in [*((c, c) for c in "swans are white"), ("enter", "\r"), ("a", "a"), ("b", "b")]:
            app.pane.post_message(events.Key(key, character))
        await settled(pilot)
        assert "swans are white" in live(app)
        assert app.pane.form is not None
        assert app.pane.form.draft.content == "b"


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        (("enter",), "says nothing"),
        ((*"x", "tab", "ctrl+u", "2", "enter"), "number from 0 to 1"),
        ((*"the key is AKIAIOSFODNN7EXAMPLE", "enter"), "secret"),
    ],
)
async def test_what_cannot_be_saved_stays_in_the_form_with_the_reason(
    tmp_path: Path, keys: tuple[str, ...], problem: str
) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "a", *keys)
        assert app.pane.form is not None
        assert problem in app.pane.form.problem
        assert not app.wishes


async def test_much_the_same_is_shown_before_it_is_saved_and_may_be_superseded(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "a", *"settings are JSONC and TOML", "enter")
        assert app.pane.form is not None
        assert app.pane.form.rival is not None
        assert app.pane.form.rival.id == "k-jsonc"
        assert text_of(app, "foot") == "⏎ keep both  ctrl+r replace it  esc leave"
        await press(pilot, "ctrl+r")
        assert app.pane.form is None
        assert [each.id for each in app.desk.chain("k-jsonc")] == ["k-jsonc", cursor(app)]


async def test_a_second_enter_keeps_both(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "a", *"settings are JSONC and TOML", "enter")
        await press(pilot, "enter")
        assert {"settings are JSONC and TOML", "settings are JSONC, not TOML"} <= set(live(app))


async def test_an_edit_supersedes_and_undo_says_the_old_again(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "j", "e", *" all", "enter")
        assert "tests run with make test all" in live(app)
        assert "k-test" not in live(app).values()
        assert len(app.desk.chain("k-test")) == 3
        await press(pilot, "u")
        assert "tests run with make test" in live(app)
        assert "As it was before" in text_of(app, "foot")


async def test_somebody_elses_edit_is_shown_and_may_be_superseded_in_turn(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "j", "e", *" all")
        write_lines(tmp_path, [fact("k-other", "tests run with just test", supersedes="k-test")])
        await press(pilot, "enter")
        form = app.pane.form
        assert form is not None
        assert form.rival is not None
        assert form.rival.id == "k-other"
        assert "first" in form.problem
        assert text_of(app, "foot") == "ctrl+r replace it  esc leave"
        await press(pilot, "ctrl+r")
        assert [each.id for each in app.desk.chain("k-test")][-2:] == ["k-other", cursor(app)]


async def test_leaving_a_changed_form_is_asked_about(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "e", "escape")
        assert app.pane.form is None
        await press(pilot, "e", "x", "escape")
        assert "x drop" in text_of(app, "foot")
        await press(pilot, "enter", "!")
        assert app.pane.form is not None
        assert app.pane.form.draft.content.endswith("x!")
        await press(pilot, "escape", "escape", "?")
        assert app.pane.form is not None
        assert app.pane.form.draft.content.endswith("x!?")
        await press(pilot, "escape", "x")
        assert app.pane.form is None
        assert not app.wishes


async def test_a_changed_form_is_saved_while_it_is_left(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "e", "!", "escape", "s")
        assert app.pane.form is None
        assert any(text.endswith("!") for text in live(app))


async def test_one_key_takes_back_brings_back_pins_moves_and_undoes(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "j", "d")
        assert "k-test" not in live(app).values()
        assert text_of(app, "foot") == "Taken back. u brings it back."
        await press(pilot, "u")
        assert "k-test" in live(app).values()
        await press(pilot, "v", "v", "v", "v", "G", "d")
        assert "k-gone" in live(app).values()
        await press(pilot, "escape", "/", *"JSONC", "enter", "p")
        assert app.pane.known is not None
        assert app.pane.known.pinned
        await press(pilot, "p")
        assert not app.pane.known.pinned
        await press(pilot, "S")
        moved = next(known.entry for known in app.desk.overview().live if "JSONC" in known.entry.content)
        assert moved.scope == "user"


async def test_only_what_was_taken_back_is_offered_to_be_brought_back(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "v", "v", "v", "v")
        assert app.pane.known is not None
        assert app.pane.known.fate == "superseded"
        assert "bring back" not in text_of(app, "foot")
        await press(pilot, "j")
        assert app.pane.known.fate == "retracted"
        assert text_of(app, "foot").startswith("d bring back")


async def test_rows_show_words_without_the_signs_of_markdown(tmp_path: Path) -> None:
    app = stage(tmp_path, [fact("k1", "Run `make test`, **always**")])
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        assert "pat Run make test, always " in shown(app)[0]


async def test_near_entries_are_offered_and_merged_into_one(tmp_path: Path) -> None:
    lines = [
        fact("k1", "the tests of this project run with make test", days=1),
        fact("k2", "tests of the project run with make test", days=2),
        fact("k3", "CI has two cores"),
    ]
    app = stage(tmp_path, lines)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "m")
        assert text_of(app, "foot") == "No other entry says much the same."
        await press(pilot, "j", "m")
        assert app.pane.mode == "merge"
        assert [row.strip("▎ ")[0] for row in shown(app)] == ["✓", "✓"]
        await press(pilot, "j", "space", "enter")
        assert "two or more" in text_of(app, "foot")
        await press(pilot, "space", "enter")
        # There is one field only, so there is no next one.
        assert text_of(app, "foot") == "⏎ save  ctrl+j new line  esc leave"
        await press(pilot, *", always", "enter")
        assert set(live(app)) == {"the tests of this project run with make test, always", "CI has two cores"}


async def test_candidates_are_accepted_edited_rejected_and_all_taken(tmp_path: Path) -> None:
    app = KnowledgeApp(tmp_path, ALL, CANDIDATES)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "i")
        assert text_of(app, "head").endswith("2 to review")
        assert text_of(app, "foot").startswith("a accept  e edit  d reject")
        assert "u undo" not in text_of(app, "foot")
        assert "turn 2" in told(app)
        await press(pilot, "enter")
        assert isinstance(app.wishes[-1], ToChat)
        assert app.wishes[-1].entry_id == "p2"
        await press(pilot, "e", "end", *" Ever.", "enter")
        assert "Migrations are numbered by hand, never by date. Ever." in live(app)
        await press(pilot, "d")
        assert not app.desk.candidates()
        assert "No candidate waits" in text_of(app, "empty")
        assert text_of(app, "foot") == "Rejected. u undoes it."
        await press(pilot, "down")
        assert text_of(app, "foot") == "u undo  esc back"
        await press(pilot, "u")
        assert len(app.desk.candidates()) == 1
        await press(pilot, "A")
        assert CANDIDATES[1].content in live(app)
        await press(pilot, "escape")
        assert app.pane.mode == "list"


async def test_what_the_agent_saves_is_announced_marked_and_listed_at_once(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        app.pane.take([ToolStarted("c9", "add_knowledge", {})])
        saved = await app.desk.add("pattern", "swans are white", origin="a2")
        app.pane.take([ToolFinished("c9", "add_knowledge", "Saved.", is_error=False, duration_seconds=0.1)])
        await settled(pilot)
        assert [wish.content for wish in app.wishes if isinstance(wish, Learnt)] == ["swans are white"]
        (row,) = [row for row in shown(app) if "swans" in row]
        assert row.strip()[0] == "+"
        app.pane.take([KnowledgeSaved(saved.id, "by the user's own hand")])
        assert len(app.wishes) == 1


async def test_a_hidden_pane_reads_nothing_until_it_is_shown(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        app.pane.display = False
        await settled(pilot)
        book = app.pane.book
        write_lines(tmp_path, [fact("k-new", "somebody else's")])
        await app.desk.add("pattern", "swans are white")
        await settled(pilot)
        assert app.pane.book is book
        app.pane.display = True
        await settled(pilot)
        assert {"k-new"} < {known.entry.id for known in app.pane.book.overview.live}
        assert any("swans" in row for row in shown(app))


async def test_what_was_learnt_on_a_branch_that_was_left_can_be_kept(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "b")
        assert "not learnt on a branch" in text_of(app, "foot")
        learnt = await app.desk.add("pattern", "swans are white", origin="p2")
        await app.conversation.move_to("a1")
        await app.say("p3", UserMessage(content="another way"))
        app.pane.take([LeafMoved("p3")])
        await settled(pilot)
        (row,) = [row for row in shown(app) if "swans" in row]
        assert row.strip()[0] == "⎇"
        await press(pilot, "v", "v", "v")
        assert cursor(app) == learnt.id
        assert "b keeps it" in told(app)
        await press(pilot, "b")
        assert not shown(app)
        assert learnt.id in live(app).values()


async def test_damage_is_told_and_an_empty_file_teaches(tmp_path: Path) -> None:
    app = stage(tmp_path, [b"{torn\n", b"nonsense\n"])
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        assert "2 damaged lines kept in the project's file" in text_of(app, "note")
        assert text_of(app, "empty").endswith("so can you.")
        assert text_of(app, "foot").startswith("a add")
        assert text_of(app, "empty").count("\n") == 1


async def test_outside_text_does_nothing_but_be_read(tmp_path: Path) -> None:
    app = stage(tmp_path, [fact("k1", HOSTILE, tags=(HOSTILE,)), fact("k2", HOSTILE + "2", supersedes="k1")])
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "o")
        assert not BARE_CONTROL.search("".join(shown(app)) + told(app))
        assert "[/bold]" in told(app)
        await press(pilot, "e")
        app.pane.post_message(events.Paste(HOSTILE))
        await settled(pilot)
        assert app.pane.form is not None
        assert not BARE_CONTROL.search(app.pane.form.draft.content)
        assert app.pane.form.draft.content.count("go[/]") == 2


async def test_of_ten_thousand_entries_only_those_in_sight_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = stage(tmp_path, many(10_000))
    drawn: list[Row] = []

    def counted(row: Row, paint: Painting) -> Strip:
        drawn.append(row)
        return draw_row(row, paint)

    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        monkeypatch.setattr("diligent_tui.ui.panes.knowledge.rows_view.draw_row", counted)
        await press(pilot, "G")
        assert len(app.pane.rows.rows) == 10_001
        assert 0 < len(drawn) < 200
        drawn.clear()
        await press(pilot, "k")
        assert 0 < len(drawn) <= 8


async def test_a_users_key_takes_the_place_of_ours(tmp_path: Path) -> None:
    app = stage(tmp_path)
    app.pane = KnowledgePane({"fact_find": "F"})
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "/", "F", *"JSONC")
        assert app.pane.sieve.words == "JSONC"


async def test_a_form_is_filled_only_once(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "a", *"swans are white", "enter", "enter", "enter")
        await settled(pilot)
        assert sum(isinstance(wish, Filled) for wish in app.wishes) == 1


async def test_escape_stops_the_look_through_the_session(tmp_path: Path) -> None:
    app = stage(tmp_path)
    async with app.run_test(size=USUAL) as pilot:
        await press(pilot, "i")
        app.pane.learn(True)
        assert "esc stops" in text_of(app, "note")
        await press(pilot, "escape")
        assert [wish.deed for wish in app.wishes if isinstance(wish, KnowledgePane.Wished)] == ["stop"]
        app.pane.learn(False)
        assert text_of(app, "note") == ""
        assert app.pane.mode == "inbox"
