"""Unified diffs: right for every pair of texts, bounded, and never slow."""

import difflib

from hypothesis import given
from hypothesis import strategies as some

from diligent_tui.tools.diffs import NO_NEWLINE, Diff, compare, compare_spans
from diligent_tui.tools.replacing import Span, replaced

TEXTS = some.lists(some.sampled_from(["a\n", "b\n", "c\n", "\n", "long line\n", "x"]), max_size=14).map("".join)


def patched(diff: Diff) -> str:
    """The new text as the changes make it from the old one."""
    made: list[str] = []
    at = 0
    for change in diff.changes:
        made += diff.old[at : change.first]
        assert len(made) == change.new_first
        made += diff.new[change.new_first : change.new_last]
        at = change.last
    return "".join([*made, *diff.old[at:]])


@given(old=TEXTS, new=TEXTS)
def test_the_changes_lead_from_the_old_text_to_the_new(old: str, new: str) -> None:
    diff = compare(old, new)
    assert patched(diff) == new
    assert bool(diff.changes) is (old != new)
    assert bool(diff.text("f", 10_000)) is (old != new)


@given(old=TEXTS, cuts=some.lists(some.integers(0, 40), max_size=6, unique=True), new=TEXTS)
def test_known_spans_give_the_same_text(old: str, cuts: list[int], new: str) -> None:
    places = sorted(cut for cut in cuts if cut <= len(old))
    spans = [Span(start, end, new) for start, end in zip(places[::2], places[1::2], strict=False)]
    diff = compare_spans(old, spans)
    assert patched(diff) == replaced(old, spans) == "".join(diff.new)


def test_the_text_is_what_everybody_calls_a_unified_diff() -> None:
    old = "".join(f"{number}\n" for number in range(30))
    new = old.replace("4\n", "four\n", 1).replace("25\n", "")
    expected = difflib.unified_diff(old.splitlines(), new.splitlines(), "f", "f", lineterm="")
    assert compare(old, new).text("f", 10_000).split("\n") == list(expected)


def test_a_missing_last_newline_is_told() -> None:
    text = compare("a\nb", "a\nb\n").text("f", 1_000)
    assert text.split("\n")[-3:] == ["-b", NO_NEWLINE, "+b"]


def test_carriage_returns_are_not_shown() -> None:
    assert "\r" not in compare("a\r\nb\r\n", "a\r\nc\r\n").text("f", 1_000)


def test_a_long_diff_is_cut_and_says_so() -> None:
    text = compare("", "line of text\n" * 1_000).text("f", 1_000)
    assert len(text.encode()) <= 1_000
    assert text.endswith("more lines of this diff are left out; in all +1,000 −0 lines]")


def test_a_line_without_end_is_cut() -> None:
    assert len(compare("", "x" * 100_000).text("f", 50_000)) < 3_000


def test_what_is_too_much_to_compare_is_one_change() -> None:
    old, new = "a\nb\n" * 20_000, "b\na\na\n" * 20_000
    diff = compare("same\n" + old, "same\n" + new)
    assert len(diff.changes) == 1
    assert diff.counts == "+60,000 −40,000 lines"


def test_two_edits_far_apart_in_a_long_file_are_two_hunks() -> None:
    old = "".join(f"line {number}\n" for number in range(200_000))
    spans = [Span(0, 6, "LINE 0"), Span(len(old) - 1, len(old), "!\n")]
    text = compare_spans(old, spans).text("f", 2_000)
    assert text.count("@@ -") == 2
    assert "+line 199999!" in text
