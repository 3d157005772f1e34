"""What was written and not sent, kept so that neither a crash nor a closed terminal takes it.

Each window keeps its own: the drafts of a project are numbered files, and a window holds the lock beside its file while
something is in it. A file whose lock nobody holds was left by a window that is gone; the next window begins with it.
"""

import contextlib
import itertools
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from diligent_tui.config.prompt_history import project_key
from diligent_tui.config.reading import NotPlainFile, read_plain
from diligent_tui.domain.errors import SessionLocked, StorageError
from diligent_tui.domain.json_objects import JsonObject, is_array, is_object
from diligent_tui.domain.plain_text import mend_surrogates
from diligent_tui.storage.jsonl import encode_line, parse_line
from diligent_tui.storage.lock import FileLock
from diligent_tui.storage.private import storage_error, write_private

FOLDER_NAME = "drafts"
LARGEST_DRAFT_BYTES = 16_000_000
MOST_ASIDE = 1_000
"""Each text that was put aside is looked through when it comes back, while the screen waits."""
BEGINNING = b'{"type":"draft",'
"""What begins otherwise is the text itself: so drafts were kept when nothing could be put aside with them."""


@dataclass(frozen=True, slots=True)
class Unsent:
    """The text in a prompt, the texts that were put aside there, oldest first, and a form that is being filled in."""

    text: str = ""
    aside: tuple[str, ...] = ()
    form: Mapping[str, str] = field(default_factory=dict[str, str])
    """Field by field; what they mean, the form knows."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not self.aside and not self.text.strip() and not self.form


@dataclass(frozen=True, slots=True)
class Found:
    """What a window begins with, and what it should say about the rest."""

    unsent: Unsent = Unsent()
    unreadable: tuple[Path, ...] = ()
    """Files that could not be understood, where they are now."""
    waiting: int = 0
    """How many drafts of windows that are gone are left for the next windows."""


class _Slot(NamedTuple):
    """A place for one draft; where there are no locks, or none can be made, its lock is not held."""

    path: Path
    lock: FileLock


class DraftDrawer:
    """The drafts of a project, as one window sees them; nothing of it waits for other windows."""

    def __init__(self, state_folder: Path, root: Path) -> None:
        """Nothing is read or made yet."""
        self._folder = state_folder / FOLDER_NAME
        self._key = project_key(root)
        self._slot: _Slot | None = None

    def begin(self) -> Found:
        """Take over the first draft that no living window holds; what cannot be read never hinders."""
        unreadable: list[Path] = []
        unsent, waiting = Unsent(), 0
        for number in self._used_numbers():
            slot = self._hold(number)
            if slot is None:
                continue
            if self._slot is not None:
                waiting += slot.lock.is_held and os.path.lexists(slot.path)
                slot.lock.remove()
                continue
            try:
                unsent = _read(slot.path)
            except FileNotFoundError:
                slot.lock.remove()
            except OSError as error:
                unreadable.append(_put_out_of_the_way(slot.path) if isinstance(error, NotPlainFile) else slot.path)
                slot.lock.remove()
            else:
                self._slot = slot
                if unsent.is_empty:
                    with contextlib.suppress(StorageError):
                        self._clear()
        return Found(unsent, tuple(unreadable), waiting)

    def save(self, unsent: Unsent) -> None:
        """Keep this in place of what was kept last; nothing leaves no file. Raises StorageError if it cannot."""
        if unsent.is_empty:
            self._clear()
            return
        data = _encode(unsent)
        if self._slot is None:
            self._slot = self._free_slot()
        write_private(self._slot.path, data)

    def leave(self) -> None:
        """Let the next window have what is kept."""
        if self._slot is not None:
            self._slot.lock.remove()
            self._slot = None

    def _clear(self) -> None:
        if self._slot is None:
            return
        try:
            self._slot.path.unlink(missing_ok=True)
        except OSError as error:
            raise storage_error(error, self._slot.path, "removing") from error
        self.leave()

    def _free_slot(self) -> _Slot:
        """The first place where no window has a draft, be it gone or not."""
        for number in itertools.count():
            slot = None if os.path.lexists(self._path(number)) else self._hold(number)
            if slot is None:
                continue
            if not os.path.lexists(slot.path):
                return slot
            # Another window had it and left something, just now.
            slot.lock.remove()
        raise AssertionError("there is no last number")

    def _hold(self, number: int) -> _Slot | None:
        slot = _Slot(self._path(number), FileLock(self._path(number).with_suffix(".lock")))
        try:
            slot.lock.take()
        except SessionLocked:
            return None
        except StorageError:
            # As if no other window were there; whoever writes last wins, as with any editor.
            return slot
        for half in self._folder.glob(f".{slot.path.name}.*"):
            # Nobody but the holder writes here, so whoever began this was killed before it was whole.
            with contextlib.suppress(OSError):
                half.unlink()
        return slot

    def _used_numbers(self) -> Iterator[int]:
        pattern = re.compile(rf"{self._key}(?:\.([1-9][0-9]{{0,8}}))?\.txt")
        try:
            names = [path.name for path in self._folder.iterdir()]
        except OSError:
            names = []
        yield from sorted(int(match[1] or 0) for match in map(pattern.fullmatch, names) if match)

    def _path(self, number: int) -> Path:
        return self._folder / (f"{self._key}.{number}.txt" if number else f"{self._key}.txt")


def _read(path: Path) -> Unsent:
    """What is kept in a file; NotPlainFile if it is nothing of ours, another OSError if the disk refuses."""
    if path.is_symlink():
        raise NotPlainFile("it is a symbolic link")
    data = read_plain(path, LARGEST_DRAFT_BYTES)
    if data.startswith(BEGINNING):
        return _decode(data)
    try:
        return Unsent(data.decode())
    except UnicodeDecodeError as error:
        raise NotPlainFile("it is not UTF-8 text") from error


def _decode(data: bytes) -> Unsent:
    record = parse_line(data.removesuffix(b"\n")) or {}
    text, aside, fields = record.get("text"), record.get("aside"), record.get("form", {})
    if not isinstance(text, str) or not is_array(aside) or len(aside) > MOST_ASIDE or not is_object(fields):
        raise NotPlainFile("it is no draft of ours")
    texts = tuple(each for each in aside if isinstance(each, str))
    form = {name: mend_surrogates(value) for name, value in fields.items() if isinstance(value, str)}
    if len(texts) < len(aside) or len(form) < len(fields):
        raise NotPlainFile("it is no draft of ours")
    return Unsent(mend_surrogates(text), tuple(map(mend_surrogates, texts)), form)


def _encode(unsent: Unsent) -> bytes:
    aside = [mend_surrogates(each) for each in unsent.aside]
    record: JsonObject = {"type": "draft", "text": mend_surrogates(unsent.text), "aside": aside}
    if unsent.form:
        record["form"] = {name: mend_surrogates(value) for name, value in unsent.form.items()}
    data = encode_line(record)
    if len(data) > LARGEST_DRAFT_BYTES or len(aside) > MOST_ASIDE:
        raise StorageError("What is written here and not sent is too much to be kept.", "Send it, or clear a part.")
    return data


def _put_out_of_the_way(path: Path) -> Path:
    """Rename what cannot be read, so that it is neither tried again nor written over; where it is then."""
    others = (path.with_name(f"{path.stem}-{count}.unreadable") for count in itertools.count(1))
    other = next(each for each in others if not os.path.lexists(each))
    try:
        return path.rename(other)
    except OSError:
        return path
