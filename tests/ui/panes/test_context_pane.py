"""The context pane: the next request part by part, worked in by keys, counted only while it is looked at."""

import re
from pathlib import Path

import pytest
from textual.content import Content
from textual.widgets import Static

from diligent_tui.compaction.sizes import Kind
from diligent_tui.compaction.views import CompactionWish, ContextPart
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.commands.keys_now import sentence_now
from diligent_tui.ui.panes.chat import ChatPane
from diligent_tui.ui.panes.context import ContextPane, sheet_of
from diligent_tui.ui.panes.context.drawing import CUT, MOST_OPEN_ROWS, share_bar
from tests.ui.panes.context_stage import CODE, PARTS, BoardApp, cursor, listed, shown, told, view_of
from tests.ui.stage import ask, make_app, ready, settled

HOSTILE = "\x1b]0;owned\x07[/bold] [@click=quit]go[/] \u202e\x00evil\u200b"
BARE_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]")


@pytest.mark.parametrize(
    ("share", "drawn"), [(0, "    "), (0.0001, "▏   "), (0.5, "██  "), (0.53, "██▏ "), (1, "████"), (3, "████")]
)
def test_a_share_is_exact_to_an_eighth_of_a_column(share: float, drawn: str) -> None:
    assert share_bar(share, 4) == drawn


def test_all_parts_are_listed_in_the_order_of_the_request_and_the_tools_as_one() -> None:
    listed = sheet_of(view_of()).listed(None)
    assert [block.title for block in listed][:4] == [
        "system prompt",
        "project knowledge",
        "3 tools",
        "pinned messages",
    ]
    assert sum(block.tokens for block in listed) == sum(part.tokens for part in PARTS)
    assert max(block.share for block in listed) == 1.0
    assert len({block.id for block in listed}) == len(listed)


def test_a_kind_alone_is_listed_one_by_one() -> None:
    sheet = sheet_of(view_of())
    assert [block.title for block in sheet.listed("tools")] == ["read", "edit", "bash"]
    assert {block.kind for kind in sheet.kinds for block in sheet.listed(kind)} == set(sheet.kinds)


async def test_each_part_is_a_row_with_its_note_and_its_tokens() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        rows = shown(app.board)
        assert len(rows) == len(PARTS) - 2
        assert rows[0].split()[-1] == "4.2k"
        notes = [found[1] for row in rows if (found := re.search(r" (\w+(?: here)?) [▏▎▍▌▋▊▉█]+ +\d+$", row))]
        assert [note for note in notes if note in ("cut here", "pruned", "pinned")] == ["cut here", "pruned", "pinned"]
        assert not any(word in row for row in rows for word in ("cut turn", "digest", "---"))
        assert "≈24k / 200k  12 %" in told(app.board, "bar")
        assert "≡ summary 3.9k" in told(app.board, "bar")


async def test_a_part_opens_to_its_whole_text_and_folds_again() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("end", "k", "k")
        assert cursor(app.board) == "result read src/loader.py"
        await pilot.press("space")
        index = app.board.parts.model.blocks.index_of(app.board.part.id if app.board.part else "") or 0
        assert " ".join(app.board.parts.line_texts(index)[-3:]).split() == CODE.splitlines()[-1].split()
        await pilot.press("-")
        assert len(app.board.parts.line_texts(index)) == 1
        assert cursor(app.board) == "result read src/loader.py"


async def test_enter_goes_to_the_chat_and_opens_what_is_not_there() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("enter")
        assert "Answer in short sentences." in "\n".join(shown(app.board))
        assert not app.wishes
        await pilot.press("end", "enter")
        await pilot.pause()
        (wish,) = app.wishes
        assert isinstance(wish, ContextPane.ToChat)
        assert wish.entry_id == "m5"


async def test_p_pins_messages_only() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("p")
        assert not app.wishes
        assert "Only messages" in told(app.board, "foot")
        await pilot.press("end", "p")
        await pilot.pause()
        (wish,) = app.wishes
        assert isinstance(wish, ContextPane.PinToggled)
        assert wish.entry_id == "m5"


async def test_y_copies_the_whole_part() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("y")
        await pilot.pause()
        (wish,) = app.wishes
        assert isinstance(wish, ContextPane.CopyRequested)
        assert wish.text == PARTS[0].text


async def test_the_filter_goes_through_the_kinds_and_escape_leaves_it() -> None:
    app = BoardApp()
    seen: list[Kind | None] = []
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        for _ in range(8):
            await pilot.press("f")
            seen.append(app.board.kind)
        assert seen == ["system", "knowledge", "tools", "pins", "summary", "ledgers", "turns", None]
        await pilot.press("f", "f", "f")
        assert [row.split()[1] for row in shown(app.board)] == ["read", "edit", "bash"]
        assert "tools · 3 parts" in told(app.board, "head")
        await pilot.press("escape")
        assert app.board.kind is None
        assert len(shown(app.board)) == len(PARTS) - 2


