"""The search over one session, and the index that may break under it."""

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    KnowledgeNoteEntry,
    LabelEntry,
    PinEntry,
    SteeringEntry,
    SystemPromptEntry,
)
from diligent_tui.domain.errors import StorageError
from diligent_tui.session.recall import RecallIndex, forget_index, listing
from diligent_tui.session.recall.index import MOST_INDEXES, tokens_at_first
from tests.session.recall.sessions import SESSION_ID, Session, answered, asked, called, resulted

LONG = "\n".join(f"line {number} of nothing" for number in range(1, 200))


def a_talk() -> Session:
    return Session(
        asked("a0", "why does the loader read the file twice?"),
        called("a1", "c1", "read", path="src/config/loader.py"),
        resulted("a2", "c1", "read", f"{LONG}\ndef load_settings(path):\n    return mergeLayers(path)\n{LONG}"),
        answered("a3", "Because mergeLayers opens it again."),
        asked("a4", "die Größe prüfen, bitte: 你好世界 bleibt"),
    )


async def ids(index: RecallIndex, query: str, *, is_typing: bool = False) -> list[str]:
    return [hit.entry_id for hit in await index.search(query, is_typing=is_typing)]


async def test_a_hit_says_where_it_is_and_shows_what_stands_around() -> None:
    best, *_ = await a_talk().index().search("load_settings")
    assert (best.entry_id, best.who, best.about, best.line) == ("a2", "result of read", "src/config/loader.py", 200)
    assert "def load_settings(path):\n return mergeLayers(path)" in best.snippet


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("merge layers", "a2"),
        ("loading settings", "a2"),
        ("config loader.py", "a2"),
        ("Größe", "a4"),
        ("PRUFEN", "a4"),
        ("你好", "a4"),
        ("世界", "a4"),
        ("twice", "a0"),
        ("Where is the mergeLayers\\nagain", "a3"),
    ],
)
async def test_words_and_parts_of_names_are_found(query: str, expected: str) -> None:
    assert expected in await ids(a_talk().index(), query)


async def test_the_word_being_typed_may_be_a_beginning() -> None:
    assert await ids(a_talk().index(), "twi") == []
    assert await ids(a_talk().index(), "twi", is_typing=True) == ["a0"]
    assert await ids(a_talk().index(), "twi ", is_typing=True) == []


@pytest.mark.parametrize("query", ["", "   ", "?!…", '"', "*", "\0"])
async def test_a_query_without_words_finds_nothing(query: str) -> None:
    assert await a_talk().index().search(query) == ()


