"""The tool `bash`, with real processes: it always comes back, says all, and leaves nothing."""

import asyncio
import os
import stat
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.tools import process
from diligent_tui.tools.base import Outcome
from diligent_tui.tools.builtin.run_command import closing_lines
from diligent_tui.tools.process import Ending
from tests.tools.workbench import Bench, open_files

BACKGROUND_ENDED = "[what the command left running in the background was ended with it]"


async def bash(bench: Bench, command: str, timeout_seconds: float = 20) -> Outcome:
    return await bench.run("bash", {"command": command, "timeoutSeconds": timeout_seconds})


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True


async def until_said(bench: Bench, word: str) -> None:
    while word not in "".join(bench.said):
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("echo hi", "hi\n"),
        ("true", "[no output]"),
        ("printf no-newline", "no-newline"),
        ("echo one; echo two >&2; echo three", "one\ntwo\nthree\n"),
        ("printf 'a\\0b\\377c'", "a\ufffdb\ufffdc"),
        ("printf '\\360\\237\\230'", "\ufffd"),
        ("cat", "[no output]"),
        ("read -r line; echo $?", "1\n"),
        ("test -t 0 || test -t 1 || echo no terminal", "no terminal\n"),
        ("(echo x > /dev/tty) 2>/dev/null || echo no tty", "no tty\n"),
        ("echo $TERM $PAGER $GIT_TERMINAL_PROMPT $EDITOR", "dumb cat 0 true\n"),
    ],
)
async def test_returns_what_was_printed(bench: Bench, command: str, output: str) -> None:
    assert await bash(bench, command) == Outcome(output, exit_code=0)


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("exit 2", "exit code 2", 2),
        ("echo said; exit 3", "said\nexit code 3", 3),
        ("printf said; false", "said\nexit code 1", 1),
        ("nosuchprogram 2>/dev/null", "exit code 127", 127),
        ("kill -KILL $$", "ended by signal SIGKILL", 137),
        ("(sh -c 'kill -SEGV $$'; exit $?) 2>/dev/null", "exit code 139 (SIGSEGV)", 139),
        ("exit 255", "exit code 255", 255),
    ],
)
async def test_a_bad_end_is_the_last_line_and_an_error(bench: Bench, command: str, output: str, exit_code: int) -> None:
    assert await bash(bench, command) == Outcome(output, is_error=True, exit_code=exit_code)


@pytest.mark.parametrize(
    ("exit_code", "timed_out", "words"),
    [
        (-6, False, "ended by signal SIGABRT"),
        (-99, False, "ended by signal 99"),
        (-15, True, "timed out after 7 s; the command was ended"),
        (None, True, "the command did not end even when it was killed; it may still be running"),
    ],
)
def test_the_end_is_told_in_plain_words(exit_code: int | None, timed_out: bool, words: str) -> None:
    assert closing_lines(Ending(exit_code, timed_out, left_behind=False), 7) == [words]


@pytest.mark.parametrize(
    "command",
    [
        "sleep 30 & echo $!",
        "nohup sleep 30 >/dev/null 2>&1 & echo $!",
        "(sleep 30 & echo $!)",
        "set -m; sleep 30 & echo $!",
        "trap '' TERM; sleep 30 & echo $!",
        "bash -c 'kill -STOP $BASHPID' & echo $!",
    ],
)
async def test_a_child_in_the_background_neither_holds_the_command_nor_outlives_it(bench: Bench, command: str) -> None:
    outcome = await asyncio.wait_for(bash(bench, command), 10)
    pid, note = outcome.output.splitlines()
    assert note == BACKGROUND_ENDED
    assert is_gone(int(pid))
    assert not outcome.is_error


@pytest.mark.parametrize(
    "begin",
    [
        "setsid sh -c 'echo $$ > pid; exec sleep 30' &",
        "(setsid setsid sh -c 'echo $$ > pid; exec sleep 30' > /dev/null 2>&1 &);",
        "setsid sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 0.1; done' &",
        "setsid sh -c 'setsid sleep 29 & echo $! > pid; exec env -i sleep 30' &",
    ],
)
async def test_a_child_in_another_session_neither_holds_the_command_nor_outlives_it(bench: Bench, begin: str) -> None:
    command = f"{begin} until test -s pid; do sleep 0.01; done; echo hi"
    outcome = await asyncio.wait_for(bash(bench, command), 10)
    assert outcome == Outcome(f"hi\n{BACKGROUND_ENDED}", exit_code=0)
    assert is_gone(int((bench.root / "pid").read_text()))