async def test_words_are_found_as_they_are_typed_and_only_the_match_is_open() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("/", *"layer")
        await pilot.pause()
        blocks = app.board.parts.model.blocks

        def opened() -> list[str]:
            return [block.title for block in blocks.blocks if not blocks.is_folded(block.id)]

        assert opened() == ["ledger"]
        assert cursor(app.board) == "ledger"
        assert told(app.board, "foot").startswith("1 of 3")
        await pilot.press("enter", "n")
        await pilot.pause()
        assert cursor(app.board) == "you"
        assert told(app.board, "foot").startswith("2 of 3")
        await pilot.press("N")
        await pilot.pause()
        assert cursor(app.board) == "ledger"
        await pilot.press("escape")
        assert "space fold" in told(app.board, "foot")


async def test_the_foot_offers_only_what_the_part_under_the_cursor_allows() -> None:
    app = BoardApp()
    async with app.run_test(size=(160, 40)) as pilot:
        await listed(pilot)
        await pilot.press("home")
        assert told(app.board, "foot") == "⏎ open  f filter  / find  y copy"
        await pilot.press("enter")
        assert told(app.board, "foot").startswith("⏎ fold  - fold all  f filter")
        await pilot.press("end")
        assert told(app.board, "foot").startswith("⏎ to chat  space open  - fold all  f filter")
        await pilot.press("-")
        assert told(app.board, "foot") == "⏎ to chat  space open  f filter  / find  p pin  y copy"
        await pilot.press("k")
        assert "p unpin" in told(app.board, "foot")
        while cursor(app.board) != "summary":
            await pilot.press("k")
        assert told(app.board, "foot") == "⏎ to chat  space open  f filter  / find  y copy"


@pytest.mark.parametrize(
    ("limit_tokens", "style"), [(200_000, "$secondary"), (28_000, "$memory"), (25_000, "bold $error")]
)
async def test_the_legend_has_the_colours_of_the_bar(limit_tokens: int, style: str) -> None:
    app = BoardApp(view_of(limit_tokens=limit_tokens))
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        bar = app.board.query_one("#context-bar", Static).content
        assert isinstance(bar, Content)
        talk = [number for number, sign in enumerate(bar.plain) if sign == "█"]
        assert len(talk) > 1
        spans = [[span for span in bar.spans if span.start <= place < span.end] for place in talk]
        assert {str(above[-1].style) for above in spans} == {style}


async def test_words_that_stand_nowhere_are_said_to_and_keys_typed_at_once_stay_letters() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("/", "p", "y", "f", "z")
        await pilot.pause()
        assert "no match" in told(app.board, "foot")
        assert not app.wishes
        assert app.board.kind is None
        await pilot.press("escape")
        await pilot.pause()
        assert app.board.has_focus


async def test_what_is_open_and_where_one_stands_survive_a_new_count() -> None:
    app = BoardApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("end", "k", "space")
        more = ContextPart("turns", "you", "one more thing", 4, "p6")
        app.board.show(sheet_of(view_of(*PARTS, more)))
        await pilot.pause()
        assert cursor(app.board) == "you"
        assert "keep the text in Layer" in [row[1:].strip() for row in shown(app.board)]
        app.board.show(sheet_of(view_of(*PARTS[5:], more)))
        await pilot.pause()
        assert cursor(app.board) == "you"
        assert "keep the text in Layer" in [row[1:].strip() for row in shown(app.board)]


async def test_a_request_of_very_many_parts_is_one_widget_and_draws_what_is_in_sight() -> None:
    parts = [ContextPart("turns", "you", f"message {number}\n" * 3, 9, f"p{number}") for number in range(5_000)]
    app = BoardApp(view_of(*parts))
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("end", "home", "pagedown")
        assert len(app.board.query("*")) < 10
        assert app.board.parts.rendered_rows < 500


@pytest.mark.parametrize("text", ["one line\n" * 9_000, "words " * 90_000], ids=["many lines", "one long line"])
async def test_a_part_that_would_make_keys_wait_is_cut_and_copied_whole(text: str) -> None:
    app = BoardApp(view_of(ContextPart("turns", "you", text, 9, "p1")))
    async with app.run_test(size=(120, 40)) as pilot:
        await listed(pilot)
        await pilot.press("space", "y")
        await pilot.pause()
        rows = app.board.parts.line_texts(0)
        assert len(rows) <= MOST_OPEN_ROWS + 3
        assert rows[-2].strip() == sentence_now(CUT, {})
        (wish,) = app.wishes
        assert isinstance(wish, ContextPane.CopyRequested)
        assert wish.text == text


