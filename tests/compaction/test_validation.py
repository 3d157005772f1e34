"""Which answers may stand as a summary: the table of bad ones, and what each is told."""

import pytest

from diligent_tui.compaction.mentions import Mention, invented, mentions_in, path_tail, paths_in
from diligent_tui.compaction.policy import CompactionPolicy
from diligent_tui.compaction.sections import has_section, sections_in, take_section, write_sections
from diligent_tui.compaction.validation import Answer, Fault, FaultKind, Source, complaint_on, faults_of, may_stand

POLICY = CompactionPolicy()
HISTORY = """\
Please mend the parser in src/app/parser.py, it breaks on tabs. I read lib/deep/lexer.ex and ran version 1.2.3 of it.
See https://example.org/issue/7 and commit 1a2b3c4d5e. The tests in tests/test_parser.py fail with TypeError: no tabs.
"""
GOOD = """\
## Goal
- Mend the parser in app/parser.py so that tabs are read. [aaaaaaaa]

## Constraints & Preferences
- (none)

## Progress
### Done
- Read lib/deep/lexer.ex, which has the same fault in version 1.2.3. [bbbbbbbb]
### In Progress
- The tests in tests/test_parser.py fail with TypeError: no tabs.

## Next Steps
- Give the lexer a rule for tabs, then look at https://example.org/issue/7 again.

## Critical Context
- The fault came in with commit 1a2b3c4d5e.
"""
SOURCE = Source(
    (HISTORY,),
    user_text=HISTORY,
    entry_ids=frozenset({"aaaaaaaa", "bbbbbbbb"}),
    done_items=("read the lexer",),
    replaced_tokens=2_000,
)
FORM = "\n".join(f"## {name}\n- (none)\n- N/A\n" for name in ("Goal", "Progress", "Key Decisions", "Critical Context"))


def judge(answer: Answer, *, source: Source = SOURCE, result_tokens: int = 400) -> tuple[Fault, ...]:
    return faults_of(
        answer, source, POLICY, summary_tokens=len(answer.text) // 3, result_tokens=result_tokens, most_tokens=600
    )


def test_a_good_summary_has_no_fault() -> None:
    assert judge(Answer(GOOD)) == ()


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(""), "empty"),
        (Answer(" \n\t "), "empty"),
        (Answer("", stop_reason="tool_use", has_tool_call=True), "tool_call"),
        (Answer(GOOD, has_tool_call=True), "tool_call"),
        (Answer(GOOD, stop_reason="max_tokens"), "cut_off"),
        (Answer(GOOD, stop_reason="interrupted"), "cut_off"),
        (Answer(GOOD, stop_reason="refusal"), "refused"),
        (Answer("Error: 503 the service is overloaded, try again later."), "too_short"),
        (Answer("Error: the service is overloaded.\n" * 20), "sections_missing"),
        (Answer("I'm sorry, but I cannot help with summarising this conversation. " * 6), "sections_missing"),
        (
            Answer("Sure! Next I will open the parser and add a rule for tabs, then run the tests. " * 6),
            "sections_missing",
        ),
        (Answer(FORM + FORM), "nothing_said"),
        (Answer(GOOD * 9), "too_long"),
        (Answer(GOOD.replace("Give", "Read the lexer again. Give")), "done_again"),
        (Answer(GOOD.replace("app/parser.py", "app/reader.py")), "invented"),
        (Answer(GOOD.replace("1.2.3", "4.5.6")), "invented"),
        (Answer(GOOD.replace("1a2b3c4d5e", "9f8e7d6c5b")), "invented"),
        (Answer(GOOD.replace("/issue/7", "/issue/8")), "invented"),
        (Answer(GOOD.replace("[aaaaaaaa]", "[abcd1234]")), "invented"),
        (Answer("## Goal\n- " + "修正解析器，使其能读取制表符。" * 20 + "\n## Progress\n- 完成"), "wrong_language"),
    ],
)
def test_bad_answers_are_known_for_what_they_are(answer: Answer, kind: FaultKind) -> None:
    found = judge(answer)
    assert [fault.kind for fault in found] == [kind]
    assert may_stand(found) == (kind == "invented")
    assert found[0].complaint in complaint_on(found)


