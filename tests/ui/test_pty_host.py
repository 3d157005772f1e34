"""The instruments are right: the grammar finds what is foreign, the small screen shows what a terminal would."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.ui.terminal import reset_sequence
from tests.ui.escape_grammar import foreign_sequences
from tests.ui.pty_host import PtyHost
from tests.ui.vt_screen import VtScreen

FOREIGN = (
    b"\x1b]52;c;aGk=\x07",
    b"\x1b]52;c;aGk=\x1b\\",
    b"\x1b]0;title\x07",
    b"\x1b]8;;http://localhost\x1b\\",
    b"\x1b]22;x;y\x07",
    b"\x1bP1;2q~\x1b\\",
    b"\x1b_Ga=T;AAAA\x1b\\",
    b"\x1b^private\x1b\\",
    b"\x1bXstring\x1b\\",
    b"\x1b[6n",
    b"\x1b[c",
    b"\x1b[>c",
    b"\x1b[2J",
    b"\x1b[3J",
    b"\x1b[?1047h",
    b"\x1b[?25;1049h",
    b"\x1b[?5$p",
    b"\x1b[2 q",
    b"\x1b[1;5r",
    b"\x1b[4h",
    b"\x1b[>4;2m",
    b"\x1b[8;50;100t",
    b"\x1bc",
    b"\x1b7",
    b"\x1b8",
    b"\x1b\\",
    b"\x18",
    b"\x1b(0",
    b"\x1b%G",
    b"\x07",
    b"\x08",
    b"\x00",
    b"\x7f",
    b"\xc2\x9b",
    b"\xc2\x9d",
    b"\x9b",
    b"\xed\xa0\x80",
    "\u202e".encode(),
    "\U000e0041".encode(),
)
CLEAN = (
    b"plain \xe2\x94\x82 \xf0\x9f\xa7\x91\xe2\x80\x8d\xf0\x9f\x9a\x80\r\n",
    b"\x1b[38;2;1;2;3;48;5;7;1mx\x1b[0m\x1b[m",
    b"\x1b[12;3Hx\x1b[H\x1b[K\x1b[2A\x1b[J",
    b"\x1b[?1049h\x1b[?1003h\x1b[?2004h\x1b[?2026h\x1b[?2048l\x1b[?7l\x1b[?25h\x1b[?1004l",
    b"\x1b[?2026$p\x1b[>25u\x1b[<u\x1b]22;pointer\x07",
)


@pytest.mark.parametrize("sequence", FOREIGN, ids=repr)
def test_a_foreign_sequence_is_found_between_clean_ones(sequence: bytes) -> None:
    assert b"".join(foreign_sequences(CLEAN[0] + sequence + CLEAN[1])) == sequence


@pytest.mark.parametrize("sequence", [b"\x1b]52;c;aGk=", b"\x1b[12", b"\x1b", b"\x1bPq"], ids=repr)
def test_a_sequence_cut_short_is_found_too(sequence: bytes) -> None:
    assert foreign_sequences(b"text" + sequence)[0].startswith(b"\x1b")
    assert foreign_sequences(b"text" + sequence + b"\x1b[1;1Hmore")[0].startswith(b"\x1b")


@pytest.mark.parametrize("cut", [b"\x1b", b"\x1b[38;2;1", b"\xe2\x94", b"\x1b]22;poin"], ids=repr)
def test_a_frame_that_a_signal_cut_is_our_own_but_only_right_before_the_reset(cut: bytes) -> None:
    reset = reset_sequence().encode()
    assert foreign_sequences(b"text" + cut + reset) == []
    assert foreign_sequences(b"text" + cut + b"\x1b[1;1H" + reset) != []


@pytest.mark.parametrize("output", CLEAN, ids=repr)
def test_what_a_clean_run_writes_is_not_foreign(output: bytes) -> None:
    assert foreign_sequences(output) == []


@given(
    # Not empty: at the very beginning one sequence is our own.
    st.text(st.characters(exclude_categories=["C"]), min_size=1),
    st.sampled_from(FOREIGN),
    st.text(st.characters(exclude_categories=["C"])),
)
def test_only_what_is_foreign_is_found_in_any_text(before: str, sequence: bytes, after: str) -> None:
    assert foreign_sequences(before.encode() + b"\x1b[0m" + after.encode()) == []
    assert b"".join(foreign_sequences(before.encode() + sequence + b"\x1b[0m" + after.encode())) == sequence


@pytest.mark.parametrize(
    ("output", "rows"),
    [
        (b"ab\r\ncd", ["ab", "cd", ""]),
        (b"\x1b[2;3Hx\x1b[Hy", ["y", "  x", ""]),
        (b"abcdefgh", ["abcde", "fgh", ""]),
        (b"\x1b[?7labcdefgh", ["abcdh", "", ""]),
        (b"1\r\n2\r\n3\r\n4", ["2", "3", "4"]),
        (b"abcde\x1b[1;3H\x1b[K", ["ab", "", ""]),
        (b"abcde\x1b[1;3H\x1b[1K", ["   de", "", ""]),
        (b"ab\r\ncd\r\nef\x1b[2;2H\x1b[J", ["ab", "c", ""]),
        (b"ab\r\ncd\x1b[2J", ["", "", ""]),
        (b"ab\x1b[D\x1b[Bx\x1b[Ay\x1b[5Gz", ["aby z", " x", ""]),
        ("日本".encode() + b"\x1b[1;3Hx", ["日x", "", ""]),
        ("e\u0301f".encode(), ["e\u0301f", "", ""]),
        (b"main\x1b[?1049h\x1b[Hother", ["other", "", ""]),
        (b"main\x1b[?1049h\x1b[2;1Hother\x1b[?1049l!", ["main!", "", ""]),
        (b"\x1b[1;31mred\x1b[0m\x1b]0;title\x07\x07\x1b]0;title\x1b\\!", ["red!", "", ""]),
    ],
)
def test_the_screen_shows_what_a_terminal_would(output: bytes, rows: list[str]) -> None:
    whole, bitten = VtScreen(5, 3), VtScreen(5, 3)
    whole.feed(output)
    for byte in output:
        bitten.feed(bytes([byte]))
    assert whole.rows == rows
    assert bitten.rows == rows


def test_a_screen_made_smaller_and_larger_keeps_what_fits() -> None:
    screen = VtScreen(5, 3)
    screen.feed(b"abcde\r\nfghij\r\nklmno")
    screen.resize(2, 2)
    screen.resize(4, 3)
    assert screen.rows == ["ab", "fg", ""]
    assert (screen.column, screen.row) == (1, 1)


def test_the_host_is_the_terminal_of_its_program(tmp_path: Path) -> None:
    script = "import os; print(os.get_terminal_size(), os.tcgetpgrp(0) == os.getpgrp()); input(); print('x' * 200_000)"
    with PtyHost([sys.executable, "-c", script], dict(os.environ), tmp_path, (60, 10)) as host:
        host.read_until(r"columns=60, lines=10\) True")
        host.send(b"\r")
        assert host.wait() == 0
        assert host.output.endswith(b"x\r\n")
        assert host.output.count(b"x") == 200_000
