"""What a span holds, and what became of it."""

import pytest

from diligent_tui.compaction.coverage import CoverageItem, coverage_of, rescued_line
from diligent_tui.compaction.extractors import (
    MOST_OF_KIND,
    Finding,
    FindingKind,
    findings_of,
    identifiers_in,
    is_decision,
    is_rule,
    sentences_in,
)
from diligent_tui.compaction.mentions import Mention
from diligent_tui.domain.entries import Entry, MessageEntry
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage, UserMessage

TALK: tuple[Entry, ...] = (
    MessageEntry(
        id="00000001",
        message=UserMessage(content="Mend docs/theme.md. Never touch the lock file! how do i run it? use rgb values"),
    ),
    MessageEntry(
        id="00000002",
        message=AssistantMessage(
            content=(
                TextBlock(
                    text="Let me look instead of guessing. I'll use `load_theme` and ThemeLoader rather than a global. "
                    "All 397 tests pass with load_theme; `ThemeLoader` has #8abeb7."
                ),
                ToolCallBlock(id="c", name="bash", input={"command": "npm test src/a.ts > out.log"}),
            )
        ),
    ),
    MessageEntry(
        id="00000003",
        message=ToolResultMessage(
            tool_call_id="c", tool_name="bash", output="src/a.ts(3,4): error TS2345: bad\nfine", is_error=True
        ),
    ),
)


def test_each_kind_is_found_with_its_source() -> None:
    found = {(finding.kind, finding.text, finding.entry_id) for finding in findings_of(TALK)}
    assert found == {
        ("file", "docs/theme.md", "00000001"),
        ("file", "out.log", "00000002"),
        ("constraint", "Never touch the lock file!", "00000001"),
        ("constraint", "use rgb values", "00000001"),
        ("decision", "I'll use `load_theme` and ThemeLoader rather than a global.", "00000002"),
        ("error", "src/a.ts(3,4): error TS2345: bad", "00000003"),
        ("number", "397 tests", "00000002"),
        ("number", "#8abeb7", "00000002"),
        ("identifier", "load_theme", "00000002"),
        ("identifier", "ThemeLoader", "00000002"),
    }


@pytest.mark.parametrize(
    ("sentence", "is_it"),
    [
        ("Never commit without asking.", True),
        ("truncated text must stop when it encounters a new line", True),
        ("use rgb values in the themes, no indices!", True),
        ("the block should stay as is", True),
        ("do we only have a single link color?", False),
        ("why don't you read it", False),
        ("I had some code like this", False),
        ("DO NOT MODIFY:", False),
        ("ok, make muted a little brighter", False),
    ],
)
def test_rules_of_the_users_are_told_from_other_words(sentence: str, is_it: bool) -> None:
    assert is_rule(sentence) == is_it


@pytest.mark.parametrize(
    ("sentence", "is_it"),
    [
        ("We decided to keep the old format.", True),
        ("Let's use SQLite, it is everywhere.", True),
        ("I'll use a temporary file instead of a pipe.", True),
        ("The fix is to call invalidate first.", True),
        ("Now let me read the file instead.", False),
        ("Should we use a pipe instead of a file?", False),
        ("If it fails, it means the join was made.", False),
    ],
)
def test_decisions_are_told_from_chatter(sentence: str, is_it: bool) -> None:
    assert is_decision(sentence) == is_it


def test_sentences_leave_code_and_list_marks_out() -> None:
    text = "- first thing here, e.g. this. second thing?\n```\ncode instead of talk\n```\n1. third thing is long"
    assert list(sentences_in(text)) == [
        "first thing here, e.g. this.",
        "second thing?",
        "third thing is long",
    ]


def test_identifiers_have_a_shape_that_words_have_not() -> None:
    text = "The `word` and `do_it()` of MyClass call obj.method, not http://x.org/aB or e.g. plain Words; MAX_SIZE too."
    assert list(identifiers_in(text)) == ["do_it()", "MyClass", "obj.method", "MAX_SIZE"]


@pytest.mark.parametrize(
    ("kind", "text", "kept", "is_there"),
    [
        ("file", "/long/way/src/a.py", "changed src/a.py", True),
        ("file", "/long/way/src/a.py", "changed lib/a.py", False),
        ("error", "E: " + "x" * 90, "said e: " + "X" * 67 + " and more", True),
        ("number", "39 tests", "all 397 tests pass", False),
        ("number", "397 tests", "all 397 tests pass", True),
        ("identifier", "load", "calls load_theme", False),
        ("identifier", "load_theme", "calls `load_theme`.", True),
        ("identifier", "#8abeb7", "accent #8ABEB7", True),
        ("constraint", "Never touch the lock file!", "- never TOUCH the  lock file", True),
        ("constraint", "Never touch the lock file!", "- touch the file", False),
        ("decision", "I'll use a cache rather than a global", "Chose cache, not global: use a cache rather", True),
    ],
)
def test_a_fact_is_looked_for_the_way_its_kind_asks(kind: FindingKind, text: str, kept: str, is_there: bool) -> None:
    (item,) = coverage_of([Finding(kind, text, "1")], kept, "").items
    assert item.place == ("summary" if is_there else "dropped")


def test_the_report_says_where_each_fact_is_and_what_is_new() -> None:
    findings = [Finding("file", f"src/{name}.py", name) for name in "abcd"]
    made_up = Mention("path", "src/z.py")
    report = coverage_of(findings, "src/a.py", "src/a.py src/b.py", ["knows src/c.py"], [made_up])
    assert [item.place for item in report.items] == ["summary", "ledger", "knowledge", "dropped", "invented"]
    assert report.counts() == dict.fromkeys(("summary", "ledger", "knowledge", "dropped", "invented"), 1)
    assert report.at("dropped") == (CoverageItem("file", "src/d.py", "d", "dropped"),)
    assert rescued_line(report.at("dropped")[0]) == "- src/d.py [d]"


def test_work_on_a_huge_span_is_bounded() -> None:
    words = "\n".join(
        f"never do thing{number} in src/dir{number}/file.py because of name_{number}" for number in range(9_000)
    )
    entry = MessageEntry(id="00000001", message=UserMessage(content=words))
    found = findings_of([entry, entry])
    for kind, most in MOST_OF_KIND.items():
        assert sum(finding.kind == kind for finding in found) <= most
