"""Damaged lines cost themselves and nothing else, and reading changes no byte."""

import json
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.storage import jsonl
from diligent_tui.storage.jsonl import (
    Line,
    encode_line,
    open_reading,
    parse_line,
    read_lines,
    read_lines_backwards,
    salvage,
)

RECORD: JsonObject = {"type": "message", "id": "0000000a", "parentId": None, "text": "naïve 🦊 \u2028 \u0085 \x0b"}
WHOLE = encode_line(RECORD)
BLOCKS: JsonObject = {
    "type": "message",
    "id": "0000000b",
    "parentId": "0000000a",
    "message": {"role": "assistant", "content": [{"type": "text", "text": f"block {n}"} for n in range(40)]},
}


@contextmanager
def reading(data: bytes, folder: Path) -> Generator[int]:
    """A descriptor on these bytes, which are checked to be the same afterwards."""
    path = folder / "file.jsonl"
    path.write_bytes(data)
    descriptor = open_reading(path)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
    assert path.read_bytes() == data


def values(data: bytes, folder: Path) -> list[JsonObject | None]:
    with reading(data, folder) as descriptor:
        return [parse_line(line.data) for line in read_lines(descriptor)]


def test_a_line_is_ascii_and_comes_back_as_it_was() -> None:
    assert WHOLE.isascii()
    assert WHOLE.count(b"\n") == 1
    assert WHOLE.endswith(b"\n")
    assert parse_line(WHOLE[:-1]) == RECORD


def nested(levels: int) -> JsonObject:
    value: JsonObject = {}
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 10**5000, b"bytes", nested(100_000)],
    ids=["nan", "inf", "huge", "bytes", "deep"],
)
def test_nothing_that_is_not_json_is_written(value: object) -> None:
    with pytest.raises(StorageError, match="JSON") as caught:
        encode_line({"type": "x", "value": value})
    assert caught.value.advice


def test_a_line_too_long_to_be_read_again_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE_BYTES", 20)
    fits = encode_line({"a": "x" * 12})
    assert parse_line(fits[:-1]) is not None
    with pytest.raises(StorageError) as caught:
        encode_line({"a": "x" * 13})
    assert caught.value.advice


@pytest.mark.parametrize("cut", range(len(WHOLE) - 1))
def test_a_tail_torn_at_any_byte_costs_that_line_only(cut: int, tmp_path: Path) -> None:
    found = values(WHOLE + WHOLE[:cut], tmp_path)
    assert found[0] == RECORD
    assert found[1:] == ([None] if cut else [])


DAMAGED: dict[str, bytes] = {
    "a run of NUL": b"\x00" * 4096,
    "invalid UTF-8": b'{"type":"message","id":"\xff\xfe","parentId":null}',
    "half a character in UTF-8": b'{"a":"\xed\xa0\x80"}',
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":-Infinity}',
    "a float beyond all": b'{"a":1e999}',
    "nested too deep": b"[" * 100_000,
    "an object nested too deep": b'{"a":' * 100_000,
    "an integer of 5,000 digits": b'{"a":' + b"9" * 5000 + b"}",
    "an array": b"[1,2]",
    "a string": b'"text"',
    "null": b"null",
    "a number": b"12",
    "true": b"true",
    "prose": b"what is this?",
    "UTF-16": '{"a":1}'.encode("utf-16"),
}
INTACT: dict[str, bytes] = {
    "raw U+2028": '{"a":"x\u2028y"}'.encode(),
    "raw U+0085": '{"a":"x\u0085y"}'.encode(),
    "a byte order mark": b'\xef\xbb\xbf{"a":"x"}',
    "CRLF": b'{"a":"x"}\r',
    "blanks around": b'  {"a":"x"}\t ',
    "a key twice": b'{"a":"w","a":"x"}',
    "half a character as an escape": b'{"a":"\\ud83d"}',
    "depth 100": b'{"a":' * 100 + b"1" + b"}" * 100,
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_line_is_told_and_its_neighbours_are_read(damage: bytes, tmp_path: Path) -> None:
    assert values(WHOLE + damage + b"\n" + WHOLE, tmp_path) == [RECORD, None, RECORD]


@pytest.mark.parametrize("line", INTACT.values(), ids=INTACT.keys())
def test_an_odd_line_is_read(line: bytes, tmp_path: Path) -> None:
    before, odd, after = values(WHOLE + line + b"\n" + WHOLE, tmp_path)
    assert (before, after) == (RECORD, RECORD)
    assert odd is not None
    assert "a" in odd


def test_blank_lines_are_no_damage(tmp_path: Path) -> None:
    assert values(b"\n \n\r\n\t\n" + WHOLE + b"\n\n", tmp_path) == [RECORD]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert values(b"", tmp_path) == []


def test_a_line_beyond_the_limit_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE_BYTES", len(WHOLE))
    monkeypatch.setattr(jsonl, "READ_BYTES", 16)
    huge = encode_line_unchecked({"type": "x", "text": "y" * 5000})
    with reading(WHOLE + huge + WHOLE, tmp_path) as descriptor:
        lines = list(read_lines(descriptor))
        backwards = list(read_lines_backwards(descriptor))
    assert [parse_line(line.data) for line in lines] == [RECORD, None, RECORD]
    assert max(len(line.data) for line in lines) == len(WHOLE) + 1
    assert backwards == lines[::-1]


def encode_line_unchecked(value: JsonObject) -> bytes:
    return json.dumps(value).encode() + b"\n"


def records(data: bytes) -> list[JsonObject | None]:
    return [parse_line(record.data) for record in salvage(data)]


@pytest.mark.parametrize("cut", range(len(WHOLE) - 1))
def test_a_record_glued_to_a_torn_one_is_salvaged(cut: int) -> None:
    line = WHOLE[:cut] + WHOLE[:-1]
    if cut == 0:
        assert parse_line(line) == RECORD
    else:
        assert parse_line(line) is None
        assert salvage(line) == [Line(cut, WHOLE[:-1])]


@pytest.mark.parametrize("share", range(1, 20))
def test_the_blocks_of_a_torn_record_do_not_hide_the_one_glued_to_it(share: int) -> None:
    long = encode_line(BLOCKS)[:-1]
    torn = long[: len(long) * share // 20]
    assert records(torn + WHOLE[:-1]) == [RECORD]
    assert records(torn + long) == [BLOCKS]


def test_whole_records_on_one_line_are_all_salvaged() -> None:
    long = encode_line(BLOCKS)[:-1]
    assert records(WHOLE[:-1] + long + WHOLE[:-1]) == [RECORD, BLOCKS, RECORD]


@pytest.mark.parametrize("noise", [b"\x00" * 700, b"\xff\xfe", "ünï".encode(), b'{"type":', b'"'])
def test_noise_beside_a_record_does_not_hide_it(noise: bytes) -> None:
    assert salvage(noise + WHOLE[:-1] + noise) == [Line(len(noise), WHOLE[:-1])]


def test_a_header_on_a_damaged_line_is_salvaged() -> None:
    header: JsonObject = {"type": "session", "version": 2, "id": "x", "timestamp": ""}
    assert records(encode_line(header)[:-1] + WHOLE[:-1]) == [header, RECORD]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x00",
        b"prose",
        b'{"type":"text","text":"x"}{',
        b'{"type":3,"id":"a","parentId":null}x',
        *DAMAGED.values(),
    ],
)
def test_what_is_no_record_is_not_salvaged(data: bytes) -> None:
    assert salvage(data) == []