async def test_a_chatty_child_in_the_background_is_ended_too(bench: Bench) -> None:
    outcome = await asyncio.wait_for(bash(bench, "yes & echo done"), 10)
    assert "bytes left out" in outcome.output
    assert outcome.output.endswith(BACKGROUND_ENDED)


async def test_what_a_background_child_says_soon_is_still_heard(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "DRAIN_SECONDS", 15)
    assert await bash(bench, "(sleep 0.1; echo late) & echo early") == Outcome("early\nlate\n", exit_code=0)


@pytest.mark.parametrize(
    "command", ["sleep 30", "trap '' TERM; echo begun; while :; do sleep 0.1; done", "sleep 30 | cat"]
)
async def test_time_over_ends_the_command_and_keeps_what_it_said(bench: Bench, command: str) -> None:
    outcome = await asyncio.wait_for(bash(bench, f"echo $$; {command}", 1), 10)
    lines = outcome.output.splitlines()
    assert is_gone(int(lines[0]))
    assert lines[-1] == "timed out after 1 s; the command was ended"
    assert outcome.is_error
    assert outcome.exit_code is None


@pytest.mark.parametrize(
    "command",
    [
        "sleep 30 & echo $! > pid; echo begun; wait",
        "trap '' TERM; sleep 30 & echo $! > pid; echo begun; while :; do sleep 0.1; done",
        "set -m; sleep 30 & echo $! > pid; echo begun; sleep 30",
        "sleep 30 & echo $! > pid; yes begun",
    ],
)
@pytest.mark.parametrize("times", [1, 3])
async def test_cancelling_ends_all_that_was_started(bench: Bench, command: str, times: int) -> None:
    before = open_files()
    task = asyncio.create_task(bash(bench, command))
    await asyncio.wait_for(until_said(bench, "begun"), 10)
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert is_gone(int((bench.root / "pid").read_text()))
    assert open_files() == before


async def test_cancelling_at_once_leaves_nothing(bench: Bench) -> None:
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    of_others = set(children.read_text().split())
    before = open_files()
    for rounds in range(8):
        task = asyncio.create_task(bash(bench, "sleep 30"))
        for _ in range(rounds):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert open_files() == before
    assert all(is_gone(int(pid)) for pid in set(children.read_text().split()) - of_others)


