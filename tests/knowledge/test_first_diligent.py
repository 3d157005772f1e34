"""Knowledge files of the first diligent load: times as numbers or text, ids of any form, entries that supersede."""

from datetime import UTC, datetime
from pathlib import Path

from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.injection import choose, render
from diligent_tui.knowledge.store import KnowledgeStore

LINES = """\
{"id":"k_1","timestamp":1735689600,"sessionId":"s1","type":"pattern","content":"Tests run with make.","confidence":0.9}
{"id":"k_2","timestamp":1735776000000,"type":"pattern","content":"Tests run with uv.","supersedes":"k_1","tags":["t"]}
{"id":7,"timestamp":"2025-01-03T00:00:00Z","type":"decision","content":"Dates are in UTC.","confidence":1}
{"id":"a note/2025","timestamp":"2025-01-04T00:00:00+01:00","type":"preference","content":"Be brief."}
{"id":"b","timestamp":"2025-01-05T00:00:00","type":"correction","content":"Be very brief.","supersedes":"a note/2025"}
{"id":"6f9619ff-8b86-d011-b42d-00c04fc964ff","timestamp":1735689600.5,"type":"discovery","content":"Slow.","extra":[1]}
{"id":"c","timestamp":"2025-01-06T00:00:00Z","type":"decision","content":"Not in UTC.","supersedes":7}
"""


def test_a_file_of_the_first_diligent_loads(tmp_path: Path) -> None:
    path = tmp_path / "knowledge.jsonl"
    path.write_text(LINES)
    store = KnowledgeStore(path)
    state = store.refresh()
    assert state.damaged == 0
    assert [entry.content for entry in state.live] == ["Tests run with uv.", "Be very brief.", "Slow.", "Not in UTC."]
    assert [entry.content for entry in state.history("b")] == ["Be brief.", "Be very brief."]
    assert [entry.id for entry in state.history("c")] == ["7", "c"]
    assert state.entries["k_1"].moment == datetime(2025, 1, 1, tzinfo=UTC)
    assert state.entries["k_2"].moment == datetime(2025, 1, 2, tzinfo=UTC)
    assert state.newest_moment == datetime(2025, 1, 6, tzinfo=UTC)
    told = render(choose([state], KnowledgePolicy(), 200_000))
    assert "Be very brief." in told
    assert "- Be brief." not in told


def test_it_is_gone_on_with_in_place(tmp_path: Path) -> None:
    path = tmp_path / "knowledge.jsonl"
    path.write_text(LINES.rstrip("\n"))
    store = KnowledgeStore(path)
    store.refresh()
    assert store.retract("k_2")
    stand_in = next(entry.id for entry in store.state.entries.values() if entry.content == "Be brief.")
    assert store.pin(stand_in)
    state = KnowledgeStore(path).refresh()
    assert not state.is_live("k_2")
    assert stand_in in state.pinned
    assert path.read_text().startswith(LINES.rstrip("\n"))
