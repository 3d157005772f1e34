"""Going about in the chat by its landmarks."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from textual.message import Message
from textual.widgets import Static

from diligent_tui.domain import events as ev
from diligent_tui.ui.panes.context import ContextPane
from diligent_tui.ui.panes.knowledge import KnowledgePane
from diligent_tui.ui.panes.summary import SummaryPane
from diligent_tui.ui.panes.tools import ToolsPane
from diligent_tui.ui.panes.trace import TracePane
from diligent_tui.ui.screens.leave_branch import LeaveBranchScreen
from diligent_tui.ui.transcript import ChatBlock, MemoryNote
from diligent_tui.ui.widgets.status_bar import StatusBar
from tests.agent.test_attachments import png
from tests.ui.stage import MOST_PAUSES, ask, blocks, make_app, ready, settled

SIDES = ("tools", "knowledge", "summary", "context", "trace")


async def test_keys_jump_to_prompts_errors_and_compactions_and_fold_all(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "read missing.txt")
        core = await ready(pilot)
        chat = core.chat
        chat.take([ChatBlock("note", "memory", text="a summary", memory=MemoryNote("compacted"))])
        await ask(pilot, "hello")
        chat.focus()
        await pilot.pause()
        assert chat.cursor_block is not None

        async def at(key: str) -> tuple[str, str]:
            await pilot.press(key)
            assert chat.cursor_block is not None
            return chat.cursor_block.kind, chat.cursor_block.state

        assert (await at("C"))[0] == "memory"
        assert await at("X") == ("tool", "failed")
        assert (await at("K"))[0] == "prompt"
        assert (await at("c"))[0] == "memory"
        assert (await at("J"))[0] == "prompt"
        foldable = [block.id for block in blocks(chat) if block.kind in ("tool", "memory")]
        assert len(foldable) == 2
        await pilot.press("z")
        await settled(pilot)
        assert not any(chat.model.blocks.is_folded(block_id) for block_id in foldable)
        await pilot.press("z")
        await settled(pilot)
        assert all(chat.model.blocks.is_folded(block_id) for block_id in foldable)


async def test_the_foot_says_what_enter_does_at_the_cursor(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 30)) as pilot:
        await ask(pilot, "read missing.txt")
        chat = (await ready(pilot)).chat
        bar = app.main.query_one(StatusBar)

        async def foot(*keys: str) -> list[str]:
            await pilot.press(*keys)
            await settled(pilot)
            return re.findall(r"⏎ (\w+)", bar.render().plain)

        chat.focus()
        assert await foot("X") == ["open"]
        assert await foot("enter") == ["fold"]
        assert await foot("enter") == ["open"]
        assert await foot("K") == []
        assert chat.cursor_block is not None
        assert await foot("enter") == []
        assert not chat.model.blocks.is_folded(chat.cursor_block.id)


def to_chat(pane: str, block: ChatBlock) -> Message:
    """What a pane asks for when one wants to see an entry in the chat."""
    entry_id = block.entry_id or ""
    match pane:
        case "tools":
            return ToolsPane.ToChat(entry_id, block.id)
        case "knowledge":
            return KnowledgePane.ToChat(entry_id)
        case "summary":
            return SummaryPane.ToChat(entry_id)
        case "context":
            return ContextPane.ToChat(entry_id)
        case _:
            return TracePane.ToChat(entry_id)


@pytest.mark.parametrize("zooms", [False, True], ids=["beside", "zoomed"])
@pytest.mark.parametrize(("pane", "key"), [(name, f"f{3 + place}") for place, name in enumerate(SIDES)])
async def test_a_jump_from_a_side_pane_shows_the_place_it_went_to(
    tmp_path: Path, pane: str, key: str, zooms: bool
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot, "read missing.txt")
        await ask(pilot, "[[t=900 r=0 id=a]]")
        core = await ready(pilot)
        await pilot.press(key, *["f9"] * zooms)
        await settled(pilot)
        assert app.main.query_one(f"#{pane}").display
        card = next(block for block in blocks(core.chat) if block.kind == "tool")
        app.main.query_one(f"#{pane}").post_message(to_chat(pane, card))
        await settled(pilot)
        assert not app.main.query_one(f"#{pane}").display
        assert core.chat.has_focus
        assert core.chat.cursor_block == card
        in_sight = {row.block_id for y in range(core.chat.size.height) if (row := core.chat.row_at(y))}
        assert card.id in in_sight


async def test_a_prompt_is_edited_and_sent_again_in_the_words_that_were_typed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    (app.opening.cwd / "shot.png").write_bytes(png(640, 480, 2_048))
    (app.opening.cwd / "huge.png").write_bytes(png(10_000, 800))
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        await core.session.set_model(replace(core.session.model, sees_images=True))
        await ask(pilot, "look at @shot.png and @huge.png")
        prompt = blocks(core.chat)[0]
        core.chat.focus()
        core.chat.put_cursor(prompt.id)
        await pilot.press("e")
        for _ in range(MOST_PAUSES):
            if isinstance(app.screen, LeaveBranchScreen):
                break
            await pilot.pause(0.01)
        await pilot.press("enter")
        for _ in range(MOST_PAUSES):
            if app.main.prompt.text:
                break
            await pilot.pause(0.01)
        assert app.main.prompt.text == "look at @shot.png and @huge.png"


async def test_thoughts_are_folded_until_they_are_opened_and_new_blocks_below_are_counted(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "[[t=900 r=0 id=a]]")
        core = await ready(pilot)
        chat = core.chat
        assert core.session is not None
        thinks = (ev.StepStarted("t", "m", 1, "x"), ev.ThinkingDelta("m", "one\ntwo\nthree"), ev.TextDelta("m", "So."))
        for event in thinks:
            core.session.hub.publish(event)
        await settled(pilot)
        thought = next(block for block in blocks(chat) if block.kind == "thinking")
        rows = chat.model.blocks.measure(chat.model.blocks.index_of(thought.id) or 0)
        chat.focus()
        chat.put_cursor(thought.id)
        await pilot.press("enter")
        await settled(pilot)
        opened = chat.model.blocks.measure(chat.model.blocks.index_of(thought.id) or 0)
        assert opened == rows + 3
        await pilot.press("home")
        await settled(pilot)
        core.session.hub.publish(ev.TextDelta("m", " More."))
        await settled(pilot)
        assert "1 new ↓" in str(app.main.query_one("#badge", Static).content)
        await pilot.press("ctrl+end")
        await settled(pilot)
        assert not app.main.query_one("#badge").display


async def test_a_jump_that_finds_nothing_says_so_and_what_looks_the_other_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path)
    said: list[str] = []

    def hear(words: str, *, markup: bool) -> None:
        said.append(words)

    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "read missing.txt")
        (await ready(pilot)).chat.focus()
        await settled(pilot)
        monkeypatch.setattr(app, "notify", hear)
        for key in ("X", "x", "X", "c"):
            await pilot.press(key)
            await settled(pilot)
    assert said == ["No error below. X looks above.", "No error above. x looks below.", "No compaction in this chat."]


async def test_a_row_that_has_nothing_more_to_show_does_not_offer_to_open(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 30)) as pilot:
        await ask(pilot, "hello")
        chat = (await ready(pilot)).chat
        chat.take([ChatBlock("u", "memory", memory=MemoryNote("undone"))])
        chat.focus()
        chat.put_cursor("u")
        await settled(pilot)
        bar = app.main.query_one(StatusBar)
        assert not re.findall(r"⏎ (open|fold)", bar.render().plain)
        await pilot.press("enter")
        assert chat.model.blocks.is_folded("u")


async def test_the_cursor_is_in_sight_when_one_comes_back_to_the_chat(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 20)) as pilot:
        for number in range(6):
            await ask(pilot, f"hello {number}")
        chat = (await ready(pilot)).chat
        chat.focus()
        first = blocks(chat)[0]
        chat.put_cursor(first.id)
        await pilot.press("escape", "ctrl+end")
        await settled(pilot)
        assert not chat.model.is_cursor_in_sight
        await pilot.press("tab")
        await settled(pilot)
        assert chat.has_focus
        assert chat.model.is_cursor_in_sight
        assert chat.cursor_block is not None
        assert chat.cursor_block.kind == "answer"
