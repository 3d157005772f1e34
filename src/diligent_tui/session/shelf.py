"""All sessions of a project at hand: listed page by page, searched, looked into, renamed, deleted and brought back."""

import asyncio
import contextlib
import os
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from diligent_tui.domain.entries import READABLE_IN_PLACE, SessionInfoEntry
from diligent_tui.domain.errors import SessionLocked, SessionReadOnly, StorageError, UsageError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import Clock, now, to_stamp
from diligent_tui.session.catalog import SessionSummary, summarise
from diligent_tui.session.files import SessionFile, session_files
from diligent_tui.session.preview import PreviewLine, read_preview
from diligent_tui.session.store import SessionStore
from diligent_tui.session.tail import read_header
from diligent_tui.session.totals import SessionTotals, scan_totals
from diligent_tui.session.trash import move_to_trash, restore_from_trash

TRASH_NAME = "trash"
NAME_CHARS = 200
"""The longest name: with the rest of its line it must fit into what a list reads of a file."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read of a file, as long as the file stays as it was."""

    file: SessionFile
    summary: SessionSummary
    searched_id: str
    searched: str
    is_scanned: bool = False


class Shelf:
    """The sessions of one folder. A file is read when somebody asks for its row, and again only if it changed."""

    def __init__(self, sessions: Path, clock: Clock = now) -> None:
        """Name the folder; nothing is read yet."""
        self.sessions = sessions
        self.trash = sessions.parent / TRASH_NAME
        self.deleted: list[Path] = []
        """What this shelf put into the trash and may bring back, newest last; a trash that came along is not ours."""
        self._clock = clock
        self._known: dict[str, _Known] = {}

    def files(self) -> list[SessionFile]:
        """The files there are now, newest change first; none is opened."""
        return session_files(self.sessions)

    def rows(self, start: int = 0, count: int | None = None) -> list[SessionSummary]:
        """The rows of the list, or of one page of it; only these are read."""
        files = self.files()
        return [self.summary(file) for file in (files[start:] if count is None else files[start : start + count])]

    def summary(self, file: SessionFile) -> SessionSummary:
        """A file's row, read if it has to be."""
        return self.known(file) or self._remember(file, summarise(file))

    def known(self, file: SessionFile) -> SessionSummary | None:
        """A file's row if it was read already, without touching the disk."""
        known = self._known_of(file)
        return known.summary if known else None

    def find(self, words: str) -> list[SessionSummary]:
        """Sessions whose id begins so, then those with all words in name or prompt; case and accents do not matter."""
        files = self.files()
        for file in files:
            self.summary(file)
        return [summary for file in self.find_known(words, files) if (summary := self.known(file))]

    def find_known(self, words: str, files: Iterable[SessionFile]) -> list[SessionFile]:
        """Those of the files that `find` would give, as far as they were read already; the disk is not touched."""
        wanted_id = fold(words).strip()
        parts = wanted_id.split()
        by_id: list[SessionFile] = []
        by_words: list[SessionFile] = []
        for file in files:
            known = self._known_of(file)
            if known is None:
                continue
            if known.searched_id.startswith(wanted_id):
                by_id.append(file)
            elif all(part in known.searched for part in parts):
                by_words.append(file)
        return by_id + by_words

    def preview(self, path: Path, most_lines: int) -> tuple[PreviewLine, ...]:
        """The last things said and done in a session, oldest first."""
        return read_preview(path, most_lines)

    def totals(self, path: Path, is_wanted: Callable[[], bool] = lambda: True) -> SessionTotals | None:
        """A session's figures from its whole file, for a thread; its row has them from then on."""
        known = self._known.get(path.name)
        totals = scan_totals(path, is_wanted)
        if totals is not None and known is not None:
            self._remember(known.file, _with_totals(known.summary, totals), is_scanned=True)
        return totals

    def is_scanned(self, file: SessionFile) -> bool:
        """True if the whole of this file was read once."""
        known = self._known_of(file)
        return known is not None and known.is_scanned

    async def rename(self, path: Path, name: str) -> None:
        """Give a closed session a name; it keeps its place in the list, for a name is no use of it."""
        name = clean_line(name, NAME_CHARS)
        if not name:
            raise UsageError("A name needs at least one letter.", "The session keeps the name it has.")
        await asyncio.to_thread(_must_be_ours, path)
        try:
            store = await asyncio.to_thread(SessionStore.open, path)
        except SessionLocked as error:
            raise SessionLocked(f"{error.message} It was not renamed.", "Rename it there.") from error
        try:
            if store.content.damage.header_is_missing and not store.tree.nodes:
                raise StorageError(f"{clean_line(path.name)} is not a session.", "It was left as it is.")
            before = await asyncio.to_thread(os.stat, path)
            stamp = to_stamp(self._clock())
            await store.append(
                SessionInfoEntry(id=store.new_id(), parent_id=store.tree.leaf_id, timestamp=stamp, name=name)
            )
            with contextlib.suppress(OSError):
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns), follow_symlinks=False)
        finally:
            await store.close()

    def to_trash(self, path: Path) -> Path:
        """Move a closed session with its folder into the trash; the answer is what `restore` takes."""
        self._must_be_here(path, self.sessions)
        trashed = move_to_trash(path, self.trash, self._clock())
        self._known.pop(path.name, None)
        self.deleted.append(trashed)
        return trashed

    def restore(self, trashed: Path) -> Path:
        """Bring a deleted session back; refuses to overwrite."""
        self._must_be_here(trashed.parent, self.trash)
        path = restore_from_trash(trashed, self.sessions)
        if trashed in self.deleted:
            self.deleted.remove(trashed)
        return path

    def _must_be_here(self, path: Path, folder: Path) -> None:
        if path.parent != folder:
            raise StorageError(f"{clean_line(path.name)} is not in {folder.name}.", "It was left where it is.")

    def _remember(self, file: SessionFile, summary: SessionSummary, *, is_scanned: bool = False) -> SessionSummary:
        prompt = summary.first_prompt or summary.last_prompt or ""
        searched = fold(f"{summary.name or ''}\n{prompt}")
        self._known[file.name] = _Known(file, summary, fold(file.id), searched, is_scanned)
        return summary

    def _known_of(self, file: SessionFile) -> _Known | None:
        known = self._known.get(file.name)
        return known if known is not None and (known.file is file or known.file == file) else None


def fold(text: str) -> str:
    """Text as it is compared: any case and any accent alike."""
    if text.isascii():
        return text.lower()
    bare = "".join(
        character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character)
    )
    return bare.casefold()


def _must_be_ours(path: Path) -> None:
    header = read_header(path)
    if header is not None and header.version not in READABLE_IN_PLACE:
        raise SessionReadOnly(
            "This session cannot be renamed: it was written by another version of diligent"
            f" (file version {header.version})."
        )


def _with_totals(summary: SessionSummary, totals: SessionTotals) -> SessionSummary:
    """The whole file knows better than its ends."""
    return replace(
        summary,
        name=totals.name or summary.name,
        first_prompt=totals.first_prompt or summary.first_prompt,
        last_prompt=totals.last_prompt or summary.last_prompt,
        compactions=totals.compactions,
        tokens=totals.tokens,
        cost=totals.cost,
        branches=totals.branches,
    )
