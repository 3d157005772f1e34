"""The filter of system calls, read as the kernel reads it."""

import socket

import pytest

from diligent_tui.tools.sandbox.seccomp import (
    ALLOW,
    ARCHITECTURE_AT,
    FIRST_ARGUMENT_AT,
    JUMP_AT_LEAST,
    JUMP_EQUAL,
    LOAD,
    MACHINES,
    NUMBER_AT,
    REFUSE,
    RETURN,
    Instruction,
    filter_program,
)

READ, X32 = {"x86_64": 0, "aarch64": 63}, 0x40000000


def answer(program: tuple[Instruction, ...], architecture: int, number: int, first_argument: int = 0) -> int:
    """What the kernel would say to a call."""
    data = {ARCHITECTURE_AT: architecture, NUMBER_AT: number, FIRST_ARGUMENT_AT: first_argument}
    at, word = 0, 0
    while True:
        code, if_true, if_false, value = program[at]
        match code:
            case _ if code == LOAD:
                word, step = data[value], 0
            case _ if code == JUMP_EQUAL:
                step = if_true if word == value else if_false
            case _ if code == JUMP_AT_LEAST:
                step = if_true if word >= value else if_false
            case _:
                assert code == RETURN
                return value
        at += 1 + step


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("network", [True, False])
def test_ordinary_calls_pass_and_listed_ones_do_not(name: str, network: bool) -> None:
    machine = MACHINES[name]
    program = filter_program(machine, network=network)
    assert answer(program, machine.audit_number, READ[name]) == ALLOW
    assert {answer(program, machine.audit_number, number) for number in machine.refused} == {REFUSE}
    assert answer(program, machine.audit_number ^ 1, READ[name]) == REFUSE
    assert answer(program, machine.audit_number, X32 | READ[name]) == REFUSE
    assert len(set(machine.refused)) == 25


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize(
    ("family", "without_network"),
    [(socket.AF_UNIX, ALLOW), (socket.AF_INET, REFUSE), (socket.AF_INET6, REFUSE), (17, REFUSE), (40, REFUSE)],
)
def test_sockets_pass_with_the_network_or_if_they_are_files(name: str, family: int, without_network: int) -> None:
    machine = MACHINES[name]
    closed, opened = (filter_program(machine, network=network) for network in (False, True))
    assert answer(closed, machine.audit_number, machine.socket, family) == without_network
    assert answer(opened, machine.audit_number, machine.socket, family) == ALLOW
