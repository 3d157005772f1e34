"""Every scenario: the plan touches nothing, the restore changes only what it says, and undo, redo, undo are exact."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.agent.file_history.stage import OWN_FILES, Scene, every_conflict

A = OWN_FILES["a.py"]
Build = Callable[[Scene], object]
Value = bytes | int | tuple[bytes, int] | None
Expected = dict[str, Value]


@dataclass(frozen=True)
class Case:
    """What happens, which turns are restored, and what is then other: bytes, mode, both, or None for gone."""

    name: str
    build: Build
    after: Expected = field(default_factory=dict[str, Value])
    conflicts: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    turns: tuple[str, ...] = ("t1",)
    only: str | None = None
    over: bool = False


def each(*builds: Build) -> Build:
    def build(scene: Scene) -> None:
        for step in builds:
            step(scene)

    return build


def agent(
    name: str | bytes,
    data: bytes | None,
    turn: str = "t1",
    *,
    mode: int | None = None,
    in_place: bool = False,
    noted: bool = True,
) -> Build:
    return lambda scene: scene.agent(name, data, turn, mode=mode, in_place=in_place, noted=noted)


def user(name: str | bytes, data: bytes | None) -> Build:
    return lambda scene: scene.user(name, data)


def chmod(name: str, mode: int) -> Build:
    return lambda scene: scene.path(name).chmod(mode)


def link(name: str, target: str) -> Build:
    return lambda scene: scene.path(name).symlink_to(target)


def hard_link(name: str, target: str) -> Build:
    return lambda scene: scene.path(name).hardlink_to(scene.path(target))


def fifo(name: str) -> Build:
    return lambda scene: os.mkfifo(scene.path(name))


def folder(name: str) -> Build:
    return lambda scene: scene.path(name).mkdir(parents=True)


def move(name: str, target: str) -> Build:
    return lambda scene: scene.path(name).rename(scene.path(target))


def remove_folder(name: str) -> Build:
    return lambda scene: scene.path(name).rmdir()


def restored(*turns: str) -> Build:
    return lambda scene: scene.history.restore(scene.history.plan_restore(turns))


def reopen(scene: Scene) -> None:
    scene.history = scene.reopened()


def outside(scene: Scene, data: bytes = b"changed\n") -> None:
    (scene.root.parent / "elsewhere.txt").write_bytes(b"elsewhere\n")
    scene.agent("../elsewhere.txt", data)


NEW = b"new\n"
CRLF = b"one\r\ntwo\r\n"
BINARY = bytes(range(256)) * 4
EDIT = agent("a.py", NEW)
LONG = "x" * 240 + ".py"

CASES = [
    # What the agent does.
    Case("an edit", EDIT, {"a.py": A}),
    Case("two edits in one turn", each(EDIT, agent("a.py", b"newer\n")), {"a.py": A}),
    Case("three edits, there and back", each(EDIT, agent("a.py", A), agent("a.py", b"x")), {"a.py": A}),
    Case("edits without a look between", each(agent("a.py", NEW, noted=False), agent("a.py", b"n")), {"a.py": A}),
    Case("two files", each(EDIT, agent("b.py", NEW)), {"a.py": A, "b.py": b"b\n"}),
    Case("many files", each(*[agent(f"n{number}", NEW) for number in range(12)]), {f"n{n}": None for n in range(12)}),
    Case("a new file", agent("new.py", NEW), {"new.py": None}),
    Case("a new file in a new folder", agent("fresh/new.py", NEW), {"fresh/new.py": None, "fresh": None}),
    Case(
        "a new file deep in new folders",
        agent("x/y/z/new.py", NEW),
        {"x": None, "x/y": None, "x/y/z": None, "x/y/z/new.py": None},
    ),
    Case(
        "two new files in a new folder",
        each(agent("fresh/1", NEW), agent("fresh/2", NEW)),
        {"fresh": None, "fresh/1": None, "fresh/2": None},
    ),
    Case(
        "a new folder with a mode of its own",
        each(agent("fresh/1", NEW), chmod("fresh", 0o711)),
        {"fresh": None, "fresh/1": None},
    ),
    Case("a new file, edited", each(agent("new.py", NEW), agent("new.py", b"newer")), {"new.py": None}),
    Case("a new file, deleted again", each(agent("new.py", NEW), agent("new.py", None))),
    Case("a deletion", agent("a.py", None), {"a.py": A}),
    Case(
        "a deletion with its folder",
        each(agent("src/deep/c.py", None), remove_folder("src/deep"), remove_folder("src")),
        {"src": 0o755, "src/deep": 0o755, "src/deep/c.py": b"c\n"},
    ),
    Case("a deletion, and a new file of the name", each(agent("a.py", None), EDIT), {"a.py": A}),
    Case("a rename by writing", each(agent("z.py", A), agent("a.py", None)), {"z.py": None, "a.py": A}),
    Case("a rename over a file", each(agent("b.py", A), agent("a.py", None)), {"b.py": b"b\n", "a.py": A}),
    Case("a file emptied", agent("a.py", b""), {"a.py": A}),
    Case("an empty file filled", each(user("e", b""), agent("e", NEW)), {"e": b""}),
    Case("an empty file made", agent("e", b""), {"e": None}),
    Case("the same bytes written", agent("a.py", A)),
    Case("a mode", agent("a.py", A, mode=0o755), {"a.py": 0o644}),
    Case("bytes and mode", agent("a.py", NEW, mode=0o755), {"a.py": (A, 0o644)}),
    Case("a script", each(chmod("b.py", 0o755), agent("b.py", NEW)), {"b.py": b"b\n"}),
    Case("a read-only file", each(chmod("b.py", 0o444), agent("b.py", NEW)), {"b.py": b"b\n"}),
    Case("a private file", each(chmod("b.py", 0o600), agent("b.py", NEW)), {"b.py": b"b\n"}),
    # What is in the files.
    Case("CRLF", each(user("w", CRLF), agent("w", b"one\r\n2\r\n")), {"w": CRLF}),
    Case("CRLF made LF", each(user("w", CRLF), agent("w", b"one\ntwo\n")), {"w": CRLF}),
    Case("LF made CRLF", agent("a.py", A.replace(b"\n", b"\r\n")), {"a.py": A}),
    Case("mixed line ends", each(user("w", b"1\r\n2\n3\r4"), agent("w", NEW)), {"w": b"1\r\n2\n3\r4"}),
    Case("no newline at the end", each(user("w", b"1\n2"), agent("w", b"1\n2\n")), {"w": b"1\n2"}),
    Case("a byte order mark", each(user("w", b"\xef\xbb\xbf1"), agent("w", b"1")), {"w": b"\xef\xbb\xbf1"}),
    Case("Latin letters", each(user("w", b"caf\xe9\n"), agent("w", NEW)), {"w": b"caf\xe9\n"}),
    Case("binary", each(user("w", BINARY), agent("w", BINARY[::-1])), {"w": BINARY}),
    Case("binary made text", each(user("w", BINARY), agent("w", NEW)), {"w": BINARY}),
    Case("text made binary", agent("a.py", BINARY), {"a.py": A}),
    Case("five megabytes", each(user("w", BINARY * 5_000), agent("w", NEW)), {"w": BINARY * 5_000}),
    Case("one long line", each(user("w", b"x" * 1_500_000), agent("w", b"y" * 9)), {"w": b"x" * 1_500_000}),
    # What they are called.
    Case("a name with blanks", agent("a b  c", NEW), {"a b  c": None}),
    Case("a name with a newline", agent("a\nb", NEW), {"a\nb": None}),
    Case("a name that is not UTF-8", agent(b"caf\xe9", NEW), {os.fsdecode(b"caf\xe9"): None}),
    Case("a name with signs", agent("100%25 [a] #?&\\", NEW), {"100%25 [a] #?&\\": None}),
    Case("a name in another script", agent("你好/ß.py", NEW), {"你好/ß.py": None, "你好": None}),
    Case("a name like a flag", agent("-rf", NEW), {"-rf": None}),
    Case("a hidden file", agent(".env.local", NEW), {".env.local": None}),
    Case("a very long name", each(user(LONG, A), agent(LONG, NEW)), {LONG: A}),
    # Links and other things.
    Case("a file by a link", each(link("l", "a.py"), agent("l", NEW)), {"a.py": A}),
    Case("a file in a linked folder", each(link("l", "src"), agent("l/deep/c.py", NEW)), {"src/deep/c.py": b"c\n"}),
    Case("then a link there", each(EDIT, user("a.py", None), link("a.py", "b.py")), refused=("a.py",)),
    Case("then a dead link there", each(EDIT, user("a.py", None), link("a.py", "no")), refused=("a.py",)),
    Case(
        "then its folder is a link",
        each(agent("src/deep/c.py", NEW), move("src", "elsewhere"), link("src", "elsewhere")),
        refused=("src/deep/c.py",),
    ),
    Case(
        "then a folder there",
        each(EDIT, user("a.py", None), folder("a.py")),
        refused=("a.py",),
    ),
    Case("then a pipe there", each(EDIT, user("a.py", None), fifo("a.py")), refused=("a.py",)),
    Case(
        "then a file where its folder was",
        each(agent("fresh/1", NEW), user("fresh/1", None), remove_folder("fresh"), user("fresh", b"u")),
        refused=("fresh/1",),
    ),
    Case("then a second name", each(EDIT, hard_link("second", "a.py")), refused=("a.py",)),
    Case("a file with two names, replaced", each(hard_link("second", "a.py"), EDIT), {"a.py": A}),
    Case(
        "a file with two names, written in place",
        each(hard_link("second", "a.py"), agent("a.py", NEW, in_place=True)),
        refused=("a.py",),
    ),
    Case(
        "one refused, the other not",
        each(EDIT, agent("b.py", NEW), hard_link("second", "a.py")),
        {"b.py": b"b\n"},
        refused=("a.py",),
    ),
    # What the user does.
    Case("the user edited before", each(user("a.py", b"mine\n"), EDIT), {"a.py": b"mine\n"}),
    Case("the user edited later", each(EDIT, user("a.py", b"new\nmine\n")), conflicts=("a.py",)),
    Case(
        "the user edited later, and insists",
        each(EDIT, user("a.py", b"new\nmine\n")),
        {"a.py": A},
        conflicts=("a.py",),
        over=True,
    ),
    Case(
        "the user edited one of two",
        each(EDIT, agent("b.py", NEW), user("a.py", b"mine")),
        {"b.py": b"b\n"},
        conflicts=("a.py",),
    ),
    Case("the user deleted later", each(EDIT, user("a.py", None)), conflicts=("a.py",)),
    Case(
        "the user deleted later, and insists",
        each(EDIT, user("a.py", None)),
        {"a.py": A},
        conflicts=("a.py",),
        over=True,
    ),
    Case("the user deleted a new file", each(agent("n", NEW), user("n", None))),
    Case("the user made the deleted file", each(agent("a.py", None), user("a.py", b"mine")), conflicts=("a.py",)),
    Case(
        "the user made the deleted file, and insists",
        each(agent("a.py", None), user("a.py", b"mine")),
        {"a.py": A},
        conflicts=("a.py",),
        over=True,
    ),
    Case("the user made the same file again", each(agent("a.py", None), user("a.py", A))),
    Case("the user edited a new file", each(agent("n", NEW), user("n", b"mine")), conflicts=("n",)),
    Case(
        "the user edited a new file, and insists",
        each(agent("n", NEW), user("n", b"mine")),
        {"n": None},
        conflicts=("n",),
        over=True,
    ),
    Case("the user put it back by hand", each(EDIT, user("a.py", A))),
    Case("the user changed the mode later", each(EDIT, chmod("a.py", 0o755)), {"a.py": A}),
    Case(
        "the user edited where the agent changed the mode",
        each(agent("a.py", A, mode=0o755), user("a.py", b"mine\n")),
        {"a.py": 0o644},
    ),
    Case(
        "the user and the agent changed the mode",
        each(agent("a.py", NEW, mode=0o755), chmod("a.py", 0o600)),
        conflicts=("a.py",),
    ),
    Case(
        "the user edited between two edits",
        each(EDIT, user("a.py", b"mine\n"), agent("a.py", b"mine\nagent\n")),
        conflicts=("a.py",),
    ),
    Case("the user put it back between two edits", each(EDIT, user("a.py", A), agent("a.py", b"n")), {"a.py": A}),
    Case(
        "the user edited between two turns",
        each(EDIT, user("a.py", b"mine\n"), agent("a.py", b"mine\nagent\n", "t2")),
        {"a.py": b"mine\n"},
        turns=("t2",),
    ),
    Case(
        "the user edited between two turns, both restored",
        each(EDIT, user("a.py", b"mine\n"), agent("a.py", b"mine\nagent\n", "t2")),
        conflicts=("a.py",),
        turns=("t1", "t2"),
    ),
    Case(
        "the user works in the new folder",
        each(agent("fresh/1", NEW), user("fresh/mine", b"mine")),
        {"fresh/1": None},
    ),
    Case("the user renamed it", each(EDIT, move("a.py", "mine.py")), conflicts=("a.py",)),
    # Turns.
    Case(
        "the last of three turns",
        each(EDIT, agent("a.py", b"2", "t2"), agent("a.py", b"3", "t3")),
        {"a.py": b"2"},
        turns=("t3",),
    ),
    Case(
        "the first of three turns",
        each(EDIT, agent("a.py", b"2", "t2"), agent("a.py", b"3", "t3")),
        conflicts=("a.py",),
    ),
    Case(
        "all of three turns",
        each(EDIT, agent("a.py", b"2", "t2"), agent("a.py", b"3", "t3")),
        {"a.py": A},
        turns=("t1", "t2", "t3"),
    ),
    Case(
        "two of three turns",
        each(EDIT, agent("a.py", b"2", "t2"), agent("a.py", b"3", "t3")),
        {"a.py": NEW},
        turns=("t3", "t2"),
    ),
    Case("an earlier turn with other files", each(EDIT, agent("b.py", NEW, "t2")), {"a.py": A}),
    Case(
        "an earlier turn after the later one",
        each(EDIT, agent("a.py", b"2", "t2"), restored("t2")),
        {"a.py": A},
    ),
    Case("a turn that is restored already", each(EDIT, restored("t1"))),
    Case(
        "a turn after a restore",
        each(EDIT, restored("t1"), agent("a.py", b"again\n", "t2")),
        {"a.py": A},
        turns=("t2",),
    ),
    Case(
        "turns of two branches",
        each(EDIT, agent("left.py", NEW, "t2"), agent("right.py", NEW, "t3"), agent("left.py", b"l", "t4")),
        {"left.py": NEW},
        turns=("t4",),
    ),
    Case("one file of a turn", each(EDIT, agent("b.py", NEW)), {"b.py": b"b\n"}, only="b.py"),
    Case("a turn that changed nothing", agent("b.py", NEW, "t2"), turns=("t1",)),
    Case("another process later", each(EDIT, reopen), {"a.py": A}),
    Case("a turn over two processes", each(EDIT, reopen, agent("b.py", NEW)), {"a.py": A, "b.py": b"b\n"}),
    Case("a crash before the outcome was noted", each(agent("a.py", NEW, noted=False), reopen), conflicts=("a.py",)),
    Case(
        "a crash before the outcome was noted, and insists",
        each(agent("a.py", NEW, noted=False), reopen),
        {"a.py": A},
        conflicts=("a.py",),
        over=True,
    ),
    Case("a crash before anything was written", each(agent("a.py", A, noted=False), reopen)),
    # Git and what lies around.
    Case("an ignored file", agent("debug.log", NEW), {"debug.log": b"ignored\n"}),
    Case("an untracked file", agent("notes.txt", NEW), {"notes.txt": OWN_FILES["notes.txt"]}),
    Case("a file of a submodule", agent("library/lib.py", NEW), {"library/lib.py": OWN_FILES["library/lib.py"]}),
    Case("a file of git", agent(".git/config", NEW), conflicts=(".git/config",)),
    Case(
        "a file of git, and insists",
        agent(".git/config", NEW),
        {".git/config": None},
        conflicts=(".git/config",),
        over=True,
    ),
]


def other_than(before: dict[str, tuple[str, bytes, int]], expected: Expected) -> dict[str, tuple[str, bytes, int]]:
    """The picture with the expected changes."""
    after = dict(before)
    for name, value in expected.items():
        kind, data, mode = before.get(name, ("file", b"", 0o644))
        match value:
            case None:
                after.pop(name)
            case bytes():
                after[name] = ("file", value, mode)
            case (bytes() as both, both_mode):
                after[name] = ("file", both, both_mode)
            case int():
                after[name] = (kind, data, value) if name in before else ("folder", b"", value)
    return after


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_only_the_agents_own_changes_are_taken_back_and_the_undo_is_exact(tmp_path: Path, case: Case) -> None:
    scene = Scene(tmp_path)
    case.build(scene)
    before = scene.picture()
    plan = scene.history.plan_restore(case.turns, None if case.only is None else [case.only])
    assert scene.picture() == before
    assert sorted(file.place.shown for file in plan.conflicts) == sorted(case.conflicts)
    assert sorted(file.place.shown for file in plan.refused) == sorted(case.refused)
    for file in plan.files:
        scene.history.difference(file)
    receipt = scene.history.restore(plan, every_conflict(plan) if case.over else ())
    after = scene.picture()
    expected = other_than(before, case.after)
    assert after == expected
    assert not receipt.failed
    assert bool(receipt.done) == (after != before)
    if not receipt.done:
        return
    for state in (before, after, before):
        scene.undo()
        assert scene.picture() == state
    scene.history = scene.reopened()
    scene.undo()
    assert scene.picture() == after


def test_there_are_as_many_scenarios_as_promised() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 80


@pytest.mark.parametrize("over", [False, True])
def test_a_file_outside_the_project_is_asked_about(tmp_path: Path, over: bool) -> None:
    scene = Scene(tmp_path)
    elsewhere = tmp_path / "elsewhere.txt"
    outside(scene)
    plan = scene.history.plan_restore(["t1"])
    assert [file.place.shown for file in plan.conflicts] == [str(elsewhere)]
    scene.history.restore(plan, every_conflict(plan) if over else ())
    assert elsewhere.read_bytes() == (b"elsewhere\n" if over else b"changed\n")
    if over:
        scene.undo()
        assert elsewhere.read_bytes() == b"changed\n"


def test_two_sessions_on_one_project_know_each_others_work_for_foreign(tmp_path: Path) -> None:
    first, second = Scene(tmp_path), Scene(tmp_path, ".diligent/sessions/20260501130000-fedcba/before")
    first.agent("a.py", b"first\n")
    first.agent("b.py", b"first\n")
    second.agent("a.py", b"second\n")
    plan = first.history.plan_restore(["t1"])
    assert [file.place.shown for file in plan.conflicts] == ["a.py"]
    first.history.restore(plan)
    assert (first.path("a.py").read_bytes(), first.path("b.py").read_bytes()) == (b"second\n", b"b\n")
    second.history.restore(second.history.plan_restore(["t1"]))
    assert first.path("a.py").read_bytes() == b"first\n"
    first.history.restore(first.history.plan_restore(["t1"]))
    assert first.path("a.py").read_bytes() == A


def test_a_moved_project_keeps_its_history(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.agent("src/deep/c.py", NEW)
    scene.root.rename(tmp_path / "moved")
    scene.root = tmp_path / "moved"
    scene.folder = next(scene.root.glob(".diligent/sessions/*/before"))
    scene.history = scene.reopened()
    scene.history.restore(scene.history.plan_restore(["t1"]))
    assert scene.path("src/deep/c.py").read_bytes() == b"c\n"


def test_a_file_that_changes_while_the_preview_stands_is_left_alone(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.agent("a.py", NEW)
    scene.agent("b.py", NEW)
    plan = scene.history.plan_restore(["t1"])
    scene.user("a.py", b"typed while looking\n")
    receipt = scene.history.restore(plan)
    assert receipt.done == ("b.py",)
    assert [name for name, _ in receipt.left_alone] == ["a.py"]
    assert scene.path("a.py").read_bytes() == b"typed while looking\n"
