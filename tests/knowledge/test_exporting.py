"""Knowledge goes out as Markdown or JSON lines and comes back whole; what comes from elsewhere is not believed."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeEntry, KnowledgeType
from diligent_tui.knowledge.exporting import read_entries, write_lines, write_markdown
from diligent_tui.knowledge.importing import plan_import
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.state import KnowledgeState, fold
from diligent_tui.knowledge.store import KnowledgeStore
from tests.domain.hostile_text import payloads, survivors
from tests.knowledge.facts import NOON, change, fact, stamp

FULL = fact("a1", "Use tabs.\n- not an entry\n# nor a heading\n\nreally", kind="preference", pinned=True).model_copy(
    update={"tags": ("style", "--> <b>"), "session_id": "s", "entry_id": "e", "author": "model"}
)


def test_both_formats_come_back_whole() -> None:
    entries = [FULL, fact("b2", "Dates are in UTC.", kind="decision", confidence=0.35, scope="user")]
    for state in (
        read_entries(write_markdown(entries).encode(), "md"),
        read_entries(write_lines(entries), "jsonl"),
    ):
        assert list(state.entries.values()) == entries
        assert (state.pinned, state.damaged) == ({"a1"}, 0)


contents = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp", "Cs")), min_size=1).filter(
    lambda text: text.strip() and not text.startswith("<!--")
)


@given(st.lists(st.tuples(contents, st.sampled_from(KNOWLEDGE_TYPES)), max_size=5))
def test_any_words_survive_markdown(facts: list[tuple[str, KnowledgeType]]) -> None:
    entries = [fact(f"n{number}", text, kind=kind) for number, (text, kind) in enumerate(facts)]
    state = read_entries(write_markdown(entries).encode(), "md")
    assert {entry.content.split() == state.entries[entry.id].content.split() for entry in entries} <= {True}
    assert {entry.type == state.entries[entry.id].type for entry in entries} <= {True}
    assert len(state.entries) == len(entries)


def test_markdown_by_hand_is_knowledge_too() -> None:
    text = """# Our notes
- found by the way

## Preferences
* Be brief.
+ Answer in German,
  always.

some words between
### decision
- UTC
"""
    state = read_entries(text.encode(), "md")
    assert [(entry.type, " ".join(entry.content.split())) for entry in state.live] == [
        ("discovery", "found by the way"),
        ("preference", "Be brief."),
        ("preference", "Answer in German, always. some words between"),
        ("decision", "UTC"),
    ]


def test_hostile_words_cannot_act_in_what_is_exported() -> None:
    for payload in payloads():
        text = write_markdown([fact("a", payload.embedded)])
        assert survivors(text.replace("\n", "")) == [], payload.name
        assert text.count("<!--") >= 1


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"- \n-\n", b"{}\n[]\nnull\n", b"#\n##", b"- x\n  <!-- {not json -->"]
)
def test_no_file_is_too_odd_to_be_read(data: bytes) -> None:
    for form in ("md", "jsonl"):
        state = read_entries(data, form)
        assert len(state.entries) <= 1


def test_only_what_holds_is_taken_in_with_its_age_and_its_pin() -> None:
    source = fold(
        [
            fact("old", "Old.", days=-9),
            fact("new", "New.", days=-5, supersedes="old"),
            fact("gone", "Gone."),
            change("retract", "gone"),
            fact("pin", "Pinned."),
            change("pin", "pin"),
            fact("late", "From the future.", days=5),
        ],
        damaged=2,
    )
    plan = plan_import(source, [KnowledgeState()], NOON)
    assert [(entry.id, entry.timestamp, entry.pinned, entry.supersedes) for entry in plan.new] == [
        ("new", stamp(-5), False, None),
        ("pin", stamp(), True, None),
        ("late", "", False, None),
    ]
    assert (plan.known, plan.refused, plan.damaged) == (0, (), 2)


def test_what_is_known_is_passed_over_and_secrets_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    here = fold([fact("a", "Tests run with make test."), fact("x", "Was here.", days=-1)])
    secret = "The token is ghp_" + "a1B2" * 9
    source = read_entries(f"- tests run with `make test`\n- {secret}\n- New.\n- NEW\n".encode(), "md")
    plan = plan_import(source, [here, fold([fact("u", "Be brief.", scope="user")])], NOON)
    assert [entry.content for entry in plan.new] == ["New."]
    assert plan.known == 2
    assert len(plan.refused) == 1
    assert "ghp_" not in plan.refused[0]
    store = KnowledgeStore(tmp_path_factory.mktemp("k") / "knowledge.jsonl", clock=lambda: NOON + timedelta(days=1))
    (saved,) = KnowledgeShelf(store, None).take_in(plan, "project")
    assert store.refresh().live == (saved,)
    assert (len(saved.id), saved.timestamp) == (8, stamp(1))


def test_an_id_that_is_taken_here_is_known() -> None:
    plan = plan_import(fold([fact("a", "Another text.")]), [fold([fact("a")])], NOON)
    assert (plan.new, plan.known) == ((), 1)


def test_the_types_of_all_entries_have_a_heading() -> None:
    entries: list[KnowledgeEntry] = [fact(kind, kind, kind=kind) for kind in KNOWLEDGE_TYPES]
    assert len(read_entries(write_markdown(entries).encode(), "md").entries) == len(KNOWLEDGE_TYPES)
