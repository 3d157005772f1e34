"""The last row of a turn: what it took, in few words, live and after reopening."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, TextBlock, UserMessage
from diligent_tui.domain.usage import Usage
from diligent_tui.ui.panes.chat import ChatPane, chat_look
from diligent_tui.ui.panes.chat.footer import TurnSpent, footer_words, no_price, spent_in
from diligent_tui.ui.panes.chat.marks import Marks
from diligent_tui.ui.panes.chat.renderer import ChatRenderer
from diligent_tui.ui.transcript import Transcript
from tests.ui.stage import ask, blocks, make_app, ready, settled

USUAL = Usage(input_tokens=48, output_tokens=340, cache_read_tokens=1_152)
WIDE = 100


@pytest.mark.parametrize(
    ("spent", "room", "words"),
    [
        (TurnSpent(USUAL, 0.012, 12.4), WIDE, "1.2k in · 340 out · cache 96 % · $0.01 · 12 s"),
        (TurnSpent(USUAL, None, 12.4), WIDE, "1.2k in · 340 out · cache 96 % · – · 12 s"),
        (TurnSpent(USUAL, 0.0, None), WIDE, "1.2k in · 340 out · cache 96 %"),
        (TurnSpent(Usage(input_tokens=9, output_tokens=1), 0.42, 200), WIDE, "9 in · 1 out · $0.42 · 3 min 20 s"),
        (TurnSpent(Usage(cache_write_tokens=9), 0.42), WIDE, "9 in · 0 out · cache 0 % · $0.42"),
        (
            TurnSpent(USUAL, 0.42, 12, "sonnet-5-5"),
            WIDE,
            "sonnet-5-5 · 1.2k in · 340 out · cache 96 % · $0.42 · 12 s",
        ),
        (TurnSpent(USUAL, 0.42, 12, "sonnet-5-5"), 50, "sonnet-5-5 · 1.2k in · 340 out · $0.42 · 12 s"),
        (TurnSpent(USUAL, 0.42, 12, "sonnet-5-5"), 40, "1.2k in · 340 out · $0.42 · 12 s"),
        (TurnSpent(USUAL, 0.42, 12, "sonnet-5-5"), 14, "$0.42 · 12 s"),
        (TurnSpent(USUAL, 0.42, 12, "sonnet-5-5"), 6, "$0.42"),
        (TurnSpent(USUAL, 0.42, 12, "sonnet-5-5"), 1, ""),
        (TurnSpent(Usage(input_tokens=-9, cache_read_tokens=9), 0.42), WIDE, "0 in · 0 out · $0.42"),
        (TurnSpent(USUAL, 0.42, 12, "\x1b[2Jevil\u202e" + "x" * 99), WIDE, None),
    ],
)
def test_a_footer_is_short_and_gives_way_to_narrow_screens(spent: TurnSpent, room: int, words: str | None) -> None:
    said = footer_words(spent, room)
    assert words is None or said == words
    assert len(said) <= room
    assert said.isprintable()


def at(second: float) -> str:
    return f"2026-01-02T03:04:{second:06.3f}Z"


def prompt(entry_id: str, second: float, timestamp: str | None = None) -> Entry:
    stamp = at(second) if timestamp is None else timestamp
    return MessageEntry(id=entry_id, timestamp=stamp, message=UserMessage(content="Well?"))


def answer(entry_id: str, second: float, usage: Usage | None, model: str = "sonnet-5-5") -> Entry:
    said = (TextBlock(text="Yes."),)
    message = AssistantMessage(content=said, provider="anthropic", model=model, usage=usage)
    return MessageEntry(id=entry_id, timestamp=at(second), message=message)


def spent(entries: Sequence[Entry], **prices: float) -> list[TurnSpent]:
    known = {entry.id: entry for entry in entries}

    def price(model_id: str, usage: Usage) -> float | None:
        each = prices.get(model_id.rpartition("/")[2])
        return None if each is None else each * usage.output_tokens

    found = [block.span for block in Transcript().saved(entries) if block.span]
    return [spent_in(span, known.__getitem__, price) for span in found]


def test_all_answers_of_a_turn_are_added_up() -> None:
    talk = (prompt("p", 1), answer("a", 2, USUAL), answer("b", 9.5, USUAL), answer("c", 10, None))
    assert spent(talk, **{"sonnet-5-5": 0.5}) == [TurnSpent(USUAL + USUAL, 340.0, 9.0)]


def test_one_answer_without_a_price_makes_the_cost_unknown() -> None:
    talk = (prompt("p", 1), answer("a", 2, USUAL), answer("b", 3, USUAL, "other"))
    assert [turn.cost for turn in spent(talk, **{"sonnet-5-5": 0.5})] == [None]


def test_the_model_is_named_where_another_answers_than_before() -> None:
    first = (prompt("p", 1), answer("a", 2, USUAL))
    second = (prompt("q", 3), answer("b", 4, USUAL, "gpt-6-luna"))
    third = (prompt("r", 5), answer("c", 6, USUAL, "gpt-6-luna"))
    assert [turn.model for turn in spent((*first, *second, *third))] == ["", "gpt-6-luna", ""]


def test_times_that_are_none_are_not_told_and_a_clock_that_was_set_back_makes_no_negative_one() -> None:
    assert [turn.seconds for turn in spent((prompt("p", 1, "t"), answer("a", 2, USUAL)))] == [None]
    assert [turn.seconds for turn in spent((prompt("p", 8), answer("a", 2, USUAL)))] == [0.0]
    assert [turn.seconds for turn in spent((answer("a", 2, USUAL),))] == [None]


def renderer(entries: Sequence[Entry]) -> ChatRenderer:
    names = ("background", "foreground", "dim", "accent", "success", "error", "memory")
    return ChatRenderer(
        chat_look("dark", dict.fromkeys(names, "#808080")), {entry.id: entry for entry in entries}.__getitem__
    )


def test_a_footer_stands_at_the_right_and_waits_for_the_beginning_of_its_turn() -> None:
    talk = (prompt("p", 1), answer("a", 2, USUAL))
    footer = Transcript().saved(talk)[-1]
    (strip,) = renderer(talk).render(footer, 60, False)
    assert strip.text == "1.2k in · 340 out · cache 96 % · – · 1.0 s".rjust(60)
    early = Transcript(begins_inside=True).saved(talk[1:])[-1]
    (strip,) = renderer(talk).render(early, 60, False)
    assert strip.text.strip() == "…"


def test_prices_that_become_known_draw_footers_anew_and_nothing_else() -> None:
    talk = (prompt("p", 1), answer("a", 2, USUAL))
    drawing = renderer(talk)
    before = [drawing.state(block) for block in Transcript().saved(talk)]
    drawing.price = lambda model_id, usage: 1.0
    changed = [drawing.state(block) != state for block, state in zip(Transcript().saved(talk), before, strict=True)]
    assert changed == [False, False, True]
    assert no_price("x", USUAL) is None


def test_a_pinned_answer_does_not_pin_its_footer_and_a_summarised_one_dims_it() -> None:
    talk = (prompt("p", 1), answer("a", 2, USUAL))
    drawing, footer = renderer(talk), Transcript().saved(talk)[-1]
    drawing.marks = Marks(fates={"a": "pinned"})
    assert drawing.render(footer, 60, False)[0].text[0] == " "
    drawing.marks = Marks(fates={"a": "summarised"})
    assert drawing.render(footer, 60, False)[0].text[0] == "░"


def shown_footers(chat: ChatPane) -> list[str]:
    """The rows of all footers, as they are drawn."""
    drawn = [chat.renderer.render(block, 90, False) for block in blocks(chat) if block.kind == "footer"]
    return [strip.text for strips in drawn for strip in strips]


async def test_the_footers_of_a_session_are_the_same_after_reopening(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    (app.opening.cwd / "README.md").write_text("Seven swans.\n")
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "read README.md then read missing.txt")
        await ask(pilot, "hello")
        core = await ready(pilot)
        live = shown_footers(core.chat)
        spans = [block.span for block in blocks(core.chat)]
    assert len(live) == 2
    assert all(" in · " in footer and footer.endswith(" s") for footer in live)
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await settled(pilot)
        assert shown_footers(core.chat) == live
        assert [block.span for block in blocks(core.chat)] == spans
        await ask(pilot, "hello")
        newest = blocks(core.chat)[-1].span
        assert newest is not None
        assert newest.before_id == spans[-1].answer_ids[-1] if spans[-1] else False


async def test_the_cursor_passes_footers_and_they_are_not_told_as_new(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot, "[[t=900 r=0 id=a]]")
        core = await ready(pilot)
        chat = core.chat
        chat.focus()
        await pilot.pause()
        seen: list[str] = []
        for _ in range(3):
            assert chat.cursor_block is not None
            seen.append(chat.cursor_block.kind)
            await pilot.press("k")
        assert seen == ["answer", "prompt", "prompt"]
        chat.action_scroll_home()
        await settled(pilot)
        app.main.prompt.focus()
        await ask(pilot, "hello")
        assert blocks(chat)[-1].kind == "footer"
        # The prompt and its answer.
        assert chat.model.new_below == 2
