"""A project with a user's own files, an agent that writes through the history, and pictures of all that is there."""

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from diligent_tui.agent.file_history import FileHistory, Plan, Receipt

MOMENT = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
HISTORY = ".diligent/sessions/20260501120000-abcdef/before"
OWN_FILES = {
    ".git/HEAD": b"ref: refs/heads/main\n",
    ".git/index": b"DIRC\0\0\0\2 staged and not committed",
    ".gitignore": b"*.log\nbuild/\n",
    "a.py": b"one\ntwo\nthree\n",
    "b.py": b"b\n",
    "build/out.bin": bytes(range(256)),
    "debug.log": b"ignored\n",
    "library/.git": b"gitdir: ../.git/modules/library\n",
    "library/lib.py": b"a submodule's file\n",
    "notes.txt": b"untracked words of the user\n",
    "src/deep/c.py": b"c\n",
}
Item = tuple[str, bytes, int]


class Scene:
    """A project; `agent` keeps and then writes, as the tools do, `user` just writes."""

    def __init__(self, folder: Path, session: str = HISTORY) -> None:
        self.root = folder / "project"
        for name, data in OWN_FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.write_bytes(data)
        self.folder = self.root / session
        self.history = self.reopened()
        self._calls = 0

    def reopened(self, **limits: int) -> FileHistory:
        """The history as another process finds it."""
        return FileHistory(self.folder, self.root, clock=lambda: MOMENT, **limits)

    def path(self, name: str | bytes) -> Path:
        return self.root / os.fsdecode(name)

    def agent(
        self,
        name: str | bytes,
        data: bytes | None,
        turn: str = "t1",
        *,
        mode: int | None = None,
        in_place: bool = False,
        noted: bool = True,
    ) -> None:
        """A call of the agent; None deletes. `noted` is False where diligent dies before it looks at the outcome."""
        path = Path(os.path.realpath(self.path(name)))
        self._calls += 1
        self.history.keep(turn, f"e{self._calls}", self.path(name))
        if data is None:
            path.unlink()
        else:
            kept_mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
            path.parent.mkdir(parents=True, exist_ok=True)
            target = path if in_place else path.with_name("new-by-agent")
            target.write_bytes(data)
            target.chmod(kept_mode if mode is None else mode)
            target.replace(path)
        if noted:
            self.history.close_turn(turn)

    def user(self, name: str | bytes, data: bytes | None) -> None:
        """The user's own hand."""
        path = self.path(name)
        if data is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def picture(self) -> dict[str, Item]:
        """All that is in the project, but for the history itself."""
        return dict(self._items(self.root))

    def _items(self, folder: Path) -> Iterator[tuple[str, Item]]:
        for path in sorted(folder.iterdir()):
            if path.name == ".diligent" and path.parent == self.root:
                continue
            name = str(path.relative_to(self.root))
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                yield name, ("link", os.fsencode(path.readlink()), 0)
            elif stat.S_ISDIR(mode):
                yield name, ("folder", b"", stat.S_IMODE(mode))
                yield from self._items(path)
            elif stat.S_ISREG(mode):
                yield name, ("file", path.read_bytes(), stat.S_IMODE(mode))
            else:
                yield name, ("special", b"", stat.S_IMODE(mode))

    def undo(self) -> Receipt:
        """Take the last restore back."""
        plan = self.history.plan_undo()
        assert plan is not None
        return self.history.restore(plan, every_conflict(plan))


def every_conflict(plan: Plan) -> list[str]:
    """The names to say so that a plan is carried out in spite of all."""
    return [file.name for file in plan.conflicts]
