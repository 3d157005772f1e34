"""The demo's session is what the guide says it is, and what its commands printed is what they really print."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from diligent_tui.cli.demo import talk
from diligent_tui.cli.demo.building import NAME, build
from diligent_tui.cli.demo.files import PROJECT
from diligent_tui.cli.demo.scratch import PREFIX, Scratch
from diligent_tui.config.house import enter
from diligent_tui.config.knowledge_setup import knowledge_files
from diligent_tui.config.session_files import find_session
from diligent_tui.domain.entries import CompactionEntry, MessageEntry, PruneEntry
from diligent_tui.domain.messages import ToolResultMessage
from diligent_tui.session.store import SessionStore

VERSIONS = ["summarize", "summarize", "summarize"]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("system")))
        made = Scratch.make()
    build(made.project, environ(made))
    return made


def environ(scratch: Scratch) -> dict[str, str]:
    return scratch.environ({"HOME": str(scratch.folder / "home"), "PATH": "/usr/bin:/bin", "DILIGENT_MODE": "plan"})


@pytest.fixture
def store(scratch: Scratch) -> SessionStore:
    house = enter(scratch.project, environ(scratch), {})
    return SessionStore.open(find_session(house, ""), for_writing=False)


def test_nothing_of_it_needs_to_be_trusted(scratch: Scratch) -> None:
    house = enter(scratch.project, environ(scratch), {})
    assert house.trusted
    assert not house.notices


def test_everything_of_it_is_below_one_private_folder(scratch: Scratch) -> None:
    assert scratch.folder.name.startswith(PREFIX)
    assert scratch.folder.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in scratch.folder.iterdir()) == ["tide", "xdg_state_home"]


def test_settings_of_the_user_do_not_reach_it(scratch: Scratch) -> None:
    assert "DILIGENT_MODE" not in environ(scratch)


def test_it_has_branches_labels_pins_and_two_compactions_one_of_them_edited(store: SessionStore) -> None:
    content, tree = store.content, store.tree
    assert content.name == NAME
    assert sorted(content.labels.values()) == ["csv", "try-sqlite"]
    counts = Counter(entry.type for entry in store.entries())
    assert (counts["pin"], counts["branch_summary"], counts["prune"]) == (1, 1, 1)
    versions = [entry for entry in store.entries() if isinstance(entry, CompactionEntry)]
    assert [version.reason for version in versions] == ["manual", "manual", "edit"]
    assert versions[2].supersedes == versions[1].id
    assert "Never guess a level." not in versions[1].summary
    assert "Never guess a level." in versions[2].summary
    assert {entry.id for entry in versions} <= {node.id for node in tree.path(tree.leaf_id)}


def test_each_summary_was_taken_as_it_was_written(store: SessionStore) -> None:
    versions = [entry for entry in store.entries() if isinstance(entry, CompactionEntry)]
    assert [version.strategy for version in versions] == VERSIONS
    assert all((version.tokens_after or 0) < 0.6 * version.tokens_before for version in versions)


def test_two_calls_failed_as_they_should_and_no_other(store: SessionStore) -> None:
    failed = [
        entry.message
        for entry in store.entries()
        if isinstance(entry, MessageEntry) and isinstance(entry.message, ToolResultMessage) and entry.message.is_error
    ]
    assert [(each.tool_name, each.exit_code) for each in failed] == [("bash", 1), ("bash", 1)]


def test_what_is_pruned_stays_uncovered_so_that_it_is_seen(store: SessionStore) -> None:
    entries = list(store.entries())
    pruned = next(entry for entry in entries if isinstance(entry, PruneEntry))
    kept_from = [entry for entry in entries if isinstance(entry, CompactionEntry)][-1].first_kept_entry_id
    path = [node.id for node in store.tree.path(store.tree.leaf_id)]
    assert all(path.index(item.target_id) >= path.index(kept_from) for item in pruned.items)


def test_knowledge_has_a_chain_of_three_a_pin_and_two_candidates(scratch: Scratch) -> None:
    files = knowledge_files(enter(scratch.project, environ(scratch), {}))
    state = files.shelf.refresh()[0]
    chains = [state.history(entry.id) for entry in state.live]
    assert max(len(chain) for chain in chains) == 3
    assert len(state.pinned) == 1
    assert files.inbox is not None
    assert len(files.inbox.refresh().waiting) == 2


def test_its_files_are_as_the_last_turn_left_them(scratch: Scratch) -> None:
    assert "--since" in (scratch.project / "README.md").read_text()
    assert (scratch.project / "tide/store.py").is_file()


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["-m", "tide", "data/harbour.csv"], talk.HEADLINE + talk.table_rows(range(1, 32))),
        (["-m", "tide", "data/harbour.csv", "--since", "2026-03-29"], talk.SINCE_29 + talk.table_rows(range(29, 32))),
    ],
)
def test_a_command_prints_what_the_session_says(scratch: Scratch, words: list[str], printed: str) -> None:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=scratch.project,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == printed


def test_its_tests_pass_at_the_end_and_its_report_stops_at_the_beginning(scratch: Scratch, tmp_path: Path) -> None:
    quiet = {"PYTHONDONTWRITEBYTECODE": "1"}
    tests = subprocess.run(
        [sys.executable, "-m", "unittest"], cwd=scratch.project, env=quiet, capture_output=True, text=True
    )
    assert tests.stderr.startswith("..\n")
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    report = subprocess.run(
        [sys.executable, "-m", "tide", "data/harbour.csv"], cwd=tmp_path, env=quiet, capture_output=True, text=True
    )
    assert report.stderr.splitlines()[-1] == talk.STOPPED.splitlines()[-1]


def test_it_is_gone_when_it_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = Scratch.make()
    assert (made.project / "README.md").is_file()
    made.remove()
    assert not list(tmp_path.iterdir())
