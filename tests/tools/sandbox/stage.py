"""A workspace, a home and an outside, with listeners and a process, from which a command tries to get out."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.process import Command, Launcher
from diligent_tui.tools.sandbox.cage import Cage, cage_for
from diligent_tui.tools.sandbox.policy import SandboxPolicy
from diligent_tui.tools.sandbox.protected import take_snapshot
from tests.tools.sandbox.probes import Probe

PATIENCE_SECONDS = 60
LOOK_AGAIN_SECONDS = 0.02
FILES = {
    "workspace/file": "file",
    "workspace/diligent.jsonc": "{}",
    "workspace/.git/config": "[core]\n",
    "workspace/.git/hooks/post-commit": "#!/bin/sh\n",
    "workspace/.diligent/knowledge/knowledge.jsonl": "",
    "workspace/.diligent/sessions/other.jsonl": "canary\n",
    "workspace/.diligent/sessions/own/0a1b2c3d.txt": "a long output\n",
    "outside/kept": "kept",
    "shared/theirs": "canary",
    "home/.profile": "",
    "home/.ssh/id_ed25519": "canary",
    "home/.aws/credentials": "canary",
    "home/.netrc": "canary",
    "home/.config/diligent/diligent.jsonc": "{}",
    "home/notes.txt": "notes",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """Where it all is."""

    folder: Path
    variables: Mapping[str, str]

    @property
    def root(self) -> Path:
        return self.folder / "workspace"

    @property
    def workplace(self) -> Workplace:
        return Workplace(self.root, self.root, 20_000, self.root / ".diligent" / "sessions" / "own")

    def policy(self, *, network: bool = False) -> SandboxPolicy:
        home = self.folder / "home"
        return SandboxPolicy(
            network=network,
            hidden=(home / ".config" / "diligent",),
            home=home,
            temporary=(self.folder / "shared",),
        )

    def cage(self, *, network: bool = False) -> Cage:
        return cage_for(self.policy(network=network), self.workplace, self.folder / "private", network=False)

    def says(self, launcher: Launcher, line: str) -> tuple[int, str]:
        """Run a line of bash as a launcher starts it; its exit code and what it printed."""
        read_end, write_end = os.pipe()
        with os.fdopen(read_end, "rb") as output:
            command = Command(("/bin/bash", "--norc", "-c", line), self.root, {**os.environ, **self.variables})
            try:
                process = launcher.start(command, write_end)
            finally:
                os.close(write_end)
            too_long = threading.Timer(PATIENCE_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
            too_long.start()
            try:
                said = output.read().decode()
                return process.wait(PATIENCE_SECONDS), said
            finally:
                too_long.cancel()
                too_long.join()

    def is_open(self, launcher: Launcher, probe: Probe) -> bool:
        """True if a try got out, and nobody undid it."""
        snapshot = None if launcher.__class__.__name__ == "PlainLauncher" else take_snapshot(self.root)
        code, _ = self.says(launcher, probe.line)
        if snapshot:
            snapshot.put_back(only_new=launcher.leader_is_guard)
        proof = subprocess.run(["/bin/bash", "-c", probe.proof], env=self.variables)
        return code == 0 and proof.returncode == 0


@contextmanager
def stage_in(folder: Path) -> Generator[Stage]:
    """Put everything in its place, and clear it away."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "private").mkdir()
    (folder / "workspace" / "link").symlink_to(folder / "outside")
    sockets = (folder / "outside" / "socket", folder / "shared" / "socket")
    # As /proc/net/unix lists them, but without those of tests that run beside this one and may just be ending.
    (folder / "sockets").write_text("\n".join(["Num", *(f"0: 2 0 1 1 1 9 {path}" for path in sockets)]))
    name = f"diligent-{secrets.token_hex(6)}"
    with ExitStack() as stack:
        tcp_port, udp_port = stack.enter_context(_network(name, sockets))
        bystander = subprocess.Popen(["sleep", "60"], env={"TOKEN": "canary"}, cwd=folder)
        stack.callback(bystander.wait)
        stack.callback(bystander.kill)
        stack.callback(lambda: Path("/dev/shm", name).unlink(missing_ok=True))
        yield Stage(
            folder,
            {
                "PATH": os.environ["PATH"],
                "PYTHON": sys.executable,
                "ROOT": str(folder / "workspace"),
                "OUT": str(folder / "outside"),
                "SHARED": str(folder / "shared"),
                "USER_HOME": str(folder / "home"),
                "PORT": str(tcp_port),
                "DATAGRAM_PORT": str(udp_port),
                "NAME": name,
                "PID": str(bystander.pid),
            },
        )
        subprocess.run(["umount", "-q", str(folder / "outside")], stderr=subprocess.DEVNULL)


@contextmanager
def _network(name: str, files: tuple[Path, ...]) -> Generator[tuple[int, int]]:
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        datagrams = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        # Not the port of the connections: others may have it for their datagrams.
        datagrams.bind(("127.0.0.1", 0))
        for address in (f"\0{name}", *map(str, files)):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
        for file in files:
            os.utime(file, (0, 0))
        datagrams.settimeout(LOOK_AGAIN_SECONDS)
        is_over = threading.Event()
        answering = threading.Thread(target=_answer, args=(datagrams, is_over))
        answering.start()
        yield int(tcp.getsockname()[1]), int(datagrams.getsockname()[1])
        is_over.set()
        answering.join()


def _answer(datagrams: socket.socket, is_over: threading.Event) -> None:
    while not is_over.is_set():
        with suppress(OSError):
            _, caller = datagrams.recvfrom(3)
            datagrams.sendto(b"yes", caller)
