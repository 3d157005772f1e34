"""A session of 500 entries, damaged in every way at every place: what is intact is there, and the rest is counted."""

import gc
import hashlib
import random
from collections.abc import Generator
from pathlib import Path

import pytest

from diligent_tui.domain.entries import Entry, LabelEntry, LeafEntry, SessionInfoEntry
from diligent_tui.session.reading import SessionContent
from diligent_tui.session.store import SessionStore
from diligent_tui.storage import jsonl
from tests.faults.oracle import check_going_on, check_reading, session_file
from tests.session.drafts import HEADER, STAMP, answered, conversation, ids_of, line_of, piece, said

ENTRIES: list[Entry] = conversation(125)
LINES = [line_of(entry) for entry in ENTRIES]
HEAD = line_of(HEADER)
WHOLE = HEAD + b"".join(LINES)
LAST_BYTES = 4096
PARTS = 8
DEEP = 100_000


def path_ids(content: SessionContent) -> list[str]:
    return [node.id for node in content.tree.path(content.tree.leaf_id)]


def orphans(content: SessionContent) -> list[str]:
    return [node.id for node in content.tree.nodes.values() if node.is_orphan]


def read(path: Path) -> SessionContent:
    return SessionStore.open(path, for_writing=False).content


@pytest.fixture(autouse=True)
def quick_collector() -> Generator[None]:
    """Thousands of openings would else walk all that the suite holds, again and again."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_cut_at_any_byte_of_the_last_4_kb_costs_what_is_behind_it(part: int, tmp_path: Path) -> None:
    """Cut the file shorter and shorter, in place; a cut that takes but the last newline costs nothing."""
    path = session_file(tmp_path)
    path.write_bytes(WHOLE)
    ends = [len(HEAD)]
    for line in LINES:
        ends.append(ends[-1] + len(line))
    for size in range(len(WHOLE) - 1 - part, len(WHOLE) - LAST_BYTES - 1, -PARTS):
        with path.open("r+b") as file:
            file.truncate(size)
        kept = sum(end - 1 <= size for end in ends[1:])
        content = read(path)
        assert path_ids(content) == ids_of(ENTRIES[:kept])
        is_torn = size not in ends and size + 1 not in ends
        assert (content.damage.lines, content.damage.orphans) == (int(is_torn), 0)


@pytest.mark.parametrize("part", range(PARTS))
async def test_what_is_said_after_a_cut_stands_behind_it_and_no_byte_before_it_changes(
    part: int, tmp_path: Path
) -> None:
    for size in range(len(WHOLE) - 1 - part * 16, len(WHOLE) - LAST_BYTES - 1, -PARTS * 16):
        path = session_file(tmp_path)
        path.write_bytes(WHOLE[:size])
        before = hashlib.sha256(WHOLE[:size]).digest()
        await check_going_on(path)
        data = path.read_bytes()
        assert hashlib.sha256(data[:size]).digest() == before
        # All that is added is a newline, if one is missing, and the line itself.
        assert data[size:].removeprefix(b"\n").count(b"\n") == 1


GARBAGE: dict[str, tuple[bytes, int]] = {
    "prose": (b"what is this?\n", 1),
    "NUL": (b"\x00" * 4096 + b"\n", 1),
    "U+2028": ("\u2028\n".encode(), 1),
    "U+0085": ("\u0085\n".encode(), 1),
    "100,000 brackets": (b"[" * DEEP + b"\n", 1),
    "100,000 objects": (b'{"type":' * DEEP + b"\n", 1),
    "invalid UTF-8": (b'{"type":"message","id":"\xff\xfe","parentId":null}\n', 1),
    "a torn entry": (LINES[100][:60] + b"\n", 1),
    "an array": (b"[1,2]\n", 1),
    "no entry": (b"{}\n", 1),
    "an id that is none": (b'{"type":"message","id":[],"parentId":null}\n', 1),
    "a lone CR": (b"\r", 0),
    "CRLF": (b"\r\n", 0),
    "blank lines": (b"\n\n \t\n\n", 0),
    "another header": (line_of({**HEADER, "id": "other", "version": 1}), 0),
}


@pytest.mark.parametrize(("garbage", "damaged"), GARBAGE.values(), ids=GARBAGE.keys())
@pytest.mark.parametrize("at", [0, 1, 2, 250, 499, 500])
async def test_garbage_between_two_lines_costs_nothing_and_is_counted(
    garbage: bytes, damaged: int, at: int, tmp_path: Path
) -> None:
    path = session_file(tmp_path)
    path.write_bytes(HEAD + b"".join(LINES[:at]) + garbage + b"".join(LINES[at:]))
    content = await check_reading(path, ENTRIES)
    assert path_ids(content) == ids_of(ENTRIES)
    assert (content.damage.lines, content.damage.orphans) == (damaged, 0)
    await check_going_on(path)


@pytest.mark.parametrize("part", range(2))
def test_garbage_may_stand_between_any_two_lines(part: int, tmp_path: Path) -> None:
    path = session_file(tmp_path)
    for at in range(part, len(LINES) + 1, 2):
        garbage = [b"?\n", b"\x00\x00\n", LINES[100][:40]][at % 3]
        path.write_bytes(HEAD + b"".join(LINES[:at]) + garbage + b"".join(LINES[at:]))
        content = read(path)
        assert path_ids(content) == ids_of(ENTRIES)
        assert (content.damage.lines, content.damage.orphans) == (1, 0)


@pytest.mark.parametrize("noise", [b"\x00", b"\xff", b"\n", b"\r", "\u2028".encode(), b"[" * DEEP, b"{"])
async def test_noise_inside_a_line_costs_at_most_that_line(noise: bytes, tmp_path: Path) -> None:
    dice = random.Random(20260102)
    path = session_file(tmp_path)
    for _ in range(12):
        hit = dice.randrange(len(LINES))
        at = dice.randrange(1, len(LINES[hit]) - 1)
        line = LINES[hit][:at] + noise + LINES[hit][at:]
        path.write_bytes(HEAD + b"".join([*LINES[:hit], line, *LINES[hit + 1 :]]))
        intact = [*ENTRIES[:hit], *ENTRIES[hit + 1 :]]
        content = await check_reading(path, intact)
        assert content.damage.lines <= 1 + noise.count(b"\n")
        assert bool(content.damage) or ENTRIES[hit].id in content.tree.nodes


@pytest.mark.parametrize("part", range(2))
def test_any_line_may_be_missing_and_what_hung_on_it_hangs_on_the_one_before(part: int, tmp_path: Path) -> None:
    path = session_file(tmp_path)
    for gone in range(part, len(LINES), 2):
        rest = [*ENTRIES[:gone], *ENTRIES[gone + 1 :]]
        path.write_bytes(HEAD + b"".join([*LINES[:gone], *LINES[gone + 1 :]]))
        content = read(path)
        assert path_ids(content) == ids_of(rest)
        assert orphans(content) == ids_of(ENTRIES[gone + 1 : gone + 2])
        assert (content.damage.lines, content.damage.orphans) == (0, len(orphans(content)))


@pytest.mark.parametrize("gone", [0, 1, 250, 498, 499])
async def test_a_session_with_a_missing_line_goes_on(gone: int, tmp_path: Path) -> None:
    path = session_file(tmp_path)
    path.write_bytes(HEAD + b"".join([*LINES[:gone], *LINES[gone + 1 :]]))
    await check_reading(path, [*ENTRIES[:gone], *ENTRIES[gone + 1 :]])
    await check_going_on(path)


async def test_every_other_line_may_be_missing(tmp_path: Path) -> None:
    path = session_file(tmp_path)
    path.write_bytes(HEAD + b"".join(LINES[::2]))
    content = await check_reading(path, ENTRIES[::2])
    assert path_ids(content) == ids_of(ENTRIES[::2])
    assert content.damage.orphans == 249
    await check_going_on(path)


async def test_without_its_header_everything_is_there(tmp_path: Path) -> None:
    path = session_file(tmp_path)
    path.write_bytes(b"".join(LINES))
    content = await check_reading(path, ENTRIES)
    assert path_ids(content) == ids_of(ENTRIES)
    assert content.damage.header_is_missing
    assert content.header.id == path.stem
    await check_going_on(path)


@pytest.mark.parametrize("distance", [1, 2, 7, 300])
async def test_lines_that_changed_places_are_all_there(distance: int, tmp_path: Path) -> None:
    path = session_file(tmp_path)
    for first in (0, 1, 98, 199):
        lines = [*LINES]
        lines[first], lines[first + distance] = lines[first + distance], lines[first]
        path.write_bytes(HEAD + b"".join(lines))
        content = await check_reading(path, ENTRIES)
        assert content.damage.orphans > 0
        assert (content.damage.lines, content.damage.repeated) == (0, 0)
    await check_going_on(path)


async def test_a_file_that_is_written_backwards_is_all_there(tmp_path: Path) -> None:
    path = session_file(tmp_path)
    path.write_bytes(b"".join(LINES[::-1]) + HEAD)
    content = await check_reading(path, ENTRIES)
    assert not content.damage.header_is_missing
    await check_going_on(path)


async def test_two_sessions_in_one_file_are_two_trees_and_the_first_header_counts(tmp_path: Path) -> None:
    others = [
        entry.model_copy(update={"id": f"f{entry.id[1:]}", "parent_id": entry.parent_id and f"f{entry.parent_id[1:]}"})
        for entry in ENTRIES
    ]
    path = session_file(tmp_path)
    path.write_bytes(WHOLE + line_of({**HEADER, "id": "other", "version": 99}) + b"".join(map(line_of, others)))
    content = await check_reading(path, [*ENTRIES, *others])
    assert content.header.version == 2
    assert content.tree.children[None] == [ENTRIES[0].id, others[0].id]
    assert path_ids(content) == ids_of(others)
    assert not content.damage
    await check_going_on(path)


@pytest.mark.parametrize("first", [0, 1, 250, 499])
@pytest.mark.parametrize("where", ["beside", "at the end"])
async def test_lines_that_stand_there_twice_count_once(first: int, where: str, tmp_path: Path) -> None:
    path = session_file(tmp_path)
    again = first + 1 if where == "beside" else len(LINES)
    path.write_bytes(HEAD + b"".join([*LINES[:again], LINES[first], *LINES[again:]]))
    content = await check_reading(path, ENTRIES)
    assert path_ids(content) == ids_of(ENTRIES)
    assert (content.damage.repeated, bool(content.damage)) == (1, False)
    await check_going_on(path)


async def test_a_whole_file_twice_over_is_the_same_session(tmp_path: Path) -> None:
    path = session_file(tmp_path)
    path.write_bytes(WHOLE * 2)
    content = await check_reading(path, ENTRIES)
    assert path_ids(content) == ids_of(ENTRIES)
    assert content.damage.repeated == len(ENTRIES)
    await check_going_on(path)


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("huge", "is_kept"),
    [
        (b"x" * 50 * MEGABYTE + b"\n", False),
        (b"\xff" * 50 * MEGABYTE + b"\n", False),
        (line_of(answered("ffffffff", ENTRIES[-1].id, "x" * 50 * MEGABYTE)), True),
        (line_of(said("ffffffff", None)).replace(b"hello", b"x" * 70 * MEGABYTE), False),
    ],
    ids=["50 MB of prose", "50 MB of invalid UTF-8", "an entry of 50 MB", "an entry beyond the limit"],
)
async def test_a_huge_line_hides_nothing(huge: bytes, is_kept: bool, tmp_path: Path) -> None:
    path = session_file(tmp_path)
    path.write_bytes(WHOLE + huge)
    content = read(path)
    assert path_ids(content)[: len(ENTRIES)] == ids_of(ENTRIES)
    assert ("ffffffff" in content.tree.nodes) == is_kept
    assert content.damage.lines == (not is_kept)
    store = SessionStore.open(path)
    await store.append(said("eeeeeeee", store.tree.leaf_id))
    await store.close()
    with path.open("rb") as file:
        file.seek(len(WHOLE) + len(huge))
        assert file.read() == line_of(said("eeeeeeee", content.tree.leaf_id))


@pytest.mark.soak
def test_a_hole_of_one_gigabyte_hides_nothing(tmp_path: Path) -> None:
    path = session_file(tmp_path)
    with path.open("wb") as file:
        file.write(HEAD + b"".join(LINES[:250]))
        file.seek(1_000 * MEGABYTE, 1)
        file.write(b"\n" + b"".join(LINES[250:]))
    content = read(path)
    assert path_ids(content) == ids_of(ENTRIES)
    assert content.damage.lines == 1


def test_very_many_damaged_lines_are_read_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []

    def counting(data: bytes) -> list[jsonl.Line]:
        tried.append(data)
        return jsonl.salvage(data)

    monkeypatch.setattr("diligent_tui.session.reading.salvage", counting)
    path = session_file(tmp_path)
    torn = LINES[101][:-20] + b"\n"
    path.write_bytes(HEAD + b"".join(torn + line for line in LINES) + torn * 20_000)
    content = read(path)
    assert path_ids(content) == ids_of(ENTRIES)
    assert content.damage.lines == len(tried) == len(LINES) + 20_000


async def test_damage_around_side_notes_and_pieces_keeps_leaf_labels_and_name(tmp_path: Path) -> None:
    notes: list[Entry] = [
        LabelEntry(id="e0000001", parent_id=ENTRIES[9].id, timestamp=STAMP, target_id=ENTRIES[9].id, label="here"),
        SessionInfoEntry(id="e0000002", parent_id=ENTRIES[9].id, timestamp=STAMP, name="named"),
        LeafEntry(id="e0000003", parent_id=ENTRIES[9].id, timestamp=STAMP, target_id=ENTRIES[9].id),
    ]
    pieces = [piece(f"d000000{n}", ENTRIES[9].id, "dddddddd", f"word {n} ") for n in range(3)]
    path = session_file(tmp_path)
    noisy = [line_of(each) + b"\x00\xff noise\n" for each in [*notes, *pieces]]
    path.write_bytes(WHOLE + b"torn" + b"".join(noisy))
    content = await check_reading(path, [*ENTRIES, *notes])
    assert path_ids(content) == [*ids_of(ENTRIES[:10]), "dddddddd"]
    assert (content.labels, content.name) == ({ENTRIES[9].id: "here"}, "named")
    await check_going_on(path)
