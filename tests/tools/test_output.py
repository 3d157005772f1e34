"""Both ends of a text, exactly counted and never cut inside a character."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.tools.output import HeadTail, TextStream


def collected(pieces: list[bytes], limit_bytes: int) -> HeadTail:
    ends = HeadTail(limit_bytes)
    for piece in pieces:
        ends.feed(piece)
    return ends


@pytest.mark.parametrize(
    ("text", "limit_bytes", "head", "tail", "left_out_bytes"),
    [
        ("", 10, "", "", 0),
        ("short", 10, "short", "", 0),
        ("exactly 10", 10, "exactly 10", "", 0),
        ("0123456789a", 10, "01234", "6789a", 1),
        ("éééééé", 6, "é", "é", 8),
        ("😀😀😀", 10, "😀", "😀", 4),
        ("abc", 0, "", "", 3),
        ("abc", 1, "a", "", 2),
    ],
)
def test_keeps_both_ends_and_counts_what_is_between(
    text: str, limit_bytes: int, head: str, tail: str, left_out_bytes: int
) -> None:
    kept = collected([text.encode()], limit_bytes).kept()
    assert (kept.head, kept.tail, kept.left_out_bytes) == (head, tail, left_out_bytes)


@given(st.text(max_size=300), st.integers(0, 200), st.lists(st.integers(1, 40), max_size=30))
def test_any_text_in_any_pieces_is_kept_without_a_broken_character(
    text: str, limit_bytes: int, sizes: list[int]
) -> None:
    text = text.replace("\0", "0")
    data = text.encode()
    pieces: list[bytes] = []
    rest = data
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]
    ends = collected([*pieces, rest], limit_bytes)
    kept = ends.kept()
    assert ends.total_bytes == len(data)
    assert text.startswith(kept.head)
    assert text.endswith(kept.tail)
    assert kept.shown_bytes + kept.left_out_bytes == len(data)
    assert kept.shown_bytes <= max(limit_bytes, 0)
    assert kept.shown_bytes >= min(len(data), limit_bytes) - 6
    assert ends.is_cut == (len(data) > limit_bytes)


def test_memory_stays_small_whatever_comes() -> None:
    ends = HeadTail(1_000)
    piece = b"x" * 333
    tracemalloc.start()
    try:
        for _ in range(30_000):
            ends.feed(piece)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert ends.total_bytes == 30_000 * 333
    assert peak_bytes < 20_000


@given(st.binary(max_size=200), st.integers(1, 20))
def test_bytes_of_any_kind_become_text_that_can_be_stored(data: bytes, size: int) -> None:
    stream = TextStream()
    text = "".join(stream.feed(data[start : start + size]) for start in range(0, len(data), size)) + stream.close()
    assert text == data.decode("utf-8", "replace").replace("\0", "\ufffd")
    assert "\0" not in text
    text.encode()
