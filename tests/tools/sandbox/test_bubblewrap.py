"""Getting out of bubblewrap: no way is open."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.tools.base import Call, Outcome
from diligent_tui.tools.builtin.run_command import RunCommand
from diligent_tui.tools.runner import run_call
from diligent_tui.tools.sandbox.bubblewrap import BubblewrapLauncher, find_bubblewrap
from diligent_tui.tools.sandbox.policy import SandboxPolicy, SandboxState
from diligent_tui.tools.sandbox.probe import probe
from diligent_tui.tools.sandbox.sandbox import Sandbox
from tests.tools.sandbox.probes import NETWORK, PROBES
from tests.tools.sandbox.stage import Stage


def launcher(stage: Stage, *, network: bool = False) -> BubblewrapLauncher:
    bwrap = find_bubblewrap()
    assert bwrap is not None
    return BubblewrapLauncher(bwrap, stage.cage(network=network))


@pytest.mark.parametrize("name", PROBES)
def test_what_bubblewrap_holds(stage: Stage, name: str) -> None:
    assert stage.is_open(launcher(stage), PROBES[name]) == ("bubblewrap" in PROBES[name].open_in)


@pytest.mark.parametrize("name", NETWORK)
def test_with_the_network_nothing_else_opens(stage: Stage, name: str) -> None:
    expected = "bubblewrap" in NETWORK[name].open_with_network
    assert stage.is_open(launcher(stage, network=True), NETWORK[name]) == expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("echo x > new && cat new file link/kept", "x\nfilekept"),
        ("cat $USER_HOME/notes.txt", "notes"),
        ("cat .diligent/sessions/own/0a1b2c3d.txt", "a long output\n"),
        ("ls -A .diligent/sessions $USER_HOME/.ssh | tr '\\n' ' '; cat .diligent/knowledge/knowledge.jsonl", None),
        ("echo x > $TMPDIR/a && mkdir -p $XDG_CACHE_HOME && cat $TMPDIR/a", "x\n"),
        ("mkdir .git/objects && echo x > .git/index && cat .git/index", "x\n"),
        ("id -u", None),
        ("echo x > /dev/null; head -c 3 /dev/zero | wc -c", "3\n"),
        ("exit 7", ""),
    ],
)
def test_what_a_command_needs_is_there(stage: Stage, line: str, said: str | None) -> None:
    code, output = stage.says(launcher(stage), line)
    assert code == (7 if line == "exit 7" else 0), output
    assert said is None or output == said
    assert "canary" not in output


def test_temporary_files_last_from_one_command_to_the_next_and_are_seen_by_nobody_else(stage: Stage) -> None:
    inside = launcher(stage)
    stage.says(inside, "echo x > $SHARED/between")
    assert stage.says(inside, "cat $SHARED/between") == (0, "x\n")
    assert not (stage.folder / "shared" / "between").exists()


def test_nothing_is_made_on_the_host_by_hiding_and_protecting(stage: Stage) -> None:
    before = sorted(stage.folder.rglob("*"))
    stage.says(launcher(stage), "true")
    made = set(stage.folder.rglob("*")) - set(before)
    assert {path for path in made if not path.is_relative_to(stage.folder / "private")} == set[Path]()


@pytest.mark.parametrize("network", [True, False])
def test_it_is_found_to_be_full_with_and_without_the_network(network: bool) -> None:
    state = probe(SandboxPolicy(network=network), find_bubblewrap())
    assert (state.level, state.backend) == ("full", "bubblewrap"), state.sentence
    assert ("use the network" in state.sentence) == network


async def bash(stage: Stage, command: str, timeout_seconds: float = 15) -> Outcome:
    tool = RunCommand(Sandbox(stage.policy(), known=SandboxState("full", "bubblewrap", "")))
    arguments: JsonObject = {"command": command, "timeoutSeconds": timeout_seconds}
    call = Call(stage.workplace, "0a1b2c3e", lambda _: None)
    return await asyncio.wait_for(run_call(tool, arguments, call), 20)


async def until_gone(word: str) -> None:
    """Wait until no process has the word in its command line; what was killed is gone soon, not at once."""
    while any(word.encode() in command_line(folder) for folder in Path("/proc").iterdir() if folder.name.isdigit()):
        await asyncio.sleep(0.01)


def command_line(folder: Path) -> bytes:
    try:
        return (folder / "cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize(
    "child",
    [
        "sh -c 'sleep 1e9; : $NAME'",
        "env -i setsid sh -c 'sleep 1e9; : '$NAME",
        "setsid env -i sh -c 'trap \"\" TERM; while :; do sleep 0.1; done; : '$NAME",
    ],
)
async def test_nothing_outlives_a_command_even_without_a_trace(stage: Stage, child: str) -> None:
    name = stage.variables["NAME"]
    outcome = await bash(stage, f"NAME={name}; ({child} > /dev/null 2>&1 &); echo hi")
    assert outcome == Outcome("hi\n", exit_code=0)
    await asyncio.wait_for(until_gone(name), 10)


async def test_a_command_is_asked_to_end_before_it_is_killed(stage: Stage) -> None:
    outcome = await bash(stage, "trap 'echo asked; exit 0' TERM; echo begun; while :; do sleep 0.05; done", 1)
    assert outcome.output.endswith("\nasked\ntimed out after 1 s; the command was ended")


@pytest.mark.parametrize(("command", "code"), [("exit 3", 3), ("kill -KILL $$", 137), ("true", 0), ("nosuch", 127)])
async def test_the_exit_code_is_the_commands_own(stage: Stage, command: str, code: int) -> None:
    assert (await bash(stage, command)).exit_code == code


async def test_cancelling_ends_the_sandbox_with_all_in_it(stage: Stage) -> None:
    begun = asyncio.Event()
    tool = RunCommand(Sandbox(stage.policy(), known=SandboxState("full", "bubblewrap", "")))
    call = Call(stage.workplace, "0a1b2c3e", lambda _: begun.set())
    command = "echo begun; trap '' TERM; while :; do sleep 0.1; done"
    running = asyncio.create_task(run_call(tool, {"command": command}, call))
    await asyncio.wait_for(begun.wait(), 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await asyncio.wait_for(until_gone(str(stage.root)), 10)


async def test_git_works_inside_but_for_its_config(stage: Stage) -> None:
    subprocess.run(["git", "init", "-q"], cwd=stage.root, check=True)
    commit = "git add file && git -c user.name=a -c user.email=b commit -qm x && git log --oneline | wc -l"
    assert (await bash(stage, commit)).output.splitlines()[-1] == "1"
    assert (await bash(stage, "git config core.pager evil")).is_error
