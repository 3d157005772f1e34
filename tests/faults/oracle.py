"""What must hold of any session file, however damaged: it opens, shows what is intact, loses no byte, and goes on."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from diligent_tui.domain.entries import Entry, decode_entry
from diligent_tui.session.catalog import list_sessions
from diligent_tui.session.reading import SessionContent, decode_line
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tail import read_tail
from tests.session.drafts import SESSION_ID, said

TAIL_ENTRIES = 5


def session_file(folder: Path) -> Path:
    """Where the damaged session is kept; its folder is made."""
    path = folder / ".diligent" / "sessions" / f"{SESSION_ID}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def whole_lines(data: bytes) -> list[Entry]:
    """The entries of lines that stand whole in a file, by the plainest means; of two with one id the first counts."""
    found: dict[str, Entry] = {}
    for line in data.split(b"\n"):
        value = decode_line(line)
        if value is not None and isinstance(value.get("id"), str) and isinstance(kind := value.get("type"), str):
            entry = decode_entry(value)
            if kind not in ("session", "partial"):
                found.setdefault(entry.id, entry)
    return list(found.values())


async def check_reading(path: Path, intact: Sequence[Entry]) -> SessionContent:
    """Everything that must hold of opening for reading; nothing is written."""
    before, beside = path.read_bytes(), sorted(path.parent.rglob("*"))
    store = SessionStore.open(path, for_writing=False)
    nodes = store.tree.nodes
    for entry in intact:
        assert entry.id in nodes, f"{entry.id} is lost"
        assert store.entry(entry.id) == entry
    assert Counter(list(nodes)) == Counter(child for children in store.tree.children.values() for child in children)
    depth: dict[str | None, int] = {None: 0}
    for node in nodes.values():
        # A parent that comes earlier in the file cannot be in a circle.
        depth[node.id] = depth[node.parent_id] + 1
    way = store.tree.path(store.tree.leaf_id)
    assert len(way) == depth[store.tree.leaf_id]
    if store.content.damage.repeated == 0:
        tail = read_tail(path, TAIL_ENTRIES)
        assert list(tail.entries) == [store.entry(node.id) for node in way[-TAIL_ENTRIES:]]
        # That an orphan is a root is not seen from the end; nothing is ever called whole that is not.
        assert tail.is_whole == (len(way) <= TAIL_ENTRIES) or (not tail.is_whole and store.content.damage.orphans)
    else:
        assert {entry.id for entry in read_tail(path, TAIL_ENTRIES).entries} <= set(nodes)
    assert [row.path for row in list_sessions(path.parent)] == [path]
    await store.close()
    assert path.read_bytes() == before
    assert sorted(path.parent.rglob("*")) == beside
    return store.content


async def check_going_on(path: Path) -> None:
    """The next prompt lands behind what is there, hangs on the leaf, and comes back."""
    before = path.read_bytes()
    store = SessionStore.open(path)
    leaf = store.tree.leaf_id
    known = set(store.tree.nodes)
    prompt = said(store.new_id(), leaf, "are you still here?")
    await store.append(prompt)
    await store.close()
    assert path.read_bytes().startswith(before)
    again = SessionStore.open(path)
    assert again.tree.leaf_id == prompt.id
    assert again.entry(prompt.id) == prompt
    assert known <= set(again.tree.nodes)
    assert list(read_tail(path, 1).entries) == [prompt]
    await again.close()
