"""Reads a shelf in threads, what is in sight first: rows, the end of the session under the cursor, missing figures."""

import asyncio
from collections.abc import Callable, Sequence

from diligent_tui.domain.entries import READABLE_IN_PLACE
from diligent_tui.domain.errors import StorageError
from diligent_tui.session.catalog import EMPTY, FOREIGN, UNREADABLE, SessionSummary
from diligent_tui.session.files import SessionFile
from diligent_tui.session.preview import PreviewLine
from diligent_tui.session.shelf import Shelf

FILES_AT_ONCE = 64
"""Files read between two paints: some milliseconds."""
PREVIEW_LINES = 40
HOPELESS = (EMPTY, FOREIGN, UNREADABLE)

Painter = Callable[[], None]


class ShelfReader:
    """Knows the files of a shelf and which of them are looked at; each of its jobs runs once at a time."""

    def __init__(self, shelf: Shelf) -> None:
        """Begin with nothing read."""
        self._shelf = shelf
        self.files: Sequence[SessionFile] = ()
        self.is_listed = False
        self._unread: Sequence[SessionFile] = ()
        self._at: SessionFile | None = None
        self._seen: Sequence[SessionFile] = ()
        self._seen_names: frozenset[str] = frozenset()
        self._end: tuple[SessionFile, Sequence[PreviewLine]] | None = None
        self._unscannable: set[SessionFile] = set()
        self._is_at_ends = self._is_at_totals = False

    @property
    def unread(self) -> int:
        """How many rows are not read yet."""
        return len(self._unread)

    def look_at(self, file: SessionFile | None, seen: Sequence[SessionFile]) -> None:
        """Say what is under the cursor and what is in sight; nothing, when the screen closes."""
        self._at, self._seen = file, seen
        self._seen_names = frozenset(each.name for each in seen)

    def end_of(self, file: SessionFile | None) -> Sequence[PreviewLine] | None:
        """The last things said in a session, if they are read."""
        return self._end[1] if self._end is not None and self._end[0] == file else None

    def can_be_opened(self, file: SessionFile) -> bool:
        """False for a file that holds no session, as far as it was read."""
        summary = self._shelf.known(file)
        return summary is None or summary.trouble not in HOPELESS

    def forget(self, gone: SessionFile) -> None:
        """Leave a file out of the list at once, before it is really gone."""
        self.files = [file for file in self.files if file.name != gone.name]

    async def list_files(self) -> None:
        """Look which files there are."""
        self.files = await asyncio.to_thread(self._shelf.files)
        self._unread = [file for file in self.files if self._shelf.known(file) is None]
        self.is_listed = True

    async def read_rows(self, paint: Painter, count: Painter) -> None:
        """Read every row that is not known yet, those in sight first, which are painted; the rest is counted down."""
        while self._unread:
            in_sight = set(self._seen).intersection(self._unread)
            await asyncio.to_thread(self._summarise, in_sight or self._unread[:FILES_AT_ONCE])
            self._unread = [file for file in self._unread if self._shelf.known(file) is None]
            (paint if in_sight or not self._unread else count)()

    async def read_ends(self, paint: Painter) -> None:
        """Read the end of what is under the cursor, one file at a time; what was passed over is never begun."""
        if self._is_at_ends:
            return
        self._is_at_ends = True
        try:
            while (file := self._at) is not None and self.end_of(file) is None:
                try:
                    lines = await asyncio.to_thread(self._shelf.preview, file.path, PREVIEW_LINES)
                except StorageError:
                    lines = ()
                self._end = file, lines
                paint()
        finally:
            self._is_at_ends = False

    async def read_totals(self, paint: Painter) -> None:
        """Read whole files for what their ends do not tell, as long as they are in sight."""
        if self._is_at_totals:
            return
        self._is_at_totals = True
        try:
            while (file := self._next_to_scan()) is not None:
                try:
                    await asyncio.to_thread(
                        self._shelf.totals, file.path, lambda name=file.name: name in self._seen_names
                    )
                except StorageError:
                    self._unscannable.add(file)
                paint()
        finally:
            self._is_at_totals = False

    def _summarise(self, files: Sequence[SessionFile] | set[SessionFile]) -> None:
        for file in files:
            self._shelf.summary(file)

    def _next_to_scan(self) -> SessionFile | None:
        """A file in sight whose figures nobody knows, else the one under the cursor, for its branches."""
        for file in self._seen:
            summary = self._shelf.known(file)
            if summary is not None and summary.tokens is None and self._can_be_scanned(file):
                return file
        file = self._at
        return file if file is not None and file.name in self._seen_names and self._can_be_scanned(file) else None

    def _can_be_scanned(self, file: SessionFile) -> bool:
        is_fit = self._shelf.known(file) is not None and self.can_be_opened(file)
        return is_fit and not self._shelf.is_scanned(file) and file not in self._unscannable


def is_read_only(summary: SessionSummary | None) -> bool:
    """True for a session of a version that is looked at but not written to."""
    return summary is not None and summary.version is not None and summary.version not in READABLE_IN_PLACE