def test_many_beginnings_of_records_cost_no_more_than_a_few_tries() -> None:
    """Were every beginning tried, this would take hours."""
    assert salvage(b'{"type":[' * 1_000_000) == []


LINE_BYTES = st.binary(max_size=12).map(lambda data: data.replace(b"\n", b"")) | st.sampled_from(
    [b"", b" ", b"\r", WHOLE[:-1], b"\x00"]
)


@settings(deadline=None, max_examples=400)
@given(
    st.lists(LINE_BYTES, max_size=8),
    st.booleans(),
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(1, 40) | st.just(1000),
)
def test_lines_forwards_and_backwards_are_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[bytes],
    ends: bool,
    chunk: int,
    tail_chunk: int,
    longest: int,
) -> None:
    data = b"\n".join(lines) + (b"\n" if ends else b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "READ_BYTES", chunk)
        patch.setattr(jsonl, "TAIL_READ_BYTES", tail_chunk)
        patch.setattr(jsonl, "LONGEST_LINE_BYTES", longest)
        with reading(data, tmp_path_factory.getbasetemp()) as descriptor:
            forwards = list(read_lines(descriptor))
            backwards = list(read_lines_backwards(descriptor))
    expected = plain_lines(data, longest)
    assert forwards == expected
    assert backwards == expected[::-1]


def plain_lines(data: bytes, longest: int) -> list[Line]:
    """The same by the plainest means."""
    offset = 0
    found: list[Line] = []
    for line in data.split(b"\n"):
        if line[: longest + 1].strip():
            found.append(Line(offset, line[: longest + 1]))
        offset += len(line) + 1
    return found


def test_reading_backwards_costs_what_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    pread = os.pread

    def counting(descriptor: int, size: int, offset: int) -> bytes:
        taken.append(size)
        return pread(descriptor, size, offset)

    with reading(WHOLE * 10_000, tmp_path) as descriptor:
        monkeypatch.setattr(os, "pread", counting)
        next(read_lines_backwards(descriptor))
    assert sum(taken) <= jsonl.TAIL_READ_BYTES


@settings(deadline=None, max_examples=500)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_parser(data: bytes) -> None:
    value = parse_line(data)
    assert value is None or all(isinstance(key, str) for key in value)
    for record in salvage(data):
        assert data[record.offset : record.offset + len(record.data)] == record.data


def make_link(path: Path) -> None:
    target = path.with_name("target")
    target.write_bytes(WHOLE)
    path.symlink_to(target)


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


NO_FILES: dict[str, Callable[[Path], None]] = {
    "a link": make_link,
    "a pipe": make_pipe,
    "a folder": Path.mkdir,
    "nothing": lambda _: None,
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES.keys())
def test_only_a_plain_file_is_opened_and_nothing_hangs(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    make(path)
    held = open_files()
    with pytest.raises(StorageError, match=r"x\.jsonl"):
        open_reading(path)
    assert open_files() == held


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
