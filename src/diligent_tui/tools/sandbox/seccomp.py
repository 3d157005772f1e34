"""The system calls that a command shut in by Landlock does without, as a filter for the kernel."""

import ctypes
import errno
import os
import platform
import socket
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2

# Classic BPF: load a word, compare, return. The fields are offsets into the kernel's `struct seccomp_data`.
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
X32_CALLS = 0x40000000
"""On x86_64 a second set of numbers for the same calls begins here; nothing ordinary uses it."""

Instruction = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Machine:
    """The numbers that one kind of processor uses."""

    audit_number: int
    socket: int
    refused: tuple[int, ...]


# ptrace, process_vm_readv and _writev, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd,
# open_by_handle_at, io_uring_setup, _enter and _register (they open sockets unseen)
_PROCESSES_X86 = (101, 310, 311, 250, 248, 249, 321, 298, 323, 304, 425, 426, 427)
_PROCESSES_ARM = (117, 270, 271, 219, 217, 218, 280, 241, 282, 265, 425, 426, 427)
# mount, umount2, pivot_root, unshare, setns, init_module, finit_module, delete_module, kexec_load, reboot, swapon,
# swapoff
_SYSTEM_X86 = (165, 166, 155, 272, 308, 175, 313, 176, 246, 169, 167, 168)
_SYSTEM_ARM = (40, 39, 41, 97, 268, 105, 273, 106, 104, 142, 224, 225)
MACHINES: Mapping[str, Machine] = MappingProxyType(
    {
        "x86_64": Machine(0xC000003E, 41, _PROCESSES_X86 + _SYSTEM_X86),
        "aarch64": Machine(0xC00000B7, 198, _PROCESSES_ARM + _SYSTEM_ARM),
    }
)


def this_machine() -> Machine | None:
    """The numbers for the processor we run on; None if they are not known here."""
    return MACHINES.get(platform.machine())


def filter_program(machine: Machine, *, network: bool) -> tuple[Instruction, ...]:
    """The filter: refuse what is listed, and without the network every socket but those of files and pairs."""
    checks: list[Instruction] = []
    for number in machine.refused:
        checks += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    if not network:
        checks += [
            (JUMP_EQUAL, 0, 3, machine.socket),
            (LOAD, 0, 0, FIRST_ARGUMENT_AT),
            (JUMP_EQUAL, 1, 0, socket.AF_UNIX),
            (RETURN, 0, 0, REFUSE),
        ]
    return (
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (JUMP_EQUAL, 1, 0, machine.audit_number),
        (RETURN, 0, 0, REFUSE),
        (LOAD, 0, 0, NUMBER_AT),
        (JUMP_AT_LEAST, 0, 1, X32_CALLS),
        (RETURN, 0, 0, REFUSE),
        *checks,
        (RETURN, 0, 0, ALLOW),
    )


def install_filter(program: Sequence[Instruction]) -> None:
    """Put this thread, and all that it starts, under the filter for good; no_new_privs must be set. OSError if not."""
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    kept = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(program), ctypes.addressof(kept))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
