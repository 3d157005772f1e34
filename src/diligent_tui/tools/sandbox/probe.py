"""Finding out how far this machine can shut a command in: by trying to get out, not by asking for versions."""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.environment import PATH_IF_NONE
from diligent_tui.tools.process import Command, Launcher
from diligent_tui.tools.sandbox import escapes
from diligent_tui.tools.sandbox.bubblewrap import BubblewrapLauncher
from diligent_tui.tools.sandbox.cage import cage_for
from diligent_tui.tools.sandbox.fenced import FencedLauncher
from diligent_tui.tools.sandbox.landlock import landlock_version
from diligent_tui.tools.sandbox.policy import EXTERNAL, OFF, SandboxLevel, SandboxPolicy, SandboxState

LONGEST_PROBE_SECONDS = 20.0
NETWORK_WAYS = frozenset({"tcp", "datagram", "abstract socket"})
LEFT_OPEN_BY_PARTIAL = frozenset({"protected", "socket file"})
SAID_BY_BUBBLEWRAP = "bwrap: "

Trial = tuple[SandboxLevel, str]


def probe(policy: SandboxPolicy, bwrap: Path | None) -> SandboxState:
    """Try the ways of shutting in from the best down; takes about a tenth of a second, so it is called in a thread."""
    if policy.mode in ("off", "external"):
        return OFF if policy.mode == "off" else EXTERNAL
    reasons: list[str] = []
    if bwrap is None:
        reasons.append("bubblewrap is not installed.")
    else:
        level, why = _try_out(policy, bwrap)
        if level != "full":
            # What it covers may have gone while it started; a second time that does not happen.
            level, why = _try_out(policy, bwrap)
        if level == "full":
            return SandboxState("full", "bubblewrap", _full_sentence(policy))
        reasons.append(f"bubblewrap does not work here: {why}")
    if landlock_version() == 0:
        reasons.append("This kernel has no Landlock.")
    else:
        level, why = _try_out(policy, None)
        if level != "none":
            return SandboxState("partial", "landlock", _partial_sentence(policy, reasons), policy.mode == "full")
        reasons.append(f"Landlock does not hold here: {why}")
    sentence = f"Commands are not shut in. {' '.join(reasons)}"
    return SandboxState("none", "none", sentence, policy.mode == "full")


def level_of(open_ways: frozenset[str], *, network: bool) -> Trial:
    """What a sandbox is worth from which these ways are open, and why it is not worth more."""
    if "alive" not in open_ways:
        return "none", "a command in it cannot work."
    leaks = open_ways - {"alive"} - (NETWORK_WAYS if network else frozenset())
    names = ", ".join(sorted(leaks))
    if not leaks:
        return "full", ""
    return ("partial" if leaks <= LEFT_OPEN_BY_PARTIAL else "none"), f"a command got out by way of {names}."


def find_open_ways(policy: SandboxPolicy, bwrap: Path | None) -> tuple[frozenset[str], str]:
    """The ways out that are open with bubblewrap, or with Landlock if that is None, and what the sandbox complained of.

    A sandbox in which nothing works has not even the way that is called "alive". Raises OSError if it does not start.
    """
    # Not in the place for temporary files, which commands may write: there a write would prove nothing.
    with _stage() as stage, _listeners(stage) as listeners:
        workspace = stage / "workspace"
        workplace = Workplace(workspace, workspace, 1_000, workspace / ".diligent" / "none")
        trial = SandboxPolicy(
            policy.mode,
            policy.network,
            hidden=(stage / "hidden",),
            home=stage / "home",
            temporary=(stage / "temporary",),
        )
        cage = cage_for(trial, workplace, stage / "private", network=False)
        launcher = BubblewrapLauncher(bwrap, cage) if bwrap else FencedLauncher(cage)
        arguments = (str(stage), *listeners, str(os.getpid()))
        said = _run(launcher, workspace, arguments)
    ways = frozenset(line for line in said.splitlines() if not line.startswith(SAID_BY_BUBBLEWRAP))
    return ways, _complaint(said)


def _try_out(policy: SandboxPolicy, bwrap: Path | None) -> Trial:
    try:
        ways, complaint = find_open_ways(policy, bwrap)
    except OSError as error:
        return "none", f"{error.strerror or error}."
    level, why = level_of(ways, network=policy.network)
    return level, (complaint or why) if level == "none" else why


def _run(launcher: Launcher, cwd: Path, arguments: Sequence[str]) -> str:
    program = (sys.executable, "-I", "-S", str(escapes.__file__), *arguments)
    with tempfile.TemporaryFile() as output:
        process = launcher.start(Command(program, cwd, {"PATH": PATH_IF_NONE}), output.fileno())
        try:
            process.wait(LONGEST_PROBE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        output.seek(0)
        return output.read().decode(errors="replace")


@contextmanager
def _stage() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="diligent-") as folder:
        stage = Path(folder).resolve()
        for name in ("workspace/.git/hooks", "outside", "home", "hidden", "temporary", "private"):
            (stage / name).mkdir(parents=True)
        (stage / "outside" / "kept").write_text("kept")
        (stage / "hidden" / "key").write_text("key")
        (stage / "workspace" / "link").symlink_to(stage / "outside")
        yield stage


@contextmanager
def _listeners(stage: Path) -> Generator[tuple[str, str, str]]:
    """Somebody who listens in each way that a command might call; only datagrams need an answer.

    Each has a port of its own: one that is free for connections may be taken for datagrams.
    """
    name = f"diligent-{secrets.token_hex(8)}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as file,
    ):
        datagrams.bind(("127.0.0.1", 0))
        tcp_port, udp_port = (int(each.getsockname()[1]) for each in (tcp, datagrams))
        for listener, address in ((abstract, f"\0{name}"), (file, str(stage / "home" / "socket"))):
            listener.bind(address)
            listener.listen()
        # Services that have been there for a while, as those that matter have.
        os.utime(stage / "home" / "socket", (0, 0))
        answering = threading.Thread(target=_answer, args=(datagrams,), daemon=True)
        answering.start()
        yield str(tcp_port), str(udp_port), name
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"end", ("127.0.0.1", udp_port))
        answering.join()


def _answer(datagrams: socket.socket) -> None:
    with suppress(OSError):
        while True:
            said, caller = datagrams.recvfrom(3)
            if said == b"end":
                return
            datagrams.sendto(b"yes", caller)


def _complaint(said: str) -> str:
    line = next((line for line in said.splitlines() if line.startswith(SAID_BY_BUBBLEWRAP)), "")
    words = line.removeprefix(SAID_BY_BUBBLEWRAP)
    return f"{words if words.isprintable() else repr(words)}." if words else ""


def _full_sentence(policy: SandboxPolicy) -> str:
    network = "and use the network, as the settings allow" if policy.network else "and have no network"
    return f"Commands are shut in by bubblewrap: they write only in the workspace, see no keys {network}."


def _partial_sentence(policy: SandboxPolicy, reasons: Sequence[str]) -> str:
    network = "use the network, as the settings allow," if policy.network else "have no network"
    return (
        f"Commands are shut in by Landlock: they write only in the workspace and in /tmp, see no keys and {network} "
        "but can read this project's sessions and call services by their socket files. "
        f"{' '.join(reasons)} With bubblewrap they would be shut in fully."
    )