@pytest.mark.parametrize(("result_tokens", "is_taken"), [(1_800, True), (1_801, False), (2_400, False)])
def test_a_summary_must_be_smaller_by_a_tenth_than_what_it_replaces(result_tokens: int, is_taken: bool) -> None:
    kinds = [fault.kind for fault in judge(Answer(GOOD), result_tokens=result_tokens)]
    assert kinds == ([] if is_taken else ["not_smaller"])


@pytest.mark.parametrize(
    ("user_text", "summary_words", "is_other"),
    [
        ("修复解析器 and keep app/parser.py as it is。" * 9, "解析器已修复，但测试仍然失败。" * 9, False),
        (
            "修复解析器，保持其余部分不变。" * 9,
            "The parser was mended and the tests were run. " * 9,
            True,
        ),
        (
            "Почини парсер и запусти тесты ещё раз. " * 5,
            "Парсер починен, тесты запущены снова. " * 9,
            False,
        ),
        (
            "Почини парсер и запусти тесты ещё раз. " * 5,
            "The parser was mended and tests were run. " * 9,
            True,
        ),
        ("ok", "解析器已修复，但测试仍然失败。" * 9, False),
    ],
)
def test_a_summary_in_another_script_than_the_users_is_sent_back(
    user_text: str, summary_words: str, is_other: bool
) -> None:
    answer = Answer(f"## Goal\n- {summary_words}\n## Progress\n- x\n")
    kinds = [fault.kind for fault in judge(answer, source=Source((user_text,), user_text, replaced_tokens=9_999))]
    assert ("wrong_language" in kinds) == is_other


@pytest.mark.parametrize(
    ("headings", "is_taken"),
    [
        ("## GOAL|## progress", True),
        ("# Goal:|### Critical Context", True),
        ("**Goal**|**Progress**", True),
        ("## 1. Goal|## 2. Progress", True),
        ("## Goal|## Notes", False),
        ("Goal|Progress", False),
    ],
)
def test_two_of_the_three_key_sections_are_asked_for_in_any_case(headings: str, is_taken: bool) -> None:
    text = "\n".join(f"{heading}\n- {'the parser was mended at last ' * 6}" for heading in headings.split("|"))
    assert [fault.kind for fault in judge(Answer(text))] == ([] if is_taken else ["sections_missing"])


def test_what_a_text_names_is_found_once_and_by_kind() -> None:
    text = (
        "See ./src/a.py, `src/a.py` and b.md; and/or 3/4, v1.2 or 2.0.1-rc1 at https://x.org/a.py). "
        "Hash deadbee1, word facade."
    )
    assert list(mentions_in(text)) == [
        Mention("url", "https://x.org/a.py"),
        Mention("path", "./src/a.py"),
        Mention("path", "src/a.py"),
        Mention("path", "b.md"),
        Mention("version", "v1.2"),
        Mention("version", "2.0.1-rc1"),
        Mention("hash", "deadbee1"),
    ]


@pytest.mark.parametrize(
    ("path", "tail"), [("/a/b/c.py", "b/c.py"), ("c.py", "c.py"), ("./c.py", "c.py"), ("~/x/y/", "x/y")]
)
def test_a_path_is_known_by_its_last_two_parts(path: str, tail: str) -> None:
    assert path_tail(path) == tail


def test_a_path_of_another_root_is_not_invented_but_one_of_another_folder_is() -> None:
    assert invented("in work/tree/src/a.py", ["cat src/a.py"]) == ()
    assert invented("in lib/a.py", ["cat src/a.py"]) == (Mention("path", "lib/a.py"),)


def test_what_sed_is_told_is_no_path() -> None:
    assert list(paths_in("sed s/old/new/g and 10s/a/b run on 01.02.03.png")) == []


def test_sections_are_read_back_as_they_are_written() -> None:
    lines = {"Goal": ["one", "two"], "Done": ["three"], "Next Steps": ["four"]}
    back = sections_in(write_sections(lines))
    assert {name: found for name, found in back.items() if found} == lines


def test_a_section_can_be_taken_out() -> None:
    summary, taken = take_section("## Goal\na\n## Extra\n- b\n\n## Progress\nc", "extra")
    assert (summary, taken) == ("## Goal\na\n## Progress\nc", ["- b", ""])
    assert has_section(summary, "progress")
    assert not has_section(summary, "extra")
