"""What is kept, listed, bounded, refused and told by a file history."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from diligent_tui.agent.file_history import FileHistory, Receipt
from diligent_tui.agent.file_history.blobs import Blobs
from diligent_tui.agent.file_history.diffs import compare
from diligent_tui.agent.file_history.places import place_named, place_of
from diligent_tui.agent.file_history.planning import undo
from diligent_tui.agent.file_history.putting import Putting, put_file
from diligent_tui.agent.file_history.states import FileState, look
from diligent_tui.domain.errors import StorageError, ToolError
from tests.agent.file_history.stage import OWN_FILES, Scene

A = OWN_FILES["a.py"]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def index_lines(scene: Scene) -> list[bytes]:
    return (scene.folder / "index.jsonl").read_bytes().splitlines(keepends=True)


def test_turns_are_told_newest_first_with_what_they_did(scene: Scene) -> None:
    scene.agent("a.py", b"one\n2\nthree\nfour\n")
    scene.agent("new.py", b"1\n2\n")
    scene.agent("b.py", None, "t2")
    scene.agent("notes.txt", OWN_FILES["notes.txt"], "t2", mode=0o600)
    scene.agent("build/out.bin", b"\0", "t3")
    scene.agent("debug.log", OWN_FILES["debug.log"], "t4")
    told = [
        (turn.turn_id, [(file.name, file.kind, file.added, file.removed) for file in turn.files])
        for turn in scene.history.turns()
    ]
    assert told == [
        ("t3", [("build/out.bin", "changed", None, None)]),
        ("t2", [("b.py", "deleted", 0, 1), ("notes.txt", "mode", 0, 0)]),
        ("t1", [("a.py", "changed", 2, 1), ("new.py", "created", 2, 0)]),
    ]


def test_lines_are_counted_over_the_whole_turn(scene: Scene) -> None:
    scene.agent("a.py", b"x\n")
    scene.agent("a.py", A + b"four\n")
    [turn] = scene.history.turns()
    assert [(file.added, file.removed) for file in turn.files] == [(1, 0)]


def test_a_turn_is_told_as_restored_until_that_is_undone(scene: Scene) -> None:
    scene.agent("a.py", b"x\n")
    scene.agent("b.py", b"x\n")
    told: list[bool] = []
    scene.history.restore(scene.history.plan_restore(["t1"], ["a.py"]))
    told.append(scene.history.turns()[0].is_restored)
    scene.history.restore(scene.history.plan_restore(["t1"]))
    told.append(scene.history.turns()[0].is_restored)
    for _ in range(3):
        scene.undo()
        told.append(scene.history.turns()[0].is_restored)
    assert told == [False, True, False, True, False]


def test_all_that_is_kept_is_private(scene: Scene) -> None:
    old = os.umask(0)
    try:
        scene.agent("a.py", b"x")
        scene.history.restore(scene.history.plan_restore(["t1"]))
    finally:
        os.umask(old)
    found = [scene.folder, *scene.folder.rglob("*")]
    modes = (
        {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_dir()},
        {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_file()},
    )
    assert modes == ({0o700}, {0o600})


def test_the_same_bytes_are_kept_once(scene: Scene) -> None:
    scene.agent("a.py", b"x")
    scene.agent("a.py", A, "t2")
    scene.agent("a.py", b"x", "t3")
    scene.agent("copy.py", A, "t4")
    assert len(list((scene.folder / "bytes").iterdir())) == 2


@pytest.mark.parametrize("kind", ["folder", "fifo", "behind a file"])
def test_what_is_no_plain_file_is_not_kept_and_so_not_written(scene: Scene, kind: str) -> None:
    os.mkfifo(scene.path("pipe"))
    name = {"folder": "src", "fifo": "pipe", "behind a file": "a.py/x"}[kind]
    with pytest.raises(ToolError, match="was not changed"):
        scene.history.keep("t1", "e1", scene.path(name))
    assert scene.history.turns() == ()


def test_the_history_itself_is_not_edited(scene: Scene) -> None:
    scene.agent("a.py", b"x")
    with pytest.raises(ToolError, match="not edited"):
        scene.history.keep("t1", "e1", scene.folder / "index.jsonl")


def test_a_file_too_large_to_be_kept_is_not_written(scene: Scene) -> None:
    scene.history = scene.reopened(largest_file_bytes=10)
    with pytest.raises(ToolError, match="too large to be kept"):
        scene.agent("a.py", b"x")
    assert scene.path("a.py").read_bytes() == A


def test_over_the_limit_the_oldest_turns_are_given_up_and_told(scene: Scene) -> None:
    scene.history = scene.reopened(limit_bytes=2_500)
    for number in range(4):
        scene.user(f"f{number}", bytes([65 + number]) * 1_000)
        scene.agent(f"f{number}", b"x", f"t{number}")
    told = {turn.turn_id: turn.problem for turn in scene.history.turns()}
    assert [bool(told[f"t{number}"]) for number in range(4)] == [True, True, False, False]
    assert "dropped" in told["t0"]
    assert sum(path.stat().st_size for path in (scene.folder / "bytes").iterdir()) <= 2_500
    plan = scene.history.plan_restore(["t0"])
    assert "dropped" in plan.problem
    with pytest.raises(StorageError, match="dropped"):
        scene.history.restore(plan)
    assert scene.path("f0").read_bytes() == b"x"
    scene.history.restore(scene.history.plan_restore(["t2", "t3"]))
    assert scene.path("f2").read_bytes() == b"C" * 1_000
    assert scene.path("f3").read_bytes() == b"D" * 1_000


def test_bytes_that_a_newer_turn_needs_too_are_not_given_up(scene: Scene) -> None:
    scene.history = scene.reopened(limit_bytes=2_500)
    scene.user("f", b"A" * 1_000)
    scene.agent("f", b"B" * 1_000, "t0")
    scene.agent("f", b"A" * 1_000, "t1")
    scene.agent("f", b"C" * 1_000, "t2")
    scene.agent("f", b"D", "t3")
    assert {turn.turn_id: bool(turn.problem) for turn in scene.history.turns()} == {
        "t0": True,
        "t1": True,
        "t2": False,
        "t3": False,
    }
    scene.history.restore(scene.history.plan_restore(["t2", "t3"]))
    assert scene.path("f").read_bytes() == b"A" * 1_000


def test_a_turn_that_alone_needs_more_than_the_limit_may_not_write_on(scene: Scene) -> None:
    scene.history = scene.reopened(limit_bytes=2_500)
    for name in "123":
        scene.user(name, name.encode() * 1_000)
    scene.agent("1", b"x")
    scene.agent("2", b"x")
    with pytest.raises(ToolError, match="more than the"):
        scene.agent("3", b"x")
    assert scene.path("3").read_bytes() == b"3" * 1_000
    scene.history.restore(scene.history.plan_restore(["t1"]))
    assert scene.path("1").read_bytes() == b"1" * 1_000


def test_a_restore_within_the_limit_does_not_give_up_what_it_needs(scene: Scene) -> None:
    scene.history = scene.reopened(limit_bytes=2_500)
    scene.user("1", b"1" * 1_000)
    scene.agent("1", b"x" * 1_000)
    scene.agent("2", b"y" * 1_400, "t2")
    scene.agent("2", b"z", "t3")
    before = scene.picture()
    scene.history.restore(scene.history.plan_restore(["t1"]))
    assert scene.path("1").read_bytes() == b"1" * 1_000
    scene.undo()
    assert scene.picture() == before


@pytest.mark.parametrize("damage", ["missing", "damaged"])
def test_a_turn_whose_old_bytes_are_gone_is_refused_with_a_sentence(scene: Scene, damage: str) -> None:
    scene.agent("a.py", b"x")
    scene.agent("b.py", b"x")
    before = scene.picture()
    for path in (scene.folder / "bytes").iterdir():
        if path.read_bytes() == A:
            path.unlink() if damage == "missing" else path.write_bytes(b"no")
    scene.history = scene.reopened()
    plan = scene.history.plan_restore(["t1"])
    with pytest.raises(StorageError, match=damage):
        scene.history.restore(plan)
    assert scene.picture() == before


@pytest.mark.parametrize("lost", range(4))
def test_a_turn_beside_a_lost_line_is_refused_but_single_files_are_not(scene: Scene, lost: int) -> None:
    scene.agent("a.py", b"x")
    scene.agent("b.py", b"x")
    scene.agent("notes.txt", b"x", "t2")
    lines = index_lines(scene)
    lines[lost] = b'{"type":"kept"' + b"\0" * 20 + b"\n"
    (scene.folder / "index.jsonl").write_bytes(b"".join(lines))
    scene.history = scene.reopened()
    assert "incomplete" in scene.history.plan_restore(["t1"]).problem
    assert scene.history.damaged_lines == 1
    whole = "b.py" if lost < 2 else "a.py"
    scene.history.restore(scene.history.plan_restore(["t1"], [whole]))
    assert scene.path(whole).read_bytes() == OWN_FILES[whole]


def test_a_torn_tail_costs_nothing_that_was_acknowledged(scene: Scene) -> None:
    scene.agent("a.py", b"x")
    with (scene.folder / "index.jsonl").open("ab") as file:
        file.write(b'{"type":"kept","number":3,"times')
    scene.history = scene.reopened()
    scene.agent("b.py", b"x")
    scene.history = scene.reopened()
    plan = scene.history.plan_restore(["t1"])
    assert not plan.problem
    assert len(plan.ready) == 2


def test_a_planted_index_leads_nowhere(scene: Scene, tmp_path: Path) -> None:
    scene.agent("a.py", b"x")
    names = ["../up", "%2e%2e/up", "", "/", "a%00b", "src/../../up"]
    kept = json.loads(index_lines(scene)[0])
    with (scene.folder / "index.jsonl").open("ab") as file:
        for number, name in enumerate(names, start=3):
            planted = {**kept, "number": number, "turnId": "evil", "path": name}
            file.write(json.dumps(planted).encode() + b"\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    scene.history = scene.reopened()
    plan = scene.history.plan_restore(["evil"])
    assert plan.files == ()
    assert not scene.history.restore(plan).done
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_line_of_a_newer_diligent_is_passed_over(scene: Scene) -> None:
    scene.agent("a.py", b"x")
    with (scene.folder / "index.jsonl").open("ab") as file:
        file.write(b'{"type":"blessed","number":3}\n')
    scene.history = scene.reopened()
    scene.agent("b.py", b"x")
    assert scene.history.damaged_lines == 0
    assert len(scene.history.plan_restore(["t1"]).ready) == 2
    assert not scene.history.plan_restore(["t1"]).problem


def test_an_undo_that_is_not_of_the_last_restore_any_more_is_refused(scene: Scene) -> None:
    scene.agent("a.py", b"x")
    scene.agent("b.py", b"x", "t2")
    scene.history.restore(scene.history.plan_restore(["t1"]))
    plan = scene.history.plan_undo()
    assert plan is not None
    scene.history.restore(scene.history.plan_restore(["t2"]))
    with pytest.raises(Exception, match="Another restore"):
        scene.history.restore(plan)


def test_without_a_restore_there_is_nothing_to_undo(scene: Scene) -> None:
    assert scene.history.plan_undo() is None
    assert scene.history.turns() == ()
    assert not scene.folder.exists()


def test_many_threads_keep_at_the_same_time(scene: Scene) -> None:
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                path = scene.path(f"f{number}-{step}")
                scene.history.keep("t1", f"e{number}-{step}", path)
                path.write_bytes(b"x")
        except (ToolError, OSError) as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    scene.history.close_turn("t1")
    assert errors == []
    receipt = scene.history.restore(scene.history.plan_restore(["t1"]))
    assert len(receipt.done) == 30
    assert set(scene.picture()) == {*OWN_FILES, ".git", "build", "library", "src", "src/deep"}


S = FileState
OLD, NEW, OTHER, GONE = S("old", 1), S("new", 1), S("other", 1), S()


@pytest.mark.parametrize(
    ("now", "before", "left", "then"),
    [
        (NEW, OLD, NEW, OLD),
        (OLD, OLD, NEW, OLD),
        (OTHER, OLD, NEW, None),
        (GONE, OLD, NEW, None),
        (NEW, GONE, NEW, GONE),
        (OTHER, GONE, NEW, None),
        (GONE, OLD, GONE, OLD),
        (OTHER, OLD, GONE, None),
        (S("new", 2), OLD, NEW, S("old", 2)),
        (S("new", 2), OLD, S("new", 3), None),
        (S("other", 3), OLD, S("old", 3), S("other", 1)),
        (S("new", 1), OLD, S("new", 3), S("old", 1)),
        (NEW, OLD, None, None),
        (OLD, OLD, None, OLD),
    ],
)
def test_a_change_is_taken_back_where_it_still_stands(
    now: FileState, before: FileState, left: FileState | None, then: FileState | None
) -> None:
    assert undo(now, before, left) == then


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"a\nb\n", b"a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c"),
        (None, b"a\n", "@@ -0,0 +1 @@\n+a"),
        (b"a\n", None, "@@ -1 +0,0 @@\n-a"),
        (b"a", b"a\n", "No newline at end of file"),
        (b"a\r\nb\r\n", b"a\nb\n", "Only line endings change: CRLF → LF."),
        (b"a\r\nb\n", b"a\r\nb\r\n", "Only line endings change: mixed → CRLF."),
        (b"\0", b"a", "Not text: 1 bytes → 1 bytes."),
        (None, b"\0" * 3_000_000, "Too large to be shown: nothing → 3,000,000 bytes."),
        (None, b"", "Empty."),
        (b"\xe9", b"\xe8", "The bytes differ, the letters do not"),
    ],
)
def test_a_difference_is_told_in_lines_or_in_words(old: bytes | None, new: bytes | None, told: str) -> None:
    difference = compare(old, new, "name")
    assert told in difference.text + difference.note


@given(some.lists(some.binary(min_size=1, max_size=20), min_size=1, max_size=4))
def test_any_name_comes_back_as_it_was(raw: list[bytes]) -> None:
    parts = [part.replace(b"/", b"_").replace(b"\0", b"_") for part in raw]
    parts = [b"x" if part in (b".", b"..") else part for part in parts]
    root = Path("/nowhere/project")
    place = place_of(root / os.fsdecode(b"/".join(parts)), root)
    assert place.name.isascii()
    assert place_named(place.name, root) == place


@pytest.mark.parametrize(
    ("receipt", "words"),
    [
        (Receipt(("a",)), "Restored 1 file."),
        (Receipt(("a", "b"), is_undo=True), "Brought back 2 files."),
        (Receipt(), "No file was changed."),
        (Receipt(("a",), (("b", "why"),)), "Restored 1 file. Left 1 file alone."),
        (Receipt((), (), (("b", "Disk full."),)), "No file was changed. 1 file could not be written: b: Disk full."),
    ],
)
def test_a_receipt_says_what_was_done(receipt: Receipt, words: str) -> None:
    assert receipt.words == words
    assert bool(receipt.note) == bool(receipt.done)


def test_a_history_that_cannot_be_written_keeps_the_file_from_being_written(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    (scene.root / ".diligent").write_text("a file where the folder should be")
    history = FileHistory(scene.folder, scene.root)
    with pytest.raises(ToolError, match="could not be kept"):
        history.keep("t1", "e1", scene.path("a.py"))


def test_what_a_restore_has_just_found_is_not_given_up_for_what_it_finds_next(scene: Scene) -> None:
    scene.history = scene.reopened(limit_bytes=2_500)
    for name, size in (("0", 1_000), ("1", 400), ("2", 400)):
        scene.user(name, name.encode() * size)
    scene.agent("0", b"small", "t0")
    scene.agent("1", b"x" * 600)
    scene.agent("2", b"y" * 600)
    before = scene.picture()
    assert len(scene.history.restore(scene.history.plan_restore(["t1"])).done) == 2
    assert scene.history.turns()[-1].problem
    scene.undo()
    assert scene.picture() == before


@pytest.mark.parametrize(
    ("present", "wanted"), [(b"mine", b"old"), (b"mine", None), (None, b"old")], ids=["replace", "delete", "make"]
)
def test_a_file_changed_in_the_very_last_moment_is_not_replaced(
    scene: Scene, present: bytes | None, wanted: bytes | None
) -> None:
    scene.user("kept", b"old")
    scene.history.keep("t1", "e1", scene.path("kept"))
    if present is not None:
        scene.user("f", present)
    place = place_of(scene.path("f"), scene.root)
    now = look(place, 1_000)
    assert isinstance(now, FileState)
    scene.user("f", b"typed at the last moment")
    put = look(place_of(scene.path("kept"), scene.root), 1_000) if wanted else FileState()
    assert isinstance(put, FileState)
    with pytest.raises(StorageError, match="at this very moment"):
        put_file(Putting(place, now, put, ".aside"), Blobs(scene.folder / "bytes"))
    assert scene.path("f").read_bytes() == b"typed at the last moment"
    assert not scene.path(".aside").exists()


def test_planning_and_restoring_tell_how_far_they_are(scene: Scene) -> None:
    for number in range(6):
        scene.agent(f"new{number}.py", b"1\n")
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    plan = scene.history.plan_restore(["t1"], tell=tell)
    assert told == [(number, 6) for number in range(6)]
    told.clear()
    assert len(scene.history.restore(plan, tell=tell).done) == 6
    assert told == [(2, 6), (2, 6), (2, 6), (3, 6), (3, 6), (3, 6), (4, 6), (4, 6), (4, 6), (5, 6), (5, 6), (5, 6)]
    told.clear()
    undo_plan = scene.history.plan_undo(tell)
    assert undo_plan is not None
    assert told == [(number, 6) for number in range(6)]
