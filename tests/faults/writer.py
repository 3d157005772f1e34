"""A process that writes to a session until it has said enough; where another holds it, it goes on in a fork."""

import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from diligent_tui.domain.errors import SessionLocked
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.session.fork import fork_session
from diligent_tui.session.store import SessionStore
from tests.session.drafts import said

AT_ONCE = 10


def tell(value: JsonObject) -> None:
    """One line to whoever started this."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


async def write(path: Path, name: str, count: int) -> None:
    """Say what was told and where it was written, one line of JSON each."""
    told = ""
    try:
        store = SessionStore.open(path)
    except SessionLocked as error:
        told = error.message
        reader = SessionStore.open(path, for_writing=False)
        store = SessionStore.open(fork_session(reader, path.parent, datetime.now(UTC)))
        await reader.close()
    tell({"told": told, "path": str(store.path)})
    # The other one begins only now, so that both write at the same time.
    sys.stdin.readline()
    for first in range(0, count, AT_ONCE):
        leaf = store.tree.leaf_id
        numbers = range(first, first + AT_ONCE)
        entries = [said(f"{name}{number:07x}", leaf, f"{name} says {number}") for number in numbers]
        await asyncio.gather(*(store.append(entry) for entry in entries))
        tell({"saved": [entry.id for entry in entries]})
    sys.stdin.readline()
    await store.close()


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
