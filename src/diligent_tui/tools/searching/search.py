"""One search from beginning to end: walks, sorts out what is not searched, and runs the program on the rest."""

import os
import resource
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.base import Call
from diligent_tui.tools.globs import Glob
from diligent_tui.tools.paths import SAFE_OPEN, Located, open_located
from diligent_tui.tools.searching.programs import Hit, Searcher, run_searcher
from diligent_tui.tools.secret_files import looks_secret
from diligent_tui.tools.text_files import BYTE_ORDER_MARKS, SNIFFED_BYTES, encodings_to_try
from diligent_tui.tools.walking import Walk

LONGEST_SEARCH_SECONDS = 20.0
LARGEST_FILE_BYTES = 100_000_000
MOST_HITS = 10_000
MOST_FILES_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A hit with the path of its file, from where the search began; empty if it was the file itself."""

    path: str
    hit: Hit


@dataclass(slots=True)
class Left:
    """What was not searched, by reason, as paths."""

    binary: list[str] = field(default_factory=list[str])
    secret: list[str] = field(default_factory=list[str])
    too_large: list[str] = field(default_factory=list[str])
    closed: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Search:
    """One search; its figures are right when it has ended."""

    located: Located
    globs: list[Glob]
    plain: Searcher
    marked: Searcher
    """For files in UTF-16 and such, which only Python reads as we do."""
    is_cancelled: Callable[[], bool]
    left: Left = field(default_factory=Left)
    files: int = 0
    hits: int = 0
    ended_early: str = ""
    _deadline: float = 0.0

    def run(self, call: Call) -> Iterator[FoundLine]:
        """The hits, file by file; those in files of other encodings after the others of their batch."""
        self._deadline = time.monotonic() + LONGEST_SEARCH_SECONDS
        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        most_at_once = MOST_FILES_AT_ONCE if allowed < 0 else min(MOST_FILES_AT_ONCE, allowed // 2)
        with ExitStack() as stack:
            batch = _Batch()
            stack.callback(batch.close)
            for path, descriptor in self._candidates(call, stack):
                self._sort(path, descriptor, batch)
                if len(batch) >= most_at_once:
                    yield from self._search(batch)
                    batch.close()
            yield from self._search(batch)

    def _candidates(self, call: Call, stack: ExitStack) -> Iterator[tuple[str, int]]:
        if not self.located.real.is_dir():
            if not os.path.lexists(self.located.real):
                raise ToolError(f"{self.located.shown} does not exist.")
            yield "", open_located(self.located, call.workplace, approved=call.approved)
            return
        flags = SAFE_OPEN | os.O_DIRECTORY
        top = open_located(self.located, call.workplace, approved=call.approved, flags=flags)
        stack.callback(os.close, top)
        for found in Walk(top, self.located.real, call.workplace, self._is_over):
            if self.globs and not any(glob.matches(found.names) for glob in self.globs):
                continue
            if not self.located.is_secret and looks_secret(self.located.real.joinpath(*found.names)):
                self.left.secret.append(found.path)
                continue
            try:
                # Asked before opening, for opening a device can act on it.
                if not stat.S_ISREG(os.stat(found.names[-1], dir_fd=found.folder, follow_symlinks=False).st_mode):
                    continue
                descriptor = os.open(found.names[-1], SAFE_OPEN, dir_fd=found.folder)
            except OSError:
                self.left.closed.append(found.path)
                continue
            yield found.path, descriptor

    def _sort(self, path: str, descriptor: int, batch: "_Batch") -> None:
        with ExitStack() as unless_taken:
            unless_taken.callback(os.close, descriptor)
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return
            start = os.pread(descriptor, SNIFFED_BYTES, 0)
            if status.st_size > LARGEST_FILE_BYTES:
                self.left.too_large.append(path)
            elif not encodings_to_try(start):
                self.left.binary.append(path)
            else:
                self.files += 1
                is_marked = any(start.startswith(mark) for mark, _ in BYTE_ORDER_MARKS)
                (batch.marked if is_marked else batch.plain)[descriptor] = path
                unless_taken.pop_all()

    def _search(self, batch: "_Batch") -> Iterator[FoundLine]:
        for searcher, files in ((self.plain, batch.plain), (self.marked, batch.marked)):
            if not files or self._is_over():
                continue
            with closing(run_searcher(searcher, list(files), self._is_over)) as hits:
                for hit in hits:
                    self.hits += 1
                    if self.hits > MOST_HITS:
                        self.ended_early = f"stopped at {MOST_HITS:,} hits"
                        return
                    yield FoundLine(files[hit.file], hit)

    def _is_over(self) -> bool:
        if not self.ended_early and time.monotonic() > self._deadline:
            self.ended_early = f"stopped after {LONGEST_SEARCH_SECONDS:g} s, {self.files:,} files"
        return bool(self.ended_early) or self.is_cancelled()


@dataclass(slots=True)
class _Batch:
    """Open files by descriptor, with their paths."""

    plain: dict[int, str] = field(default_factory=dict[int, str])
    marked: dict[int, str] = field(default_factory=dict[int, str])

    def __len__(self) -> int:
        return len(self.plain) + len(self.marked)

    def close(self) -> None:
        for files in (self.plain, self.marked):
            for descriptor in files:
                os.close(descriptor)
            files.clear()