@pytest.mark.parametrize("command", ["echo hi", "sleep 30 & echo hi", "exit 3", "echo hi >&2"])
async def test_works_where_processes_cannot_be_watched_by_descriptor(
    bench: Bench, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = await bash(bench, command)

    def unknown(pid: int, flags: int = 0) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", unknown)
    assert await asyncio.wait_for(bash(bench, command), 10) == expected
    assert (await asyncio.wait_for(bash(bench, "sleep 30", 0.2), 10)).output.startswith("timed out")


async def test_fifty_megabytes_are_kept_at_both_ends_and_whole_in_a_file(bench: Bench) -> None:
    tracemalloc.start()
    try:
        outcome = await bash(bench, "echo first; yes | head -c 50000000; echo last")
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    total = 50_000_000 + len("first\nlast\n")
    assert len(outcome.output.encode()) <= bench.workplace.output_limit_bytes
    assert outcome.output.startswith("first\ny\n")
    assert f"of {total:,} bytes. All {total:,} bytes are in .diligent/sessions/s/0a1b2c3d.txt" in outcome.output
    assert "\ny\nlast\n[shown: " in outcome.output
    assert outcome.spill == "0a1b2c3d.txt"
    file = bench.workplace.spill_folder / outcome.spill
    assert file.stat().st_size == total
    assert file.read_bytes() == b"first\n" + b"y\n" * 25_000_000 + b"last\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert peak_bytes < 5_000_000
    again = await bench.run("read", {"path": ".diligent/sessions/s/0a1b2c3d.txt", "offset": 25_000_002})
    assert again.output.startswith("25000002\tlast")


async def test_binary_output_is_kept_as_text_and_whole_in_the_file(bench: Bench) -> None:
    (bench.root / "blob").write_bytes(bytes(range(256)) * 64)
    outcome = await bash(bench, "cat blob")
    assert len(outcome.output.encode()) <= bench.workplace.output_limit_bytes
    assert "\0" not in outcome.output
    assert outcome.spill is not None
    assert (bench.workplace.spill_folder / outcome.spill).read_bytes() == (bench.root / "blob").read_bytes()


async def test_a_file_that_cannot_be_made_is_said_and_stops_nothing(bench: Bench) -> None:
    bench.workplace.spill_folder.mkdir(parents=True)
    (bench.workplace.spill_folder / "0a1b2c3d.txt").symlink_to(bench.root / "stolen")
    outcome = await bash(bench, "yes | head -c 1000000; echo end")
    assert "The whole could not be saved" in outcome.output
    assert outcome.spill is None
    assert not (bench.root / "stolen").exists()
    assert "end\n[shown" in outcome.output


async def test_a_flood_is_shown_live_in_few_short_pieces(bench: Bench) -> None:
    started = time.monotonic()
    await bash(bench, "yes | head -c 20000000")
    assert len(bench.said) <= (time.monotonic() - started) * 10 + 3
    assert max(map(len, bench.said)) < 17_000
    assert "characters went by" in "".join(bench.said)


async def test_live_output_holds_every_word_of_a_quiet_command(bench: Bench) -> None:
    outcome = await bash(bench, "for i in 1 2 3 4 5; do printf 'é%s' $i; sleep 0.03; done")
    assert "".join(bench.said) == outcome.output == "é1é2é3é4é5"


async def test_the_event_loop_goes_on_during_a_flood(bench: Bench) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await bash(bench, "yes | head -c 20000000")
    ticking.cancel()
    assert ticks > 20_000_000 / 65_536


async def test_keys_are_not_handed_on(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "LC_TOKEN", "DB_PASSWORD"]
    for name in [*names, "BASH_ENV", "SSH_AUTH_SOCK", "LD_PRELOAD_X", "BASH_FUNC_ls%%"]:
        monkeypatch.setenv(name, "canary-value")
    monkeypatch.setenv("LC_TIME", "C")
    monkeypatch.setenv("PATH", f".::relative/bin:{os.environ['PATH']}")
    output = (await bash(bench, "env; echo PATH=$PATH")).output
    assert "canary" not in output
    assert "LC_TIME=C" in output
    assert not any(part in output for part in ("=.:", "::", "relative/bin"))


async def test_runs_in_the_working_folder_in_a_new_shell(bench: Bench) -> None:
    (bench.root / "sub").mkdir()
    inside = Bench(replace(bench.workplace, cwd=bench.root / "sub"))
    assert (await bash(inside, "pwd; cd /")).output == (await bash(inside, "pwd")).output == f"{bench.root / 'sub'}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "`command` is missing: give the command to run."),
        ({"command": "true", "timeoutSeconds": 0}, "`timeoutSeconds` must be more than 0 and at most 1800."),
        ({"command": "true", "timeoutSeconds": 1e9}, "at most 1800"),
        ({"command": "true", "timeout": 5}, "`timeout` is not known here"),
        ({"command": "echo \0"}, "NUL"),
        ({"command": "echo " + "x" * 200_000}, "could not be started"),
    ],
)
async def test_what_cannot_be_run_is_explained(bench: Bench, arguments: JsonObject, words: str) -> None:
    outcome = await bench.run("bash", arguments)
    assert outcome.is_error
    assert words in outcome.output


async def test_a_working_folder_that_is_gone_is_explained(bench: Bench) -> None:
    lost = Bench(replace(bench.workplace, cwd=bench.root / "gone"))
    outcome = await bash(lost, "true")
    assert outcome.is_error
    assert "could not be started" in outcome.output
    assert "No such file" in outcome.output


async def test_no_descriptor_is_left_open_whatever_happens(bench: Bench) -> None:
    await bash(bench, "true")
    before = open_files()
    for command in ("echo hi", "exit 1", "sleep 30 &", "yes | head -c 100000", "sleep 30"):
        await bash(bench, command, 0.5)
    await bench.run("bash", {"command": "x" * 200_000})
    assert open_files() == before


async def test_commands_run_beside_each_other(bench: Bench) -> None:
    outcomes = await asyncio.gather(*(bash(bench, f"echo {number}") for number in range(5)))
    assert [outcome.output for outcome in outcomes] == [f"{number}\n" for number in range(5)]
