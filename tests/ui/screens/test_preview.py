"""The preview of a compaction: keys change what it would do, and nothing happens before Enter."""

import re
from dataclasses import replace

import pytest
from rich.style import Style

from diligent_tui.compaction.views import CompactionWish, Preview, PreviewBlock
from diligent_tui.ui.screens.preview import Choice
from diligent_tui.ui.screens.preview.rows import PreviewLook, draw_row, render_sizes, tokens_by_fate
from tests.ui.screens.preview_stage import NothingToCompact, PreviewApp, Talk, part, rows

USUAL = (120, 40)
BARE_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u200b]")


async def after(app: PreviewApp, *keys: str) -> list[str]:
    """The rows after some keys."""
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        return rows(app) if app.preview_screen.is_current else []


def cut_place(shown: list[str]) -> int:
    return next(place for place, row in enumerate(shown) if "╌" in row)


async def test_each_block_shows_who_what_its_tokens_and_its_fate() -> None:
    app = PreviewApp()
    shown = [row.split() for row in await after(app)]
    assert shown[0][:3] == ["░", "you", "why"]
    assert shown[0][-2:] == ["40", "summarised"]
    assert shown[6][:4] == ["░", "bash", "make", "test"]
    assert shown[9][0] == "you"
    assert shown[10][0] == "▒"
    assert shown[10][-2:] == ["6.0k", "pruned"]
    assert shown[11][-2:] == ["700", "kept"]


async def test_text_of_a_block_cannot_act_on_the_terminal() -> None:
    app = PreviewApp()
    assert not [row for row in await after(app) if BARE_CONTROL.search(row)]


@pytest.mark.parametrize(("keys", "place"), [((), 8), (("down",), 11), (("down", "down"), 11), (("down", "up"), 8)])
async def test_up_and_down_move_the_cut_to_the_next_legal_one(keys: tuple[str, ...], place: int) -> None:
    app = PreviewApp()
    assert cut_place(await after(app, *keys)) == place


async def test_sizes_change_with_the_cut() -> None:
    app = PreviewApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        assert part(app, "sizes").startswith("34k → ≈18k")
        await pilot.press("down")
        await pilot.pause()
        assert part(app, "sizes").startswith("34k → ≈11k")
        assert part(app, "totals").startswith("░ 25k summarised   10 kept   9.0k system, tools")


@pytest.mark.parametrize(
    ("keys", "line", "totals"),
    [
        ((), "↑ 19k to be summarised · 730 kept", ["░ 19k summarised", "▒ 6.0k pruned", "730 kept", "◆ 30 pinned"]),
        (("x",), "↑ 18k to be summarised · 730 kept", ["░ 18k summarised", "× 300 left out"]),
        (("k", "x"), "↑ 6.5k to be summarised", ["░ 6.5k summarised", "× 12k left out"]),
        (("k", "k", "p"), "↑ 17k to be summarised", ["░ 17k summarised", "◆ 1.2k pinned"]),
        (("up",), "↑ 5.0k to be summarised · 14k kept", ["░ 5.0k summarised", "▒ 6.0k pruned", "14k kept"]),
    ],
)
async def test_the_line_of_the_cut_and_the_totals_say_the_same_of_each_block(
    keys: tuple[str, ...], line: str, totals: list[str]
) -> None:
    app = PreviewApp(Talk(pinned=[4]))
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        shown = rows(app)
        assert line in shown[cut_place(shown)]
        for words in totals:
            assert words in part(app, "totals")


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (80, "34k → ≈18k tokens  −48 %   the model takes 32k   updates the summary"),
        (67, "34k → ≈18k tokens  −48 %   updates the summary"),
        (45, "34k → ≈18k tokens  −48 %"),
    ],
)
def test_what_is_told_of_the_sizes_is_told_whole(width: int, told: str) -> None:
    preview = Talk().preview(CompactionWish())
    assert isinstance(preview, Preview)
    assert render_sizes(replace(preview, has_summary=True), width, is_refused=False).plain == told


def test_every_token_before_is_in_one_of_the_totals() -> None:
    preview = Talk(pinned=[4]).preview(CompactionWish(excluded=("e0002",)))
    assert isinstance(preview, Preview)
    sums = tokens_by_fate(preview.blocks)
    assert set(sums.values()).isdisjoint({0})
    assert sum(sums.values()) + preview.overhead_tokens == preview.tokens_before


@pytest.mark.parametrize(("who", "shown"), [("assistant", "run make now"), ("bash", "run `make` now")])
def test_only_answers_are_shown_without_the_signs_of_markdown(who: str, shown: str) -> None:
    plain = Style()
    look = PreviewLook(plain, plain, plain, plain, plain, plain)
    row = draw_row(PreviewBlock("e1", who, "run `make` now", 5, "kept", 0), 80, look, is_cursor=False)
    assert shown in "".join(segment.text for segment in row)


