"""The power goes at any moment: what was acknowledged before it is there, and the session opens and goes on."""

import random
from pathlib import Path

import pytest

from diligent_tui.domain.entries import Entry, LabelEntry, LeafEntry, QueuedEntry, SessionHeader
from diligent_tui.session.store import SessionStore
from tests.faults.oracle import check_going_on
from tests.faults.power import PowerLog, variants
from tests.session.drafts import SESSION_ID, STAMP, answered, piece, said

OPERATIONS = 60


async def live(project: Path, log: PowerLog) -> Path:
    """A session of sixty operations of all kinds, closed and opened again in the middle."""
    dice = random.Random(20260102)
    sessions = project / ".diligent" / "sessions"
    store = SessionStore.create(sessions, SessionHeader(id=SESSION_ID, timestamp=STAMP))
    for number in range(OPERATIONS):
        leaf, new_id = store.tree.leaf_id, f"{number:08x}"
        entry: Entry
        match dice.randrange(6) if number else 0:
            case 0:
                entry = said(new_id, leaf, "a question? " * dice.randrange(1, 40))
            case 1:
                entry = LabelEntry(id=new_id, parent_id=leaf, timestamp=STAMP, target_id="00000000", label=new_id)
            case 2:
                target = dice.choice(list(store.tree.nodes))
                entry = LeafEntry(id=new_id, parent_id=leaf, timestamp=STAMP, target_id=target)
            case 3:
                entry = QueuedEntry(id=new_id, parent_id=leaf, timestamp=STAMP, text=f"later {number}")
            case _:
                for part in range(dice.randrange(3)):
                    store.append_partial(piece(f"{number:06x}p{part}", leaf, new_id, "words "))
                entry = answered(new_id, leaf, "an answer " * dice.randrange(1, 200))
        await store.append(entry)
        log.acknowledge(entry.id)
        if number == OPERATIONS // 2:
            await store.close()
            store = SessionStore.open(store.path)
    await store.close()
    return store.path


@pytest.mark.parametrize("is_made_before", [False, True], ids=["a new project", "folders that were never synced"])
async def test_no_cut_of_the_power_costs_what_was_acknowledged(is_made_before: bool, tmp_path: Path) -> None:
    project, after = tmp_path / "project", tmp_path / "after" / ".diligent" / "sessions"
    log = PowerLog(project)
    with log.recording():
        project.mkdir()
        log.note("sync", str(project.parent))
        if is_made_before:
            # As by a process that was killed at once.
            for folder in (project / ".diligent", project / ".diligent" / "sessions"):
                folder.mkdir(mode=0o700)
        path = await live(project, log)
    after.mkdir(parents=True)
    states = 0
    for end, acknowledged, files, named in log.cuts():
        remains = files.get(str(path))
        ways = {str(each) for each in (path.parent, path.parent.parent)}
        if remains is None or not ways <= named:
            assert not acknowledged, f"after {end} operations the file has no name, and {acknowledged} was acknowledged"
            continue
        left = after / path.name
        for name, data in variants(remains).items():
            states += 1
            left.write_bytes(data)
            store = SessionStore.open(left, for_writing=False)
            lost = acknowledged - set(store.tree.nodes)
            assert not lost, f"after {end} operations, {name}: {lost}"
            assert store.content.damage.lines <= 1
            assert not (store.content.damage.header_is_missing and acknowledged)
            await store.close()
            if states % 40 == 0:
                await check_going_on(left)
    assert states > 400


async def test_the_log_would_show_an_acknowledgement_before_its_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof that the test above can fail."""
    project = tmp_path / "project"
    project.mkdir()
    log = PowerLog(project)

    def forget(descriptor: int) -> None:
        pass

    with log.recording():
        monkeypatch.setattr("diligent_tui.storage.appender.sync_data", forget)
        path = await live(project, log)
    *_, (_, acknowledged, files, _) = log.cuts()
    left = tmp_path / path.name
    left.write_bytes(files[str(path)].synced)
    assert acknowledged - set(SessionStore.open(left, for_writing=False).tree.nodes)
