from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.errors import BadResponse
from diligent_tui.providers import sse
from diligent_tui.providers.sse import EventReader, ServerEvent, event_object, server_events

STREAMS: dict[str, tuple[bytes, list[tuple[str, bytes]]]] = {
    "one event": (b"event: ping\ndata: {}\n\n", [("ping", b"{}")]),
    "no name": (b"data: a\n\n", [("", b"a")]),
    "no space": (b"event:x\ndata:a\n\n", [("x", b"a")]),
    "two spaces": (b"data:  a\n\n", [("", b" a")]),
    "many lines of data": (b"data: a\ndata: b\ndata\ndata: c\n\n", [("", b"a\nb\n\nc")]),
    "an empty line of data": (b"data:\n\n", [("", b"")]),
    "a comment": (b": hello\ndata: a\n: there\n\n", [("", b"a")]),
    "only comments": (b": a\n\n: b\n\n", []),
    "a name without data": (b"event: x\n\ndata: a\n\n", [("", b"a")]),
    "a name twice": (b"event: x\nevent: y\ndata: a\n\n", [("y", b"a")]),
    "other fields": (b"id: 1\nretry: 5\nfoo\ndatabase: no\ndata: a\n\n", [("", b"a")]),
    "line breaks of other systems": (b"event: x\r\ndata: a\r\n\r\ndata: b\r\r", [("x", b"a"), ("", b"b")]),
    "mixed line breaks": (b"data: a\r\ndata: b\rdata: c\n\r\n", [("", b"a\nb\nc")]),
    "a mark of byte order": (b"\xef\xbb\xbfdata: a\n\n", [("", b"a")]),
    "such a mark elsewhere": (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", [("", b"a")]),
    "many blank lines": (b"\n\n\ndata: a\n\n\n\n", [("", b"a")]),
    "an event without its end": (b"data: a\n\ndata: b\n", [("", b"a")]),
    "a name that is no text": (b"event: \xff\ndata: a\n\n", [("\ufffd", b"a")]),
    "nothing": (b"", []),
}


def read(*chunks: bytes) -> list[ServerEvent]:
    reader = EventReader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_is_read_as_the_standard_says(stream: str) -> None:
    data, events = STREAMS[stream]
    assert read(data) == events


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_is_the_same_byte_by_byte(stream: str) -> None:
    data, events = STREAMS[stream]
    assert read(*(data[at : at + 1] for at in range(len(data)))) == events


lines = st.sampled_from(
    [b"data: a", b"data:", b"data", b"event: x", b": c", b"", b"", b"id: 1", b"data: \xc3\xa9 ", b"\xef\xbb\xbfdata: q"]
)
breaks = st.sampled_from([b"\n", b"\r\n", b"\r"])


@given(st.lists(st.tuples(lines, breaks), max_size=30), st.lists(st.integers(0, 300), max_size=12))
def test_however_a_stream_is_cut_its_events_are_the_same(parts: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    whole = b"".join(line + end for line, end in parts)
    places = sorted({0, *(min(cut, len(whole)) for cut in cuts), len(whole)})
    chunks = [whole[begin:end] for begin, end in zip(places, [*places[1:], len(whole)], strict=True)]
    assert read(*chunks) == read(whole)


@given(st.binary(max_size=200), st.integers(0, 200))
def test_no_bytes_break_the_reader(data: bytes, cut: int) -> None:
    assert read(data[:cut], data[cut:]) == read(data)


def test_an_event_is_given_out_with_its_last_byte() -> None:
    reader = EventReader()
    assert reader.feed(b"data: a\r\n") == []
    assert reader.feed(b"\r") == [("", b"a")]
    assert reader.feed(b"\ndata: b\n") == []
    assert reader.feed(b"\n") == [("", b"b")]


@pytest.mark.parametrize("piece", [b"x" * 100, b"data: x\n", b": x\n"])
def test_an_event_beyond_all_measure_is_refused(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MOST_EVENT_BYTES", 1000)
    reader = EventReader()
    for _ in range(1000 // len(piece)):
        assert reader.feed(piece) == []
    with pytest.raises(BadResponse):
        reader.feed(piece)


def test_many_events_together_may_be_beyond_that_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MOST_EVENT_BYTES", 1000)
    reader = EventReader()
    assert sum(len(reader.feed(b"data: abcdef\n\n")) for _ in range(1000)) == 1000


async def test_events_come_from_chunks_too() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield b"data: a\n"
        yield b"\ndata: b\n\n"

    assert [event async for event in server_events(chunks())] == [("", b"a"), ("", b"b")]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"1", b'"a"', b"\xff", b"[" * 100_000, b"9" * 5000])
def test_data_that_is_no_object_is_a_bad_response(data: bytes) -> None:
    with pytest.raises(BadResponse):
        event_object(data)


def test_data_that_is_an_object_is_read() -> None:
    assert event_object('{"a": "é"}'.encode()) == {"a": "é"}