@given(
    query=some.text(max_size=80)
    | some.from_regex(r'("|\*|\^|NEAR\(|AND|OR|NOT|parts ?:|-|\+|\(|\)|\{|\}|[a-z]{1,5}| ){1,12}', fullmatch=True),
    is_typing=some.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_no_query_is_taken_for_syntax(query: str, is_typing: bool) -> None:
    async def search() -> None:
        index = Session(asked("a0", "NEAR parts AND a NOT b")).index()
        await index.search(query, is_typing=is_typing)
        assert [hit.entry_id for hit in await index.search("parts")] == ["a0"]

    asyncio.run(search())


@given(
    lines=some.lists(some.text(min_size=1, max_size=300), min_size=1, max_size=30),
    most_tokens=some.integers(40, 900),
    most_hits=some.integers(1, 8),
)
@settings(max_examples=60, deadline=None)
def test_the_listing_keeps_to_its_tokens(lines: list[str], most_tokens: int, most_hits: int) -> None:
    async def search() -> None:
        texts = [f"swan {line}\n" * (1 + number % 3) for number, line in enumerate(lines)]
        session = Session(*(asked(f"{number:08x}", text) for number, text in enumerate(texts)))
        hits = await session.index().search("swan " + lines[0], most_tokens, most_hits=most_hits)
        assert len(hits) <= most_hits
        assert len({hit.entry_id for hit in hits}) == len(hits)
        assert tokens_at_first(len(listing(hits).encode("utf-8", "replace"))) <= most_tokens

    asyncio.run(search())


async def test_a_file_that_was_read_twice_takes_no_room_twice() -> None:
    lines = [f"value_{number} = swan({number})" for number in range(8)]
    numbered = [f"{place:5}→{line}" for place, line in enumerate([*lines[:-1], "value_7 = goose(7)"], 1)]
    session = Session(
        resulted("a0", "c1", "read", "\n".join(lines)),
        resulted("a1", "c2", "read", "\n".join(numbered)),
        asked("a2", "a swan is a bird"),
    )
    found = await ids(session.index(), "swan value")
    assert len({"a0", "a1"} & set(found)) == 1
    assert "a2" in found


async def test_hits_answer_different_words_of_a_query() -> None:
    session = Session(
        *(answered(f"b{number}", f"the telemetry handler number {number} attaches spans") for number in range(8)),
        answered("c0", "swans are kept in the pond module"),
        *(answered(f"d{number}", f"nothing of the kind {number}") for number in range(100)),
    )
    assert "c0" in await ids(session.index(), "telemetry handler attaches spans, then swans in the pond")


async def test_names_beside_the_snippet_tell_what_else_an_entry_holds() -> None:
    filler = "\n".join(f"nothing here {number}" for number in range(60))
    session = Session(resulted("a0", "c1", "read", f"the swan stands alone\n{filler}\nfeed_swan(BreadCrumbs)"))
    hit, *_ = await session.index().search("swan stands alone", 120)
    assert "feed_swan" not in hit.snippet
    assert "feed_swan" in hit.names
    assert "also there: feed_swan" in listing([hit])


async def test_the_current_path_comes_first_and_what_is_in_sight_later() -> None:
    session = Session(asked("a0", "the swan is white"), asked("a1", "the swan is white too"), asked("a2", "fill"))
    index = session.index()
    assert [hit.entry_id for hit in await index.search("swan white", path=["a0", "a2"])] == ["a0", "a1"]
    assert [hit.entry_id for hit in await index.search("swan white", path=["a1", "a2"])] == ["a1", "a0"]
    assert [hit.entry_id for hit in await index.search("swan white", in_sight=["a0"])] == ["a1", "a0"]
    assert [hit.entry_id for hit in await index.search("swan white", in_sight=["a1"])] == ["a0", "a1"]


async def test_everything_that_was_said_is_searched_and_nothing_else() -> None:
    session = Session(
        asked("a0", "swan said"),
        SteeringEntry(id="a1", message="swan steered"),
        BranchSummaryEntry(id="a2", from_id="a0", summary="swan on a branch"),
        KnowledgeNoteEntry(id="a3", text="swan noted"),
        CompactionEntry(id="a4", summary="swan summarised", first_kept_entry_id="a0", ledger="swan in a ledger"),
        called("a5", "c1", "recall", query="swan asked for"),
        resulted("a6", "c1", "recall", "swan recalled"),
        LabelEntry(id="a7", target_id="a0", label="swan"),
        PinEntry(id="a8", target_id="swan"),
        SystemPromptEntry(id="a9", text="swan always"),
    )
    hits = await session.index().search("swan", most_hits=20)
    assert {hit.entry_id for hit in hits} == {"a0", "a1", "a2", "a3", "a4"}


async def test_an_output_with_a_file_of_its_own_is_searched_in_that_file(tmp_path: Path) -> None:
    (tmp_path / "a0.txt").write_text(f"{LONG}\nthe swan in the middle\n{LONG}")
    session = Session(resulted("a0", "c1", "bash", "head … tail", spill="a0.txt"))
    assert await ids(session.index(spill_folder=tmp_path), "swan") == ["a0"]
    assert await ids(session.index(), "swan") == []


@pytest.mark.parametrize("name", ["../secret.txt", "/secret.txt", "link.txt", "gone.txt", "", ".."])
async def test_a_planted_name_leads_nowhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.txt").write_text("the swan")
    folder = tmp_path / "spill"
    folder.mkdir()
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    session = Session(resulted("a0", "c1", "bash", "head", spill=name))
    assert await ids(session.index(spill_folder=folder), "swan") == []
    assert await ids(session.index(spill_folder=folder), "head") == ["a0"]


async def test_the_index_is_kept_and_only_what_is_new_is_read(tmp_path: Path) -> None:
    session = a_talk()
    index = session.index(tmp_path / "search")
    await index.update()
    assert session.reads == list(session.entries)
    session.add(asked("b0", "a swan"))
    assert await ids(index, "swan") == ["b0"]
    await index.close()
    session.reads.clear()
    again = session.index(tmp_path / "search")
    assert await ids(again, "swan") == ["b0"]
    assert await ids(again, "twice") == ["a0"]
    assert session.reads == []
    await again.close()


async def test_files_are_for_the_owner_only(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        index = a_talk().index(tmp_path / "state" / "search")
        await index.update()
    finally:
        os.umask(old)
    folder = tmp_path / "state" / "search"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600]
    await index.close()


def spoil(path: Path, way: str) -> None:
    match way:
        case "text":
            path.write_text("this is no database\n" * 100)
        case "torn":
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        case "holes":
            data = bytearray(path.read_bytes())
            data[4096:] = bytes(len(data) - 4096)
            path.write_bytes(data)
        case _:
            with sqlite3.connect(path) as connection:
                connection.execute(
                    {
                        "newer": "PRAGMA user_version = 99",
                        "foreign": "PRAGMA application_id = 7",
                        "other session": "UPDATE owner SET session_id = 'x'",
                        "a table less": "DROP TABLE entry",
                    }[way]
                )
            connection.close()


@pytest.mark.parametrize("way", ["text", "torn", "holes", "newer", "foreign", "other session", "a table less"])
async def test_an_index_that_is_of_no_use_is_made_anew(tmp_path: Path, way: str) -> None:
    session = a_talk()
    index = session.index(tmp_path)
    await index.update()
    await index.close()
    path = tmp_path / f"{SESSION_ID}.recall"
    spoil(path, way)
    mended = session.index(tmp_path)
    assert await ids(mended, "twice") == ["a0"]
    await mended.close()
    session.reads.clear()
    again = session.index(tmp_path)
    assert await ids(again, "twice") == ["a0"]
    assert session.reads == []
    await again.close()


async def test_an_index_that_breaks_while_it_is_open_is_made_anew(tmp_path: Path) -> None:
    session = a_talk()
    index = session.index(tmp_path)
    await index.update()
    spoil(tmp_path / f"{SESSION_ID}.recall", "text")
    session.add(asked("b0", "a swan"))
    assert await ids(index, "swan") == ["b0"]
    assert await ids(index, "twice") == ["a0"]
    await index.close()


@pytest.mark.parametrize("way", ["a file", "a link", "locked", "a strange id"])
async def test_where_no_file_can_be_used_memory_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    session = a_talk()
    monkeypatch.setattr("diligent_tui.session.recall.table.BUSY_SECONDS", 0.0)
    folder, path = tmp_path / "search", tmp_path / "search" / f"{SESSION_ID}.recall"
    index = session.index(folder)
    holder: sqlite3.Connection | None = None
    match way:
        case "a file":
            folder.write_text("in the way")
        case "a link":
            folder.mkdir()
            (tmp_path / "victim").write_text("mine")
            path.symlink_to(tmp_path / "victim")
        case "locked":
            folder.mkdir()
            holder = sqlite3.connect(path)
            holder.execute("CREATE TABLE taken (x)")
            holder.execute("BEGIN EXCLUSIVE")
        case _:
            index = RecallIndex(folder, "../../x", session.nodes, session.read)
    assert await ids(index, "twice") == ["a0"]
    session.add(asked("b0", "a swan"))
    assert await ids(index, "swan") == ["b0"]
    await index.close()
    if holder is not None:
        holder.close()
    if way == "a link":
        assert (tmp_path / "victim").read_text() == "mine"
    if way == "a strange id":
        assert list(tmp_path.iterdir()) == []


async def test_two_that_search_the_same_session_share_its_index(tmp_path: Path) -> None:
    session = Session(*(asked(f"{number:08x}", f"swan number{number}") for number in range(300)))
    one, two = session.index(tmp_path), session.index(tmp_path)
    await asyncio.gather(one.update(), two.update(), one.update(), two.search("swan"))
    session.add(asked("b0", "a pond"))
    assert await ids(one, "pond") == ["b0"]
    assert await ids(two, "pond") == ["b0"]
    await one.close()
    await two.close()
    with sqlite3.connect(tmp_path / f"{SESSION_ID}.recall") as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT id) FROM entry").fetchone() == (301, 301)
        assert connection.execute("SELECT count(*) FROM passage").fetchone() == (301,)
    connection.close()


