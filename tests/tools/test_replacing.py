"""Exact and unique replacements, in files of every kind of line ending."""

import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.replacing import Edit, find_spans, replaced
from diligent_tui.tools.text_body import decode_body

WORDS = some.sampled_from(["one", "two", "\tthree", " ", "é", "x", ""])
LINES = some.tuples(WORDS, some.sampled_from(["\n", "\r\n"])).map("".join)


@given(
    before=some.lists(LINES, max_size=4).map("".join),
    middle=some.lists(some.sampled_from(["\n", "\r\n", "mid"]), max_size=4).map("".join),
    after=some.lists(LINES, max_size=4).map("".join),
    encoding=some.sampled_from([("utf-8", b""), ("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE)])
    | some.sampled_from([("utf-16-be", codecs.BOM_UTF16_BE), ("latin-1", b"")]),
)
def test_only_the_bytes_of_the_span_change(before: str, middle: str, after: str, encoding: tuple[str, bytes]) -> None:
    codec, mark = encoding
    text = f"{before}<{middle}>{after}"
    data = mark + text.encode(codec)
    body = decode_body(data, "f")
    # As a model writes it: it never sees how lines end.
    old = f"<{middle}>".replace("\r\n", "\n")
    spans = find_spans(body.text, [Edit(old, "new\nlines")], "f")
    made = body.encoded(replaced(body.text, spans))
    start, end = mark + before.encode(codec), after.encode(codec)
    assert made.startswith(start)
    assert made.endswith(end)
    inside = made[len(start) : len(made) - len(end)].decode(codec)
    assert re.fullmatch("new\r?\nlines", inside)
    nearby = re.search("\r?\n", middle) or re.search("\r?\n", after)
    if nearby:
        assert nearby[0] in inside


def test_all_edits_are_found_in_the_text_as_it_is_and_made_at_once() -> None:
    text = "a b c"
    spans = find_spans(text, [Edit("c", "a"), Edit("a", "c")], "f")
    assert replaced(text, spans) == "c b a"


@pytest.mark.parametrize(
    ("text", "edits", "words"),
    [
        ("a\nb\na\n", [Edit("a", "x")], "`old` is in f 2 times (lines 1, 3). Nothing was changed"),
        ("aaa", [Edit("aa", "x")], "`old` is in f 2 times (line 1)"),
        ("x\n" * 20, [Edit("x", "y")], "20 times (lines 1, 2, 3, 4, 5, 6, 7, 8, …)"),
        ("abc", [Edit("a", "x"), Edit("d", "x")], "`old` of edit 2 is not in f"),
        ("abc", [Edit("ab", "x"), Edit("bc", "x")], "Two edits meet in line 1 of f"),
        ("abc", [Edit("", "x")], "`old` is empty"),
        ("abc", [Edit("a", "a")], "are the same: nothing would change"),
        ("a\r\nb", [Edit("a\r\nb", "a\nb")], "are the same (line endings are kept as they are)"),
    ],
)
def test_what_cannot_be_done_is_explained_and_nothing_is(text: str, edits: list[Edit], words: str) -> None:
    with pytest.raises(ToolError, match=re.escape(words)):
        find_spans(text, edits, "f")


@pytest.mark.parametrize(
    ("text", "old", "words"),
    [
        (
            "def f():\n\treturn 1\n",
            "def f():\n    return 1",
            "It is there with other white space, lines 1 to 2:\n     1\tdef f():\n     2\t\treturn 1",
        ),
        ("x = 1\nvalue = compute(a)\n", "value = compute(b)", "Nearest to it, line 2:\n     2\tvalue = compute(a)"),
        ("cafe\u0301\n", "caf\u00e9", "It is there with letters in another Unicode form, line 1:\n     1\tcafe\u0301"),
        ("nothing alike", "????", "Nothing was changed."),
        ("a  b\n" * 3, "a b", "other white space, line 1:"),
    ],
)
def test_the_nearest_lines_are_shown(text: str, old: str, words: str) -> None:
    with pytest.raises(ToolError) as caught:
        find_spans(text, [Edit(old, "new")], "f")
    assert caught.value.message.endswith(words) or words in caught.value.message


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"\x00\x01", "is binary"), (codecs.BOM_UTF16_LE + b"a", "marked as UTF-16-LE"), (b"%PDF-1", "PDF document")],
)
def test_what_is_no_text_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        decode_body(data, "f")
