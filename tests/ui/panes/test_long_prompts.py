"""A long prompt stands folded in the chat: its first lines, and how much more there is."""

from pathlib import Path

import pytest

from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.messages import ImageBlock, TextBlock, UserMessage
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.panes.chat import chat_look
from diligent_tui.ui.panes.chat import long_prompts as limits
from diligent_tui.ui.panes.chat.renderer import ChatRenderer
from diligent_tui.ui.theme import DARK
from diligent_tui.ui.transcript import Transcript
from tests.ui.panes.test_chat_search import badge, search
from tests.ui.stage import ask, blocks, make_app, ready, settled

LOOK = chat_look("dark", {**DARK.to_color_system().generate(), **DARK.variables})
LONG = "\n".join(f"line {number}" for number in range(10_000))


def drawn(words: str, *, folded: bool, width: int = 80) -> list[str]:
    """The rows of a prompt, which are the same heard and read back."""
    (heard,) = LiveTranscript().take(ev.TurnStarted("t", words))
    entry = MessageEntry(id="t", message=UserMessage(content=words))
    (saved,) = Transcript().saved([entry])
    renderer = ChatRenderer(LOOK, {"t": entry}.__getitem__)
    rows = [strip.text.rstrip() for strip in renderer.render(heard, width, folded)]
    assert rows == [strip.text.rstrip() for strip in renderer.render(saved, width, folded)]
    assert renderer.starts_folded(heard) == renderer.starts_folded(saved) == renderer.can_fold(heard)
    if folded:
        assert renderer.starts_folded(heard)
        assert renderer.estimate(heard, width, folded) == len(rows)
    return [row.removeprefix(" ▌ ") for row in rows]


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_long_prompt_is_its_first_lines_and_how_many_more(end: str) -> None:
    gap, *lines, more = drawn(LONG + end, folded=True)
    assert not gap
    assert lines == [f"line {number}" for number in range(limits.SHOWN_ROWS)]
    assert more == f"… {10_000 - limits.SHOWN_ROWS:,} more lines: ⏎ opens it"
    assert len(drawn(LONG, folded=False)) == 10_001


def test_a_long_line_is_cut_too_and_told_in_characters() -> None:
    _, *lines, more = drawn("x" * 50_000, folded=True)
    shown = sum(map(len, lines))
    assert len(lines) == limits.SHOWN_ROWS
    assert more == f"… {50_000 - shown:,} more characters: ⏎ opens it"


def test_a_long_prompt_with_a_picture_names_it_and_counts_its_own_lines() -> None:
    said = UserMessage(content=(TextBlock(text=LONG), ImageBlock(source={}, name="a.png")))
    entry = MessageEntry(id="t", message=said)
    (block,) = Transcript().saved([entry])
    *_, picture, more = [strip.text.strip() for strip in ChatRenderer(LOOK, lambda _: entry).render(block, 80, True)]
    assert picture == "▌ ▪ a.png"
    assert more == f"▌ … {10_000 - limits.SHOWN_ROWS:,} more lines: ⏎ opens it"


@pytest.mark.parametrize("words", ["hello", "\n".join("a" * limits.MOST_LINES), "x" * limits.MOST_CHARS])
def test_a_prompt_of_a_few_lines_stands_whole(words: str) -> None:
    (block,) = LiveTranscript().take(ev.TurnStarted("t", words))
    renderer = ChatRenderer(LOOK, dict[str, MessageEntry]().__getitem__)
    assert not renderer.starts_folded(block)
    assert not renderer.can_fold(block)


def test_what_is_shown_of_a_folded_prompt_is_cleaned() -> None:
    assert all(row.isprintable() for row in drawn("\x1b[2J\u202e" * 5 + LONG, folded=True))


async def test_enter_and_z_open_and_fold_it_y_copies_it_whole_and_it_is_folded_again_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path)
    copied: list[str] = []
    monkeypatch.setattr(app, "_copy", copied.append)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, LONG)
        core = await ready(pilot)
        chat = core.chat
        prompt = blocks(chat)[0]
        assert chat.model.blocks.is_folded(prompt.id)
        chat.focus()
        chat.put_cursor(prompt.id)
        await pilot.press("y", "enter")
        await settled(pilot)
        assert copied == [LONG]
        assert not chat.model.blocks.is_folded(prompt.id)
        await pilot.press("enter")
        assert chat.model.blocks.is_folded(prompt.id)
        await pilot.press("z")
        assert not chat.model.blocks.is_folded(prompt.id)
        await pilot.press("z")
        assert chat.model.blocks.is_folded(prompt.id)
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test(size=(100, 30)) as pilot:
        chat = (await ready(pilot)).chat
        await settled(pilot)
        assert chat.model.blocks.is_folded(blocks(chat)[0].id)


@pytest.mark.parametrize("words", ["line 9876", "9,999 more lines"])
async def test_words_in_the_folded_part_are_found_and_open_it(tmp_path: Path, words: str) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, f"{LONG}\n9,999 more lines\n")
        chat = (await ready(pilot)).chat
        prompt = blocks(chat)[0]
        await search(pilot, "line 3")
        assert chat.model.blocks.is_folded(prompt.id)
        await search(pilot, words)
        assert badge(app).startswith("1 of 1")
        assert not chat.model.blocks.is_folded(prompt.id)