async def test_entries_of_the_index_that_the_session_has_not_are_not_told(tmp_path: Path) -> None:
    index = Session(asked("a0", "a swan")).index(tmp_path)
    await index.update()
    await index.close()
    other = Session(asked("b0", "a swan too")).index(tmp_path)
    assert await ids(other, "swan") == ["b0"]
    await other.close()


async def test_an_entry_that_cannot_be_read_hides_no_others() -> None:
    session = a_talk()

    def read(entry_id: str) -> Entry:
        if entry_id == "a2":
            raise StorageError("gone")
        return session.read(entry_id)

    index = RecallIndex(None, SESSION_ID, session.nodes, read)
    assert await ids(index, "twice load_settings") == ["a0"]


async def test_a_deleted_session_leaves_no_index(tmp_path: Path) -> None:
    index = a_talk().index(tmp_path)
    await index.update()
    await index.close()
    forget_index(tmp_path, SESSION_ID)
    forget_index(tmp_path, "../x")
    assert list(tmp_path.iterdir()) == []


async def test_the_oldest_of_very_many_indexes_go(tmp_path: Path) -> None:
    for number in range(MOST_INDEXES + 5):
        file = tmp_path / f"old-{number}.recall"
        file.write_bytes(b"")
        os.utime(file, (number, number))
    (tmp_path / "other.txt").write_text("mine")
    index = a_talk().index(tmp_path)
    await index.update()
    await index.close()
    left = {file.name for file in tmp_path.iterdir()}
    assert len(left) == MOST_INDEXES + 1
    assert {"other.txt", f"{SESSION_ID}.recall", f"old-{MOST_INDEXES + 4}.recall"} <= left
    assert "old-0.recall" not in left


async def test_a_first_search_tells_how_far_it_is_and_a_second_has_nothing_to_tell() -> None:
    session = Session(*(asked(f"a{number}", f"swan {number}") for number in range(450)))
    index = session.index()
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    assert await index.search("swan", tell=tell)
    assert told == [(0, 450), (200, 450), (400, 450)]
    told.clear()
    assert await index.search("swan", tell=tell)
    assert told == []
