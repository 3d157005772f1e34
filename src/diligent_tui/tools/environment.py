"""What a command may know of the user's environment: enough to work, no keys, and nothing that waits for a person."""

import ctypes
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

PASSED_ON = re.compile(
    r"""
    HOME | USER | LOGNAME | LANG | LANGUAGE | LC_\w+ | TZ | TMPDIR | TMP | TEMP | XDG_(?:CONFIG|DATA|CACHE|STATE)_HOME
    | VIRTUAL_ENV | CONDA_PREFIX | CONDA_DEFAULT_ENV | PYENV_ROOT | NVM_DIR | NVM_BIN | JAVA_HOME
    | GOPATH | GOROOT | GOBIN | CARGO_HOME | RUSTUP_HOME | GEM_HOME | RBENV_ROOT
    | SSL_CERT_FILE | SSL_CERT_DIR | REQUESTS_CA_BUNDLE | NODE_EXTRA_CA_CERTS
    """,
    re.VERBOSE,
)
SECRET_WORDS = re.compile(r"key|secret|token|passw|pwd|credential|auth", re.IGNORECASE)
NOBODY_ANSWERS = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_PAGER": "cat",
    "EDITOR": "true",
    "VISUAL": "true",
    "GIT_EDITOR": "true",
    "GIT_SEQUENCE_EDITOR": "true",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    "SSH_ASKPASS_REQUIRE": "never",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_NO_INPUT": "1",
}
PATH_IF_NONE = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
SHOWN = (b"PATH", b"TERM", b"SHELL", b"PWD")
PR_SET_DUMPABLE = 4
ENVIRONMENT_FIELD = 47
"""Where /proc/self/stat says at which address the environment begins, counted from the state."""


def command_environment(ours: Mapping[str, str], shell: str) -> dict[str, str]:
    """The environment for a command, made from our own by an allow-list."""
    passed = {name: value for name, value in ours.items() if _is_passed_on(name)}
    return {**passed, **NOBODY_ANSWERS, "PATH": safe_search_path(ours.get("PATH", "")), "SHELL": shell}


def _is_passed_on(name: str) -> bool:
    return PASSED_ON.fullmatch(name) is not None and SECRET_WORDS.search(name) is None


def safe_search_path(search_path: str) -> str:
    """PATH without relative folders, through which a workspace could put its own `ls` first."""
    return ":".join(part for part in search_path.split(":") if Path(part).is_absolute()) or PATH_IF_NONE


def hide_own_environment() -> bool:
    """Keep children of the same user from reading our keys in /proc; to be called once at start. True if it worked.

    The system is told not to show us to others of the same user, which root passes over; so what commands may not know
    is wiped where /proc shows it, and lives on only in the memory of Python.
    """
    if sys.platform != "linux":
        return False
    _wipe_what_is_shown()
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return bool(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)


def _wipe_what_is_shown() -> None:
    try:
        shown = Path("/proc/self/environ").read_bytes()
        begin = int(Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()[ENVIRONMENT_FIELD])
    except (OSError, ValueError, IndexError):
        return
    if not begin:
        return
    at = begin
    for variable in shown.split(b"\0"):
        name, sign, value = variable.partition(b"=")
        if sign and not (_is_passed_on(os.fsdecode(name)) or name in SHOWN):
            # Setting it again puts a copy elsewhere, for our own children and for libraries that ask for it.
            if known := os.environ.get(os.fsdecode(name)):
                os.environ[os.fsdecode(name)] = known
            ctypes.memset(at + len(name) + len(sign), ord("x"), len(value))
        at += len(variable) + 1
