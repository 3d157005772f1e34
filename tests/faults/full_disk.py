"""A session on a disk that fills up in each of its phases, and is freed: run on a small tmpfs, or with a made-up limit.

As a program it mounts 256 KB over the folder it is given, which needs a mount namespace of its own.
"""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from diligent_tui.domain.entries import SessionHeader
from diligent_tui.domain.errors import StorageFull
from diligent_tui.session.store import SessionStore
from tests.session.drafts import SESSION_ID, STAMP, answered, line_of, said

DISK_KILOBYTES = 256
PAGE_BYTES = 4096
LONG = "a long answer " * 2_000
FREE_PAGES = range(6)
"""Twelve phases: so many pages are left when a session begins, or when it is in its middle."""


class Space(Protocol):
    """A disk whose free space can be taken and given back."""

    def leave(self, pages: int) -> None:
        """Fill all but so many pages."""
        ...

    def free(self) -> None:
        """Give the space back."""
        ...


class Ballast:
    """Fills a real disk with a file."""

    def __init__(self, folder: Path) -> None:
        """Name the file."""
        self._file = folder / "ballast"

    def leave(self, pages: int) -> None:
        """Write until the disk is full, then give back what is to be left."""
        with self._file.open("wb", buffering=0) as file:
            size = 0
            try:
                while True:
                    size += file.write(b"x" * PAGE_BYTES)
            except OSError:
                pass
            file.truncate(max(0, size - pages * PAGE_BYTES))

    def free(self) -> None:
        """Take the file away."""
        self._file.unlink()


async def fill_up(folder: Path, space: Space) -> list[str]:
    """Play all phases; returns what happened in each."""
    return [
        *[f"beginning, {pages}: {await _begin(folder / f'b{pages}', space, pages)}" for pages in FREE_PAGES],
        *[f"going on, {pages}: {await _go_on(folder / f'g{pages}', space, pages)}" for pages in FREE_PAGES],
    ]


async def _begin(project: Path, space: Space, pages: int) -> str:
    """A first prompt."""
    project.mkdir()
    store = SessionStore.create(project / ".diligent" / "sessions", SessionHeader(id=SESSION_ID, timestamp=STAMP))
    prompt = said("a", None, "a first prompt " * 400)
    space.leave(pages)
    outcome = await _try(lambda: store.append(prompt))
    space.free()
    if outcome == "refused":
        assert list(store.tree.nodes) == []
        await store.append(prompt)
    await store.append(answered("b", "a"))
    await store.close()
    await _check(store.path, ["a", "b"], [line_of(prompt), line_of(answered("b", "a"))])
    return outcome


async def _go_on(project: Path, space: Space, pages: int) -> str:
    """A long answer."""
    project.mkdir()
    store = SessionStore.create(project / ".diligent" / "sessions", SessionHeader(id=SESSION_ID, timestamp=STAMP))
    await store.append(said("a", None))
    space.leave(pages)
    outcome = await _try(lambda: store.append(answered("b", "a", LONG)))
    if outcome == "refused":
        assert list(store.tree.nodes) == ["a"]
        # The disk is still full: nothing is pretended the second time either.
        assert await _try(lambda: store.append(answered("b", "a", LONG))) == "refused"
    space.free()
    if outcome == "refused":
        await store.append(answered("b", "a", LONG))
    await store.append(said("c", "b"))
    await store.close()
    await _check(store.path, ["a", "b", "c"], [line_of(answered("b", "a", LONG)), line_of(said("c", "b"))])
    return outcome


async def _try(step: Callable[[], Awaitable[None]]) -> str:
    refusal: StorageFull | None = None
    try:
        await step()
    except StorageFull as error:
        refusal = error
    if refusal is None:
        return "saved"
    assert "disk is full" in refusal.message
    assert "Free some space" in refusal.advice
    return "refused"


async def _check(path: Path, ids: list[str], lines: list[bytes]) -> None:
    again = SessionStore.open(path, for_writing=False)
    assert list(again.tree.nodes) == ids
    assert again.content.damage.orphans == 0
    await again.close()
    whole = path.read_bytes().splitlines(keepends=True)
    assert [line in whole for line in lines] == [True] * len(lines)
    shutil.rmtree(path.parent.parent)


def main() -> None:
    """Mount, play, and print what happened."""
    folder = Path(sys.argv[1])
    size = f"size={DISK_KILOBYTES}k"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", str(folder)], check=True)
    sys.stdout.write("\n".join(asyncio.run(fill_up(folder, Ballast(folder)))))


if __name__ == "__main__":
    main()
