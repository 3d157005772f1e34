"""The index of one session in SQLite: opened or made anew, filled, and asked. Everything here blocks."""

import os
import sqlite3
import weakref
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.session.recall.passages import Reading
from diligent_tui.session.recall.texts import subject_of
from diligent_tui.session.recall.words import parts_in
from diligent_tui.storage.private import make_private_folder, open_private

APPLICATION_ID = 0x646C7263
LAYOUT_VERSION = 1
"""To be raised when anything about tables or cutting changes: an index of another number is made anew."""
BUSY_SECONDS = 2.0
WHO_CHARS = 40

_TABLES = """
CREATE TABLE owner (session_id TEXT NOT NULL);
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, who TEXT NOT NULL, about TEXT NOT NULL, names TEXT NOT NULL,
    is_retold INTEGER NOT NULL
);
CREATE TABLE call (id TEXT PRIMARY KEY, subject TEXT NOT NULL);
CREATE VIRTUAL TABLE passage USING fts5 (
    body, head, parts, number UNINDEXED, line UNINDEXED, tokenize = "unicode61 tokenchars '_'"
);
"""
# The weights are those of a passage's own words, of what its call was about and of the parts of its names. They were
# measured on real sessions; above all the parts find `load_config` for "loading the config".
_FIND = """
SELECT found.body, found.line, found.score, entry.number, entry.id, entry.who, entry.about, entry.names, is_retold
FROM (
    SELECT body, line, number, bm25(passage, 1.0, 0.2, 1.0) AS score
    FROM passage WHERE passage MATCH ? ORDER BY score LIMIT ?
) AS found JOIN entry ON entry.number = found.number
ORDER BY found.score
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A passage that matches; the higher the score, the better."""

    text: str
    line: int
    score: float
    number: int
    """Its entry's place in the order of the session."""
    entry_id: str
    who: str
    about: str
    names: tuple[str, ...]
    is_retold: bool


class WrongIndex(sqlite3.DatabaseError):
    """A database that is not the index of this session, or not of this layout."""


class RecallTable:
    """One connection; every method raises sqlite3.Error, and StorageError where the file may not be used."""

    def __init__(self, path: Path | None, session_id: str) -> None:
        """Open the file, or make it; without a path all is in memory."""
        if path is not None:
            make_private_folder(path.parent)
            os.close(open_private(path, os.O_RDWR))
        # Threads take turns: the lock of RecallIndex sees to it.
        self._connection = sqlite3.connect(
            path or ":memory:", timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        # Whoever forgets to close must not keep the file.
        self._let_go = weakref.finalize(self, self._connection.close)
        self._last_number = 0
        self.is_new = False
        self.known: set[str] = set()
        """Ids of the entries that are in the index."""
        try:
            self._prepare(session_id)
        except sqlite3.Error:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._let_go()

    def add(self, readings: Iterable[Reading]) -> None:
        """Take these entries in, all of them or none; what another process added meanwhile stays as it is."""
        with self._writing():
            self._learn_what_is_there()
            for reading in readings:
                if reading.entry_id not in self.known:
                    self._add(reading)
        self._learn_what_is_there()

    def find(self, match: str, most: int) -> list[Row]:
        """The passages that match, best first."""
        return [
            Row(
                str(text),
                int(line),
                -float(score),
                int(number),
                id_,
                who,
                about,
                tuple(names.split("\n")),
                bool(retold),
            )
            for text, line, score, number, id_, who, about, names, retold in self._connection.execute(
                _FIND, (match, most)
            )
        ]

    def _prepare(self, session_id: str) -> None:
        # Durable enough for what can be made anew; a power cut may cost the index and nothing else.
        self._connection.execute("PRAGMA synchronous = OFF")
        if self._number("PRAGMA application_id") == 0 and self._number("SELECT count(*) FROM sqlite_master") == 0:
            with self._writing():
                # Another process may have been quicker.
                if self._number("SELECT count(*) FROM sqlite_master") == 0:
                    self._make(session_id)
                    self.is_new = True
        if (self._number("PRAGMA application_id"), self._number("PRAGMA user_version")) != (
            APPLICATION_ID,
            LAYOUT_VERSION,
        ):
            raise WrongIndex("made by something else")
        if self._connection.execute("SELECT session_id FROM owner").fetchall() != [(session_id,)]:
            raise WrongIndex("of another session")
        self._learn_what_is_there()

    def _make(self, session_id: str) -> None:
        for statement in _TABLES.split(";\n"):
            self._connection.execute(statement)
        self._connection.execute("INSERT INTO owner VALUES (?)", (session_id,))
        self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self._connection.execute(f"PRAGMA user_version = {LAYOUT_VERSION}")

    def _add(self, reading: Reading) -> None:
        execute = self._connection.execute
        about = ""
        if reading.call_id:
            row = execute("SELECT subject FROM call WHERE id = ?", (reading.call_id,)).fetchone()
            about = str(row[0]) if row else ""
        who = " ".join(reading.who.split())[:WHO_CHARS]
        number = execute(
            "INSERT INTO entry (id, who, about, names, is_retold) VALUES (?, ?, ?, ?, ?)",
            (reading.entry_id, who, about, "\n".join(reading.names), reading.is_retold),
        ).lastrowid
        head_parts = parts_in(about)
        self._connection.executemany(
            "INSERT INTO passage (body, head, parts, number, line) VALUES (?, ?, ?, ?, ?)",
            (
                (passage.text, f"{who} {about}", " ".join(parts_in(passage.text) + head_parts), number, passage.line)
                for passage in reading.passages
            ),
        )
        for call in reading.calls:
            execute("INSERT OR REPLACE INTO call VALUES (?, ?)", (call.id, subject_of(call)))

    def _learn_what_is_there(self) -> None:
        rows = self._connection.execute("SELECT number, id FROM entry WHERE number > ?", (self._last_number,))
        for number, entry_id in rows:
            self.known.add(str(entry_id))
            self._last_number = max(self._last_number, int(number))

    def _number(self, question: str) -> int:
        return int(self._connection.execute(question).fetchone()[0])

    @contextmanager
    def _writing(self) -> Generator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        ending = "ROLLBACK"
        try:
            yield
            ending = "COMMIT"
        finally:
            if self._connection.in_transaction:
                self._connection.execute(ending)
