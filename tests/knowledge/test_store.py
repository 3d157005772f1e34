"""A knowledge file is only appended to, judged on its newest state, and read back whatever was done to it."""

import errno
import json
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from diligent_tui.domain.errors import KnowledgeConflict, StorageError, StorageFull
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KnowledgeEntry, encode_knowledge
from diligent_tui.knowledge import reading
from diligent_tui.knowledge import store as module
from diligent_tui.knowledge.admission import LONGEST_CONTENT_BYTES
from diligent_tui.knowledge.state import KnowledgeState
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.storage.jsonl import encode_line, parse_line
from tests.knowledge.facts import NOON, change, fact, stamp


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".diligent" / "knowledge" / "knowledge.jsonl"


@pytest.fixture
def store(path: Path) -> KnowledgeStore:
    return KnowledgeStore(path, clock=lambda: NOON)


def lines_of(path: Path) -> list[JsonObject]:
    return [value for line in path.read_bytes().splitlines() if (value := parse_line(line)) is not None]


def written(*entries: KnowledgeEntry) -> bytes:
    return b"".join(encode_line(encode_knowledge(entry)) for entry in entries)


def plant(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_reading_makes_nothing(store: KnowledgeStore, tmp_path: Path) -> None:
    assert store.refresh() is store.state
    assert store.state == KnowledgeState()
    assert list(tmp_path.iterdir()) == []


def test_a_fact_is_saved_with_id_and_time_and_comes_back(store: KnowledgeStore, path: Path) -> None:
    draft = KnowledgeEntry(
        type="decision", content=" Dates are in UTC. \n", session_id="s", entry_id="e", tags=("dates", " ")
    )
    saved = store.add(draft)
    assert (saved.content, saved.timestamp, saved.tags) == ("Dates are in UTC.", stamp(), ("dates",))
    assert len(saved.id) == 8
    assert store.state.live == (saved,)
    assert KnowledgeStore(path).refresh().live == (saved,)
    assert lines_of(path) == [
        {
            "id": saved.id,
            "timestamp": "2026-01-02T12:00:00.000Z",
            "sessionId": "s",
            "entryId": "e",
            "type": "decision",
            "content": "Dates are in UTC.",
            "confidence": 0.8,
            "tags": ["dates"],
            "pinned": False,
            "scope": "project",
        }
    ]


def test_files_are_for_their_owner_only_and_the_project_may_share_knowledge(store: KnowledgeStore, path: Path) -> None:
    old = os.umask(0)
    try:
        store.add(fact())
    finally:
        os.umask(old)
    for folder in (path.parent, path.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in (path, path.parent / ".gitattributes", path.parent.parent / ".gitignore"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"merge=union" in (path.parent / ".gitattributes").read_bytes()
    assert sorted(each.name for each in path.parent.iterdir()) == [".gitattributes", "knowledge.jsonl"]


def test_what_a_clone_left_open_is_closed(store: KnowledgeStore, path: Path) -> None:
    plant(path, written(fact("a")))
    path.chmod(0o644)
    path.parent.chmod(0o755)
    store.pin("a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_users_file_makes_no_project(tmp_path: Path) -> None:
    store = KnowledgeStore(tmp_path / "data" / "knowledge" / "knowledge.jsonl", "user")
    assert store.add(fact()).scope == "user"
    assert sorted(each.name for each in (tmp_path / "data").rglob("*")) == ["knowledge", "knowledge.jsonl"]


def test_who_asked_hears_of_a_new_folder_and_holds_on_during_a_write(path: Path) -> None:
    heard: list[str] = []

    @contextmanager
    def hold(held: Path) -> Generator[None]:
        heard.append(f"before {held.stat().st_size}")
        yield
        heard.append(f"after {held.stat().st_size > 0}")

    store = KnowledgeStore(path, made_folder=lambda folder: heard.append(folder.name), around_write=hold)
    store.add(fact())
    assert heard == [".diligent", "before 0", "after True"]


@pytest.mark.parametrize("level", ["file", "folder", "project"])
def test_a_planted_link_is_neither_read_nor_written(level: str, store: KnowledgeStore, path: Path) -> None:
    target = path.parents[2] / "target"
    plant(target / "knowledge" / "knowledge.jsonl", written(fact("a")))
    match level:
        case "file":
            path.parent.mkdir(parents=True)
            path.symlink_to(target / "knowledge" / "knowledge.jsonl")
        case "folder":
            path.parent.parent.mkdir()
            path.parent.symlink_to(target / "knowledge")
        case _:
            path.parent.parent.symlink_to(target)
    for act in (store.refresh, lambda: store.add(fact()), lambda: store.pin("a")):
        with pytest.raises(StorageError, match="link"):
            act()
    assert (target / "knowledge" / "knowledge.jsonl").read_bytes() == written(fact("a"))


def test_a_fact_takes_anothers_place(store: KnowledgeStore) -> None:
    old = store.add(fact(content="Old."))
    new = store.supersede(old.id, fact(content="New."))
    newest = store.add(fact(content="Newest.").model_copy(update={"supersedes": new.id}))
    assert store.state.live == (newest,)
    assert store.state.history(old.id) == (old, new, newest)
    assert old.moment < new.moment < newest.moment


def test_what_is_superseded_already_is_refused_and_the_newest_shown(store: KnowledgeStore, path: Path) -> None:
    old = store.add(fact(content="Old."))
    newest = store.supersede(store.supersede(old.id, fact(content="New.")).id, fact(content="Newest."))
    before = path.read_bytes()
    with pytest.raises(KnowledgeConflict, match=rf"superseded by {newest.id} already: Newest\.") as caught:
        KnowledgeStore(path).supersede(old.id, fact(content="Mine."))
    assert caught.value.newer == newest
    assert path.read_bytes() == before


def test_what_is_retracted_is_not_superseded(store: KnowledgeStore) -> None:
    old = store.add(fact())
    store.retract(old.id)
    with pytest.raises(KnowledgeConflict, match="retracted") as caught:
        store.supersede(old.id, fact())
    assert caught.value.newer == old
    store.restore(old.id)
    assert store.supersede(old.id, fact()).supersedes == old.id


def test_changes_act_once_and_say_whether_they_did(store: KnowledgeStore, path: Path) -> None:
    entry = store.add(fact())
    for verb, undo in ((store.retract, store.restore), (store.pin, store.unpin)):
        assert not undo(entry.id)
        assert verb(entry.id)
        assert not verb(entry.id)
        assert undo(entry.id)
    assert [line.get("op") for line in lines_of(path)] == [None, "retract", "restore", "pin", "unpin"]
    assert store.state.live == (entry,)


def test_a_pinned_entry_can_be_saved_and_unpinned(store: KnowledgeStore) -> None:
    entry = store.add(fact(pinned=True))
    assert store.state.pinned == {entry.id}
    assert store.unpin(entry.id)
    assert store.state.pinned == frozenset()


@pytest.mark.parametrize("drift", [timedelta(), timedelta(hours=-1), timedelta(days=-365)])
def test_the_last_change_counts_whatever_the_clock_says(drift: timedelta, path: Path) -> None:
    moments = (NOON + number * drift for number in range(100))
    store = KnowledgeStore(path, clock=lambda: next(moments))
    entry = store.add(fact())
    for _ in range(10):
        store.retract(entry.id)
        assert entry.id in store.state.retracted
        store.restore(entry.id)
        assert store.state.is_live(entry.id)


def test_a_change_after_the_end_of_time_is_no_crash(store: KnowledgeStore, path: Path) -> None:
    late = "9999-12-31T23:59:59.999-12:00"
    odd = [fact("a").model_copy(update={"timestamp": late}), fact("b").model_copy(update={"timestamp": "0001-01-01"})]
    plant(path, written(*odd) + encode_line({**encode_knowledge(change("pin", "a")), "timestamp": late}))
    assert store.unpin("a")
    assert store.supersede("a", fact()).supersedes == "a"
    assert store.supersede("b", fact()).supersedes == "b"


@pytest.mark.parametrize("verb", ["supersede", "retract", "restore", "pin", "unpin"])
def test_an_unknown_id_is_said_so(verb: str, store: KnowledgeStore) -> None:
    acts = {
        "supersede": lambda: store.supersede("nope\x1b", fact()),
        "retract": lambda: store.retract("nope\x1b"),
        "restore": lambda: store.restore("nope\x1b"),
        "pin": lambda: store.pin("nope\x1b"),
        "unpin": lambda: store.unpin("nope\x1b"),
    }
    with pytest.raises(StorageError, match="no knowledge entry nope") as caught:
        acts[verb]()
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (fact(content=" \n "), "says nothing"),
        (fact(content="é" * LONGEST_CONTENT_BYTES), "too long"),
        (fact(content="The password=hunter2 works."), "a password or key with its value"),
        (fact().model_copy(update={"tags": ("ghp_" + "a1" * 20,)}), "an access token"),
        (fact("two words"), "no id"),
    ],
)
def test_what_should_not_be_kept_is_refused(entry: KnowledgeEntry, reason: str, store: KnowledgeStore) -> None:
    kept = store.add(fact())
    before = store.path.read_bytes()
    for act in (lambda: store.add(entry), lambda: store.supersede(kept.id, entry)):
        with pytest.raises(StorageError, match=reason) as caught:
            act()
        assert "hunter2" not in f"{caught.value.message}{caught.value.advice}"
    assert store.path.read_bytes() == before


def test_an_imported_entry_keeps_its_id_and_time_and_comes_once(store: KnowledgeStore) -> None:
    imported = fact("imported-1", days=-100)
    assert store.add(imported) == imported
    with pytest.raises(StorageError, match="imported-1 already"):
        store.add(imported)


def test_damaged_lines_are_counted_kept_and_in_nobodys_way(store: KnowledgeStore, path: Path) -> None:
    damage = b'\xff\xfe\n{"id":"x"}\n\n<<<<<<< HEAD\n[1]\n{"op":"melt","id":"y","targetId":"a"}\n' + b"[" * 5000 + b"\n"
    plant(path, written(fact("a")) + damage + written(fact("b")))
    state = store.refresh()
    assert [entry.id for entry in state.live] == ["a", "b"]
    assert state.damaged == 6
    store.add(fact("c"))
    assert path.read_bytes() == written(fact("a")) + damage + written(fact("b"), fact("c"))


@pytest.mark.parametrize("torn", [b'{"id":"t","type":"patt', b"\x00\x00", written(fact("t")).rstrip()])
def test_a_torn_tail_is_closed_and_never_rewritten(torn: bytes, store: KnowledgeStore, path: Path) -> None:
    plant(path, written(fact("a")) + torn)
    is_whole = torn.endswith(b"}")
    assert store.refresh().damaged == (not is_whole)
    store.add(fact("b"))
    assert path.read_bytes() == written(fact("a")) + torn + b"\n" + written(fact("b"))
    assert [entry.id for entry in store.state.live] == (["a", "t", "b"] if is_whole else ["a", "b"])
    assert store.state.damaged == (not is_whole)


def test_what_others_append_is_picked_up(store: KnowledgeStore, path: Path) -> None:
    store.add(fact("a"))
    other = KnowledgeStore(path)
    other.add(fact("b"))
    before = store.state
    assert [entry.id for entry in before.live] == ["a"]
    assert [entry.id for entry in store.refresh().live] == ["a", "b"]
    assert store.refresh() is store.state


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize(
    ("after", "live"),
    [
        ([fact("a", "first"), fact("b", "other!")], ["first", "other!"]),
        ([fact("b", "second")], ["second"]),
        ([fact("a", "first, and much more was said by hand"), fact("b", "second"), fact("c", "third")], None),
        ([], []),
    ],
)
def test_an_edit_by_hand_is_picked_up(
    in_place: bool, after: list[KnowledgeEntry], live: list[str] | None, store: KnowledgeStore, path: Path
) -> None:
    plant(path, written(fact("a", "first"), fact("b", "second")))
    assert len(store.refresh().live) == 2
    if not in_place:
        path.unlink()
    path.write_bytes(written(*after))
    # An edit of equal length could fall in the same tick of the disk's clock.
    os.utime(path, ns=(1, 1))
    found = [entry.content for entry in store.refresh().live]
    assert found == (live if live is not None else [entry.content for entry in after])
    store.add(fact("z"))
    assert [line["id"] for line in lines_of(path)] == [*(entry.id for entry in after), "z"]


def test_a_file_that_is_gone_is_no_knowledge_and_begins_anew(store: KnowledgeStore, path: Path) -> None:
    store.add(fact("a"))
    path.unlink()
    assert store.refresh().live == ()
    store.add(fact("b"))
    assert [line["id"] for line in lines_of(path)] == ["b"]


def test_the_file_tells_the_scope_and_not_the_line(store: KnowledgeStore, path: Path) -> None:
    plant(path, written(fact("a", scope="user")))
    assert store.refresh().entries["a"].scope == "project"


def test_a_file_replaced_in_mid_write_gets_the_line_all_the_same(
    store: KnowledgeStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(fact("a"))
    sync = module.sync_data
    replaced: list[bool] = []

    def replace_once(descriptor: int) -> None:
        sync(descriptor)
        if not replaced:
            replaced.append(True)
            new = path.with_name("checkout")
            new.write_bytes(written(fact("pulled")))
            new.replace(path)

    monkeypatch.setattr(module, "sync_data", replace_once)
    saved = store.add(fact())
    assert [line["id"] for line in lines_of(path)] == ["pulled", saved.id]


def test_a_line_that_an_editor_took_along_is_not_written_twice(
    store: KnowledgeStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = store.add(fact())
    sync = module.sync_data

    def replace_by_a_copy(descriptor: int) -> None:
        sync(descriptor)
        new = path.with_name("copy")
        new.write_bytes(path.read_bytes())
        new.replace(path)

    monkeypatch.setattr(module, "sync_data", replace_by_a_copy)
    store.supersede(entry.id, fact())
    assert store.pin(store.state.live[0].id)
    assert [line.get("op", "entry") for line in lines_of(path)] == ["entry", "entry", "pin"]


def test_a_file_that_is_always_replaced_is_said_so(
    store: KnowledgeStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def remove(descriptor: int) -> None:
        path.unlink()

    monkeypatch.setattr(module, "sync_data", remove)
    with pytest.raises(StorageError, match="over and over"):
        store.add(fact())


@pytest.mark.parametrize("failing", ["write_all", "sync_data"])
def test_a_failed_write_is_not_acknowledged_and_glues_nothing(
    failing: str, store: KnowledgeStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(fact("a"))

    def fail(descriptor: int, data: bytes = b"") -> None:
        os.write(descriptor, data[:10])
        raise OSError(errno.ENOSPC, "made up")

    with monkeypatch.context() as patch:
        patch.setattr(module, failing, fail)
        with pytest.raises(StorageFull):
            store.add(fact("b"))
    store.add(fact("c"))
    ids = [line["id"] for line in lines_of(path)]
    assert ids == (["a", "c"] if failing == "write_all" else ["a", "b", "c"])
    assert store.state.damaged == (failing == "write_all")


def test_a_file_too_large_to_be_knowledge_is_not_read(
    store: KnowledgeStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LARGEST_FILE_BYTES", 100)
    plant(path, written(fact("a"), fact("b")))
    with pytest.raises(StorageError, match="larger than"):
        store.refresh()


def test_known_lines_are_not_decoded_again(store: KnowledgeStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(path, written(*(fact(f"a{number}") for number in range(50))))
    store.refresh()
    seen: list[bytes] = []
    parse = reading.parse_line

    def watch(data: bytes) -> JsonObject | None:
        seen.append(data)
        return parse(data)

    monkeypatch.setattr(reading, "parse_line", watch)
    store.add(fact("b"))
    assert [json.loads(line)["id"] for line in seen] == ["b"]


def test_the_clock_is_asked_for_each_line(path: Path) -> None:
    moments: list[datetime] = [NOON, NOON + timedelta(days=1)]
    store = KnowledgeStore(path, clock=lambda: moments.pop(0))
    assert (store.add(fact()).timestamp, store.add(fact()).timestamp) == (stamp(), stamp(1))