async def test_what_cannot_be_carried_out_is_not_offered() -> None:
    app = PreviewApp()
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert "⏎ compact" in part(app, "keys")
        assert part(app, "keys").endswith("esc cancel")
        await pilot.press("up")
        await pilot.pause()
        assert "⏎ compact" not in part(app, "keys")


async def test_a_cut_that_does_not_fit_is_shown_with_the_reason_and_is_not_carried_out() -> None:
    app = PreviewApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("up")
        await pilot.pause()
        shown = rows(app)
        assert cut_place(shown) == 4
        assert shown[5].split()[-1] == "kept"
        assert "that may stay. Move the cut down." in part(app, "said")
        assert part(app, "sizes").startswith("34k → –")
        await pilot.press("enter")
        await pilot.pause()
        assert app.chosen == []
        assert "cannot be compacted like this" in part(app, "said")
        await pilot.press("down", "enter")
        await pilot.pause()
    assert [choice.wish.cut.position for choice in app.chosen if choice and choice.wish.cut] == [8]


async def test_p_pins_the_block_under_the_cursor_and_takes_it_back() -> None:
    app = PreviewApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("g", "j", "p")
        await pilot.pause()
        assert rows(app)[1].split()[:2] == ["▎◆", "assistant"]
        await pilot.press("j", "j", "p", "p")
        await pilot.pause()
        assert rows(app)[3].split()[:2] == ["▎░", "assistant"]
        await pilot.press("enter")
        await pilot.pause()
    assert app.chosen == [Choice(CompactionWish(), ("e0001",))]


async def test_too_many_pins_are_refused_with_the_reason() -> None:
    app = PreviewApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("G", "k", "k", "p")
        await pilot.pause()
        assert "pinned entries take 6,000" in part(app, "said")
        await pilot.press("p")
        await pilot.pause()
        assert part(app, "said") == ""


async def test_an_older_pin_is_not_taken_away_here() -> None:
    app = PreviewApp(Talk(pinned=[4]))
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("g", "j", "j", "j", "j", "p")
        await pilot.pause()
        assert rows(app)[4].split()[0] == "▎◆"
        assert "was pinned before" in part(app, "said")


async def test_x_leaves_a_block_out_only_above_the_cut() -> None:
    app = PreviewApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("x", "G", "x")
        await pilot.pause()
        assert "only what is above the cut" in part(app, "said")
        assert rows(app)[7].split()[0] == "×"
        await pilot.press("enter")
        await pilot.pause()
    assert app.chosen == [Choice(CompactionWish(excluded=("e0007",)))]


async def test_a_result_that_is_left_out_with_its_call_comes_back_with_it() -> None:
    app = PreviewApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("g", "j", "x", "j", "x")
        await pilot.pause()
        assert [row.split()[0] for row in rows(app)[1:3]] == ["×", "▎×"]
        assert "left out with its call; x there" in part(app, "said")
        # Too much would be kept at the first cut: the answer is a refusal, and the rows are those of before.
        await pilot.press("up", "up")
        await pilot.pause()
        assert [row.split()[0] for row in rows(app)[1:3]] == ["×", "×"]
        await pilot.press("g", "j", "x")
        await pilot.pause()
        assert "×" not in "".join(rows(app))


async def test_escape_leaves_everything_as_it_is() -> None:
    app = PreviewApp()
    await after(app, "down", "p", "escape")
    assert app.chosen == [None]


async def test_keys_typed_quickly_act_in_the_order_they_were_typed() -> None:
    app = PreviewApp()
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.press("down", "x", "enter", "escape")
        await pilot.pause()
    (choice,) = app.chosen
    assert choice is not None
    assert choice.wish.cut is not None
    assert (choice.wish.cut.position, choice.wish.excluded) == (11, ("e0010",))


async def test_focus_and_model_are_shown() -> None:
    app = PreviewApp(wish=CompactionWish(focus="the [/loader] \x1b[1m", model_id="offline/rehearsal"))
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        assert part(app, "focus") == "focus  the [/loader]"
        assert part(app, "title").endswith("auto by offline/rehearsal")


async def test_where_there_is_nothing_to_compact_the_reason_is_all_there_is() -> None:
    app = PreviewApp(NothingToCompact())
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        assert "nothing before the cut. Go on" in part(app, "said")
        await pilot.press("up", "p", "x", "j", "enter")
        await pilot.pause()
        assert app.chosen == []
        await pilot.press("escape")
        await pilot.pause()
    assert app.chosen == [None]


async def test_of_a_long_talk_the_cut_is_in_sight_wherever_it_moves() -> None:
    app = PreviewApp(Talk(turns=60))
    async with app.run_test(size=USUAL) as pilot:
        await pilot.pause()
        await pilot.pause()
        for key in ("up", "up", "up", "down"):
            await pilot.press(key)
            await pilot.pause()
            assert any("╌" in row for row in rows(app))
        await pilot.press("g")
        await pilot.pause()
        assert not any("╌" in row for row in rows(app))
        await pilot.press(".")
        await pilot.pause()
        assert any("╌" in row for row in rows(app))
