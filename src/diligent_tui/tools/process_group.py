"""Ending all that a command started: asked first, then killed."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

GRACE_SECONDS = 1.0
LOOK_AGAIN_SECONDS = 0.02
GONE = (b"Z", b"X", b"x")


async def end_group(leader: int) -> bool:
    """End every process of the session that `leader` began, in two seconds at most; True if any was alive."""
    if not await asyncio.to_thread(_members, leader):
        return False
    try:
        await _signal(leader, signal.SIGTERM)
        # A stopped process sees the request only once it goes on.
        await _signal(leader, signal.SIGCONT)
        if not await _gone_within(leader, GRACE_SECONDS):
            await _signal(leader, signal.SIGKILL)
            await _gone_within(leader, GRACE_SECONDS / 2)
    except asyncio.CancelledError:
        for pid in _members(leader):
            _send(pid, signal.SIGKILL)
        raise
    return True


async def _gone_within(leader: int, seconds: float) -> bool:
    for _ in range(round(seconds / LOOK_AGAIN_SECONDS)):
        if not await asyncio.to_thread(_members, leader):
            return True
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
    return not await asyncio.to_thread(_members, leader)


async def _signal(leader: int, number: signal.Signals) -> None:
    # The group first and at one stroke: a process that forks without end escapes a list of pids, not its group.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
    for pid in await asyncio.to_thread(_members, leader):
        _send(pid, number)


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _members(leader: int) -> list[int]:
    """The living processes of the session; a shell's own job control makes new groups, but no new session."""
    if sys.platform != "linux":
        return [-leader] if _group_lives(leader) else []
    return [pid for pid in _all_pids() if _lives_in_session(pid, leader)]


def _all_pids() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _lives_in_session(pid: int, leader: int) -> bool:
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    state, _parent, _group, session = fields[:4]
    return int(session) == leader and state not in GONE


def _group_lives(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
