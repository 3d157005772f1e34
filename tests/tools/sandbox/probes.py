"""Ways out of a sandbox, as data: what is tried, and behind which backend it is open.

A try is a line of bash with the places of the stage in its variables; it got out if the line succeeds and, where a
proof is given, the proof succeeds outside afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Backend = Literal["none", "bubblewrap", "landlock"]
EVERYWHERE: frozenset[Backend] = frozenset({"none", "bubblewrap", "landlock"})
BARE: frozenset[Backend] = frozenset({"none"})
WITHOUT_BUBBLEWRAP: frozenset[Backend] = frozenset({"none", "landlock"})
NOWHERE: frozenset[Backend] = frozenset()


@dataclass(frozen=True, slots=True)
class Probe:
    """One way out."""

    line: str
    open_in: frozenset[Backend] = BARE
    proof: str = "true"
    needs_root: bool = False
    """Without a sandbox it is open to root alone."""
    open_with_network: frozenset[Backend] = NOWHERE
    """Behind which backends it opens when the network is allowed."""


def python(program: str) -> str:
    """A line that runs a program of Python's."""
    return f'$PYTHON -I -S -c \'{program}\' "$PORT" "$NAME" "$PID" "$DATAGRAM_PORT"'


def unix_socket(address: str) -> str:
    """A line that calls a socket in a file."""
    return f"$PYTHON -I -S -c 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])' {address}"


