"""Landlock, the kernel's own fence around files, TCP ports and signals, reached by its three system calls."""

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
FOR_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
# How many rights to files each version of Landlock knows, from 1 on; later ones know no more.
FILE_RIGHTS = (13, 14, 15, 15, 16)
TCP_FROM_VERSION, SCOPES_FROM_VERSION = 4, 6
BIND_AND_CONNECT = 0b11
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

PR_SET_NO_NEW_PRIVS = 38
PR_CAPBSET_DROP = 24
CAPABILITY_VERSION_3 = 0x20080522
MOST_CAPABILITIES = 64
KEPT_CAPABILITIES = (0, 1, 3)
"""chown, dac_override and fowner: root in a container works on files of others; the fence is about paths anyway."""


@dataclass(frozen=True, slots=True)
class Fence:
    """What stays reachable; everything else is refused."""

    readable: tuple[Path, ...]
    """Files and folders, each with all that is below."""
    writable: tuple[Path, ...]
    devices: tuple[Path, ...]
    network: bool


def landlock_version() -> int:
    """Which version the kernel speaks; 0 if none."""
    if sys.platform != "linux":
        return 0
    try:
        return _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(ASK_VERSION))
    except OSError:
        return 0


def readable_around(hidden: Iterable[Path]) -> Iterator[Path]:
    """The largest files and folders that together are everything but what is hidden.

    Links are passed over: what they lead to is readable, or not, by its own path.
    """
    yield from _beside(Path("/"), {path for each in hidden for path in (each, *each.parents)}, frozenset(hidden))


def shut_in(fence: Fence) -> None:
    """Put this thread, and all that it starts, behind the fence for good. OSError if the kernel will not."""
    version = landlock_version()
    rights = (1 << FILE_RIGHTS[min(version, len(FILE_RIGHTS)) - 1]) - 1
    tcp = BIND_AND_CONNECT if version >= TCP_FROM_VERSION and not fence.network else 0
    scopes = ABSTRACT_SOCKETS_AND_SIGNALS if version >= SCOPES_FROM_VERSION else 0
    if fence.network:
        scopes &= 0b10
    wishes = struct.pack("=QQQ", rights, tcp, scopes)
    known_bytes = 24 if version >= SCOPES_FROM_VERSION else 16 if version >= TCP_FROM_VERSION else 8
    ruleset = _call(CREATE_RULESET, wishes, ctypes.c_size_t(known_bytes), ctypes.c_uint(0))
    try:
        _allow(ruleset, (Path("/"),), READ_DIR & rights)
        _allow(ruleset, fence.readable, READ & rights)
        _allow(ruleset, fence.devices, (READ_FILE | WRITE_FILE | IOCTL_DEV) & rights)
        _allow(ruleset, fence.writable, rights & ~IOCTL_DEV)
        _drop_capabilities()
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        _call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0))
    finally:
        os.close(ruleset)


def _beside(folder: Path, on_the_way: set[Path], hidden: frozenset[Path]) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if not entry.is_symlink()]
    except OSError:
        return
    for path in found:
        if path in hidden:
            continue
        if path in on_the_way:
            yield from _beside(path, on_the_way, hidden)
        else:
            yield path


def _allow(ruleset: int, paths: Sequence[Path], rights: int) -> None:
    for path in paths:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            rule = struct.pack("=Qi", rights if is_folder else rights & FOR_FILES, descriptor)
            _call(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(PATH_BENEATH), rule, ctypes.c_uint(0))
        finally:
            os.close(descriptor)


def _drop_capabilities() -> None:
    """Let go of root's powers in this thread; for anybody else there is nothing to let go."""
    for number in range(MOST_CAPABILITIES):
        # The newest capabilities may be unknown to the kernel, and only root may drop any.
        if number not in KEPT_CAPABILITIES and _libc().prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    now = ctypes.create_string_buffer(24)
    _checked(_libc().capget(header, now))
    kept = sum(1 << number for number in KEPT_CAPABILITIES)
    effective, permitted, _, *_rest = struct.unpack("=6I", now.raw)
    _checked(_libc().capset(header, struct.pack("=6I", effective & kept, permitted & kept, 0, 0, 0, 0)))


def _prctl(option: int, value: int) -> None:
    _checked(_libc().prctl(option, value, 0, 0, 0))


def _call(number: int, *arguments: ctypes.c_int | ctypes.c_uint | ctypes.c_size_t | bytes | None) -> int:
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
