"""Searches one session by its words; the index behind it is a cache that may vanish, break or lag at any time."""

import asyncio
import re
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.estimator import BYTES_PER_TOKEN_AT_FIRST
from diligent_tui.domain.progress import Tell, tell_nobody
from diligent_tui.session.recall.choosing import choose
from diligent_tui.session.recall.hits import Hit
from diligent_tui.session.recall.passages import SEARCHED_TYPES, Reading, read_passages
from diligent_tui.session.recall.spreading import Candidate
from diligent_tui.session.recall.table import RecallTable, Row
from diligent_tui.session.recall.words import match_of
from diligent_tui.session.tree import Node

MOST_TOKENS = 900
MOST_HITS = 5
MOST_CANDIDATES = 100
ENTRIES_AT_ONCE = 200
"""Entries of one transaction, so that another process need not wait long."""
MOST_INDEXES = 60
SUFFIX = ".recall"
OFF_PATH = 0.8
RETOLD = 0.7
IN_SIGHT = 0.6
OLDEST = 0.95
"""What is worth less: other branches, summaries of what stands elsewhere, what the asker sees anyway, what is old."""

Read = Callable[[str], Entry]
TokensOf = Callable[[int], int]
"""About how many tokens so many bytes are."""
Answer = TypeVar("Answer")

_NOT_BROKEN = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_NOMEM,
    }
)
_PLAIN_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}")


