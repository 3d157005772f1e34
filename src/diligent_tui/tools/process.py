"""Running a program that may hang, flood, ignore signals or leave children behind, without ever hanging with it."""

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from diligent_tui.tools.process_group import GRACE_SECONDS, Trail, end_group, new_trail

CHUNK_BYTES = 65_536
# The most that a pipe holds by Linux's own rules: what was said before the end is always read.
PIPE_BYTES = 1_048_576
DRAIN_SECONDS = 0.3
GRACE_WHEN_CANCELLED_SECONDS = 0.25
"""Someone who pressed Esc waits; half a second is what they are promised."""

Receive = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a program ended: negative codes are signals; `left_behind` if something it started had to be ended."""

    exit_code: int | None
    timed_out: bool
    left_behind: bool


@dataclass(frozen=True, slots=True)
class Command:
    """What is to be run, where, and what it may know."""

    program: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]


class Launcher(Protocol):
    """A way to start a command: as it is, or shut in."""

    @property
    def leader_is_guard(self) -> bool:
        """True if the started process only watches the command: it is not asked to end, it ends with its command."""
        ...

    def start(self, command: Command, output: int) -> subprocess.Popen[bytes]:
        """Start it in a session of its own, output and errors going to a descriptor; OSError if it cannot be."""
        ...


@dataclass(frozen=True, slots=True)
class PlainLauncher:
    """Starts a command as it is."""

    leader_is_guard: bool = False

    def start(self, command: Command, output: int) -> subprocess.Popen[bytes]:
        """Start it."""
        return popen(command, output)


def popen(command: Command, output: int) -> subprocess.Popen[bytes]:
    """Start a program with its own session, no terminal and nothing to read."""
    return subprocess.Popen(
        command.program,
        cwd=command.cwd,
        env=command.environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


async def run_process(
    command: Command, timeout_seconds: float, receive: Receive, launcher: Launcher | None = None
) -> Ending:
    """Run to the program's own exit, not to the end of its pipe; cancelling ends all that it started.

    Output and errors go to `receive` in the order they came. OSError if the program cannot be started.
    """
    trail = new_trail(leader_is_guard=launcher is not None and launcher.leader_is_guard)
    marked = Command(command.program, command.cwd, {**command.environment, **trail.mark})
    process, pipe = _start(marked, launcher or PlainLauncher())
    watch = _ExitWatch(process)
    pump = _Pump(pipe, receive)
    in_time = False
    grace_seconds = GRACE_WHEN_CANCELLED_SECONDS
    try:
        await asyncio.wait({watch.exited}, timeout=timeout_seconds)
        in_time = watch.exited.done()
        grace_seconds = GRACE_SECONDS
    finally:
        left_behind = await _uninterrupted(_finish(process, trail, watch, pump, grace_seconds))
    # Where a guard has ended, what still lives is on its way out with it.
    return Ending(process.returncode, not in_time, in_time and left_behind and not trail.leader_is_guard)


def _start(command: Command, launcher: Launcher) -> tuple[subprocess.Popen[bytes], int]:
    read_end, write_end = os.pipe()
    with contextlib.ExitStack() as on_failure:
        on_failure.callback(os.close, read_end)
        try:
            process = launcher.start(command, write_end)
        finally:
            os.close(write_end)
        os.set_blocking(read_end, False)
        on_failure.pop_all()
    return process, read_end


async def _finish(
    process: subprocess.Popen[bytes], trail: Trail, watch: "_ExitWatch", pump: "_Pump", grace_seconds: float
) -> bool:
    left_behind = False
    try:
        if watch.exited.done():
            await pump.drain(DRAIN_SECONDS)
        # The leader is reaped only afterwards: until then nobody else can get its number.
        left_behind = await end_group(process.pid, trail, grace_seconds)
        if left_behind:
            await pump.drain(DRAIN_SECONDS)
            await asyncio.wait({watch.exited}, timeout=DRAIN_SECONDS)
    finally:
        try:
            await pump.stop()
        finally:
            watch.close()
            process.poll()
    return left_behind


async def _uninterrupted(cleaning: Coroutine[None, None, bool]) -> bool:
    """Let bounded cleaning come to its end, however often we are cancelled meanwhile; then pass that on."""
    task = asyncio.create_task(cleaning)
    is_cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            is_cancelled = True
    if is_cancelled:
        raise asyncio.CancelledError
    return task.result()


class _ExitWatch:
    """Knows when the program itself has ended, whoever still holds its pipe."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = self._loop.create_future()
        self._descriptor = _open_pidfd(process.pid)
        if self._descriptor is None:
            threading.Thread(target=self._wait_in_thread, args=(process,), daemon=True).start()
        else:
            self._loop.add_reader(self._descriptor, self._settle)

    def close(self) -> None:
        if self._descriptor is not None:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _wait_in_thread(self, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)


def _open_pidfd(pid: int) -> int | None:
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


class _Pump:
    """Carries a pipe's bytes to `receive`, one chunk for each round of the event loop."""

    def __init__(self, pipe: int, receive: Receive) -> None:
        self._pipe = pipe
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._readable: asyncio.Future[None] | None = None
        self._left_bytes: int | None = None
        self._task = asyncio.create_task(self._carry())

    async def drain(self, seconds: float) -> None:
        """Wait for the end of the pipe, but not for long: a child in the background may hold it for hours."""
        await asyncio.wait({self._task}, timeout=seconds)

    async def stop(self) -> None:
        """Carry what is in the pipe now, then close it."""
        self._left_bytes = PIPE_BYTES
        self._wake()
        try:
            await self._task
        finally:
            os.close(self._pipe)

    async def _carry(self) -> None:
        while self._left_bytes is None or self._left_bytes > 0:
            try:
                chunk = os.read(self._pipe, CHUNK_BYTES)
            except BlockingIOError:
                if self._left_bytes is not None:
                    return
                await self._until_readable()
                continue
            if not chunk:
                return
            if self._left_bytes is not None:
                self._left_bytes -= len(chunk)
            await self._receive(chunk)
            await asyncio.sleep(0)

    async def _until_readable(self) -> None:
        self._readable = self._loop.create_future()
        self._loop.add_reader(self._pipe, self._wake)
        try:
            await self._readable
        finally:
            self._loop.remove_reader(self._pipe)

    def _wake(self) -> None:
        if self._readable is not None and not self._readable.done():
            self._readable.set_result(None)
