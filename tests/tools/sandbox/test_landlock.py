"""Getting out of Landlock: what is open is known, and is why it counts as partial."""

import threading

import pytest

from diligent_tui.tools.process import Command
from diligent_tui.tools.sandbox.fenced import FencedLauncher
from diligent_tui.tools.sandbox.policy import SandboxPolicy
from diligent_tui.tools.sandbox.probe import probe
from tests.tools.sandbox.probes import NETWORK, PROBES
from tests.tools.sandbox.stage import Stage


@pytest.mark.parametrize("name", PROBES)
def test_what_landlock_holds(stage: Stage, name: str) -> None:
    assert stage.is_open(FencedLauncher(stage.cage()), PROBES[name]) == ("landlock" in PROBES[name].open_in)


@pytest.mark.parametrize("name", NETWORK)
def test_with_the_network_nothing_else_opens(stage: Stage, name: str) -> None:
    expected = "landlock" in NETWORK[name].open_with_network
    assert stage.is_open(FencedLauncher(stage.cage(network=True)), NETWORK[name]) == expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("echo x > new && cat new file link/kept", "x\nfilekept"),
        ("cat $USER_HOME/notes.txt", "notes"),
        ("ls $USER_HOME/.ssh", "id_ed25519\n"),
        ("echo x > $TMPDIR/a && mkdir -p $XDG_CACHE_HOME && cat $TMPDIR/a", "x\n"),
        ("mkdir a b && echo x > a/f && mv a/f b/f && cat b/f", "x\n"),
        ("echo x > /dev/null; head -c 3 /dev/zero | wc -c", "3\n"),
        ("sleep 60 & kill $! && wait $! 2>/dev/null; echo $?", "143\n"),
    ],
)
def test_what_a_command_needs_is_there(stage: Stage, line: str, said: str) -> None:
    assert stage.says(FencedLauncher(stage.cage()), line) == (0, said)


@pytest.mark.parametrize("network", [True, False])
def test_it_is_found_to_be_partial_and_that_is_explained(network: bool) -> None:
    state = probe(SandboxPolicy(network=network), None)
    assert (state.level, state.backend) == ("partial", "landlock"), state.sentence
    assert "bubblewrap is not installed." in state.sentence
    assert ("use the network" in state.sentence) == network


def test_we_ourselves_are_not_shut_in(stage: Stage) -> None:
    threads = threading.active_count()
    stage.says(FencedLauncher(stage.cage()), "true")
    (stage.folder / "outside" / "new").write_text("x")
    assert (stage.folder / "home" / ".netrc").read_text() == "canary"
    assert threading.active_count() <= threads


def test_a_program_that_is_not_there_is_said_in_the_thread_of_the_caller(stage: Stage) -> None:
    command = Command(("/no/such/program",), stage.root, {})
    with pytest.raises(FileNotFoundError):
        FencedLauncher(stage.cage()).start(command, 1)