def tokens_at_first(size_bytes: int) -> int:
    """The estimate for a model of which nothing is known."""
    return -int(-size_bytes // BYTES_PER_TOKEN_AT_FIRST)


class RecallIndex:
    """Knows the words of a session; brought up to date by each search, in a thread."""

    def __init__(
        self,
        folder: Path | None,
        session_id: str,
        nodes: Mapping[str, Node],
        read: Read,
        spill_folder: Path | None = None,
    ) -> None:
        """Search what `nodes` lists and `read` gives; nothing is touched before the first use.

        Without a folder, or where it cannot be used, the index is kept in memory.
        """
        self._path = index_path(folder, session_id)
        self._session_id = session_id
        self._nodes = nodes
        self._read = read
        self._spill_folder = spill_folder
        self._table: RecallTable | None = None
        self._unreadable: set[str] = set()
        self._lock = threading.Lock()

    async def update(self) -> None:
        """Take in what is new."""
        await asyncio.to_thread(self._with_table, self._ids(), lambda _: None)

    async def search(
        self,
        query: str,
        most_tokens: int = MOST_TOKENS,
        tokens_of: TokensOf = tokens_at_first,
        *,
        most_hits: int = MOST_HITS,
        path: Collection[str] | None = None,
        in_sight: Collection[str] = (),
        is_typing: bool = False,
        tell: Tell = tell_nobody,
    ) -> tuple[Hit, ...]:
        """The entries that answer best; their listing is at most so many tokens long.

        Entries off the `path` and entries `in_sight` of the asker come later than equals. While one types, the last
        word may be the beginning of one. A first search takes the whole session in, and tells how far it is.
        """
        if not (match := match_of(query, is_typing=is_typing)):
            return ()
        ids = self._ids()
        room_bytes = _most_bytes(most_tokens, tokens_of)

        def find(table: RecallTable) -> tuple[Hit, ...]:
            rows = table.find(match, MOST_CANDIDATES)
            known = frozenset(ids)
            ranked = _ranked([row for row in rows if row.entry_id in known], len(ids), path, in_sight)
            return choose(ranked, query, room_bytes, most_hits)

        return await asyncio.to_thread(self._with_table, ids, find, tell)

    async def close(self) -> None:
        """Let go of the file."""
        await asyncio.to_thread(self._drop)

    def _ids(self) -> list[str]:
        # A list at once: a thread must not walk through what the loop goes on changing.
        return [node.id for node in list(self._nodes.values()) if node.type in SEARCHED_TYPES]

    def _with_table(
        self, ids: Sequence[str], work: Callable[[RecallTable], Answer], tell: Tell = tell_nobody
    ) -> Answer:
        """Do something with an index that holds all these entries: the file, a new file, or none at all."""
        with self._lock:
            for path, is_last in self._ways():
                try:
                    table = self._opened(path)
                    self._take_in(table, ids, tell)
                    return work(table)
                except (sqlite3.Error, StorageError) as error:
                    self._forget_table()
                    if is_last:
                        raise StorageError(
                            f"This session cannot be searched: {error}.",
                            "Reading an entry by its id works all the same.",
                        ) from error
                    if path is not None and _is_broken(error):
                        _remove(path)
                    else:
                        self._path = None
            raise AssertionError("the last way returns or raises")

    def _ways(self) -> Iterator[tuple[Path | None, bool]]:
        """The file; a new file, if that one is of no use; memory, if no file is."""
        if self._path is not None:
            yield self._path, False
        if self._path is not None:
            yield self._path, False
            self._path = None
        yield None, True

    def _opened(self, path: Path | None) -> RecallTable:
        if self._table is None:
            self._table = RecallTable(path, self._session_id)
            if path is not None and self._table.is_new:
                _make_room(path.parent)
        return self._table

    def _take_in(self, table: RecallTable, ids: Sequence[str], tell: Tell) -> None:
        missing = [entry_id for entry_id in ids if entry_id not in table.known and entry_id not in self._unreadable]
        for start in range(0, len(missing), ENTRIES_AT_ONCE):
            tell(start, len(missing))
            readings = [self._reading(entry_id) for entry_id in missing[start : start + ENTRIES_AT_ONCE]]
            table.add(reading for reading in readings if reading is not None)

    def _reading(self, entry_id: str) -> Reading | None:
        try:
            return read_passages(self._read(entry_id), self._spill_folder)
        except (KeyError, StorageError):
            # Whoever opens that entry is told what is wrong with it; the others can be found all the same.
            self._unreadable.add(entry_id)
            return None

    def _drop(self) -> None:
        with self._lock:
            self._forget_table()

    def _forget_table(self) -> None:
        if self._table is not None:
            self._table.close()
            self._table = None


def index_path(folder: Path | None, session_id: str) -> Path | None:
    """The file of a session's index; None for an id that could not be a file's name."""
    return folder / f"{session_id}{SUFFIX}" if folder and _PLAIN_ID.fullmatch(session_id) else None


def forget_index(folder: Path, session_id: str) -> None:
    """Remove the index of a session that is deleted; slow, so call it in a thread."""
    if path := index_path(folder, session_id):
        _remove(path)


def _ranked(
    rows: Sequence[Row], entries: int, path: Collection[str] | None, in_sight: Collection[str]
) -> list[Candidate]:
    on_path = None if path is None else frozenset(path)
    seen = frozenset(in_sight)
    found: list[Candidate] = []
    for row in rows:
        score = row.score * (OLDEST + (1 - OLDEST) * row.number / max(1, entries))
        score *= 1 if on_path is None or row.entry_id in on_path else OFF_PATH
        score *= RETOLD if row.is_retold else 1
        score *= IN_SIGHT if row.entry_id in seen else 1
        found.append(Candidate(row.entry_id, row.who, row.about, row.line, row.text, row.names, score))
    return found


def _most_bytes(most_tokens: int, tokens_of: TokensOf) -> int:
    """How many bytes so many tokens allow."""
    low, high = 0, 16 * most_tokens
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens_of(middle) <= most_tokens else (low, middle - 1)
    return low


def _is_broken(error: Exception) -> bool:
    """Whether a new file would help; one that is merely busy or forbidden, or on a full disk, is left alone."""
    code: object = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.DatabaseError) and not (isinstance(code, int) and code & 0xFF in _NOT_BROKEN)


def _make_room(folder: Path) -> None:
    """Of very many indexes the ones not used for longest go; they are made anew when they are asked for."""
    try:
        files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime)
    except OSError:
        return
    for file in files[:-MOST_INDEXES]:
        _remove(file)


def _remove(path: Path) -> None:
    for file in (path, path.with_name(f"{path.name}-journal")):
        try:
            file.unlink(missing_ok=True)
        except OSError:
            return
