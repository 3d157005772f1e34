"""From the best sandbox down to none: what is found, said, kept and refused."""

import socket
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.process import PlainLauncher
from diligent_tui.tools.sandbox import probe as probe_module
from diligent_tui.tools.sandbox import sandbox as sandbox_module
from diligent_tui.tools.sandbox.policy import OFF, SandboxPolicy, SandboxState
from diligent_tui.tools.sandbox.probe import level_of, probe
from diligent_tui.tools.sandbox.sandbox import Sandbox, no_sandbox

ALL = frozenset({"alive", "write", "link", "secret", "tcp", "signal"})


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe_module, "landlock_version", lambda: 0)


def fake_bubblewrap(folder: Path, body: str) -> Path:
    """A program in the place of bubblewrap; its arguments up to `--` mean nothing to it."""
    program = folder / "bwrap"
    program.write_text(f"#!/bin/bash\n{body}\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("ways", "network", "level"),
    [
        (frozenset({"alive"}), False, "full"),
        (frozenset[str](), False, "none"),
        (frozenset({"write"}), False, "none"),
        (frozenset({"alive", "tcp"}), False, "none"),
        (frozenset({"alive", "tcp", "datagram", "abstract socket"}), True, "full"),
        (frozenset({"alive", "protected", "socket file"}), False, "partial"),
        (frozenset({"alive", "protected", "secret"}), False, "none"),
        (frozenset({"alive", "memory"}), True, "none"),
        (frozenset({"alive", "a way that is new"}), False, "none"),
    ],
)
def test_the_level_is_what_the_open_ways_leave(ways: frozenset[str], network: bool, level: str) -> None:
    assert level_of(ways, network=network)[0] == level


@pytest.mark.usefixtures("no_landlock")
def test_with_nothing_to_shut_in_with_that_is_said() -> None:
    assert probe(SandboxPolicy(), None) == SandboxState(
        "none", "none", "Commands are not shut in. bubblewrap is not installed. This kernel has no Landlock."
    )


@pytest.mark.usefixtures("no_landlock")
def test_a_bubblewrap_that_lets_everything_out_is_found_out(tmp_path: Path) -> None:
    open_door = fake_bubblewrap(tmp_path, 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"')
    state = probe(SandboxPolicy(), open_door)
    assert state.level == "none"
    assert "a command got out by way of abstract socket, datagram, link, memory, protected, secret" in state.sentence


@pytest.mark.usefixtures("no_landlock")
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo 'bwrap: Creating new namespace failed' >&2; exit 1", "Creating new namespace failed."),
        ("exit 0", "a command in it cannot work."),
        ("echo alive | tr a x; kill -9 $$", "a command in it cannot work."),
    ],
)
def test_a_bubblewrap_that_does_not_work_is_said_with_its_reason(tmp_path: Path, body: str, words: str) -> None:
    state = probe(SandboxPolicy(), fake_bubblewrap(tmp_path, body))
    assert state.level == "none"
    assert f"bubblewrap does not work here: {words}" in state.sentence


@pytest.mark.usefixtures("no_landlock")
def test_a_bubblewrap_that_cannot_be_run_is_said(tmp_path: Path) -> None:
    assert "No such file or directory" in probe(SandboxPolicy(), tmp_path / "bwrap").sentence


@pytest.mark.usefixtures("no_landlock")
def test_ports_that_others_have_for_their_datagrams_do_not_hinder_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_server = socket.create_server
    with ExitStack() as neighbours:

        def create_server_beside_a_neighbour(address: tuple[str, int]) -> socket.socket:
            server = create_server(address)
            neighbour = neighbours.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            with suppress(OSError):  # somebody has it already, which serves as well
                neighbour.bind(server.getsockname())
            return server

        monkeypatch.setattr(socket, "create_server", create_server_beside_a_neighbour)
        sentence = probe(SandboxPolicy(), fake_bubblewrap(tmp_path, "exit 0")).sentence
    assert "bubblewrap does not work here: a command in it cannot work." in sentence


def test_switched_off_nothing_is_tried(tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    assert probe(SandboxPolicy(mode="off"), fake_bubblewrap(tmp_path, f"touch {witness}")) == OFF
    assert not witness.exists()


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (OFF, "sandbox off"),
        (SandboxState("none", "none", ""), "no sandbox"),
        (SandboxState("partial", "landlock", ""), "sandbox partial"),
        (SandboxState("full", "bubblewrap", ""), "sandbox full"),
    ],
)
def test_the_header_has_a_word_for_it(state: SandboxState, word: str) -> None:
    assert state.word == word


class Counting:
    """Stands for the trying, and counts it."""

    def __init__(self, state: SandboxState) -> None:
        self.state = state
        self.times = 0

    def __call__(self, policy: SandboxPolicy, bwrap: Path | None) -> SandboxState:
        self.times += 1
        return self.state


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    found = Counting(SandboxState("partial", "landlock", "Half."))
    monkeypatch.setattr(sandbox_module, "probe", found)
    return found


async def test_it_is_tried_once_and_not_before_it_is_asked(counting: Counting) -> None:
    sandbox = Sandbox(SandboxPolicy(), look=False)
    assert sandbox.state is None
    assert not sandbox.is_full
    assert counting.times == 0
    assert await sandbox.find_out() == await sandbox.find_out() == sandbox.state == counting.state
    assert counting.times == 1


async def test_the_finding_is_kept_for_the_next_run_in_a_private_file(counting: Counting, tmp_path: Path) -> None:
    file = tmp_path / "state" / "sandbox.json"
    for _ in range(2):
        assert await Sandbox(SandboxPolicy(), file, look=False).find_out() == counting.state
    assert counting.times == 1
    assert file.stat().st_mode & 0o777 == 0o600
    await Sandbox(SandboxPolicy(network=True), file, look=False).find_out()
    assert counting.times == 2
    await Sandbox(SandboxPolicy(network=True), file, fake_bubblewrap(tmp_path, "")).find_out()
    assert counting.times == 3


@pytest.mark.parametrize("content", [b"", b"{", b'{"key": "x"}', b"\xff" * 20, b'{"key":"x","level":"full"}'])
async def test_a_finding_that_cannot_be_read_is_made_again(counting: Counting, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "sandbox.json").write_bytes(content)
    assert await Sandbox(SandboxPolicy(), tmp_path / "sandbox.json", look=False).find_out() == counting.state
    assert counting.times == 1


async def test_a_finding_that_cannot_be_kept_stops_nothing(counting: Counting, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    assert await Sandbox(SandboxPolicy(), tmp_path / "state" / "sandbox.json", look=False).find_out() == counting.state


async def test_asking_for_full_and_getting_less_is_marked_whatever_was_kept(counting: Counting, tmp_path: Path) -> None:
    for path in (None, tmp_path / "sandbox.json", tmp_path / "sandbox.json"):
        state = await Sandbox(SandboxPolicy(mode="full"), path, look=False).find_out()
        assert state == replace(counting.state, wants_more=True)
    counting.state = SandboxState("full", "bubblewrap", "")
    assert not (await Sandbox(SandboxPolicy(mode="full"), look=False).find_out()).wants_more


async def test_switched_off_commands_run_as_they_are(tmp_path: Path) -> None:
    sandbox = no_sandbox()
    assert await sandbox.find_out() == OFF
    workplace = Workplace(tmp_path, tmp_path, 1_000, tmp_path)
    assert sandbox.launcher(workplace, network=False) == PlainLauncher()
