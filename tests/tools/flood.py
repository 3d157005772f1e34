"""Runs one command with the tool `bash` in a process of its own and prints by how much that process grew, in kB."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.tools.base import Call, Outcome, Workplace
from diligent_tui.tools.builtin.run_command import RunCommand

OUTPUT_LIMIT_BYTES = 30_000
WARM_UP = "yes | head -c 1000000"


def growth_kb(folder: Path, command: str) -> int:
    """By how much a process grows that runs the command; it must end well."""
    program = [sys.executable, "-m", "tests.tools.flood", str(folder), command]
    ran = subprocess.run(program, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    return int(ran.stdout)


async def _run(folder: Path, command: str, entry_id: str) -> Outcome:
    workplace = Workplace(folder, folder, OUTPUT_LIMIT_BYTES, folder / "spill")
    arguments: JsonObject = {"command": command, "timeoutSeconds": 600}
    return await RunCommand().run(arguments, Call(workplace, entry_id, lambda _: None))


def peak_kb() -> int:
    """The most memory that this process ever held.

    Not `ru_maxrss`: that begins with the size of whoever started the process, and a growth below it is not seen.
    """
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found
    return int(found[1])


async def _measure(folder: Path, command: str) -> None:
    await _run(folder, WARM_UP, "00000000")
    before_kb = peak_kb()
    outcome = await _run(folder, command, "00000001")
    grown_kb = peak_kb() - before_kb
    assert outcome.exit_code == 0, outcome.output
    assert len(outcome.output) <= OUTPUT_LIMIT_BYTES
    sys.stdout.write(f"{grown_kb}\n")


if __name__ == "__main__":
    asyncio.run(_measure(Path(sys.argv[1]), sys.argv[2]))
