"""What the summary pane makes of data: rescued facts, versions before, lists of facts, and /compact's words."""

import pytest

from diligent_tui.compaction.coverage import CoverageItem, CoverageReport
from diligent_tui.compaction.extractors import FindingKind
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.errors import UsageError
from diligent_tui.ui.commands.compact_words import read_compact_words
from diligent_tui.ui.panes.summary.findings import Heading, kinds_in, next_heading, next_kind
from diligent_tui.ui.panes.summary.findings import listed as lines_of
from diligent_tui.ui.panes.summary.keys import IN_THE_VERSIONS, Means
from diligent_tui.ui.panes.summary.rescue import rescued
from diligent_tui.ui.panes.summary.version_words import active_of, before, name_of, origin_of, saving_of
from tests.ui.panes.summary_stage import REPORT, SUMMARY, three_versions, version


@pytest.mark.parametrize(
    ("kind", "after", "then"),
    [
        ("decision", "- JSONC and not TOML, because comments must survive [d4e5f6a7]", "## Next Steps"),
        ("constraint", "- Answer in short sentences; never touch `legacy/` [b2c3d4e5]", "## Progress"),
        ("file", "is empty; mended by a default", ""),
        ("error", "is empty; mended by a default", ""),
        ("identifier", "is empty; mended by a default", ""),
    ],
)
def test_a_rescued_fact_stands_last_in_its_section_with_its_source(kind: FindingKind, after: str, then: str) -> None:
    lines = rescued(SUMMARY, CoverageItem(kind, "the very\nfact", "f6a7b8c9", "dropped")).splitlines()
    place = lines.index("- the very fact [f6a7b8c9]")
    assert lines[place - 1].endswith(after)
    assert ([line for line in lines[place + 1 :] if line] or [""])[0] == then
    assert [line for line in lines if line != lines[place]] == SUMMARY.splitlines()


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("## Critical Context\n\n- (none)", "## Critical Context\n\n- the fact [e1]"),
        ("## Critical Context\n\n## Next", "## Critical Context\n\n- the fact [e1]\n\n## Next"),
        ("## critical context\n- a\n", "## critical context\n- a\n- the fact [e1]"),
        ("Just words.", "Just words.\n\n## Critical Context\n\n- the fact [e1]"),
    ],
)
def test_a_rescued_fact_finds_a_place_in_any_summary(summary: str, expected: str) -> None:
    assert rescued(summary, CoverageItem("error", "the fact", "e1", "dropped")) == expected


def test_the_version_before_is_the_one_it_was_made_from_or_the_newest_that_was_not_undone() -> None:
    first, second, third = three_versions()
    assert before((first, second, third), third) is second
    assert before((first, second, third), second) is first
    assert before((first, second, third), first) is None
    undone = version(1, 1, "undone")
    assert before((undone, version(2)), version(2)) is None


def test_a_version_is_told_by_name_saving_and_origin() -> None:
    first, second, third = three_versions()
    assert [name_of(known) for known in (first, second, third)] == ["1.1", "2.1", "2.2"]
    assert origin_of(first) == "context nearly full · strategy auto"
    assert origin_of(second) == "you asked for it · strategy auto · focus: the loader"
    assert origin_of(third) == "edited by you"
    assert saving_of(first.entry) == "−80 %"
    assert saving_of(version(tokens_after=None).entry) == ""
    assert active_of((first, second)) is None


def test_filtering_goes_through_the_kinds_there_are_and_back_to_all() -> None:
    kinds = [None, *kinds_in(REPORT)]
    assert kinds[1:] == ["file", "decision", "constraint", "error", "number", "identifier", "path"]
    assert [next_kind(REPORT, kind) for kind in kinds] == [*kinds[1:], None]
    assert next_kind(CoverageReport(), "file") is None


def test_groups_are_walked_from_first_fact_to_first_fact() -> None:
    lines = lines_of(REPORT, None)
    starts = [place + 1 for place, line in enumerate(lines) if isinstance(line, Heading)]
    walked = [starts[0]]
    for _ in starts:
        walked.append(next_heading(lines, walked[-1], 1))
    assert walked == [*starts, starts[-1]]
    assert next_heading(lines, starts[2], -1) == starts[1]
    assert next_heading(lines, starts[0], -1) == starts[0]


@pytest.mark.parametrize(
    ("words", "wish", "previews"),
    [
        ("", CompactionWish(), False),
        ("keep the error", CompactionWish(focus="keep the error"), False),
        ("--preview", CompactionWish(), True),
        ("the loader --strategy truncate now", CompactionWish(focus="the loader now", strategy="truncate"), False),
        ("--model=a/b --strategy=prune", CompactionWish(strategy="prune", model_id="a/b"), False),
        ("--model a/b don't --preview", CompactionWish(focus="don't", model_id="a/b"), True),
    ],
)
def test_compact_takes_a_focus_and_options_in_any_order(words: str, wish: CompactionWish, previews: bool) -> None:
    read = read_compact_words(words)
    assert (read.wish, read.previews) == (wish, previews)


@pytest.mark.parametrize("words", ["--fast", "--preview=yes", "--strategy", "--strategy --preview", "--model"])
def test_an_option_that_is_not_known_is_answered_with_those_that_are(words: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_compact_words(words)
    assert all(option in refused.value.advice for option in ("--strategy", "--model", "--preview"))


@pytest.mark.parametrize(
    ("means", "offered"),
    [
        (Means(can_undo=True, can_redo=True, can_widen=True), "⏎ d u r w z wide"),
        (Means(can_undo=True, can_redo=False, can_widen=True, is_wide=True), "⏎ d u w z narrow"),
        (Means(can_undo=False, can_redo=True, can_widen=False), "⏎ d r"),
        (Means(can_undo=True, can_redo=False, can_widen=False, is_wide=True), "⏎ d u w z narrow"),
    ],
)
def test_a_key_that_would_do_nothing_is_not_offered(means: Means, offered: str) -> None:
    told = means.among((*IN_THE_VERSIONS, ("z", "wide")))
    assert " ".join(f"{key} {words}" if key == "z" else key for key, words in told) == offered
