"""Any knowledge file can be read: what is intact in it counts, the rest is counted and kept, and one can go on."""

from pathlib import Path

import pytest

from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.injection import choose, render
from diligent_tui.knowledge.overview import overview_of
from diligent_tui.knowledge.store import KnowledgeStore
from tests.faults.damaged_knowledge import Case, cases
from tests.knowledge.facts import fact

CASES = list(cases())
POLICY = KnowledgePolicy()


def test_there_are_as_many_cases_as_promised_and_each_is_another() -> None:
    assert len({case.data for case in CASES}) == len(CASES) >= 240


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_damaged_file_is_read_and_gone_on_with(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "knowledge" / "knowledge.jsonl"
    path.parent.mkdir()
    path.write_bytes(case.data)
    state = KnowledgeStore(path, "user").refresh()
    assert case.intact <= set(state.entries)
    assert case.damaged in (None, state.damaged)
    assert overview_of([state], POLICY, 200_000).damaged == state.damaged
    told = render(choose([state], POLICY, 200_000))
    assert "\x1b" not in told

    store = KnowledgeStore(path, "user")
    saved = store.add(fact(content="Still writable."))
    again = KnowledgeStore(path, "user").refresh()
    assert again.is_live(saved.id)
    assert case.intact <= set(again.entries)
    assert again.damaged == state.damaged
    assert path.read_bytes().startswith(case.data)
