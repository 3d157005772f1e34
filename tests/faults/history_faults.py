"""Stops or fails a file history at each of its operations in turn, and looks at what is left each time.

As a program it plays one act: a child does the work and dies, or finds the disk full, at the first operation, then at
the second, until one comes through; after each the parent opens what was left, as the next start would.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from diligent_tui.agent.file_history import index
from diligent_tui.domain.errors import DiligentError
from tests.agent.file_history.stage import OWN_FILES, Item, Scene, every_conflict

Fault = Literal["kill", "full"]
OPERATIONS = ("open", "write", "fsync", "rename", "replace", "link", "unlink", "mkdir", "rmdir", "fchmod", "chmod")
MOST_OPERATIONS = 400
TOLD = 9
"""How a child ends that was told of the full disk in words."""


def set_trap(fault: Fault, at: int) -> None:
    """From now on the Nth operation of this process is its last, or it and all that follow find no space."""
    count = 0

    def trapped(real: Callable[..., object], name: str) -> Callable[..., object]:
        def operation(*arguments: object, **more: object) -> object:
            nonlocal count
            count += 1
            if fault == "kill" and count == at:
                os.kill(os.getpid(), signal.SIGKILL)
            # A full disk still lets one delete, rename and read.
            if fault == "full" and count >= at and name in ("write", "fsync", "mkdir", "sync"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(*arguments, **more)

        return operation

    for name in OPERATIONS:
        setattr(os, name, trapped(getattr(os, name), name))
    # Bound to its name when it was imported.
    index.sync_data = trapped(index.sync_data, "sync")


def agent_at_work(scene: Scene) -> None:
    """A turn that edits, makes and deletes."""
    scene.agent("a.py", b"edited by the agent\n")
    scene.agent("fresh/new.py", b"made by the agent\n")
    scene.agent("b.py", None)


def restoring(scene: Scene) -> None:
    """The way back."""
    receipt = scene.history.restore(scene.history.plan_restore(["t1"]))
    if receipt.failed:
        raise DiligentError(receipt.words)


def check_agent(scene: Scene, before: dict[str, Item]) -> None:
    """Whatever differs from before can be put back, for it was kept first."""
    for stray in scene.root.rglob("new-by-agent"):
        stray.unlink()
    plan = scene.history.plan_restore(["t1"])
    assert not plan.problem, plan.problem
    scene.history.restore(plan, every_conflict(plan))
    after = scene.picture()
    # A folder that the agent made for a file that never came is the tool's own affair.
    assert {name: item for name, item in after.items() if name != "fresh"} == before, after.keys() ^ before.keys()
    assert "fresh/new.py" not in after


def check_restore(scene: Scene, before: dict[str, Item], wanted: dict[str, Item]) -> None:
    """Each file is as it was or as it should be, all of it can be undone exactly, and done again."""
    assert scene.history.turns()
    for name, item in scene.picture().items():
        assert item in (before.get(name), wanted.get(name)), name
    if plan := scene.history.plan_undo():
        assert not plan.problem, plan.problem
        assert not plan.conflicts, plan.conflicts
        scene.history.restore(plan)
    assert scene.picture() == before
    scene.history.restore(scene.history.plan_restore(["t1"]))
    assert scene.picture() == wanted


def child(fault: Fault, at: int, work: Callable[[Scene], None], scene: Scene) -> int:
    """Do the work in a process of its own; how it ended."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            set_trap(fault, at)
            work(scene)
            code = 0
        except (DiligentError, OSError) as error:
            code = TOLD if "No space" in str(error) or "disk is full" in str(error) else 1
            if code == 1:
                sys.stderr.write(f"{error!r}\n")
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def play(folder: Path, act: str, fault: Fault) -> int:
    """One act with one fault at every place; the number of operations it took."""
    for at in range(1, MOST_OPERATIONS):
        scene = Scene(folder / str(at))
        before = scene.picture()
        if act == "restore":
            agent_at_work(scene)
            wanted, before = before, scene.picture()
            code = child(fault, at, restoring, scene)
            scene.history = scene.reopened()
            check_restore(scene, before, wanted)
        else:
            code = child(fault, at, agent_at_work, scene)
            scene.history = scene.reopened()
            check_agent(scene, before)
        if code == 0:
            return at
        assert code == (-signal.SIGKILL if fault == "kill" else TOLD), f"ended with {code} at {at}"
        assert all((scene.root / name).read_bytes() == OWN_FILES[name] for name in ("notes.txt", "debug.log"))
    raise AssertionError("it never came through")


def not_synced(_: int) -> None:
    """As if it were."""


def main() -> None:
    """Play the act that is named."""
    # A kill leaves what was written, synced or not; waiting for the disk would only make this slow.
    os.fsync = index.sync_data = not_synced
    folder, act, fault = sys.argv[1:]
    assert fault in ("kill", "full")
    sys.stdout.write(f"{play(Path(folder), act, fault)}\n")


if __name__ == "__main__":
    main()
