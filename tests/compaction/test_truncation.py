"""A summary without a model has the same sections, keeps to its budget, and passes for a summary."""

from hypothesis import given, settings
from hypothesis import strategies as st

from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.sections import sections_in
from diligent_tui.compaction.truncation import truncated_prefix, truncated_summary
from diligent_tui.compaction.validation import Answer, Source, faults_of
from diligent_tui.domain.entries import Entry
from diligent_tui.domain.estimator import utf8_size
from tests.compaction.test_coverage import TALK
from tests.strategies.conversations import Conversation, Turn, tokens_at, turns

TOKENS_OF = tokens_at(3.0)


def test_the_extracts_stand_under_their_headings() -> None:
    sections = sections_in(truncated_summary(TALK, "", 2_000, TOKENS_OF, focus="the theme"))
    assert sections["Goal"][0].startswith("“Mend docs/theme.md.")
    assert "the theme" in sections["Goal"][1]
    assert sections["Constraints & Preferences"] == [
        "Never touch the lock file! [00000001]",
        "use rgb values [00000001]",
    ]
    assert sections["Key Decisions"] == ["I'll use `load_theme` and ThemeLoader rather than a global. [00000002]"]
    assert sections["Blocked"] == ["src/a.ts(3,4): error TS2345: bad [00000003]"]
    assert "load_theme" in sections["Critical Context"][-1]


def test_an_earlier_summary_is_carried_on() -> None:
    before = "## Goal\n- the first wish\n## Progress\n### Done\n- old deed\n### In Progress\n- half done\n"
    sections = sections_in(truncated_summary(TALK, before, 2_000, TOKENS_OF))
    assert sections["Goal"][0] == "the first wish"
    assert sections["Done"][:2] == ["old deed", "half done"]


def test_it_passes_for_a_summary() -> None:
    text = truncated_summary(TALK, "", 2_000, TOKENS_OF)
    source = Source((str(TALK),), entry_ids=frozenset({"00000001", "00000002", "00000003"}), replaced_tokens=9_999)
    tokens = TOKENS_OF(utf8_size(text))
    assert (
        faults_of(
            Answer(text), source, CompactionPolicy(), summary_tokens=tokens, result_tokens=tokens, most_tokens=2_000
        )
        == ()
    )


@given(st.lists(turns(), max_size=4), st.integers(300, 4_096))
@settings(max_examples=100)
def test_it_keeps_to_its_budget_over_and_over(played: list[Turn], budget_tokens: int) -> None:
    talk = Conversation(24_000)
    summary = ""
    for turn in played:
        talk.play(turn)
        entries: list[Entry] = list(talk.session.entries.values())
        summary = truncated_summary(entries, summary, budget_tokens, TOKENS_OF)
        assert TOKENS_OF(utf8_size(summary)) <= budget_tokens
        assert TOKENS_OF(utf8_size(truncated_prefix(entries, budget_tokens, TOKENS_OF))) <= budget_tokens
        assert len(summary) >= 200


def test_the_beginning_of_a_turn_is_told_by_what_was_done() -> None:
    assert truncated_prefix(TALK, 100, TOKENS_OF) == "- Error: src/a.ts(3,4): error TS2345: bad"