WRITING = {
    "make a file outside": Probe("echo x > $OUT/new"),
    "replace a file outside": Probe("echo x > $OUT/kept"),
    "append to a file outside": Probe("echo x >> $OUT/kept"),
    "cut a file outside": Probe("truncate -s 0 $OUT/kept"),
    "remove a file outside": Probe("rm -f $OUT/kept && ! test -e $OUT/kept"),
    "take a file from outside": Probe("mv $OUT/kept $ROOT/stolen"),
    "put a file outside": Probe("mv $ROOT/file $OUT/"),
    "make a folder outside": Probe("mkdir $OUT/folder"),
    "make a link outside": Probe("ln -s / $OUT/link"),
    "make a pipe outside": Probe("mkfifo $OUT/pipe"),
    "write through a hard link": Probe("ln $OUT/kept $ROOT/hard && echo x >> $ROOT/hard"),
    "write through a link": Probe("echo x > $ROOT/link/new"),
    "write through a link made just now": Probe("ln -s $OUT $ROOT/fresh && echo x > $ROOT/fresh/new"),
    "write through /proc/self/root": Probe("echo x > /proc/self/root$OUT/new"),
    "write through /proc/self/cwd": Probe("echo x > /proc/self/cwd/../outside/new"),
    "write the home": Probe("echo x >> $USER_HOME/.profile"),
    "let a stranger log in": Probe("echo x >> $USER_HOME/.ssh/authorized_keys"),
    "change our settings": Probe("echo x >> $USER_HOME/.config/diligent/diligent.jsonc"),
    "change the rights of a file outside": Probe("chmod 777 $OUT/kept", WITHOUT_BUBBLEWRAP),
    "change the time of a file outside": Probe("touch -d 2001-01-01 $OUT/kept", WITHOUT_BUBBLEWRAP),
    "rename the workspace": Probe("cd / && mv $ROOT $ROOT-2"),
    "write shared memory": Probe("echo x > /dev/shm/$NAME", WITHOUT_BUBBLEWRAP, "test -e /dev/shm/$NAME"),
    "write where all put temporary files": Probe("echo x > $SHARED/new", WITHOUT_BUBBLEWRAP, "test -e $SHARED/new"),
    "write a kernel setting": Probe(
        "said=$(cat /proc/sys/kernel/core_pattern) && echo $said > /proc/sys/kernel/core_pattern", needs_root=True
    ),
    "make the outside writable": Probe(
        'unshare -Urm sh -c "mount -o remount,bind,rw / && echo x > $OUT/new"',
        proof="test -e $OUT/new",
        needs_root=True,
    ),
    "mount over the outside": Probe("mount -t tmpfs none $OUT", needs_root=True),
}
PROTECTED = {
    "plant a hook": Probe("echo x > .git/hooks/pre-commit", proof="test -e $ROOT/.git/hooks/pre-commit"),
    "change git's config": Probe("echo evil >> .git/config", proof="grep -q evil $ROOT/.git/config"),
    "exchange the repository": Probe(
        "mv .git old && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit",
        proof="test -e $ROOT/.git/hooks/pre-commit",
    ),
    "exchange the hooks": Probe("rm -rf .git/hooks && ln -s $OUT .git/hooks", proof="test -L $ROOT/.git/hooks"),
    "lead git elsewhere": Probe("echo /elsewhere > .git/commondir", proof="test -e $ROOT/.git/commondir"),
    "give git a second config": Probe("echo x > .git/config.worktree", proof="test -e $ROOT/.git/config.worktree"),
    "change the project's settings": Probe("echo evil > diligent.jsonc", proof="grep -q evil $ROOT/diligent.jsonc"),
    "add to the knowledge": Probe("echo x >> .diligent/knowledge/knowledge.jsonl", WITHOUT_BUBBLEWRAP),
    "change another session": Probe(
        "echo x >> .diligent/sessions/other.jsonl", WITHOUT_BUBBLEWRAP, "grep -q x $ROOT/.diligent/sessions/other.jsonl"
    ),
}
READING = {
    "read a private key": Probe("cat $USER_HOME/.ssh/id_ed25519"),
    "read credentials": Probe("cat $USER_HOME/.aws/credentials"),
    "read a password file": Probe("grep canary $USER_HOME/.netrc"),
    "read our settings": Probe("cat $USER_HOME/.config/diligent/diligent.jsonc"),
    "read a key through a link": Probe("ln -s $USER_HOME/.ssh/id_ed25519 $ROOT/key && cat $ROOT/key"),
    "read a key through a hard link": Probe("ln $USER_HOME/.ssh/id_ed25519 $ROOT/key && cat $ROOT/key"),
    "read a key through /proc/self/root": Probe("cat /proc/self/root$USER_HOME/.ssh/id_ed25519"),
    "read another session": Probe("cat .diligent/sessions/other.jsonl", WITHOUT_BUBBLEWRAP),
    "read others' temporary files": Probe("cat $SHARED/theirs", WITHOUT_BUBBLEWRAP),
}
NETWORK = {
    "open a connection": Probe(
        python('import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)'),
        open_with_network=EVERYWHERE,
    ),
    "send a datagram": Probe(
        python(
            "import socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(5);"
            's.connect(("127.0.0.1", int(sys.argv[4]))); s.send(b"out"); s.recv(3)'
        ),
        open_with_network=EVERYWHERE,
    ),
    "call an abstract socket": Probe(
        python('import socket, sys; socket.socket(socket.AF_UNIX).connect("\\0" + sys.argv[2])'),
        open_with_network=EVERYWHERE,
    ),
    "call a socket in a file": Probe(
        unix_socket("$OUT/socket"), WITHOUT_BUBBLEWRAP, open_with_network=frozenset({"landlock"})
    ),
    "call a socket among temporary files": Probe(
        unix_socket("$SHARED/socket"), WITHOUT_BUBBLEWRAP, open_with_network=frozenset({"landlock"})
    ),
    "look at the wire": Probe(
        python("import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"), needs_root=True
    ),
}
PROCESSES = {
    "signal a process outside": Probe("kill -0 $PID"),
    "see a process outside": Probe("test -e /proc/$PID", WITHOUT_BUBBLEWRAP),
    "read the environment of a process outside": Probe("grep -qa canary /proc/$PID/environ"),
    "open the memory of a process outside": Probe(python('import sys; open(f"/proc/{sys.argv[3]}/mem", "rb")')),
    "see the folder of a process outside": Probe("readlink /proc/$PID/cwd"),
    "trace a process outside": Probe(
        python("import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(16, int(sys.argv[3]), 0, 0) != 0)"),
        needs_root=True,
    ),
    "gain rights by a setuid program": Probe("grep -q 'NoNewPrivs:.0' /proc/self/status"),
    "use root's power over the system": Probe(
        "(( (0x$(sed -n 's/CapEff:.//p' /proc/self/status) >> 21) & 1 ))", needs_root=True
    ),
    "write to our terminal": Probe("echo x > /dev/tty", NOWHERE),
}
PROBES: Mapping[str, Probe] = MappingProxyType(WRITING | PROTECTED | READING | NETWORK | PROCESSES)
