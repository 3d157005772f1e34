"""The two programs that can search: both take open files, and both answer in the same lines."""

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.environment import safe_search_path
from diligent_tui.tools.paths import locate
from diligent_tui.tools.searching import worker
from diligent_tui.tools.searching.patterns import Pattern

CHUNK_BYTES = 65_536
LONGEST_LINE_BYTES = 1_000_000
"""Of a longer line the rest is not looked at."""
WAKE_SECONDS = 0.05
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that fits; `file` is the number of the descriptor, the column is counted in bytes from 1."""

    file: int
    line: int
    column: int
    text: bytes


Searcher = Callable[[Sequence[int]], list[str]]
"""The command that searches some open files."""


def python_searcher(pattern: Pattern, most_hits: int) -> Searcher:
    """Search with Python, in a process of its own."""
    flags = "i" if pattern.ignores_case else "-"
    start = [sys.executable, "-I", "-S", str(worker.__file__), flags, str(most_hits), pattern.python]
    return lambda files: [*start, *map(_path, files)]


def ripgrep_searcher(program: str, pattern: Pattern, most_hits: int) -> Searcher | None:
    """Search with ripgrep; None if it does not take the pattern."""
    if pattern.rust is None:
        return None
    start = [program, "--no-config", "--no-messages", "--no-ignore", "--text", "--threads", "1", "--color", "never"]
    start += ["--with-filename", "--no-heading", "--line-number", "--column", "--null"]
    start += ["--ignore-case"] if pattern.ignores_case else ["--case-sensitive"]
    start += ["--max-count", str(most_hits)] if most_hits else []
    start += ["--regexp", pattern.rust, "--"]
    try:
        trial = subprocess.run(
            [*start, os.devnull],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (lambda files: [*start, *map(_path, files)]) if trial.returncode in (0, 1) else None


def find_ripgrep(workplace: Workplace, search_path: str) -> str | None:
    """Where ripgrep is, if it is there and not a file of the workspace that is only called so."""
    found = shutil.which("rg", path=safe_search_path(search_path))
    if found is None or any(locate(str(path), workplace).is_inside for path in (Path(found), Path(found).parent)):
        return None
    return found


def run_searcher(searcher: Searcher, files: Sequence[int], is_over: Callable[[], bool]) -> Generator[Hit, None, None]:
    """The hits in some open files, in their order; the program is ended when `is_over`, or when nobody wants more."""
    process = subprocess.Popen(
        searcher(files),
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=files,
        start_new_session=True,
    )
    with process:
        try:
            if process.stdout:
                yield from filter(None, map(_hit, _lines(process.stdout.fileno(), is_over)))
        finally:
            process.kill()


def _path(descriptor: int) -> str:
    # The very file that was opened and looked at, whatever has its name by now.
    return f"/dev/fd/{descriptor}"


def _lines(pipe: int, is_over: Callable[[], bool]) -> Iterator[bytes]:
    line = bytearray()
    while not is_over():
        if not select.select([pipe], [], [], WAKE_SECONDS)[0]:
            continue
        chunk = os.read(pipe, CHUNK_BYTES)
        if not chunk:
            return
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            yield bytes(line) + end
            line.clear()
        line += rest[: max(0, LONGEST_LINE_BYTES - len(line))]


def _hit(line: bytes) -> Hit | None:
    path, _, rest = line.partition(b"\0")
    number, _, rest = rest.partition(b":")
    column, _, text = rest.partition(b":")
    file = path.rpartition(b"/")[2]
    if not (file.isdigit() and number.isdigit() and column.isdigit()):
        return None
    return Hit(int(file), int(number), int(column), text)
