"""The recorder: exact, bounded, and without the text of streams."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from diligent_tui.agent.trace import TraceRecorder
from diligent_tui.agent.trace_size import CUT, MOST_ITEMS, MOST_TEXT_CHARS, slimmed
from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.times import Clock


def ticking() -> Clock:
    """Each look at it is a second later."""

    def moments() -> Iterator[datetime]:
        at = datetime(2026, 1, 2, 3, tzinfo=UTC)
        while True:
            yield at
            at += timedelta(seconds=1)

    beats = moments()
    return lambda: next(beats)


def test_pieces_of_a_stream_are_one_record_that_grows_and_keeps_no_word() -> None:
    recorder = TraceRecorder(ticking())
    for piece in (
        ev.TextDelta("m", "secret "),
        ev.ThinkingDelta("m", "hm"),
        ev.TextDelta("m", "words"),
        ev.ToolOutput("c", "out"),
    ):
        recorder(piece)
    text, thinking, output = recorder.records
    assert (text.chars, text.repeats, thinking.chars, output.chars) == (12, 1, 2, 3)
    assert text.until is not None
    assert (text.until - text.at).total_seconds() == 2
    assert "secret" not in repr(recorder.records)


def test_the_next_request_begins_a_stream_of_its_own() -> None:
    recorder = TraceRecorder()
    recorder(ev.ToolOutput("c", "one"))
    recorder(ev.StepStarted("t", "m", 1, "x/y"))
    recorder(ev.ToolOutput("c", "two"))
    assert [record.chars for record in recorder.records] == [3, 0, 3]


def test_the_oldest_records_are_dropped_and_counted() -> None:
    recorder = TraceRecorder(most_records=3)
    for number in range(10):
        recorder(ev.ModeChanged(str(number)))
    assert [record.number for record in recorder.records] == [7, 8, 9]
    assert (recorder.heard, recorder.dropped) == (10, 7)
    assert [record.number for record in recorder.take_changes()] == [7, 8, 9]


def test_a_stream_whose_record_was_dropped_begins_anew() -> None:
    recorder = TraceRecorder(most_records=2)
    recorder(ev.TextDelta("m", "one"))
    recorder(ev.ModeChanged("a"))
    recorder(ev.ModeChanged("b"))
    recorder(ev.TextDelta("m", "four"))
    assert recorder.records[-1].chars == 4


def test_changes_are_what_came_or_grew_since_they_were_taken() -> None:
    recorder = TraceRecorder()
    recorder(ev.TextDelta("m", "one"))
    recorder(ev.ModeChanged("a"))
    assert [record.number for record in recorder.take_changes()] == [0, 1]
    recorder(ev.TextDelta("m", "two"))
    assert [record.number for record in recorder.take_changes()] == [0]
    assert recorder.take_changes() == []


def test_long_texts_lose_their_end_and_say_how_long_they_were() -> None:
    long = "x" * 50_000
    recorder = TraceRecorder()
    recorder(ev.ToolFinished("c", "bash", long, is_error=False, duration_seconds=1.0))
    record = recorder.records[0]
    assert isinstance(record.event, ev.ToolFinished)
    assert record.chars == 50_000
    assert CUT.search(record.event.output)
    assert len(record.event.output) < MOST_TEXT_CHARS + 50


def test_arguments_problems_and_queues_are_bounded_however_they_are_nested() -> None:
    long = "y" * 100_000
    deep: dict[str, object] = {"text": long}
    for _ in range(50):
        deep = {"in": deep, "many": [long] * 500}
    events: tuple[ev.Event, ...] = (
        ev.ToolStarted("c", "write", deep),
        ev.StorageFailed(Problem("storage", long, long), long),
        ev.QueueChanged(tuple(ev.QueuedText(str(number), long, "queue") for number in range(500))),
    )
    most = 8 * MOST_ITEMS * (MOST_TEXT_CHARS + 100)
    assert all(len(repr(slimmed(event))) < most for event in events)
    assert isinstance(deep["in"], dict)


def test_what_is_short_stays_the_same_object() -> None:
    event = ev.ModelChanged("maker/one", "high")
    assert slimmed(event) is event