async def test_hostile_text_reaches_neither_terminal_nor_markup() -> None:
    part = ContextPart("turns", HOSTILE, HOSTILE, 9, "p1", HOSTILE)
    app = BoardApp(view_of(part))
    async with app.run_test(size=(160, 40)) as pilot:
        await listed(pilot)
        await pilot.press("space")
        text = "\n".join(shown(app.board))
        assert "[/bold]" in text
        assert not BARE_CONTROL.search(text)


async def until_counted(pilot_app: DiligentApp, pane: ContextPane) -> None:
    while pane.looking is not None and not pane.looking.is_finished:
        await pane.looking.wait()
    assert pilot_app.is_running


def context_pane(app: DiligentApp) -> ContextPane:
    return app.main.query_one(ContextPane)


async def test_nothing_is_counted_while_nobody_looks(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "hello")
        pane = context_pane(app)
        assert pane.looking is None
        await pilot.press("f6")
        await until_counted(app, pane)
        first = pane.board.sheet
        assert first is not None
        assert "hello" in [block.text for block in first.listed("turns")]
        await pilot.press("f6")
        await ask(pilot, "once more")
        assert pane.board.sheet is first
        await pilot.press("f6")
        await until_counted(app, pane)
        assert "once more" in [block.text for block in pane.board.sheet.listed("turns")] if pane.board.sheet else False


async def test_the_pane_follows_the_talk_the_pins_and_a_compaction(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        session = core.session
        assert session is not None
        for number in range(6):
            (app.opening.cwd / f"notes{number}.md").write_text(f"words of file {number}, and some more\n" * 320)
            await ask(pilot, f"read notes{number}.md")
        pane = context_pane(app)
        await pilot.press("f6")
        await until_counted(app, pane)
        prompt = [node.id for node in session.conversation.path if node.is_prompt][-1]
        await session.memory.pin(prompt)
        await settled(pilot)
        await until_counted(app, pane)
        assert pane.board.sheet is not None
        assert [block.entry_id for block in pane.board.sheet.blocks if block.note == "pinned"] == [prompt]
        before = pane.board.sheet.fill.tokens
        assert await session.memory.compact(CompactionWish())
        await settled(pilot)
        await until_counted(app, pane)
        assert {"summary", "ledgers"} <= set(pane.board.sheet.kinds)
        assert (pane.board.sheet.fill.tokens or 0) < (before or 0)


async def test_enter_shows_the_message_in_the_chat_and_p_pins_it_there(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "hello")
        await ask(pilot, "and again")
        pane = context_pane(app)
        await pilot.press("f6")
        await until_counted(app, pane)
        core = await ready(pilot)
        assert core.session is not None
        while cursor(pane.board) != "you":
            await pilot.press("j")
        entry_id = pane.board.part.entry_id if pane.board.part else ""
        await pilot.press("p")
        await pilot.pause()
        await settled(pilot)
        await until_counted(app, pane)
        assert entry_id in core.session.memory.pinned
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.focused, ChatPane)
        assert core.chat.cursor_block is not None
        assert core.chat.cursor_block.entry_id == entry_id
        assert any(strip.text.startswith("◆") for strip in core.chat.render_lines(core.chat.size.region))
        await pilot.press("p")
        await pilot.pause()
        await settled(pilot)
        assert entry_id not in core.session.memory.pinned


@pytest.mark.parametrize("height", range(14, 30))
async def test_the_part_under_the_cursor_is_in_sight_from_the_beginning(height: int) -> None:
    app = BoardApp()
    async with app.run_test(size=(120, height)) as pilot:
        await listed(pilot)
        assert cursor(app.board) == "system prompt"
        assert "system prompt" in shown(app.board)[0]
        await pilot.resize_terminal(120, height - 3)
        await pilot.pause()
        assert "system prompt" in shown(app.board)[0]


async def test_what_changed_behind_a_zoomed_pane_is_counted_when_the_pane_is_seen_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "hello")
        pane = app.main.query_one(ContextPane)
        await pilot.press("f6", "f2", "f9")
        await settled(pilot)
        assert not pane.display
        core = await ready(pilot)
        assert core.session is not None
        await core.submit("run echo one")
        await core.session.wait_idle()
        await settled(pilot)
        assert not pane.display
        await pilot.press("f9")
        await settled(pilot)
        assert pane.display
        while pane.looking is not None and not pane.looking.is_finished:
            await pilot.pause(0.01)
        assert pane.board.sheet == sheet_of(core.session.memory.context(), core.session.memory.pinned)
        assert not pane.has_focus_within
