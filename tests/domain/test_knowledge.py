"""A knowledge line is read with what can be used of it, and written so that nothing of it is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from diligent_tui.config.settings import Settings
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import (
    LONG_AGO,
    KnowledgeChange,
    KnowledgeEntry,
    KnowledgePolicy,
    decode_knowledge,
    encode_knowledge,
    is_knowledge_id,
)

WHOLE: JsonObject = {
    "id": "0a1b2c3d",
    "timestamp": "2026-01-02T03:04:05.678Z",
    "sessionId": "20260102030405-abcdef",
    "entryId": "00000001",
    "type": "decision",
    "content": "Dates are kept in UTC.",
    "confidence": 0.9,
    "supersedes": "00000002",
    "tags": ["dates"],
    "pinned": True,
    "scope": "user",
    "mood": {"of": "a later version"},
}


def decoded(**fields: object) -> KnowledgeEntry:
    entry = decode_knowledge({**WHOLE, **fields})
    assert isinstance(entry, KnowledgeEntry)
    return entry


def test_an_entry_goes_to_disk_and_back_with_fields_we_do_not_know() -> None:
    assert encode_knowledge(decoded()) == {**WHOLE, "tags": ("dates",)}


def test_what_is_not_said_is_usual() -> None:
    entry = decode_knowledge({"id": "a", "timestamp": 1, "type": "pattern", "content": "x"})
    assert entry == KnowledgeEntry(id="a", timestamp=1, type="pattern", content="x")
    assert isinstance(entry, KnowledgeEntry)
    assert (entry.confidence, entry.pinned, entry.scope, entry.tags) == (0.8, False, "project", ())


@pytest.mark.parametrize("op", ["retract", "restore", "pin", "unpin"])
def test_a_change_goes_to_disk_and_back(op: str) -> None:
    line: JsonObject = {"op": op, "id": "c1", "targetId": "a1", "timestamp": "2026-01-02T03:04:05.678Z", "by": "me"}
    change = decode_knowledge(line)
    assert isinstance(change, KnowledgeChange)
    assert encode_knowledge(change) == line


@pytest.mark.parametrize(
    ("slip", "field", "read_as"),
    [
        ({"confidence": 7}, "confidence", 1.0),
        ({"confidence": -1}, "confidence", 0.0),
        ({"confidence": "high"}, "confidence", 0.8),
        ({"confidence": None}, "confidence", 0.8),
        ({"confidence": 10**400}, "confidence", 1.0),
        ({"tags": "dates"}, "tags", ()),
        ({"tags": ["dates", 7]}, "tags", ("dates",)),
        ({"pinned": "maybe"}, "pinned", False),
        ({"scope": "galaxy"}, "scope", "project"),
        ({"sessionId": 5}, "session_id", None),
        ({"supersedes": []}, "supersedes", None),
        ({"supersedes": " "}, "supersedes", None),
        ({"author": "a machine"}, "author", None),
        ({"timestamp": None}, "moment", LONG_AGO),
        ({"timestamp": "yesterday"}, "moment", LONG_AGO),
        ({"content": "half \ud83d"}, "content", "half \ufffd"),
    ],
)
def test_a_slip_in_one_field_does_not_cost_the_fact(slip: JsonObject, field: str, read_as: object) -> None:
    entry = decoded(**slip)
    assert getattr(entry, field) == read_as
    assert entry.id == WHOLE["id"]


@pytest.mark.parametrize(
    "line",
    [
        {**WHOLE, "type": "rumour"},
        {**WHOLE, "type": None},
        {**WHOLE, "content": " \n"},
        {**WHOLE, "content": 5},
        {**WHOLE, "id": ""},
        {**WHOLE, "id": " \n"},
        {**WHOLE, "id": None},
        {**WHOLE, "id": True},
        {**WHOLE, "id": ["a"]},
        {"op": "explode", "id": "c1", "targetId": "a1"},
        {"op": "pin", "id": "c1"},
        {"op": "pin", "id": "c1", "targetId": ""},
        {"op": "pin", "targetId": "a1"},
        {},
    ],
)
def test_a_line_without_id_kind_or_words_means_nothing(line: JsonObject) -> None:
    assert decode_knowledge(line) is None


@pytest.mark.parametrize("given", ["two words", "]\n# Orders", "x" * 65, "é", "a/b", "🦊"])
def test_an_id_that_could_not_be_told_has_a_stand_in_that_stays_the_same(given: str) -> None:
    entry, successor = decoded(id=given), decoded(id="b", supersedes=given)
    change = decode_knowledge({"op": "pin", "id": "c1", "targetId": given})
    assert is_knowledge_id(entry.id)
    assert entry.id.startswith("old-")
    assert entry.id == successor.supersedes == decoded(id=entry.id).id
    assert isinstance(change, KnowledgeChange)
    assert change.target_id == entry.id
    assert decoded(id=given + "!").id != entry.id


@pytest.mark.parametrize(
    ("given", "read_as"), [(7, "7"), (1700000000123, "1700000000123"), (1.5, "1.5"), ("K-7", "K-7")]
)
def test_an_id_of_another_form_is_read_as_text(given: object, read_as: str) -> None:
    assert decoded(id=given).id == decoded(id="b", supersedes=given).supersedes == read_as


def test_an_entry_of_ours_keeps_to_the_bounds() -> None:
    with pytest.raises(ValidationError):
        KnowledgeEntry(type="pattern", content="x", confidence=1.1)


def test_the_policy_by_default_is_the_settings_by_default() -> None:
    settings, policy = Settings().knowledge, KnowledgePolicy()
    assert policy.budget_tokens == settings.injection_budget
    assert policy.enabled == settings.enabled
    assert dict(policy.half_life_days) == settings.half_life_days.model_dump()
    assert dict(policy.type_weights) == settings.type_weights.model_dump()


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*WHOLE, "op", "targetId", "x"]), values))
def test_whatever_is_read_can_be_written_and_read_again(fields: JsonObject) -> None:
    for line in (fields, {**WHOLE, **fields}):
        found = decode_knowledge(line)
        if found is not None:
            assert found.moment.tzinfo is not None
            written = encode_knowledge(found)
            again = decode_knowledge(written)
            assert again is not None
            assert encode_knowledge(again) == written
