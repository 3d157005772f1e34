"""Commands that wait, flood, hide, multiply or want a terminal: bash comes back, and nothing of them is left."""

import asyncio
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from diligent_tui.tools.base import Outcome
from diligent_tui.tools.process_group import MARK
from tests.tools.flood import growth_kb
from tests.tools.workbench import Bench

LONGEST_SECONDS = 20


async def bash(bench: Bench, command: str, timeout_seconds: float = 10) -> Outcome:
    running = bench.run("bash", {"command": command, "timeoutSeconds": timeout_seconds})
    return await asyncio.wait_for(running, LONGEST_SECONDS)


def marked() -> set[int]:
    """Every living process on this machine that a command of diligent's started."""
    return {int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit() and _is_marked(folder)}


def _is_marked(folder: Path) -> bool:
    try:
        return f"{MARK}=".encode() in (folder / "environ").read_bytes()
    except OSError:
        return False


def survivors(bench: Bench) -> list[int]:
    """Those of them that work in this test's workspace."""
    return [pid for pid in marked() if _folder_of(pid) == str(bench.root)]


def _folder_of(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except OSError:
        return ""


@pytest.mark.parametrize(
    "command",
    [
        "ssh",
        "ssh -o ConnectTimeout=1 -p 1 127.0.0.1",
        "cat",
        "python3 -i < /dev/stdin",
        "python3 -c 'input()'",
        "read -r line",
        "read -r line < /dev/tty",
        "git init -q . && git -c user.name=a -c user.email=b commit --allow-empty",
        "git init -q . && git -c user.name=a -c user.email=b commit --allow-empty -m x && git rebase -i --root",
        "git init -q . && git log",
        "git clone -q https://user@127.0.0.1:1/x.git",
        "sudo -n true",
        "less /etc/passwd",
        "man ls",
        "bash -i",
        "sleep 1e9 &",
        "(sleep 1e9 &); echo hi",
        "nohup sleep 1e9 > /dev/null 2>&1 &",
        "coproc cat; echo hi",
        "bash -c 'kill -STOP $$' &",
    ],
)
async def test_what_would_wait_for_a_person_or_for_ever_comes_back_by_itself(bench: Bench, command: str) -> None:
    outcome = await bash(bench, command)
    assert "timed out" not in outcome.output
    assert outcome.exit_code is not None
    assert survivors(bench) == []


@pytest.mark.parametrize(
    "command",
    [
        "vim",
        "sleep 1e9",
        "trap '' TERM INT HUP; while :; do sleep 0.1; done",
        "setsid sh -c 'trap \"\" TERM; while :; do sleep 0.1; done'; true",
        "bash -c 'kill -STOP $$'",
        "yes > /dev/null",
        "for i in $(seq 200); do sleep 1e9 & done; wait",
        "for i in $(seq 20); do (setsid sh -c 'trap \"\" TERM; sleep 1e9' &) ; done; sleep 1e9",
        "sleep 1e9 | sleep 1e9 | cat",
    ],
)
async def test_what_does_not_end_is_ended_with_all_that_it_started(bench: Bench, command: str) -> None:
    outcome = await bash(bench, command, 0.5)
    assert outcome.output.endswith("timed out after 0.5 s; the command was ended")
    assert survivors(bench) == []


async def test_two_hundred_children_left_behind_are_ended(bench: Bench) -> None:
    outcome = await bash(bench, "for i in $(seq 200); do sleep 1e9 & done; echo all")
    assert outcome.output.startswith("all\n[what the command left running")
    assert survivors(bench) == []


@pytest.mark.parametrize("begin", ["sh again.sh 400 &", "setsid sh again.sh 400 &"])
async def test_a_child_that_is_another_process_each_moment_is_ended(bench: Bench, begin: str) -> None:
    # Each starts the next one and ends: never more than two, and never the one that was just listed.
    (bench.root / "again.sh").write_text("sleep 0.01; [ $1 -gt 0 ] && sh again.sh $(($1 - 1)) &\n")
    await bash(bench, f"{begin} sleep 0.1")
    assert survivors(bench) == []


@pytest.mark.parametrize(
    "command",
    ["yes | head -c 120M", "head -c 60M /dev/urandom | tee /dev/stderr"],
)
def test_a_flood_of_any_kind_passes_in_little_memory(tmp_path: Path, command: str) -> None:
    # Fifty megabytes are promised for a gigabyte; what grows with the flood shows in a tenth of it.
    assert growth_kb(tmp_path, command) <= 50_000


ON_A_TERMINAL = """
import asyncio, sys
from pathlib import Path
from diligent_tui.tools.base import Call, Workplace
from diligent_tui.tools.builtin.run_command import RunCommand

root = Path(sys.argv[1])
workplace = Workplace(root, root, 30_000, root / "spill")

async def main():
    for command in sys.argv[2:]:
        call = Call(workplace, "00000000", lambda text: None)
        await RunCommand().run({"command": command, "timeoutSeconds": 2}, call)

asyncio.run(main())
print("the end")
"""


def test_no_byte_of_a_command_reaches_our_terminal(tmp_path: Path) -> None:
    commands = [
        "echo x > /dev/tty",
        "vim",
        "printf '\\033[2J' >&2",
        "setsid sh -c 'echo x > /dev/tty'",
        "git init -q . && git commit --allow-empty",
        "stty raw < /dev/tty",
        "ssh -p 1 127.0.0.1",
        "tput reset > $(tty)",
        "script -qc 'echo x' /dev/null",
        "echo x > /proc/$PPID/fd/1",
    ]
    outer, inner = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", ON_A_TERMINAL, str(tmp_path), *commands],
        stdin=inner,
        stdout=subprocess.PIPE,
        stderr=inner,
        start_new_session=True,
    ) as ours:
        os.close(inner)
        said, _ = ours.communicate(timeout=60)
    ready, _, _ = select.select([outer], [], [], 0)
    seen = b""
    if ready:
        try:
            seen = os.read(outer, 10_000)
        except OSError:
            seen = b""
    os.close(outer)
    assert said.decode().endswith("the end\n")
    assert seen == b""
