"""Ending all that a command started: asked first, then killed."""

import asyncio
import contextlib
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

GRACE_SECONDS = 1.0
KILLED_WITHIN_SECONDS = 0.5
GRACE_AT_THE_END_SECONDS = 0.25
LOOK_AGAIN_SECONDS = 0.02
GONE = (b"Z", b"X", b"x")
MARK = "INSIDE_DILIGENT"
MOST_LOOKS = 10
"""One that is another process each moment can be missed a few times in a row."""
KERNELS_OWN = b"0"
"""The group of the kernel's own threads."""
STARTED_FIELD = 19
"""Where /proc/<pid>/stat says when a process began, counted from its state."""


@dataclass(frozen=True, slots=True)
class Trail:
    """By what a command's children are known even in another session: a word in their environment."""

    word: str
    since_ticks: int
    """No process that is older than this belongs to the command."""
    leader_is_guard: bool

    @property
    def mark(self) -> dict[str, str]:
        """For the environment of the command."""
        return {MARK: self.word}


def new_trail(*, leader_is_guard: bool) -> Trail:
    """A trail for a command that is about to be started."""
    return Trail(secrets.token_hex(8), _ticks_since_boot(), leader_is_guard)


@dataclass(frozen=True, slots=True)
class _Process:
    """A process that began since; its `word` is None while it is just becoming another program, or ending."""

    pid: int
    parent: int
    group: int
    session: int
    is_gone: bool
    word: str | None


async def end_group(leader: int, trail: Trail, grace_seconds: float = GRACE_SECONDS) -> bool:
    """End every process that came from `leader`, within the grace and half a second; True if any was alive."""
    try:
        members = await asyncio.to_thread(_members, leader, trail)
        if not members:
            return False
        _signal(leader, members, trail, signal.SIGTERM)
        # A stopped process sees the request only once it goes on.
        _signal(leader, members, trail, signal.SIGCONT)
        if left := await _left_after(leader, trail, grace_seconds):
            _signal(leader, left, trail, signal.SIGKILL)
            await _left_after(leader, trail, KILLED_WITHIN_SECONDS)
    except asyncio.CancelledError:
        _strike(_members(leader, trail), signal.SIGKILL)
        raise
    finally:
        # The leader is not reaped yet, so the group is still the command's; nobody in it is meant to go on.
        _strike_group(leader, signal.SIGKILL)
    return True


def end_own_commands() -> None:
    """End every command of this process, which is about to end by a signal itself; needs no loop.

    Only Linux tells which they are.
    """
    if sys.platform != "linux":
        return
    young, _ = _look_around(since_ticks=0)
    # Run by a command of another diligent, all that we start carries that one's word.
    not_a_word = {None, "", os.environ.get(MARK)}
    children = [each for each in young.values() if each.parent == os.getpid() and each.session == each.pid]
    own = [each for each in children if each.word not in not_a_word]
    leaders, words = {each.pid for each in own}, {each.word for each in own}
    members = _living(young, leaders, words)
    for number in (signal.SIGTERM, signal.SIGCONT):
        _strike(members, number)
    until = time.monotonic() + GRACE_AT_THE_END_SECONDS
    while (left := _living(_look_around(since_ticks=0)[0], leaders, words)) and time.monotonic() < until:
        time.sleep(LOOK_AGAIN_SECONDS)
    _strike(left, signal.SIGKILL)


async def _left_after(leader: int, trail: Trail, seconds: float) -> list[_Process]:
    clock = asyncio.get_running_loop().time
    until = clock() + seconds
    while members := await asyncio.to_thread(_members, leader, trail):
        if clock() >= until:
            return members
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
    return []


def _signal(leader: int, members: Sequence[_Process], trail: Trail, number: signal.Signals) -> None:
    if trail.leader_is_guard and number != signal.SIGKILL:
        # A guard that is asked to end would take its command with it, unasked.
        for process in members:
            if process.pid != leader:
                _send(process.pid, number)
    else:
        _strike_group(leader, number)
        _strike(members, number)


def _strike(members: Sequence[_Process], number: signal.Signals) -> None:
    """Groups first and at one stroke: who forks without end escapes a list of processes, not its group."""
    for group in {process.group for process in members} - {os.getpgrp()}:
        _strike_group(group, number)
    for process in members:
        _send(process.pid, number)


def _strike_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _members(leader: int, trail: Trail) -> list[_Process]:
    """The living processes of the command.

    A shell's own job control makes new groups but no new session; who begins a new session still carries the mark,
    or has a parent that belongs to the command.
    """
    if sys.platform != "linux":
        return [_Process(leader, 0, leader, leader, False, None)] if _group_lives(leader) else []
    for _ in range(MOST_LOOKS):
        young, has_missed = _look_around(trail.since_ticks)
        living = _living(young, {leader}, {trail.word})
        if living or not has_missed:
            return living
    return []


def _living(young: dict[int, _Process], leaders: Set[int], words: Set[str | None]) -> list[_Process]:
    """The living ones that are in a leader's session, carry one of the words, or come from such a one."""
    found = {pid for pid, process in young.items() if process.session in leaders or process.word in words}
    found |= {pid for pid in young if not found.isdisjoint(_forebears(pid, young))}
    return [young[pid] for pid in found if not young[pid].is_gone]


def _look_around(since_ticks: int) -> tuple[dict[int, _Process], bool]:
    """The processes that began since, and whether one was gone before it was seen: another may stand in its place."""
    young: dict[int, _Process] = {}
    has_missed = False
    # The newest first: they are the ones that may be gone in a moment.
    for pid in sorted((int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()), reverse=True):
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            has_missed = True
            continue
        state, parent, group, session = fields[:4]
        if int(fields[STARTED_FIELD]) < since_ticks or group == KERNELS_OWN:
            continue
        is_gone = state in GONE
        word = None if is_gone else _word_of(pid)
        has_missed = has_missed or (word is None and not is_gone)
        young[pid] = _Process(pid, int(parent), int(group), int(session), is_gone, word)
    return young, has_missed


def _forebears(pid: int, young: dict[int, _Process]) -> Iterator[int]:
    seen: set[int] = set()
    while (process := young.get(pid)) and pid not in seen:
        seen.add(pid)
        pid = process.parent
        yield pid


def _word_of(pid: int) -> str | None:
    """The word on a process; empty if it has none, None if it is just becoming another program or ending."""
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except PermissionError:
        return ""
    except OSError:
        return None
    if variables == [b""]:
        return None
    marked = next((variable for variable in variables if variable.startswith(MARK.encode() + b"=")), b"")
    return marked.partition(b"=")[2].decode(errors="replace")


def _ticks_since_boot() -> int:
    if sys.platform != "linux":
        return 0
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def _group_lives(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
