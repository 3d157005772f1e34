"""Diffs without a screen: what is read, what is compared, and that nothing is lost on the way."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.ui.widgets.diff import Diff, count_changes, diff_texts, parse_diff
from diligent_tui.ui.widgets.diff.comparing import MOST_COMPARED_LINES
from diligent_tui.ui.widgets.diff.words import MOST_CHARS, Spans, paired, word_changes

LINES = st.lists(st.sampled_from(["a", "b", "", "  x = 1", "-- x", "++ y", "@@ -1 +1 @@", "\x0bodd\x85"]), max_size=12)
TEXTS = st.tuples(LINES, st.booleans()).map(lambda made: "\n".join(made[0]) + ("\n" if made[0] and made[1] else ""))
WORDS = st.text(alphabet="ab _(=.é👍\u0301", max_size=40)


def outside(text: str, spans: Spans) -> str:
    """The text without its marked stretches."""
    kept, at = "", 0
    for begin, end in spans:
        kept, at = kept + text[at:begin], end
    return kept + text[at:]


def unified(old: str, new: str) -> str:
    """What a tool would write; difflib leaves out the sign for a missing newline."""
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), "a/x.py", "b/x.py", lineterm="")
    return "\n".join(lines)


@given(TEXTS, TEXTS)
def test_the_model_of_two_texts_gives_both_back(old: str, new: str) -> None:
    diff = diff_texts(old, new, context_lines=None)
    if old == new:
        assert diff == Diff()
    else:
        (hunk,) = diff.files[0].hunks
        assert (hunk.old_text, hunk.new_text) == (old, new)


@given(TEXTS, TEXTS)
def test_hunks_with_little_context_hold_every_change(old: str, new: str) -> None:
    whole, short = diff_texts(old, new, context_lines=None), diff_texts(old, new)
    assert (short.added, short.removed) == (whole.added, whole.removed)
    for file in short.files:
        for hunk in file.hunks:
            assert hunk.old_text in f"{old}\n"
            assert hunk.new_text in f"{new}\n"


@given(TEXTS, TEXTS)
def test_a_unified_diff_is_read_as_it_was_meant(old: str, new: str) -> None:
    text = unified(old, new)
    signs = [line[:1] for line in text.split("\n")[2:] if not line.startswith("@@ ")]
    hunks = [hunk for file in parse_diff(text).files for hunk in file.hunks]
    assert sum(line.kind == "added" for hunk in hunks for line in hunk.lines) == signs.count("+")
    assert sum(line.kind == "removed" for hunk in hunks for line in hunk.lines) == signs.count("-")
    old_lines, new_lines = old.split("\n"), new.split("\n")
    for line in (line for hunk in hunks for line in hunk.lines):
        assert line.old_number is None or old_lines[line.old_number - 1] == line.text
        assert line.new_number is None or new_lines[line.new_number - 1] == line.text


@given(WORDS, WORDS)
def test_what_is_outside_of_marked_words_is_the_same_on_both_sides(old: str, new: str) -> None:
    changes = word_changes(old, new)
    if changes is not None:
        assert outside(old, changes[0]) == outside(new, changes[1])
        for text, spans in zip((old, new), changes, strict=True):
            edges = [edge for span in spans for edge in span]
            assert edges == sorted(set(edges))
            assert not edges or (edges[0] >= 0 and edges[-1] <= len(text))


@given(LINES, LINES)
def test_every_line_of_a_change_is_paired_once_and_in_order(old: list[str], new: list[str]) -> None:
    pairs = paired(old, new)
    assert [i for i, _ in pairs if i is not None] == list(range(len(old)))
    assert [j for _, j in pairs if j is not None] == list(range(len(new)))


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("x = read(a)", "x = read(b)", ("a", "b")),
        ("for layer in layers:", "for layer in sorted(layers):", ("", "sorted()")),
        ("old words here stay", "new signs here stay", ("old words", "new signs")),
        ("same", "same", ("", "")),
        ("tail ", "tail", (" ", "")),
    ],
)
def test_changed_words_are_marked(old: str, new: str, marked: tuple[str, str]) -> None:
    changes = word_changes(old, new)
    assert changes is not None
    assert (
        tuple("".join(text[a:b] for a, b in spans) for text, spans in zip((old, new), changes, strict=True)) == marked
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("return tree", "def other(): pass"), ("x" * (MOST_CHARS + 1), "x"), ("a " * 400, "b " * 400), ("", "a word")],
)
def test_lines_that_have_little_in_common_or_are_too_long_have_no_marks(old: str, new: str) -> None:
    assert word_changes(old, new) is None


def test_a_removed_line_that_looks_like_a_file_name_is_a_line() -> None:
    diff = parse_diff("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a note\n keep\n")
    assert [(file.name, len(file.hunks)) for file in diff.files] == [("x.sql", 1)]
    assert diff.files[0].hunks[0].lines[0].text == "-- a note"


@pytest.mark.parametrize(
    ("text", "names", "notes", "counts"),
    [
        ("", [], [], (0, 0)),
        ("no diff at all\n", [], [], (0, 0)),
        ("--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n", ["new.py"], ["new file"], (2, 0)),
        ("--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", ["old.py"], ["deleted"], (0, 1)),
        ("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-cut\n+off", ["x"], [""], (1, 1)),
        (
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\nBinary files a/y and b/y\n",
            ["x", ""],
            ["", "Binary files a/y and b/y"],
            (1, 1),
        ),
        ("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", [""], [""], (1, 1)),
    ],
)
def test_odd_diffs_are_read_as_far_as_they_go(
    text: str, names: list[str], notes: list[str], counts: tuple[int, int]
) -> None:
    diff = parse_diff(text)
    assert [file.name for file in diff.files] == names
    assert [file.note for file in diff.files] == notes
    assert count_changes(text) == counts


@given(st.text(alphabet="-+@ \\1,a\n", max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    diff = parse_diff(text)
    assert diff.added + diff.removed <= text.count("\n") + 1


def test_a_diff_beyond_the_limit_says_how_much_is_left_out() -> None:
    text = "--- a/x\n+++ b/x\n@@ -0,0 +1,100 @@\n" + "".join(f"+{n}\n" for n in range(100))
    diff = parse_diff(text, most_lines=53)
    assert (diff.added, diff.left_out_lines) == (50, 50)


@pytest.mark.parametrize(("between", "hunks"), [(6, 1), (7, 1), (8, 2)])
def test_no_fold_hides_a_single_line(between: int, hunks: int) -> None:
    lines = [f"{number}\n" for number in range(between)]
    diff = diff_texts("".join(["a\n", *lines, "b\n"]), "".join(["A\n", *lines, "B\n"]))
    assert len(diff.files[0].hunks) == hunks


def test_texts_too_different_to_compare_are_exchanged_whole() -> None:
    count = MOST_COMPARED_LINES + 1
    old, new = "".join(f"a{n}\n" for n in range(count)), "".join(f"b{n}\n" for n in range(count))
    diff = diff_texts(old, new)
    assert (diff.added, diff.removed) == (count, count)
