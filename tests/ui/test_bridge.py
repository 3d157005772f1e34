"""What the bridge hands over in one pass: little enough to be laid out quickly, and never less than all of it."""

from diligent_tui.domain import events as ev
from diligent_tui.ui.bridge import PORTION_CHARS, portions


def words(lots: list[tuple[ev.Event, ...]]) -> str:
    return "".join(event.text for lot in lots for event in lot if isinstance(event, ev.TextDelta))


def test_a_long_text_is_told_in_lots_that_are_each_soon_laid_out() -> None:
    text = "".join(f"{number} " for number in range(5_000))
    lots = portions([ev.StepStarted("t", "m", 1, "offline/rehearsal"), ev.TextDelta("m", text)])
    assert len(lots) > 5
    assert max(len(words([lot])) for lot in lots) <= 2 * PORTION_CHARS
    assert words(lots) == text


def test_the_order_of_events_survives_the_cutting() -> None:
    call = ev.ToolCallReady("c", "read", {"path": "a"})
    lots = portions([ev.TextDelta("m", "x" * PORTION_CHARS), call, ev.TextDelta("n", "y"), ev.TextDelta("n", "z")])
    assert [event for lot in lots for event in lot][1:] == [call, ev.TextDelta("n", "y"), ev.TextDelta("n", "z")]


def test_small_news_is_one_lot_and_so_is_none() -> None:
    news = [ev.TextDelta("m", "a"), ev.ThinkingDelta("m", "b")]
    assert portions(news) == [tuple(news)]
    assert portions([]) == [()]
